"""The Unicode Bidirectional Algorithm for one line: levels and visual order.

A level is a number: even runs left to right, odd right to left. Isolates (LRI, RLI,
FSI, PDI) are obeyed. The explicit embeddings and overrides (LRE, RLE, LRO, RLO, PDF)
are ignored like BN: `kb.display.safe` lets none of them through. A text is
one paragraph; rule P1, splitting paragraphs, is the caller's.

Source: UAX #9 (Unicode 15.0), https://www.unicode.org/reports/tr9/tr9-46.html;
characters removed by X9 are kept and handled as its section 5.2 says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kb.display.bidi.classes import IGNORED, INITIATORS, ISOLATES, bidi_class
from kb.display.bidi.runs import resolve_types

MAX_DEPTH = 125
_STRONG_LEVEL = {"L": 0, "R": 1, "AL": 1}
_BLANK = ISOLATES | IGNORED | {"WS"}
# I1, I2: what each resolved type adds to an even and to an odd level.
_RAISE = ({"L": 0, "R": 1, "EN": 2, "AN": 2}, {"L": 1, "R": 0, "EN": 1, "AN": 1})


class _Run(NamedTuple):
    """An isolating run sequence: its level and the places of its characters."""

    level: int
    places: list[int]


def paragraph_level(text: str) -> int:
    """Return the level of a paragraph by its first strong letter, 0 if it has none (P2, P3).

    >>> paragraph_level("123 سلام GPU"), paragraph_level("GPU سلام"), paragraph_level("1+1")
    (1, 0, 0)
    """
    return _first_strong_level(map(bidi_class, text))


def levels(text: str, base: int | None = None) -> list[int]:
    """Return the level of each character of a line (X1 to L1).

    ``base`` is the level of the paragraph, 0 or 1; None finds it by P2 and P3. A
    character that X9 removes has the level of the one before it.

    >>> levels("f(سلام) 12", 0)
    [0, 0, 1, 1, 1, 1, 0, 0, 2, 2]
    """
    classes = [bidi_class(char) for char in text]
    if base is None:
        base = _first_strong_level(classes)
    found = [-1] * len(text)
    for run in _isolating_runs(classes, base):
        chars = [text[place] for place in run.places]
        types = resolve_types(chars, [classes[place] for place in run.places], "LR"[run.level % 2])
        raised = _RAISE[run.level % 2]
        for place, kind in zip(run.places, types, strict=True):
            found[place] = run.level + raised[kind]
    _fill_ignored(found, base)
    _lower_blanks(classes, found, base)
    return found


def visual_order(line: Sequence[int]) -> list[int]:
    """Return the index of the character at each place from left to right, by levels (L2).

    >>> visual_order([0, 1, 1, 2, 2, 0])
    [0, 3, 4, 2, 1, 5]
    """
    order = list(range(len(line)))
    lowest_odd = min((level for level in line if level % 2), default=0)
    if not lowest_odd:
        return order
    for level in range(max(line), lowest_odd - 1, -1):
        start = 0
        for end in range(len(line) + 1):
            if end == len(line) or line[end] < level:
                order[start:end] = order[start:end][::-1]
                start = end + 1
    return order


def _first_strong_level(classes: Iterable[str], *, until_pdi: bool = False) -> int:
    """Return the level of the first strong class outside isolates.

    ``until_pdi`` stops where the isolate ends that the classes are the inside of.
    """
    depth = 0
    for kind in classes:
        if kind in INITIATORS:
            depth += 1
        elif kind == "PDI":
            if until_pdi and not depth:
                return 0
            depth = max(depth - 1, 0)
        elif not depth and kind in _STRONG_LEVEL:
            return _STRONG_LEVEL[kind]
    return 0


def _isolating_runs(classes: Sequence[str], base: int) -> list[_Run]:
    """Split a line into isolating run sequences (X1 to X10, without embeddings).

    An initiator and its PDI belong to the run around the isolate.
    """
    runs = [_Run(base, [])]
    nested = [runs[0]]
    overflow = 0
    for place, kind in enumerate(classes):
        if kind in IGNORED:
            continue
        if kind == "PDI" and overflow:
            overflow -= 1
        elif kind == "PDI" and len(nested) > 1:
            nested.pop()
        nested[-1].places.append(place)
        if kind in INITIATORS:
            level = _isolate_level(classes, place, nested[-1].level)
            if level > MAX_DEPTH or overflow:
                overflow += 1
            else:
                runs.append(_Run(level, []))
                nested.append(runs[-1])
    return runs


def _isolate_level(classes: Sequence[str], place: int, around: int) -> int:
    """Return the least level above ``around`` in the direction of the initiator (X5a to X5c)."""
    kind = classes[place]
    if kind == "FSI":
        direction = _first_strong_level(classes[place + 1 :], until_pdi=True)
    else:
        direction = int(kind == "RLI")
    return around + 1 + (around + 1 + direction) % 2


def _fill_ignored(found: list[int], base: int) -> None:
    """Give the characters without a level that of the one before (UAX #9, section 5.2)."""
    before = base
    for place, level in enumerate(found):
        if level < 0:
            found[place] = before
        before = found[place]


def _lower_blanks(classes: Sequence[str], found: list[int], base: int) -> None:
    """Give tabs, and blanks before them or at the end of the line, the base level (L1)."""
    at_end = True
    for place in range(len(classes) - 1, -1, -1):
        kind = classes[place]
        at_end = kind in ("B", "S") or (at_end and kind in _BLANK)
        if at_end:
            found[place] = base
