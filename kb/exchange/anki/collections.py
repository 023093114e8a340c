"""Decks as collections: levels parted by ``/``, without a topmost one that all notes share."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from kb.display.safe import in_one_line

_BETWEEN = "::"


def collections_of(decks: Mapping[Any, str], used: Collection[Any]) -> Mapping[Any, str]:
    """Return the collections of decks by their ids; ``used`` are those that notes are in.

    >>> collections_of({1: "ML::RNN", 2: "ML", 3: "Other"}, [1, 2])
    {1: 'RNN', 2: ''}
    >>> collections_of({1: "ML::RNN", 3: "A/B"}, [1, 3])
    {1: 'ML/RNN', 3: 'A-B'}
    """
    paths = {id: _levels(decks[id]) for id in decks if id in used}
    tops = {levels[0] for levels in paths.values() if levels}
    shared = len(tops) == 1 and all(paths.values())
    return {id: "/".join(levels[1:] if shared else levels) for id, levels in paths.items()}


def _levels(name: str) -> list[str]:
    """Return the names of a deck and of those above it, the topmost first."""
    levels = (in_one_line(each).replace("/", "-").strip() for each in name.split(_BETWEEN))
    return [level for level in levels if level]
