"""The layers of an entry as blocks: texts with marks, and annotations below them.

An annotation has number, verdict, severity, correction, evidence and references.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.containers import ItemGrid, Vertical
from textual.widget import Widget

from kb.i18n import _, ahead, language, ngettext, of_language
from kb.i18n.names import TOPICS, language_name, layer_name, state_of
from kb.present.annotated import Numbered, in_quotes, marked_words, may_wait, said_before, span_in
from kb.present.markdown.reader import read
from kb.terminal.bidi.direction import direction_of
from tui.bidi import StyledSpan, edge_of
from tui.phrases import KINDS, SEVERITIES, annotation_sign, signs_of, verdict_of
from tui.themes import MATCHED
from tui.widgets.bidi_text import BidiText
from tui.widgets.figures import EvidenceTable
from tui.widgets.links import Citation, Fold
from tui.widgets.prose import ProseText
from tui.widgets.text_block import (
    AnnotationHead,
    CodeBlock,
    CodeText,
    TextBlock,
    colours_of,
    marks_of,
    passages,
    style_of,
)

if TYPE_CHECKING:
    from kb.model.entry import Annotation, Media
    from kb.present.layers import Part, Row, Text
    from tui.reading import Reading

_BEARS_NO_NOTES = ("wording", "context", "assessment")


def facts_block(reading: Reading) -> BidiText:
    """Return the line above an entry: kind, collection, its language if it is another.

    What a reader wrote or imported has its tags, too.
    """
    entry, lang = reading.entry, reading.langs[0]
    kind = _(KINDS.get(entry.kind, entry.kind)) if entry.kind != "question" else ""
    topic = _(TOPICS.get(entry.topic or "", entry.topic or ""))
    foreign = [language_name(lang)] if lang != reading.wanted and not reading.bilingual else []
    tags = (f"#{each}" for each in entry.tags if reading.own or entry.file)
    said = filter(None, [kind, topic, reading.collection, *foreign, *tags])
    return BidiText(" · ".join(dict.fromkeys(said)), classes="facts")


def heading(reading: Reading, part: Part) -> BidiText | None:
    """Return the heading of a layer, if needed; folded layers are unfolded there."""
    named = _(layer_name(part.heading or part.key, own=reading.own))
    if part.key == "smaller":
        count = len(part.remarks)
        named = ngettext("{n} annotation", "{n} annotations", count)
        if any(each.key == "wrong" and each.remarks for each in reading.parts):
            named = ngettext("{n} more annotation", "{n} more annotations", count)
        verdicts = [each.each.annotation.verdict for each in part.remarks]
        named = " · ".join([named, signs_of(verdicts)])
    if part.key == "programs":
        named = ngettext("{n} program", "{n} programs", len(reading.programs))
    texts = [text for text in part.rows[-1] if text is not None] if part.rows else []
    answers = [reading.entry.answer(text.lang, text.role) for text in texts]
    if part.key == "source" and all(e and reading.entry.is_translation(e) for e in answers):
        named = _("Source answer, in our translation")
    foreign = [text.lang for text in texts if text.lang not in reading.langs]
    if foreign and part.key != "question":
        named = f"{named} ({language_name(foreign[0])})"
    if not part.folded or part.fold != part.key:
        return BidiText(named, name=part.key, classes="caption") if named else None
    if part.key == "deeper":
        words = sum(len(text.shown.split()) for text in texts[:1])
        counted = ngettext("{n} word", "{n} words", words)
        named = f"{named} · {counted}" if words else named
    shown, hits = reading.shows(part), reading.hits(part.fold)
    within = ngettext("{n} hit within", "{n} hits within", hits)
    named = f"{named} · {within}" if hits and not shown else named
    return Fold(part.key, named, shown=shown, classes="caption fold")


def row_blocks(reading: Reading, row: Row) -> Iterator[Widget]:
    """Yield a text with its notes, or two languages side by side."""
    if len(row) == 1:
        for text in row:
            yield from _blocks(reading, text, notes=not reading.bilingual) if text else ()
        return
    langs = zip(row, reading.langs, strict=True)
    cells = [list(_blocks(reading, text)) if text else [_nothing(lang)] for text, lang in langs]
    # The first stands where one begins to read.
    yield ItemGrid(*(Vertical(*blocks, classes="side") for blocks in cells), classes="sides")


def _nothing(lang: str) -> BidiText:
    return BidiText(_("Not in this language"), direction=edge_of(lang), classes="hint")


def _blocks(reading: Reading, text: Text, *, notes: bool = False) -> Iterator[Widget]:
    """Yield the passages of a text, each with the notes on words that end in it.

    Search matches and annotated words are marked.
    """
    if text.role in _BEARS_NO_NOTES:
        classes = {"wording": "question", "context": "paragraph"}.get(text.role, text.role)
        yield from prose_blocks(text.text, text.lang, classes)
        return
    role, lang = text.role, text.lang
    document = read(text.text, lang)
    marked = [] if reading.hidden else marked_words(reading.entry, role, lang)
    matched = [StyledSpan(*place, MATCHED) for place in reading.matched.get((role, lang), ())]
    marks = [*matched, *marks_of(marked)]
    of = role, lang, document
    first = True
    pictured: dict[str, Media] = {}
    for passage, ended in passages(document, marked):
        if not text.start <= passage.start < max(text.end, 1):
            continue
        classes = role if first and not text.start else f"{role} paragraph"
        first = False
        if passage.blocks[0].kind == "code":
            every = [*colours_of(passage.blocks[0]), *marks]
            code = CodeText(*of, passage, every, marked, reader=reading.wanted, classes="code")
            yield CodeBlock(code, passage.blocks[0], classes=classes)
        else:
            yield TextBlock(*of, passage, marks, marked, reader=reading.wanted, classes=classes)
        if reading.entry.media:
            from tui.widgets.picture import PictureBlock, shown_media  # with the first to read

            for media in shown_media(reading.entry, passage, pictured):
                yield PictureBlock(media, lang)
        for each in ended if notes and role != "question" else ():
            yield from annotation_block(reading, each)
    if not document.read:
        yield unread()


def addresses(reading: Reading) -> list[str]:
    """Return the link addresses in the displayed texts, without duplicates."""
    blocks = (block for text in reading.texts for block in read(text.text, text.lang).blocks)
    pieces = (piece for block in blocks for prose in block.proses for piece in prose.pieces)
    return list(dict.fromkeys(piece.address for piece in pieces if piece.address))


def annotation_blocks(reading: Reading) -> Iterator[BidiText]:
    """Yield the annotations that are below no paragraph of an answer.

    Those whose words are far away or hidden have quotes; side by side, all have.
    """
    bilingual = reading.bilingual
    left = [each for each in reading.notes if bilingual or not _below(reading, each)]
    restored = any(reading.entry.restored.get(lang) for lang in reading.langs)
    if left or restored:
        caption = _("Annotations") if bilingual else _("On the question and its sources")
        yield BidiText(caption, classes="caption")
    if restored:
        said = _("Restored: the source lost formulas or layout of this question.")
        yield BidiText(said, classes="hint")
    for each in left:
        quoted = bilingual or not _in_sight(reading, each.annotation)
        yield from annotation_block(reading, each, quoted)


def annotation_block(reading: Reading, each: Numbered, quoted: bool = False) -> Iterator[BidiText]:
    """Yield the parts of an annotation in the colour of its verdict."""
    waits = may_wait(each.annotation)
    for part in _parts(reading, each, quoted):
        part.set_class(waits and not isinstance(part, AnnotationHead), "-folded")
        yield part.add_class("annotation", f"-{each.annotation.verdict}")


def _parts(reading: Reading, each: Numbered, quoted: bool) -> Iterator[BidiText]:
    """Yield an annotation: number, verdict, severity, correction, evidence, references."""
    head = _head(each, reading.wanted)
    mark = StyledSpan(0, len(head), style_of(each).replace("underline", "bold"))
    yield AnnotationHead(each.annotation, head, [mark])
    if quoted:
        target = each.annotation.target
        quote, direction = in_quotes(target.quote, target.lang), direction_of(target.lang)
        yield BidiText(quote, direction=direction, formulas=True, classes="quote")
    yield from _details(reading, each.annotation)


def _head(each: Numbered, lang: str) -> str:
    """Return the heading of a note, with its language if not the interface's."""
    annotation = each.annotation
    verdict = verdict_of(annotation.verdict)
    name = f"{annotation_sign(each.number)} {verdict.sign} {_(verdict.name)}"
    spoken = of_language(annotation.note, lang)[0]
    shown = annotation.note and not annotation.repeats
    foreign = [spoken.upper()] if shown and spoken != language() else []
    if annotation.own:
        told = annotation.evidence or annotation.status == "orphaned"
        state = [state_of(annotation)] if told else []
        return " · ".join([name, _("your own"), *state, *foreign])
    severity = _(SEVERITIES.get(annotation.severity, annotation.severity))
    more = [ahead("▸")] if may_wait(annotation) else []
    return " · ".join([name, severity, state_of(annotation), *foreign, *more])


