"""Rule N0 of UAX #9: the two brackets of a pair get one direction.

Source: UAX #9 (Unicode 15.0), definitions BD14 to BD16 and rule N0,
https://www.unicode.org/reports/tr9/tr9-46.html#N0
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.display.bidi.mirroring import CLOSER_OF, CLOSERS

MAX_OPEN = 63
STRONG = {"L": "L", "R": "R", "EN": "R", "AN": "R"}


def resolve_brackets(
    chars: Sequence[str], original: Sequence[str], types: list[str], edge: str
) -> None:
    """Set the types of paired brackets, in place (N0).

    ``original`` are the classes before rule W1, ``types`` those after W7; ``edge`` is
    the direction of the embedding, which is that of both ends of the run too.
    """
    for opening, closing in bracket_pairs(chars):
        inside = {STRONG[kind] for kind in types[opening + 1 : closing] if kind in STRONG}
        if not inside:
            continue
        kind = edge if edge in inside else _strong_before(types, opening, edge)
        for place in (opening, closing):
            _set_with_marks(original, types, place, kind)


def bracket_pairs(chars: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of opening and closing brackets that match, in order (BD16).

    There are none when more than ``MAX_OPEN`` brackets wait to be closed.

    >>> bracket_pairs("a(b[c)d]")
    [(1, 5)]
    """
    waiting: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    for place, char in enumerate(chars):
        if char in CLOSER_OF:
            if len(waiting) == MAX_OPEN:
                return []
            waiting.append((CLOSER_OF[char], place))
        elif char in CLOSERS:
            _close(waiting, found, CLOSERS[char], place)
    return sorted(found)


def _close(
    waiting: list[tuple[str, int]], found: list[tuple[int, int]], closer: str, place: int
) -> None:
    """Pair a closing bracket with the nearest opening one; those opened between stay alone."""
    for depth in range(len(waiting) - 1, -1, -1):
        if waiting[depth][0] == closer:
            found.append((waiting[depth][1], place))
            del waiting[depth:]
            return


def _strong_before(types: Sequence[str], place: int, edge: str) -> str:
    for before in range(place - 1, -1, -1):
        if types[before] in STRONG:
            return STRONG[types[before]]
    return edge


def _set_with_marks(original: Sequence[str], types: list[str], place: int, kind: str) -> None:
    """Set the type of a bracket and of the combining marks on it."""
    types[place] = kind
    for mark in range(place + 1, len(types)):
        if original[mark] != "NSM":
            return
        types[mark] = kind
