"""Parses a Markdown text into blocks.

A text that would take too long stays unformatted: see `Document.read`.

"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, product
from typing import TYPE_CHECKING, Literal

from kb.model.values import LAYERS
from kb.present.markdown.document import Block, Document, Lead, Piece, Prose, Unread
from kb.terminal.bidi.direction import Direction, base_direction, direction_of, has_rtl
from kb.terminal.terminal import safe

if TYPE_CHECKING:
    from markdown_it.token import Token

    from kb.model.entry import Entry
    from kb.present.markdown.inline import Context
    from kb.present.markdown.parser import Lines

_LONGEST = 100_000
_MOST_MARKS = 10_000
_MOST_SAID_AGAIN = 16
"""The maximum ratio of a table's repeated headings to its source."""
_MARKS = re.compile(r"[\[\]`<>*_~=!|\\&]")
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_INDENT = " " * 4
_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


@lru_cache(maxsize=1024)
def read(text: str, lang: str = "") -> Document:
    """Return the blocks of a text in a language.

    >>> [block.prose.text for block in read("# So\\n\\n- *a* **b**").blocks]
    ['So', 'a b']
    """
    direction = direction_of(lang)
    if len(text) > _LONGEST or len(_MARKS.findall(text)) > _MOST_MARKS:
        return Document(text, direction, tuple(_as_written(text)), read=False)
    try:
        return Document(text, direction, tuple(_blocks(text, lang)))
    except Unread:
        return Document(text, direction, tuple(_as_written(text)), read=False)


def _as_written(text: str) -> Iterator[Block]:
    start = 0
    for paragraph in text.split("\n\n"):
        end = start + len(paragraph)
        prose = Prose((Piece(safe(paragraph), range(start, end)),) if paragraph else ())
        yield Block("paragraph", start, end, prose, apart=start > 0)
        start = end + len("\n\n")


def _blocks(text: str, lang: str) -> Iterator[Block]:
    from kb.present.markdown.inline import Context  # the parser is loaded with a text only
    from kb.present.markdown.parser import Lines, block_tokens, masked

    hidden, formulas = masked(text)
    tokens, known = block_tokens(hidden)
    state = _State(tokens, Lines(hidden), Context(text, lang, formulas, known), direction_of(lang))
    while state.at < len(tokens):
        token = tokens[state.at]
        state.at += 1
        handler = _HANDLERS.get(token.type)
        block = handler(state, token) if handler is not None else None
        if block is not None:
            yield block
    if not state.last and text.strip():  # definitions of addresses alone
        yield from _as_written(text)


@dataclass
class _State:
    """The parser state: the position, and the containers of the next block."""

    tokens: Sequence[Token]
    lines: Lines
    context: Context
    direction: Direction
    at: int = 0
    last: int = 0
    leads: list[Lead] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    edge: Literal["", "left", "right"] = ""

    def block(self, token: Token, block: Block) -> Block:
        """Return a block with its prefix and spacing."""
        first, last = token.map or (self.last, self.last)
        apart = bool(self.last) and (first > self.last or block.kind == "heading")
        placed = replace(
            block,
            start=self.lines.start(first),
            end=self.lines.stop(last - 1) if last > first else self.lines.start(first),
            leads=tuple(self.leads),
            apart=apart,
            edge=self.edge,
        )
        self.leads = [lead._replace(first=False) for lead in self.leads]
        self.last = max(last, 1)
        return placed


def _paragraph(state: _State, token: Token) -> Block:
    inline = state.tokens[state.at]
    places = state.lines.of_text(inline.content, _first_line(inline))
    lead = state.leads[-1] if state.leads else None
    task = _TASK.match(inline.content)
    if task and lead is not None and lead.first and not lead.goes_on:
        done = task[1] != " "
        state.leads[-1] = Lead("☑ " if done else "☐ ", "done" if done else "to do")
        inline.content, places = inline.content[task.end() :], places[task.end() :]
    prose = state.context.prose(inline.content, places)
    return state.block(inline, Block("paragraph", 0, 0, prose))


def _heading(state: _State, token: Token) -> Block:
    inline = state.tokens[state.at]
    places = state.lines.of_text(inline.content, _first_line(inline))
    prose = state.context.prose(inline.content, places)
    return state.block(token, Block("heading", 0, 0, prose, level=int(token.tag[1:])))


