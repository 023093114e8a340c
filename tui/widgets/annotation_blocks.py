"""Annotations as blocks: number, verdict, weight, what is true, proof, references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.i18n import _, ahead, language, ngettext, of_language
from kb.present.anchors import span_in
from kb.present.annotated import Numbered, numbered, said_before, worst_of
from kb.present.markdown.reader import read
from kb.present.weight import concerns, may_wait
from kb.terminal import direction_of
from tui.annotated import style_of
from tui.bidi import StyledSpan
from tui.outcomes import claim
from tui.phrases import SEVERITIES, annotation_sign, evidence_there_is, verdict_of
from tui.widgets.bidi_text import BidiText
from tui.widgets.links import Citation
from tui.widgets.prose import ProseText
from tui.widgets.text_block import AnnotationHead, EvidenceLine, WorstLine

if TYPE_CHECKING:
    from kb.model import Annotation
    from tui.reading import Reading


def annotation_blocks(reading: Reading) -> Iterator[BidiText]:
    """Yield the annotations that stand under no paragraph of an answer.

    Those whose words are far, or not shown, have their quotes; side by side all have.
    """
    beside = reading.beside
    left = [
        each
        for each in numbered(reading.entry)
        if beside or (concerns(each.annotation, reading.lang) and not _below(reading, each))
    ]
    if left:
        caption = _("Annotations") if beside else _("On the question and its sources")
        yield BidiText(caption, classes="caption")
    for each in left:
        quoted = beside or not _in_sight(reading, each.annotation)
        yield from annotation_block(reading, each, quoted)
    unconcerned = sum(not concerns(each, reading.lang) for each in reading.entry.annotations)
    if unconcerned and not beside:
        said = ngettext(
            "{n} note on the letters of a text in another language is shown with that.",
            "{n} notes on the letters of texts in other languages are shown with those.",
            unconcerned,
        )
        yield BidiText(said, classes="hint")


def worst_blocks(reading: Reading) -> Iterator[BidiText]:
    """Yield what is worst about an entry, in a sentence each, which leads to its note."""
    found = worst_of(reading.entry, reading.wanted)
    if not found:
        return
    caption = ngettext("What is wrong", "The {n} things that are wrong", len(found))
    yield BidiText(caption, classes="caption")
    for each, lang, sentence in found:
        yield WorstLine(each, sentence, direction_of(lang))


def annotation_block(reading: Reading, each: Numbered, quoted: bool = False) -> Iterator[BidiText]:
    """Yield the parts of an annotation, which bear the colour of its verdict."""
    waits = may_wait(each.annotation)
    for part in _parts(reading, each, quoted):
        part.set_class(waits and not isinstance(part, AnnotationHead), "-folded")
        yield part.add_class("annotation", f"-{each.annotation.verdict}")


def _parts(reading: Reading, each: Numbered, quoted: bool) -> Iterator[BidiText]:
    """Yield an annotation: number, verdict, weight, what is true, proof, references."""
    head = _head(each, reading.wanted)
    mark = StyledSpan(0, len(head), style_of(each).replace("underline", "bold"))
    yield AnnotationHead(each.annotation, head, [mark], classes="verdict")
    if quoted:
        target = each.annotation.target
        direction = direction_of(target.lang)
        yield BidiText(f"“{target.quote}”", direction=direction, formulas=True, classes="quote")
    yield from _details(reading, each.annotation)


def _head(each: Numbered, lang: str) -> str:
    """Return the line above a note, which names its language where it is not the interface's."""
    annotation = each.annotation
    verdict = verdict_of(annotation.verdict)
    name = f"{annotation_sign(each.number)} {verdict.sign} {_(verdict.name)}"
    spoken = of_language(annotation.note, lang)[0]
    shown = annotation.note and not annotation.repeats
    foreign = [spoken.upper()] if shown and spoken != language() else []
    if annotation.own:
        told = annotation.evidence or annotation.status == "orphaned"
        state = [evidence_there_is(annotation)] if told else []
        return " · ".join([name, _("your own"), *state, *foreign])
    severity = _(SEVERITIES.get(annotation.severity, annotation.severity))
    more = [ahead("▸")] if may_wait(annotation) else []
    return " · ".join([name, severity, evidence_there_is(annotation), *foreign, *more])


def _details(reading: Reading, annotation: Annotation) -> Iterator[BidiText]:
    if annotation.repeats:
        before = said_before(reading.numbers, annotation)
        said = _("A claim that was made before.")
        if before:
            number, words = annotation_sign(before[0]), before[1]
            said = _("The same claim as {number}, on “{words}”.").format(number=number, words=words)
        yield BidiText(said, classes="note")
        return
    spoken, note = of_language(annotation.note, reading.wanted)
    if note:
        yield from prose_blocks(note, spoken, "note")
    for evidence in annotation.evidence:
        figures = claim(evidence, confirmed=annotation.status == "confirmed")
        yield EvidenceLine(evidence.snippet, figures, classes="evidence")
    for reference in annotation.references:
        yield Citation(reference)


def prose_blocks(text: str, lang: str, classes: str) -> Iterator[BidiText]:
    """Yield a text of the library in its language."""
    document = read(text, lang)
    yield ProseText(document, classes=classes)
    if not document.read:
        yield unread()


def unread() -> BidiText:
    """Return what is said of a text that is shown as it was written."""
    note = _("Too long or too nested to be laid out: shown as it was written.")
    return BidiText(note, classes="hint")


def _in_sight(reading: Reading, annotation: Annotation) -> bool:
    """Say whether the words an annotation speaks of are marked in a text that is shown."""
    role = annotation.target.role
    if role == "question":
        langs = [of_language(reading.entry.question, reading.wanted)[0]]
    elif role not in reading.roles:
        return False
    else:
        langs = [answer.lang for answer in reading.answers(role)]
    return any(span_in(reading.entry, annotation, role, lang) is not None for lang in langs)


def _below(reading: Reading, each: Numbered) -> bool:
    """Say whether an annotation stands under a paragraph of an answer that is shown."""
    return each.annotation.target.role != "question" and _in_sight(reading, each.annotation)
