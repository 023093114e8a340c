"""Annotations as blocks: number, verdict, weight, what is true, proof, references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.i18n import N_, _, ahead, language, of_language
from kb.i18n.names import state_of
from kb.present.anchors import span_in
from kb.present.annotated import Numbered, said_before
from kb.present.markdown.reader import read
from kb.present.weight import may_wait
from kb.terminal import direction_of
from tui.annotated import style_of
from tui.bidi import StyledSpan
from tui.phrases import SEVERITIES, annotation_sign, verdict_of
from tui.widgets.bidi_text import BidiText
from tui.widgets.figures import EvidenceTable
from tui.widgets.links import Citation
from tui.widgets.prose import ProseText
from tui.widgets.text_block import AnnotationHead

if TYPE_CHECKING:
    from kb.model import Annotation
    from tui.reading import Reading


_RESTORED = N_("Restored: the source lost formulas or layout of this question.")


def annotation_blocks(reading: Reading) -> Iterator[BidiText]:
    """Yield the annotations that stand under no paragraph of an answer.

    Those whose words are far, or not shown, have their quotes; side by side all have.
    """
    beside = reading.beside
    left = [each for each in reading.notes if beside or not _below(reading, each)]
    restored = [_RESTORED] * any(reading.entry.restored.get(lang) for lang in reading.langs)
    if left or restored:
        caption = _("Annotations") if beside else _("On the question and its sources")
        yield BidiText(caption, classes="caption")
    for said in restored:
        yield BidiText(_(said), classes="hint")
    for each in left:
        quoted = beside or not _in_sight(reading, each.annotation)
        yield from annotation_block(reading, each, quoted)


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
        state = [state_of(annotation)] if told else []
        return " · ".join([name, _("your own"), *state, *foreign])
    severity = _(SEVERITIES.get(annotation.severity, annotation.severity))
    more = [ahead("▸")] if may_wait(annotation) else []
    return " · ".join([name, severity, state_of(annotation), *foreign, *more])


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
    if annotation.evidence:
        yield EvidenceTable(annotation)
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
    found = [(text, span_in(reading.entry, annotation, *text[:2])) for text in reading.texts]
    return any(span is not None and text.start < span[1] <= text.end for text, span in found)


def _below(reading: Reading, each: Numbered) -> bool:
    """Say whether an annotation stands under a paragraph of an answer that is shown."""
    return each.annotation.target.role != "question" and _in_sight(reading, each.annotation)
