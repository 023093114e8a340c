"""The query as a tree: what a person asked for, before any language or index is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keyword:
    """Text to be found: a word, or several that are looked for by themselves."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """Words that begin so."""

    text: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that stand together in this order.

    It counts for a ``share`` of what a text does that was asked for by itself. One that is
    not ``sought`` finds nothing, but what holds it is worth more.
    """

    text: str
    share: float = 1.0
    sought: bool = True


@dataclass(frozen=True, slots=True)
class FieldValue:
    """Entries whose field has a value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Bare:
    """Things written side by side: of the texts as many as possible, the rest without fail."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class And:
    """All of them."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of them."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Entries that do not meet it."""

    node: Node


Text = Keyword | Prefix | Quoted
Node = Text | FieldValue | Bare | And | Or | Not


def positive_texts(node: Node) -> Iterator[Text]:
    """Yield the texts that are asked for, not those that are ruled out, in order."""
    match node:
        case Keyword() | Prefix() | Quoted():
            yield node
        case Bare(of) | And(of) | Or(of):
            for part in of:
                yield from positive_texts(part)
        case FieldValue() | Not():
            return
