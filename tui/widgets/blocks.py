"""The texts of an entry as blocks, each with its marks and the notes that stand below it.

An entry in two languages has them beside each other, or a line to choose between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.containers import ItemGrid, Vertical
from textual.widget import Widget

from kb.i18n import LANGUAGES, _, of_language
from kb.present.annotated import Numbered, marked_words
from kb.present.markdown.reader import read
from tui.annotated import marks_of, passages
from tui.bidi import StyledSpan, edge_of
from tui.colours import MATCHED
from tui.messages import ReadIn
from tui.phrases import ROLES, facts
from tui.widgets.annotation_blocks import annotation_block, prose_blocks, unread
from tui.widgets.bidi_text import BidiText
from tui.widgets.text_block import CodeBlock, CodeText, Spoken, TextBlock

if TYPE_CHECKING:
    from textual.widget import Widget

    from tui.reading import Reading

_CHOSEN = "$text-primary bold reverse"


def facts_block(reading: Reading) -> BidiText:
    """Return the line that says what an entry is."""
    return BidiText(facts(reading.entry, reading.collection), classes="facts")


def question_blocks(reading: Reading) -> Iterator[Widget]:
    """Yield an entry's question, whether it was restored, and how we would ask it."""
    entry = reading.entry
    lang, question = of_language(entry.question, reading.wanted)
    for widget, _annotations in _text(reading, "question", lang, question):
        yield widget
    if entry.restored.get(lang):
        note = _("Restored: the source lost formulas or layout of this question.")
        yield BidiText(note, classes="hint")
    if entry.context:
        yield _caption(reading, _("Context"))
        yield from prose_blocks(entry.context, lang, "question")
    if lang in entry.wording:
        yield _caption(reading, _("Better wording"))
        yield from prose_blocks(entry.wording[lang], lang, "question")


def answer_blocks(reading: Reading, role: str) -> Iterator[Widget]:
    """Yield the answers of a role, in the language read or in those there are, with their notes.

    Side by side, the other language has its own place, and the notes stand below both.
    """
    for answer in reading.answers(role):
        translation = reading.entry.is_translation(answer)
        caption = _("Source answer, in our translation") if translation else _(ROLES[role])
        if answer.lang != reading.lang:
            caption = f"{caption} ({LANGUAGES.get(answer.lang, answer.lang)})"
        yield _caption(reading, caption, role)
        for widget, ended in _text(reading, role, answer.lang, answer.text):
            yield widget
            for each in ended if not reading.beside else ():
                yield from annotation_block(reading, each)


def _caption(reading: Reading, caption: str, name: str | None = None) -> BidiText:
    """Return a caption; side by side it begins where its text does."""
    if not reading.beside:
        return BidiText(caption, name=name, classes="caption")
    return BidiText(caption, direction=edge_of(reading.wanted), name=name, classes="caption")


def _text(
    reading: Reading, role: str, lang: str, text: str
) -> Iterator[tuple[Widget, Sequence[Numbered]]]:
    """Yield the passages of a text, each with the annotations whose words end in it.

    What a search matched is marked, and what annotations speak of.
    """
    document = read(text, lang)
    marked = [] if reading.hidden else marked_words(reading.entry, role, lang)
    matched = [StyledSpan(*place, MATCHED) for place in reading.matched.get((role, lang), ())]
    marks = [*matched, *marks_of(marked)]
    spoken = Spoken(marked, reading.wanted)
    for number, (passage, ended) in enumerate(passages(document, marked)):
        classes = f"{role} paragraph" if number else role
        if passage.blocks[0].kind == "code":
            code = CodeText(role, lang, document, passage, marks, spoken, classes="code")
            yield CodeBlock(code, passage.blocks[0], classes=classes), ended
        else:
            yield TextBlock(role, lang, document, passage, marks, spoken, classes=classes), ended
    if not document.read:
        yield unread(), ()


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
        yield from ((answer.lang, answer.text) for answer in reading.answers(role))


def rows_beside(reading: Reading) -> Iterator[Widget]:
    """Yield question beside question and answer beside answer, each row as high as the higher."""
    yield _row([list(question_blocks(side)) for side in reading.sides])
    roles = [role for role in reading.roles if role in reading.answered]
    for role in roles if not reading.hidden else ():
        yield _row([list(answer_blocks(side, role)) or [_nothing(side)] for side in reading.sides])


def _row(cells: Sequence[Sequence[Widget]]) -> ItemGrid:
    """Return cells in a row, the first where one begins to read."""
    return ItemGrid(*(Vertical(*blocks, classes="side") for blocks in cells), classes="sides")


def _nothing(side: Reading) -> BidiText:
    return BidiText(_("Not in this language"), direction=edge_of(side.wanted), classes="hint")


class LanguageTabs(BidiText):
    """The languages of an entry in a line, the one that is shown marked; a click reads another."""

    def __init__(self, reading: Reading) -> None:
        names = [f" {LANGUAGES.get(lang, lang)} " for lang in reading.spoken]
        ends = [len("│".join(names[: number + 1])) for number in range(len(names))]
        self._places = {
            lang: range(end - len(name), end)
            for lang, name, end in zip(reading.spoken, names, ends, strict=True)
        }
        shown = self._places[reading.lang]
        mark = StyledSpan(shown.start, shown.stop, _CHOSEN)
        super().__init__("│".join(names), [mark])

    def on_click(self, event: events.Click) -> None:
        """Read in the language under the mouse."""
        offset = event.get_content_offset(self)
        place = self.place_at(*offset) if offset is not None else None
        for lang, places in self._places.items():
            if place is not None and place in places:
                event.stop()
                self.post_message(ReadIn(lang))
