"""What a text in Markdown is read into: frozen records that both faces draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from kb.terminal import Direction, Shown

ADDED = -1
"""The place of a character that stands nowhere in the source: a sign of ours."""

Kind = Literal["paragraph", "heading", "code", "table", "rule"]


class Styled(NamedTuple):
    """Styles of ``text[start:end]``, and the address that it leads to, if it is a link.

    Styles are ``bold``, ``italic``, ``strike``, ``code``, ``mark``, ``link`` and ``sign``.
    """

    start: int
    end: int
    styles: frozenset[str]
    address: str = ""


class Piece(NamedTuple):
    """A span of prose in one style; each character with its place, or `ADDED`.

    ``file`` is the plain name of the file that an image shows, or a link leads to.
    """

    text: str
    places: Sequence[int]
    styles: frozenset[str] = frozenset()
    address: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """Text to be shown, safe and with readable formulas; ``places`` count in the source."""

    pieces: tuple[Piece, ...] = ()

    @property
    def text(self) -> str:
        """The text as it is shown."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def shown(self) -> Shown:
        """The text with the places of its characters in the source."""
        return Shown(self.text, [place for piece in self.pieces for place in piece.places])


class Lead(NamedTuple):
    """What stands before the lines of a block: an item's mark, or the bar of a quotation.

    ``sign`` shows it and ``word`` says it. It is shown on every line where it ``goes_on``;
    else on the first, if the block is the first of its item.
    """

    sign: str
    word: str
    first: bool = True
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a text, from ``start`` to ``end`` of the source.

    ``apart`` says that a blank line stands before it. ``edge`` is the side that what it stands
    in belongs to, where its own direction does not decide. A table has ``rows``, the first with
    its headings, and how its columns are ``aligned``; code its ``language``.
    """

    kind: Kind
    start: int
    end: int
    prose: Prose = Prose()
    leads: tuple[Lead, ...] = ()
    apart: bool = False
    edge: Literal["", "left", "right"] = ""
    level: int = 0
    language: str = ""
    rows: tuple[tuple[Prose, ...], ...] = ()
    aligned: tuple[str, ...] = ()

    @property
    def proses(self) -> Sequence[Prose]:
        """All that it says: its own text, or the cells of its rows."""
        return [cell for row in self.rows for cell in row] if self.rows else [self.prose]


class Passage(NamedTuple):
    """Blocks that belong together, from ``start`` to where the next ones begin."""

    start: int
    end: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The blocks of a text; ``read`` is false where it was too much and stands as written."""

    source: str
    direction: Direction
    blocks: tuple[Block, ...]
    read: bool = True

    @property
    def passages(self) -> list[Passage]:
        """The blocks by what belongs together; code and tables stand alone."""
        groups: list[list[Block]] = []
        for block in self.blocks:
            alone = block.kind in ("code", "table")
            before = groups[-1][-1] if groups else None
            if before is None or block.apart or alone or before.kind in ("code", "table"):
                groups.append([])
            groups[-1].append(block)
        starts = [0, *(group[0].start for group in groups[1:]), len(self.source)]
        return [Passage(starts[n], starts[n + 1], tuple(group)) for n, group in enumerate(groups)]


def added(text: str, styles: Iterable[str] = (), address: str = "") -> Piece:
    """Return a piece that stands nowhere in the source."""
    return Piece(text, [ADDED] * len(text), frozenset(styles), address)


def with_texts(block: Block, change: Callable[[Prose], Prose]) -> Block:
    """Return a block with its text, or that of each cell, changed."""
    rows = tuple(tuple(map(change, row)) for row in block.rows)
    return replace(block, prose=change(block.prose), rows=rows)
