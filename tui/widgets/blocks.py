"""The texts of an entry as blocks, each with its marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.display import direction_of
from kb.present.anchors import find_span, origins_of
from kb.present.annotated import Numbered, marked_words, number_of, numbered
from kb.present.markdown.reader import read
from tui.annotated import marks_of, passages, style_of
from tui.bidi import StyledSpan
from tui.i18n import LANGUAGES, _, language, of_language
from tui.outcomes import claim
from tui.palette import MATCHED
from tui.phrases import (
    ROLES,
    SEVERITIES,
    annotation_sign,
    evidence_there_is,
    facts,
    verdict_of,
)
from tui.widgets.bidi_text import BidiText
from tui.widgets.citation import Citation
from tui.widgets.prose import ProseText
from tui.widgets.text_block import AnnotationHead, CodeBlock, CodeText, TextBlock

if TYPE_CHECKING:
    from textual.widget import Widget

    from kb.records import Annotation, Answer, Entry

Places = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Reading:
    """An entry, and how it is read: in which language, with what matched, answer shown or not.

    ``both`` shows two of its languages beside each other, ``role`` only the answers of a role.
    """

    entry: Entry
    wanted: str
    titles: Mapping[str, str] = field(default_factory=dict)
    matched: Mapping[tuple[str, str], Places] = field(default_factory=dict)
    revealed: bool = False
    both: bool = False
    role: str = ""
    interface: str = field(default_factory=language)

    @property
    def lang(self) -> str:
        """The language shown: the one wanted, or the first the entry has."""
        return of_language(self.entry.question, self.wanted)[0]

    @property
    def collection(self) -> str:
        """The title of the entry's collection in the language of the interface."""
        return of_language(self.titles)[1] or self.entry.collection

    @property
    def hidden(self) -> bool:
        """Whether the answer is kept back: that of a card, until it is asked for."""
        return self.entry.kind == "card" and not self.revealed

    @property
    def languages(self) -> list[str]:
        """The languages that the entry's texts are in."""
        spoken = [*self.entry.question, *(answer.lang for answer in self.entry.answers)]
        return list(dict.fromkeys(spoken))

    @property
    def roles(self) -> tuple[str, ...]:
        """The kinds of answer, in the order they are read: what speaks the reader's language first.

        Among those the source's comes first, since the notes below it speak of its words.
        Where one kind is asked for and there is one, it is shown alone.
        """
        if self.role in self.answered:
            return (self.role,)
        spoken = {answer.role for answer in self.entry.answers if answer.lang == self.wanted}
        return ("reference", "source") if spoken == {"reference"} else ("source", "reference")

    @property
    def answered(self) -> list[str]:
        """The kinds of answer that the entry has."""
        return list(dict.fromkeys(answer.role for answer in self.entry.answers))

    @property
    def beside(self) -> bool:
        """Whether two languages are shown beside each other: asked for, and there are two."""
        return self.both and len(self.languages) > 1

    @property
    def sides(self) -> list[Reading]:
        """The same in each language that is shown: the one wanted, or two side by side."""
        if not self.beside:
            return [self]
        return [replace(self, wanted=lang) for lang in self.languages[:2]]

    def in_next_language(self) -> Reading:
        """Return the same, read in the next language."""
        languages = self.languages
        after = (languages.index(self.lang) + 1) % len(languages)
        return replace(self, wanted=languages[after])

    def with_next_role(self) -> Reading:
        """Return the same with the source's answers alone, the reference answers alone, or all."""
        choices = ["", *self.answered]
        at = choices.index(self.role) if self.role in choices else 0
        return replace(self, role=choices[(at + 1) % len(choices)])


def question_blocks(reading: Reading) -> Iterator[Widget]:
    """Yield what an entry is, its question, whether it was restored, and how we would ask it."""
    entry = reading.entry
    yield BidiText(facts(entry, reading.collection), classes="facts")
    lang, question = of_language(entry.question, reading.wanted)
    for widget, _annotations in _text(reading, "question", lang, question):
        yield widget
    if entry.restored.get(lang):
        note = _("Restored: the source lost formulas or layout of this question.")
        yield BidiText(note, classes="hint")
    if lang in entry.wording:
        yield BidiText(_("Better wording"), classes="caption")
        yield from _prose(entry.wording[lang], lang, "question")


