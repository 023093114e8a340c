"""What the store tells of what it keeps, apart from entries themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

Owner = Literal["bundled", "user"]
"""Whose an entry is: it follows the content that comes with danesh, or a reader's files."""

Texts = Mapping[str, str | None]
"""The searched texts of a document by column."""


class Ref(NamedTuple):
    """A document by its entry and its language."""

    entry: str
    lang: str


class Selection(NamedTuple):
    """How many entries meet a predicate, and those of a page, each in its first language."""

    total: int
    refs: Sequence[Ref]


class EntryState(NamedTuple):
    """What is known of a stored entry without reading it."""

    owner: Owner
    digest: str
    collection: str
    position: int
    layer: int
    hidden: bool
    shown: bool


class Name(NamedTuple):
    """A name of a concept, and the best one of its language where ``place`` is 0."""

    name: str
    lang: str
    place: int
    concept: int


class Amount(NamedTuple):
    """How many files there are, and their bytes."""

    files: int
    bytes: int


class Copies(NamedTuple):
    """Files that were made of a store: the newest first."""

    dated: Sequence[str]
    beside: Sequence[str]
    strays: Sequence[str]


class Engine(NamedTuple):
    """What keeps a store: its version, and how it journals changes."""

    version: str
    journal: str
