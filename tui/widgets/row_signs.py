"""The last line of an entry in the list: the signs of its verdicts, and what runs have proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content

from kb.display import text_width
from kb.i18n import RLM, _, digits, fraction, in_own_direction, right_to_left
from tui.bidi import StyledSpan, direction_in, first_rows, from_left, styled
from tui.phrases import VERDICTS, verdict_of

if TYPE_CHECKING:
    from kb.records import Hit


class Piece(NamedTuple):
    """A stretch of a line, and its style."""

    text: str
    style: str = ""


def sign_line(hit: Hit, width: int) -> Content | None:
    """Return the signs in a line of this width, or nothing where there is no verdict.

    The worst verdict is spelled out and all are counted, as far as there is room; what is
    proved stands at the end.
    """
    verdicts = _verdicts(hit)
    if not verdicts:
        return None
    beside = width - len(verdicts) - 1  # every sign comes before what is proved
    said = next((each for each in _proved(hit) if text_width(each.text) <= beside), Piece(""))
    proved = _in_line([said], width)
    room = max(1, width - proved.cell_length - bool(proved))
    signs = next(
        (line for line in _ways(verdicts) if sum(text_width(piece.text) for piece in line) <= room),
        [Piece(verdict_of(word).sign, verdict_of(word).style) for word, _count in verdicts],
    )
    left = _in_line(signs, room)
    parts = [left, Content.blank(max(0, width - left.cell_length - proved.cell_length)), proved]
    return Content("").join(from_left(parts))


def _verdicts(hit: Hit) -> list[tuple[str, int]]:
    """Return the verdicts of a hit with their counts, the worst first."""
    order = [*VERDICTS, *hit.verdicts]
    found = sorted(hit.verdicts.items(), key=lambda pair: order.index(pair[0]))
    return [(word, count) for word, count in found if count]


def _ways(verdicts: Sequence[tuple[str, int]]) -> Iterator[list[Piece]]:
    """Yield the ways to write verdicts, those that say most first."""
    counted = [
        Piece(_counted(verdict_of(word).sign, count), verdict_of(word).style)
        for word, count in verdicts
    ]
    worst = verdict_of(verdicts[0][0])
    spelled = Piece(f"{counted[0].text} {_(worst.name)}", worst.style)
    yield _apart([spelled, *([Piece("")] if counted[1:] else []), *counted[1:]])
    yield _apart(counted)


def _apart(pieces: Sequence[Piece]) -> list[Piece]:
    return [part for piece in pieces for part in (Piece(" "), piece)][1:]


def _proved(hit: Hit) -> Iterator[Piece]:
    """Yield the ways to say how much evidence runs have confirmed; none where none was run."""
    held, total = hit.evidence.get("confirmed", 0), sum(hit.evidence.values())
    refuted = "refuted" in hit.evidence
    if not held and not refuted:
        return
    style = "$text-error bold" if refuted else "$text-success bold"
    sign = "✗" if refuted else "✓"
    if held < total:
        yield Piece(f"{fraction(held, total)} {sign}", style)
    yield Piece(sign, style)


def _in_line(pieces: Sequence[Piece], width: int) -> Content:
    """Return pieces in one line, in the direction of the interface."""
    pieces = [Piece(in_own_direction("")), *pieces]  # signs alone have no direction
    ends = list(accumulate(len(piece.text) for piece in pieces))
    marks = [
        StyledSpan(end - len(piece.text), end, piece.style)
        for piece, end in zip(pieces, ends, strict=True)
        if piece.style
    ]
    text = "".join(piece.text for piece in pieces)
    return styled(first_rows(text, max(1, width), 1, direction_in("interface"))[0], marks)


def _counted(sign: str, count: int) -> str:
    """Return how often a sign stands, read as the interface runs: it is no formula."""
    between = RLM if right_to_left() else ""
    return f"{sign}{between}{digits(str(count))}"
