"""A question with all that stands below it, before it is divided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.exchange.questions.blocks import Block
from kb.exchange.questions.opening import Opening

BEFORE = "text before the first question"
BETWEEN = "text that belongs to no question"


@dataclass(slots=True)
class Draft:
    """A question with all that stands below it, not yet divided.

    ``answers`` has the blocks under a labelled answer by its language, ``others`` what the
    same question is in other languages.
    """

    opening: Opening
    topics: tuple[Block, ...]
    level: str | None
    body: list[Block] = field(default_factory=list)
    answers: dict[str, list[Block]] = field(default_factory=dict)
    others: list[Opening] = field(default_factory=list)
    asked: dict[str, list[Block]] = field(default_factory=dict)
    told_in: str | None = None

    @property
    def heads(self) -> Iterator[Opening]:
        """Its openings, the first and those in other languages."""
        yield self.opening
        yield from self.others


@dataclass(slots=True)
class Gathered:
    """What was found in blocks: drafts in order, and what belongs to none, with the reason."""

    drafts: list[Draft] = field(default_factory=list)
    left: list[tuple[Block, str]] = field(default_factory=list)
