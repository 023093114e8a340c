"""What is asked of a knowledge base, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Via = Literal["text", "translation", "spelling", "transliteration", "layout"]
"""By what a hit was found: its own words, or what they were read as."""


class Page(NamedTuple):
    """At most ``limit`` hits, or all for none, from ``offset`` on."""

    limit: int | None = 10
    offset: int = 0


class Filters(NamedTuple):
    """What narrows a search, a list or an export; every part given must hold."""

    lang: str | None = None
    collection: str | None = None
    level: str | None = None
    verdict: str | None = None
    tag: str | None = None


class Excerpt(NamedTuple):
    """A passage in its original spelling and the places in it that matched."""

    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, or listed (then without score, via and excerpt).

    ``evidence`` counts the annotations that have any to run, by what came of it. ``cards`` are
    the others of its note that were found, and ``section`` is where in a long note the excerpt
    stands.
    """

    id: str
    kind: str
    collection: str
    number: str | None
    level: str | None
    lang: str
    question: Mapping[str, str]
    verdicts: Mapping[str, int]
    snippets: tuple[str, ...]
    score: float | None = None
    via: Via | None = None
    excerpt: Excerpt | None = None
    evidence: Mapping[str, int] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    section: str | None = None


class Results(NamedTuple):
    """The answer to a search or a list: the hits asked for, of ``total`` that match."""

    query: str
    total: int
    hits: tuple[Hit, ...]
    took_ms: float = 0.0
    suggestion: str | None = None
    notice: str | None = None
    explanation: tuple[str, ...] = ()
