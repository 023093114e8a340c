"""Inserts signs into a text's blocks, after the characters they belong to."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, count

from kb.present.markdown.document import ADDED, Block, Piece, Prose, with_texts

_NOWHERE = float("inf")


def with_signs(blocks: Sequence[Block], signs: Iterable[tuple[int, Piece]]) -> tuple[Block, ...]:
    """Return blocks with each sign after the last character before its position.

    Signs at one position keep their order.
    """
    pieces = [each for block in blocks for prose in block.proses for each in prose.pieces]
    places = [place if place > ADDED else _NOWHERE for each in pieces for place in each.places]
    lowest = [*accumulate(reversed(places), min)][::-1]  # of all the places from here on
    behind: dict[int, list[Piece]] = defaultdict(list)
    for place, sign in sorted(signs, key=lambda each: each[0]):
        behind[bisect_left(lowest, place)].append(sign)
    numbers = count(1)

    def signed(prose: Prose) -> Prose:
        first = behind.pop(0, [])  # what nothing stands before leads all
        found = (part for each in prose.pieces for part in _parted(each, numbers, behind))
        return Prose((*first, *(part for part in found if part.text)))

    return tuple(with_texts(block, signed) for block in blocks)


def _parted(
    piece: Piece, numbers: Iterator[int], behind: dict[int, list[Piece]]
) -> Iterator[Piece]:
    """Yield the parts of a piece, split after characters with signs, and the signs."""
    start = 0
    for end in range(1, len(piece.text) + 1):
        signs = behind.get(next(numbers))
        if signs:
            yield piece._replace(text=piece.text[start:end], places=piece.places[start:end])
            yield from signs
            start = end
    yield piece._replace(text=piece.text[start:], places=piece.places[start:])
