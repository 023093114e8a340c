"""Annotations as blocks: number, verdict, weight, what is true, proof, references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.display import direction_of
from kb.present.anchors import find_span, origins_of
from kb.present.annotated import Numbered, number_of, numbered
from kb.present.markdown.reader import read
from tui.annotated import style_of
from tui.bidi import StyledSpan
from tui.i18n import _, language, of_language
from tui.outcomes import claim
from tui.phrases import SEVERITIES, annotation_sign, evidence_there_is, verdict_of
from tui.widgets.bidi_text import BidiText
from tui.widgets.citation import Citation
from tui.widgets.prose import ProseText
from tui.widgets.text_block import AnnotationHead, EvidenceLine

if TYPE_CHECKING:
    from kb.records import Annotation, Entry
    from tui.reading import Reading


def annotation_blocks(reading: Reading) -> Iterator[BidiText]:
    """Yield the annotations that stand under no paragraph of an answer.

    Those whose words are far, or not shown, have their quotes; side by side all have.
    """
    beside = reading.beside
    left = [each for each in numbered(reading.entry) if beside or not _below(reading, each)]
    if left:
        caption = _("Annotations") if beside else _("On the question and its sources")
        yield BidiText(caption, classes="caption")
    for each in left:
        quoted = beside or not _in_sight(reading, each.annotation)
        yield from annotation_block(reading, each, quoted)


def annotation_block(reading: Reading, each: Numbered, quoted: bool = False) -> Iterator[BidiText]:
    """Yield the parts of an annotation, which bear the colour of its verdict."""
    for part in _parts(reading, each, quoted):
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
    yield from _details(reading.entry, each, reading.wanted)


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
    return " · ".join([name, severity, evidence_there_is(annotation), *foreign])


def _details(entry: Entry, each: Numbered, lang: str) -> Iterator[BidiText]:
    annotation = each.annotation
    if annotation.repeats:
        first = number_of(entry, annotation.repeats)
        named = annotation_sign(first) if first else annotation.repeats
        yield BidiText(_("The same claim as {number}.").format(number=named), classes="note")
        return
    spoken, note = of_language(annotation.note, lang)
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
    target = annotation.target
    if target.role == "question":
        lang, text = of_language(reading.entry.question, reading.wanted)
        texts = [(lang, text)]
    elif target.role not in reading.roles:
        return False
    else:
        texts = [(answer.lang, answer.text) for answer in reading.answers(target.role)]
    return any(
        lang == target.lang
        and find_span(text, origins_of(reading.entry, target.role, lang), annotation) is not None
        for lang, text in texts
    )


def _below(reading: Reading, each: Numbered) -> bool:
    """Say whether an annotation stands under a paragraph of an answer that is shown."""
    return each.annotation.target.role != "question" and _in_sight(reading, each.annotation)
