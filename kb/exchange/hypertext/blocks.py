"""The blocks of a text while it is read: what stands in what, each written when it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kb.exchange.hypertext.joining import LINE_END
from kb.exchange.hypertext.quoting import code_block, code_span

Kind = Literal["text", "code", "item", "nested"]

DEEPEST = 12
"""Lists, quotations and tables within each other; what is deeper stands where they end."""

_SPARSE = 4


class Block(NamedTuple):
    """A block that is written; a ``nested`` one holds others."""

    kind: Kind
    text: str


@dataclass(slots=True)
class Holder:
    """What holds blocks: the text as a whole, a quotation, a list, an item, a table, a cell."""

    name: str
    blocks: list[Block] = field(default_factory=list)
    rows: list[list[Sequence[Block]]] = field(default_factory=list)
    number: int | None = None
    """Of an ordered list, the number of its next item."""

    def add(self, text: str, kind: Kind = "text") -> None:
        """Add a block, if there is anything in it."""
        if text:
            self.blocks.append(Block(kind, text))


def written(blocks: Sequence[Block]) -> str:
    """Return blocks as one text.

    >>> written([Block("text", "a:"), Block("nested", "- b"), Block("text", "c")])
    'a:\\n\\n- b\\n\\nc'
    """
    return "\n\n".join(block.text for block in blocks)


def quoted(blocks: Sequence[Block]) -> str:
    """Return blocks as a quotation."""
    lines = written(blocks).split("\n")
    return "\n".join(f"> {line}" if line else ">" for line in lines)


def item(blocks: Sequence[Block], number: int | None) -> str:
    """Return blocks as an item of a list, with the number that it has if it is ordered.

    >>> item([Block("text", "a"), Block("nested", "- b")], 9)
    '9. a\\n   - b'
    """
    sign = "- " if number is None else f"{number}. "
    tight = len(blocks) == 2 and blocks[1].kind == "nested" and blocks[1].text[:2] in ("- ", "1.")
    text = "\n".join(block.text for block in blocks) if tight else written(blocks)
    first, *others = text.split("\n")
    indent = " " * len(sign)
    return "\n".join(
        [f"{sign}{first}".rstrip(), *(f"{indent}{each}" if each else "" for each in others)]
    )


def listed(items: Sequence[Block]) -> str:
    """Return items as a list: tight, unless one of them holds a blank line, or is no item."""
    tight = all(kind == "item" and "\n\n" not in text for kind, text in items)
    return ("\n" if tight else "\n\n").join(text for _, text in items)


def table(rows: Sequence[Sequence[Sequence[Block]]]) -> list[Block]:
    """Return rows of cells as a table, or the cells one by one where they are no table's.

    A cell of a table has one line; a page that is laid out by one has columns of blocks.

    >>> one, two = [Block("text", "a|b")], [Block("text", "c")]
    >>> table([[one, two], [two, []]])[0].text
    '| a\\\\|b | c |\\n| --- | --- |\\n| c |  |'
    """
    filled = [row for row in rows if any(row)]
    columns = max(map(len, filled), default=0)
    cells = [cell for row in filled for cell in row]
    plain = all(len(cell) <= 1 and _in_a_line(cell) is not None for cell in cells)
    if columns < 2 or not plain or columns * len(filled) > _SPARSE * len(cells):
        return [block for cell in cells for block in cell]
    lines = [_row([_in_a_line(cell) or "" for cell in row], columns) for row in filled]
    return [Block("text", "\n".join([lines[0], _row(["---"] * columns, columns), *lines[1:]]))]


def code(text: str, language: str) -> Block:
    """Return code as a block."""
    return Block("code", code_block(text, language))


def _in_a_line(cell: Sequence[Block]) -> str | None:
    """Return what a cell holds in one line, if it can stand in one."""
    if not cell:
        return ""
    kind, text = cell[0]
    if kind == "text":
        line = text.replace(LINE_END, "<br>")
        return None if "\n" in line else line
    lines = text.split("\n")
    return code_span(lines[1]) if kind == "code" and len(lines) == 3 else None


def _row(cells: Sequence[str], columns: int) -> str:
    full = [*cells, *[""] * (columns - len(cells))]
    if cells[:1] != ["---"]:
        full = [cell.replace("|", "\\|") for cell in full]
    return f"| {' | '.join(full)} |"
