"""Rules W1 to W7 and N0 to N2 of UAX #9, for one isolating run sequence.

Every rule takes the types of the run's characters and changes them in place.
``edge`` is "L" or "R": the direction of the embedding. Without explicit embeddings
both ends of a run (``sos`` and ``eos``) always have it: what stands around an
isolate has a lower level, and the higher level decides (X10).

Source: UAX #9 (Unicode 15.0), https://www.unicode.org/reports/tr9/tr9-46.html
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.display.bidi.brackets import STRONG, resolve_brackets
from kb.display.bidi.classes import ISOLATES

_NEUTRAL = frozenset({"B", "S", "WS", "ON"}) | ISOLATES


def resolve_types(chars: Sequence[str], original: Sequence[str], edge: str) -> list[str]:
    """Return the type of each character of a run: L, R, EN or AN.

    ``original`` are the bidirectional classes of ``chars``, without those that
    rule X9 removes.

    >>> resolve_types("GPU ها", ["L", "L", "L", "WS", "AL", "AL"], "R")
    ['L', 'L', 'L', 'R', 'R', 'R']
    """
    types = list(original)
    _marks(types, edge)
    _arabic(types, edge)
    _separators(types)
    _terminators(types)
    _latin_numbers(types, edge)
    resolve_brackets(chars, original, types, edge)
    _neutrals(types, edge)
    return types


def _marks(types: list[str], edge: str) -> None:
    """W1: a combining mark has the type of its base; after an isolate it is neutral."""
    previous = edge
    for place, kind in enumerate(types):
        if kind == "NSM":
            types[place] = "ON" if previous in ISOLATES else previous
        previous = types[place]


def _arabic(types: list[str], edge: str) -> None:
    """W2, W3: numbers after an Arabic letter are Arabic numbers; then the letter is just R."""
    strong = edge
    for place, kind in enumerate(types):
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            types[place] = "AN"
        if kind == "AL":
            types[place] = "R"


def _separators(types: list[str]) -> None:
    """W4: one separator between two numbers of a kind belongs to the number."""
    for place in range(1, len(types) - 1):
        kind = types[place]
        if kind not in ("ES", "CS"):
            continue
        before = types[place - 1]
        if before == types[place + 1] and (before == "EN" or (before == "AN" and kind == "CS")):
            types[place] = before


def _terminators(types: list[str]) -> None:
    """W5, W6: terminators beside a European number belong to it, all others are neutral."""
    for start, end in _stretches(types, frozenset({"ET"})):
        beside = types[max(start - 1, 0)], types[min(end, len(types) - 1)]
        if "EN" in beside:
            types[start:end] = ["EN"] * (end - start)
    for place, kind in enumerate(types):
        if kind in ("ET", "ES", "CS"):
            types[place] = "ON"


def _latin_numbers(types: list[str], edge: str) -> None:
    """W7: a European number after a left-to-right letter runs with it."""
    strong = edge
    for place, kind in enumerate(types):
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            types[place] = "L"


def _neutrals(types: list[str], edge: str) -> None:
    """N1, N2: neutrals take the direction of both neighbours, or else of the embedding."""
    for start, end in _stretches(types, _NEUTRAL):
        before = STRONG[types[start - 1]] if start else edge
        after = STRONG[types[end]] if end < len(types) else edge
        types[start:end] = [before if before == after else edge] * (end - start)


def _stretches(types: Sequence[str], kinds: frozenset[str]) -> list[tuple[int, int]]:
    """Return start and end of each longest stretch of types that are all among ``kinds``."""
    found: list[tuple[int, int]] = []
    for place, kind in enumerate(types):
        if kind in kinds:
            if found and found[-1][1] == place:
                found[-1] = (found[-1][0], place + 1)
            else:
                found.append((place, place + 1))
    return found
