"""Which fields of a note are its question, and which its answer, as its first card shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kb.exchange.anki.collection import Look

_PLACE = re.compile(r"\{\{\{?([^{}]{1,500})\}?\}\}")
_NOT_SHOWN = frozenset({"type", "hint", "tts", "tts-voices"})
"""Filters that show something else on the front than the field: a box to type in, a hint."""


class Sides(NamedTuple):
    """The numbers of fields: those asked with, those that answer, those with gaps.

    ``labelled`` are fields that need their names to be understood; ``switches`` are those that
    say alone whether there is a card, and are never shown.
    """

    front: tuple[int, ...]
    back: tuple[int, ...]
    gapped: frozenset[int]
    labelled: frozenset[int]
    switches: frozenset[int]


@lru_cache(maxsize=256)
def sides_of(look: Look) -> Sides:
    """Return how the fields of a kind of notes are shown.

    >>> basic = Look("Basic", ("Front", "Back", "Source"), "{{Front}}", "{{Back}}", (), False)
    >>> sides_of(basic)[:2]
    ((0,), (1, 2))
    """
    numbers = {name.casefold(): number for number, name in reversed([*enumerate(look.fields)])}
    front = [(n, f) for n, f in _shown(look.front, numbers) if not f & _NOT_SHOWN or "cloze" in f]
    asking = tuple(dict.fromkeys(n for n, _ in front)) or (0,)
    told = [n for n, _ in _shown(look.back, numbers) if n not in asking]
    switches = _switches(look, numbers) - {*asking}
    others = (n for n in range(len(look.fields)) if n not in asking and n not in switches)
    back = tuple(dict.fromkeys((*told, *others)))
    gapped = (
        frozenset(n for n, filters in front if "cloze" in filters) if look.cloze else frozenset()
    )
    first = back[:1] if told and not look.cloze else ()
    return Sides(asking, back, gapped, frozenset(back) - {*first}, switches)


def _shown(side: str, numbers: dict[str, int]) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the fields that a side shows, each with the filters that it is shown through."""
    for place in _PLACE.findall(side):
        *filters, name = (part.strip() for part in place.split(":"))
        number = numbers.get(name.casefold())
        if number is not None and not place.startswith(("#", "^", "/", "!")):
            yield number, frozenset(each.split(" ")[0].casefold() for each in filters)


def _switches(look: Look, numbers: dict[str, int]) -> frozenset[int]:
    asked, shown = set[int](), set[int]()
    for side in look.sides:
        shown.update(n for n, _ in _shown(side, numbers))
        names = (place[1:].strip() for place in _PLACE.findall(side) if place[:1] in "#^")
        asked.update(numbers[name.casefold()] for name in names if name.casefold() in numbers)
    return frozenset(asked - shown)
