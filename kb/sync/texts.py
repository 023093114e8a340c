"""Merges two changes of a text by diff3: by line first, then by word within conflicting lines.

S. Khanna, K. Kunal, B. C. Pierce, "A formal investigation of diff3", FSTTCS 2007: the parts that
both sides left unchanged separate regions, and in each region at most one side may differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from kb.text.quotation import shared_length

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"\s*\S+|\s+")
_MOST = 4_000_000
"""Pairs of parts to compare, about a second; larger differences count as a conflict."""


def merge_texts(base: str, mine: str, theirs: str, *, words: bool = True) -> str | None:
    """Return the text with both changes, or nothing if they conflict.

    Without ``words`` it is merged by line only, as programs are.

    >>> merge_texts("a b c d", "a B c d", "a b c D")
    'a B c D'
    >>> merge_texts("a b", "a c", "a d") is None
    True
    """
    merged: list[str] = []
    for region in _regions(*(_LINE.findall(text) for text in (base, mine, theirs))):
        chosen = _chosen(region)
        if chosen is None and words:
            said = ("".join(part) for part in region)
            parts = [_chosen(each) for each in _regions(*(_WORD.findall(text) for text in said))]
            chosen = None if None in parts else [word for part in parts for word in part or ()]
        if chosen is None:
            return None
        merged += chosen
    return "".join(merged)


class _Region(NamedTuple):
    base: Sequence[str]
    mine: Sequence[str]
    theirs: Sequence[str]


def _chosen(region: _Region) -> Sequence[str] | None:
    """Return the side that changed a region, or nothing if both did differently."""
    if region.mine == region.theirs or region.theirs == region.base:
        return region.mine
    return region.theirs if region.mine == region.base else None


def _regions(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Iterator[_Region]:
    """Yield the regions of three texts: unchanged in all of them, or what lies between."""
    here, there = _matches(base, mine), _matches(base, theirs)
    if here is None or there is None:
        yield _Region(base, mine, theirs)
        return
    at = (0, 0, 0)
    for start in range(len(base) + 1):
        last = start == len(base)
        if not last and (start not in here or start not in there):
            continue
        place = (start, len(mine), len(theirs)) if last else (start, here[start], there[start])
        if place != at:
            ends = zip((base, mine, theirs), at, place, strict=True)
            yield _Region(*(text[begin:end] for text, begin, end in ends))
        if not last:
            same = base[start : start + 1]
            yield _Region(same, same, same)
            at = (place[0] + 1, place[1] + 1, place[2] + 1)


def _matches(base: Sequence[str], other: Sequence[str]) -> dict[int, int] | None:
    """Return the unchanged parts by their places, or nothing if that is too much work."""
    start = shared_length(base, other)
    end = shared_length(reversed(base[start:]), reversed(other[start:]))
    found = {n: n for n in range(start)}
    found |= {len(base) - 1 - n: len(other) - 1 - n for n in range(end)}
    middle, changed = base[start : len(base) - end], other[start : len(other) - end]
    if len(middle) * len(changed) > _MOST:
        return None
    for block in SequenceMatcher(None, middle, changed, autojunk=False).get_matching_blocks():
        found |= {start + block.a + n: start + block.b + n for n in range(block.size)}
    return found
