"""Parsed Markdown: immutable records that both front ends draw, and addresses in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple
from urllib.parse import quote

from kb.terminal.bidi.direction import Direction
from kb.terminal.terminal import safe
from kb.terminal.tex.formulas import Shown

ADDED = -1
"""The position of an added character, which is not in the source."""

Kind = Literal["paragraph", "heading", "code", "table", "rule"]


class Styled(NamedTuple):
    """Styles of ``text[start:end]``, and the address if it is a link.

    Styles are ``bold``, ``italic``, ``strike``, ``code``, ``mark``, ``link`` and ``sign``.
    """

    start: int
    end: int
    styles: frozenset[str]
    address: str = ""


class Piece(NamedTuple):
    """A span of prose in one style; each character has its position, or `ADDED`.

    ``file`` is the name of the file that an image shows or a link leads to.
    """

    text: str
    places: Sequence[int]
    styles: frozenset[str] = frozenset()
    address: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """Text for display, safe and with readable formulas; ``places`` are source positions."""

    pieces: tuple[Piece, ...] = ()

    @property
    def text(self) -> str:
        """The displayed text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def shown(self) -> Shown:
        """The displayed text with source positions."""
        return Shown(self.text, [place for piece in self.pieces for place in piece.places])


class Lead(NamedTuple):
    """The prefix of a block's lines: an item's bullet, or the bar of a quotation.

    ``sign`` is its character and ``word`` its spoken form. It is on every line if it ``goes_on``,
    otherwise only on the first line of an item's first block.
    """

    sign: str
    word: str
    first: bool = True
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a text, from ``start`` to ``end`` in the source.

    ``apart`` means that a blank line precedes it. ``edge`` is the side of its container, if its
    own direction does not decide. A table has ``rows``, headings first, and column alignment
    (``aligned``); code has its ``language``.
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
        """Its texts: its own, or those of its cells."""
        return [cell for row in self.rows for cell in row] if self.rows else [self.prose]


class Passage(NamedTuple):
    """Blocks that belong together, from ``start`` to the next ones."""

    start: int
    end: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The blocks of a text; ``read`` is false if it was too complex and is unformatted."""

    source: str
    direction: Direction
    blocks: tuple[Block, ...]
    read: bool = True

    @property
    def passages(self) -> list[Passage]:
        """The blocks in groups; code and tables stand alone."""
        groups: list[list[Block]] = []
        for block in self.blocks:
            alone = block.kind in ("code", "table")
            before = groups[-1][-1] if groups else None
            if before is None or block.apart or alone or before.kind in ("code", "table"):
                groups.append([])
            groups[-1].append(block)
        starts = [0, *(group[0].start for group in groups[1:]), len(self.source)]
        return [Passage(starts[n], starts[n + 1], tuple(group)) for n, group in enumerate(groups)]


class Unread(Exception):
    """Raised for a text that stays as written.

    It is nested too deep, a table has too many columns, or content is not where its block says.
    """


def added(text: str, styles: Iterable[str] = (), address: str = "") -> Piece:
    """Return a piece that is not in the source."""
    return Piece(text, [ADDED] * len(text), frozenset(styles), address)


def with_texts(block: Block, change: Callable[[Prose], Prose]) -> Block:
    """Return a block with changed text in itself or its cells."""
    rows = tuple(tuple(map(change, row)) for row in block.rows)
    return replace(block, prose=change(block.prose), rows=rows)


# Link addresses: which may be opened, and how to write them.


_OPENED = re.compile(r"(?:https?://[^\s/?#]|mailto:[^\s@]+@[^\s@])\S*", re.IGNORECASE)

ADDRESS = re.compile(r"(?<![\w/])(?:https?://|mailto:)[^\s<>\"`\x00-\x20\x7f-\xa0]*[\w/=&#%+~]")
"""A pattern of addresses in prose, without a trailing full stop."""


def opened(address: str) -> str:
    r"""Return an address in ASCII for opening; nothing if it must not be opened.

    >>> opened("https://fa.wikipedia.org/wiki/گ"), opened("javascript:alert(1)")
    ('https://fa.wikipedia.org/wiki/%DA%AF', '')
    >>> opened("http://a/\x1b]8;;")
    'http://a/%1B]8;;'
    """
    if not _OPENED.fullmatch(address):
        return ""
    return "".join(
        char if "!" <= char <= "~" else quote(char, safe="", errors="replace") for char in address
    )


def readable_address(address: str) -> str:
    """Return an address in one line, safe for a terminal."""
    return safe(address).replace("\n", " ").replace("\t", " ")
