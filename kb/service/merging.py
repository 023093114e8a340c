"""Comparing three: what was taken, what the reader made of it, and what is said now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from kb.contract.entry import LANGUAGES, difference


class Merged(NamedTuple):
    """What two changes make together, and the fields that both changed to different things."""

    fields: dict[str, Any]
    contested: tuple[str, ...]


def merge(base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> Merged:
    """Return ``mine`` with what ``theirs`` changed of ``base``.

    A field that both changed, and not alike, is contested, and stays as in ``mine``.

    >>> base = {"level": "E", "topic": "nets", "number": "1"}
    >>> mine = {"level": "H", "topic": "nets", "number": "1"}
    >>> merge(base, mine, {"level": "E", "topic": "graphs", "number": "1"}).fields
    {'level': 'H', 'topic': 'graphs', 'number': '1'}
    >>> merge(base, mine, {"level": "M", "number": "1"}).contested
    ('level',)
    """
    ours, others = difference(base, mine), difference(base, theirs)
    merged, contested = dict(mine), []
    for name, (_, after) in others.items():
        if name in ours and name != LANGUAGES:
            if ours[name][1] != after:
                contested.append(name)
        elif name == LANGUAGES:
            merged[name] = list(dict.fromkeys((*mine.get(name, ()), *(after or ()))))
        elif after is None:
            merged.pop(name, None)
        else:
            merged[name] = after
    return Merged(merged, tuple(contested))
