"""What searches and lists find."""

from __future__ import annotations

from typing import Any

from kb.contract.codec import NUMBER, TEXT, WHOLE, ByName, Choice, Many, Maybe, Texts, Words
from kb.contract.shape import Key, Shape
from kb.records import Excerpt, Hit, Results
from kb.records.vocabulary import KINDS, LEVELS


class _Place:
    """A place in a text, as a list of its two ends."""

    def write(self, value: tuple[int, int]) -> list[int]:
        """Return the two ends."""
        return list(value)

    def read(self, value: Any, place: str, key: str) -> tuple[int, int]:
        """Return the place."""
        start, end = Many(WHOLE).read(value, place, key)
        return start, end


EXCERPT = Shape(Excerpt, Key("text", TEXT), Key("marks", Many(_Place())))

HIT = Shape(
    Hit,
    Key("id", TEXT),
    Key("kind", Choice(KINDS)),
    Key("collection", TEXT),
    Key("number", Maybe(TEXT)),
    Key("level", Maybe(Choice(LEVELS))),
    Key("lang", TEXT),
    Key("score", NUMBER, default=None, always=False),
    Key("via", TEXT, default=None, always=False),
    Key("excerpt", EXCERPT, default=None, always=False),
    Key("question", Texts()),
    Key("verdicts", ByName(WHOLE)),
    Key("snippets", Words()),
    Key("cards", Words(), default=(), always=False),
    Key("section", TEXT, default=None, always=False),
)
"""A hit; a listed one has no score, via and excerpt."""

SEARCH = Shape(
    Results,
    Key("query", TEXT),
    Key("took_ms", NUMBER),
    Key("total", WHOLE),
    Key("suggestion", Maybe(TEXT)),
    Key("notice", Maybe(TEXT)),
    Key("explanation", Words(), default=(), always=False),
    Key("hits", Many(HIT)),
)

LIST = Shape(lambda **values: Results("", **values), Key("total", WHOLE), Key("hits", Many(HIT)))
