"""Where a question begins, as one of the styles of writing finds it."""

from __future__ import annotations

from typing import NamedTuple

from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.levels import Scale

MARKED, HEADING, LINE, ITEM, PLAIN = range(5)
"""How surely a style tells a question: within one, only a style at least as sure begins another."""


class Opening(NamedTuple):
    """The beginning of a question: its words as written, and the blocks that are surely its own.

    ``lines`` are those of the beginning itself. ``near`` is said of a style in which what
    stands directly below belongs to the question, ``nested`` where questions within one do.
    ``open`` says whether what follows in the file can be its answer. ``topics`` are headings
    of its own, below those of its section, and ``beside`` lines that are used up with it:
    the head of its table.
    """

    style: str
    rank: int
    lines: tuple[Line, ...]
    text: str
    number: str | None = None
    level: str | None = None
    lang: str | None = None
    tags: tuple[str, ...] = ()
    body: tuple[Block, ...] = ()
    kind: str = "question"
    open: bool = True
    near: bool = False
    nested: bool = False
    topics: tuple[str, ...] = ()
    sign: str = ":"
    beside: tuple[Line, ...] = ()


class Survey(NamedTuple):
    """What is true of a whole file and decides what its parts mean.

    ``about`` says that title or name call it a list of questions, ``deck`` one of cards;
    numbers are shares of what asks, by style. ``ordered`` says that most items that ask are
    numbered. ``cards`` are those told by their lines, which stand among the blocks under
    their number.
    """

    scale: Scale
    about: bool = False
    details: float = 0.0
    bold: float = 0.0
    items: float = 0.0
    quotes: float = 0.0
    ordered: bool = False
    deck: bool = False
    cards: tuple[Opening, ...] = ()
