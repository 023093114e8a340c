"""The layers of an entry as blocks: its texts, each with its marks and the notes below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.containers import ItemGrid, Vertical

from kb.i18n import LANGUAGES, _, ngettext
from kb.i18n.names import LAYERS
from kb.present.annotated import marked_words
from kb.present.markdown.reader import read
from tui.annotated import marks_of, passages
from tui.bidi import StyledSpan, edge_of
from tui.colours import MATCHED
from tui.phrases import facts, signs_of
from tui.widgets.annotation_blocks import annotation_block, prose_blocks, unread
from tui.widgets.bidi_text import BidiText
from tui.widgets.links import Fold
from tui.widgets.text_block import CodeBlock, CodeText, Spoken, TextBlock

if TYPE_CHECKING:
    from textual.widget import Widget

    from kb.present.layers import Part, Row, Text
    from tui.reading import Reading

_BEARS_NO_NOTES = ("wording", "context")


def facts_block(reading: Reading) -> BidiText:
    """Return the line that says what an entry is, with its language where that is another."""
    lang = reading.langs[0]
    foreign = [LANGUAGES.get(lang, lang)] if lang != reading.wanted and not reading.beside else []
    said = facts(reading.entry, reading.collection)
    return BidiText(" · ".join([said, *foreign]), classes="facts")


def heading(reading: Reading, part: Part) -> BidiText | None:
    """Return the line above a layer, if it needs one: what is folded is unfolded there."""
    named = _(LAYERS[part.key]) if part.key in LAYERS else ""
    if part.key == "smaller":
        named = ngettext("{n} smaller remark", "{n} smaller remarks", len(part.remarks))
        verdicts = [each.each.annotation.verdict for each in part.remarks]
        named = " · ".join([named, signs_of(verdicts)])
    if part.key == "programs":
        named = ngettext("{n} program", "{n} programs", len(reading.entry.snippets))
    texts = [text for text in part.rows[-1] if text is not None] if part.rows else []
    if part.key == "source" and _translated(reading, texts):
        named = _("Source answer, in our translation")
    foreign = [text.lang for text in texts if text.lang not in reading.langs]
    if foreign and part.key != "question":
        named = f"{named} ({LANGUAGES.get(foreign[0], foreign[0])})"
    if not part.folded:
        return BidiText(named, name=part.key, classes="caption") if named else None
    if part.key == "deeper":
        words = sum(len(text.shown.split()) for text in texts[:1])
        counted = ngettext("{n} word", "{n} words", words)
        named = f"{named} · {counted}"
    return Fold(part.key, named, shown=reading.shows(part), classes="caption fold")


def _translated(reading: Reading, texts: Sequence[Text]) -> bool:
    """Say whether all that is shown of the source is our translation of what it says."""
    answers = [reading.entry.answer(text.lang, text.role) for text in texts]
    return all(answer and reading.entry.is_translation(answer) for answer in answers)


def row_blocks(reading: Reading, row: Row) -> Iterator[Widget]:
    """Yield a text with its notes, or two languages beside each other."""
    if len(row) == 1:
        for text in row:
            yield from _blocks(reading, text, notes=not reading.beside) if text else ()
        return
    langs = zip(row, reading.langs, strict=True)
    cells = [list(_blocks(reading, text)) if text else [_nothing(lang)] for text, lang in langs]
    # The first stands where one begins to read.
    yield ItemGrid(*(Vertical(*blocks, classes="side") for blocks in cells), classes="sides")


def _nothing(lang: str) -> BidiText:
    return BidiText(_("Not in this language"), direction=edge_of(lang), classes="hint")


def _blocks(reading: Reading, text: Text, *, notes: bool = False) -> Iterator[Widget]:
    """Yield the passages of a text, and below each the notes on words that end in it.

    What a search matched is marked, and what annotations speak of.
    """
    if text.role in _BEARS_NO_NOTES:
        classes = "question" if text.role == "wording" else "paragraph"
        yield from prose_blocks(text.text, text.lang, classes)
        return
    role, lang = text.role, text.lang
    document = read(text.text, lang)
    marked = [] if reading.hidden else marked_words(reading.entry, role, lang)
    matched = [StyledSpan(*place, MATCHED) for place in reading.matched.get((role, lang), ())]
    marks = [*matched, *marks_of(marked)]
    spoken = Spoken(marked, reading.wanted)
    first = True
    for passage, ended in passages(document, marked):
        if not text.start <= passage.start < max(text.end, 1):
            continue
        classes = role if first and not text.start else f"{role} paragraph"
        first = False
        if passage.blocks[0].kind == "code":
            code = CodeText(role, lang, document, passage, marks, spoken, classes="code")
            yield CodeBlock(code, passage.blocks[0], classes=classes)
        else:
            yield TextBlock(role, lang, document, passage, marks, spoken, classes=classes)
        for each in ended if notes and role != "question" else ():
            yield from annotation_block(reading, each)
    if not document.read:
        yield unread()


def addresses(reading: Reading) -> list[str]:
    """Return the addresses that the texts lead to which are shown, once each."""
    documents = [read(text.text, text.lang) for text in reading.texts]
    pieces = (
        piece
        for document in documents
        for block in document.blocks
        for prose in block.proses
        for piece in prose.pieces
    )
    return list(dict.fromkeys(piece.address for piece in pieces if piece.address))