def _code(state: _State, token: Token) -> Block:
    fenced = token.type == "fence"
    content = token.content.removesuffix("\n")
    places = state.lines.of_text(content, _first_line(token) + fenced)
    source = state.context.source
    written = "".join(
        source[place] if char != " " or source[place] not in "\t\r" else " "
        for char, place in zip(content, places, strict=True)
    )
    language = (token.info.split() or [""])[0] if fenced else ""
    prose = Prose((Piece(safe(written), places),) if written else ())
    indented = [] if fenced else [Lead(_INDENT, "")]
    code = state.block(token, Block("code", 0, 0, prose, language=safe(language)))
    return replace(code, leads=(*code.leads, *indented))


def _table(state: _State, token: Token) -> Block:
    """Read the rows of a table to its end."""
    rows: list[tuple[Prose, ...]] = []
    cells: list[Token] = []
    aligned: list[str] = []
    while (each := state.tokens[state.at]).type != "table_close":
        state.at += 1
        if each.type == "th_open":
            aligned.append(str(each.attrGet("style") or "").removeprefix("text-align:"))
        elif each.type == "inline":
            cells.append(each)
        elif each.type == "tr_close":
            contents = [cell.content for cell in cells]
            places = state.lines.of_cells(contents, _first_line(cells[0]))
            rows.append(tuple(map(state.context.prose, contents, places)))
            cells = []
    headings = sum(len(cell.text) for cell in rows[0])
    if headings * len(rows) > _MOST_SAID_AGAIN * len(state.context.source):
        raise Unread
    block = Block("table", 0, 0, rows=tuple(rows), aligned=tuple(aligned))
    return state.block(token, block)


def _list(state: _State, token: Token) -> None:
    _begin(state, token)
    start = token.attrGet("start")
    state.numbers.append(int(start) if start is not None else 1)


def _item(state: _State, token: Token) -> None:
    if not token.info:
        state.leads.append(Lead("• ", "item"))
        return
    number = f"{state.numbers[-1]}{token.markup}"
    state.numbers[-1] += 1
    line = _first_line(token)
    start = state.lines.start(line)
    written = state.context.source[start : start + len(state.lines[line])]
    persian = re.match(r"[\s>*+-]*[۰-۹٠-٩]", written)
    sign = number.translate(_DIGITS) if persian else number
    state.leads.append(Lead(f"{sign} ", sign))


def _item_end(state: _State, token: Token) -> Block | None:
    """End an item; an empty one becomes a block."""
    block = state.block(token, Block("paragraph", 0, 0)) if state.leads[-1].first else None
    state.leads.pop()
    return block


def _quote(state: _State, token: Token) -> None:
    _begin(state, token)
    state.leads.append(Lead("│ ", "quote", goes_on=True))


def _begin(state: _State, token: Token) -> None:
    """Set the side of a list or quotation and everything in it."""
    if not state.edge:
        first, last = token.map or (0, 0)
        source = state.context.source
        text = source[state.lines.start(first) : state.lines.start(last)]
        rtl = has_rtl(text) if state.direction == "rtl" else base_direction(text)
        state.edge = "right" if rtl else "left"


def _end(state: _State, token: Token) -> None:
    (state.leads if token.type == "blockquote_close" else state.numbers).pop()
    if not state.leads and not state.numbers:
        state.edge = ""


def _first_line(token: Token) -> int:
    assert token.map is not None
    return token.map[0]


_HANDLERS: dict[str, Callable[[_State, Token], Block | None]] = {
    "paragraph_open": _paragraph,
    "heading_open": _heading,
    "fence": _code,
    "code_block": _code,
    "hr": lambda state, token: state.block(token, Block("rule", 0, 0)),
    "table_open": _table,
    "bullet_list_open": _list,
    "ordered_list_open": _list,
    "list_item_open": _item,
    "list_item_close": _item_end,
    "bullet_list_close": _end,
    "ordered_list_close": _end,
    "blockquote_open": _quote,
    "blockquote_close": _end,
}


# All that is shown of an entry, read before it is shown.


def read_ahead(entry: Entry) -> None:
    """Parse an entry's texts and notes, and code in them, so that no screen waits."""
    roles = product(("question", "source", "reference", *LAYERS), entry.languages)
    texts = ((lang, entry.text(role, lang)) for role, lang in roles)
    notes = (each.note.items() for each in entry.annotations)
    for lang, text in chain(texts, entry.wording.items(), *notes):
        for block in read(text, lang).blocks:
            if block.language:
                from kb.present.syntax import tokens

                tokens(block.prose.text, block.language)