def answer_blocks(reading: Reading, role: str) -> Iterator[Widget]:
    """Yield the answers of a role, in the language read or in those there are.

    Side by side, the other language has its own place.
    """
    for answer in _answers(reading, role):
        caption = _(ROLES[role])
        if answer.lang != reading.lang:
            caption = f"{caption} ({LANGUAGES.get(answer.lang, answer.lang)})"
        yield BidiText(caption, name=role, classes="caption")
        for widget, ended in _text(reading, role, answer.lang, answer.text):
            yield widget
            for each in ended:
                yield from _annotation(reading, each)


def _answers(reading: Reading, role: str) -> list[Answer]:
    """Return the answers of a role in the language read, else all; not beside another language."""
    answers = [answer for answer in reading.entry.answers if answer.role == role]
    in_language = [answer for answer in answers if answer.lang == reading.wanted]
    return in_language if reading.beside else in_language or answers


def annotation_blocks(reading: Reading) -> Iterator[BidiText]:
    """Yield the annotations that stand under no paragraph of an answer, with their quotes."""
    left = [
        each
        for each in numbered(reading.entry)
        if not any(_beside_answer(side, each) for side in reading.sides)
    ]
    if left:
        yield BidiText(_("On the question and its sources"), classes="caption")
    for each in left:
        yield from _annotation(
            reading,
            each,
            quoted=not any(_in_sight(side, each.annotation) for side in reading.sides),
        )


def _annotation(reading: Reading, each: Numbered, quoted: bool = False) -> Iterator[BidiText]:
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
        yield from _prose(note, spoken, "note")
    for evidence in annotation.evidence:
        figures = claim(evidence, confirmed=annotation.status == "confirmed")
        yield BidiText(figures, direction=direction_of(language()), classes="evidence")
    for reference in annotation.references:
        yield Citation(reference)


def _in_sight(reading: Reading, annotation: Annotation) -> bool:
    """Say whether the words an annotation speaks of are marked in a text that is shown."""
    target = annotation.target
    if target.role == "question":
        lang, text = of_language(reading.entry.question, reading.wanted)
        texts = [(lang, text)]
    elif target.role not in reading.roles:
        return False
    else:
        answers = [a for a in reading.entry.answers if a.role == target.role]
        shown = [a for a in answers if a.lang == reading.wanted] or answers
        texts = [(answer.lang, answer.text) for answer in shown]
    return any(
        lang == target.lang
        and find_span(text, origins_of(reading.entry, target.role, lang), annotation) is not None
        for lang, text in texts
    )


def _beside_answer(reading: Reading, each: Numbered) -> bool:
    """Say whether an annotation stands under a paragraph of an answer that is shown."""
    return each.annotation.target.role != "question" and _in_sight(reading, each.annotation)


def _text(
    reading: Reading, role: str, lang: str, text: str
) -> Iterator[tuple[Widget, Sequence[Numbered]]]:
    """Yield the passages of a text, each with the annotations whose words end in it.

    What a search matched is marked, and what annotations speak of.
    """
    document = read(text, lang)
    spoken = [] if reading.hidden else marked_words(reading.entry, role, lang, text)
    matched = [StyledSpan(*place, MATCHED) for place in reading.matched.get((role, lang), ())]
    marks = [*matched, *marks_of(spoken)]
    for number, (passage, ended) in enumerate(passages(document, spoken)):
        classes = f"{role} paragraph" if number else role
        if passage.blocks[0].kind == "code":
            code = CodeText(role, lang, document, passage, marks, classes="code")
            yield CodeBlock(code, passage.blocks[0], classes=classes), ended
        else:
            yield TextBlock(role, lang, document, passage, marks, classes=classes), ended
    if not document.read:
        yield _unread(), ()


def _prose(text: str, lang: str, classes: str) -> Iterator[BidiText]:
    """Yield a text of the library in its language."""
    document = read(text, lang)
    yield ProseText(document, classes=classes)
    if not document.read:
        yield _unread()


def _unread() -> BidiText:
    note = _("Too long or too nested to be laid out: shown as it was written.")
    return BidiText(note, classes="hint")


def addresses(reading: Reading) -> list[str]:
    """Return the addresses that the texts lead to which are shown, once each."""
    documents = [read(text, lang) for side in reading.sides for lang, text in _shown(side)]
    pieces = (
        piece
        for document in documents
        for block in document.blocks
        for prose in block.proses
        for piece in prose.pieces
    )
    return list(dict.fromkeys(piece.address for piece in pieces if piece.address))


def _shown(reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield the texts that are shown, with their languages."""
    yield of_language(reading.entry.question, reading.wanted)
    for role in reading.roles:
        yield from ((answer.lang, answer.text) for answer in _answers(reading, role))