def _details(reading: Reading, annotation: Annotation) -> Iterator[BidiText]:
    if annotation.repeats:
        before = said_before(reading.numbers, annotation, reading.wanted)
        said = _("A claim that was made before.")
        if before:
            number, words = annotation_sign(before[0]), before[1]
            said = _("The same claim as {number}, on “{words}”.").format(number=number, words=words)
        yield BidiText(said, classes="note")
        return
    spoken, note = of_language(annotation.note, reading.wanted)
    if note:
        yield from prose_blocks(note, spoken, "note")
    if annotation.evidence:
        yield EvidenceTable(annotation, reading.figures)
    for reference in annotation.references:
        yield Citation(reference)


def prose_blocks(text: str, lang: str, classes: str) -> Iterator[BidiText]:
    """Yield a stored text in its language."""
    document = read(text, lang)
    yield ProseText(document, classes=classes)
    if not document.read:
        yield unread()


def unread() -> BidiText:
    """Return the notice for a text shown unformatted."""
    note = _("Too long or too nested to format, so shown as written.")
    return BidiText(note, classes="hint")


def _in_sight(reading: Reading, annotation: Annotation) -> bool:
    """Return whether the annotated words are marked in a displayed text."""
    found = [(text, span_in(reading.entry, annotation, *text[:2])) for text in reading.texts]
    return any(span is not None and text.start < span[1] <= text.end for text, span in found)


def _below(reading: Reading, each: Numbered) -> bool:
    """Return whether an annotation is below a paragraph of a displayed answer."""
    return each.annotation.target.role != "question" and _in_sight(reading, each.annotation)
