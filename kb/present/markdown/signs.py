"""Signs of ours put into a text's blocks, behind the characters that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.present.markdown.document import ADDED, Block, Piece, Prose

Place = tuple[int, int, int, int]
"""A block, one of its proses, a piece of it, and behind how many of its characters."""


def with_signs(blocks: Sequence[Block], signs: Iterable[tuple[int, Piece]]) -> tuple[Block, ...]:
    """Return blocks with each sign behind the last character before its place in the source.

    Those of one place come in their order.
    """
    changed = list(blocks)
    # What goes in last stands right behind its character, before those of the same place.
    for place, sign in sorted(signs, key=lambda each: each[0])[::-1]:
        at, *where = _behind(changed, place)
        proses = list(changed[at].proses)
        proses[where[0]] = _put(proses[where[0]], where[1], where[2], sign)
        changed[at] = _with_proses(changed[at], proses)
    return tuple(changed)


def _behind(blocks: Sequence[Block], place: int) -> Place:
    found: Place = (0, 0, 0, 0)
    for at, block in enumerate(blocks):
        for number, prose in enumerate(block.proses):
            for which, piece in enumerate(prose.pieces):
                before = [n for n, each in enumerate(piece.places) if ADDED < each < place]
                if before:
                    found = at, number, which, before[-1] + 1
    return found


def _put(prose: Prose, which: int, count: int, sign: Piece) -> Prose:
    pieces = list(prose.pieces) or [Piece("", ())]
    text, places, styles, address = pieces[which]
    pieces[which : which + 1] = [
        Piece(text[:count], places[:count], styles, address),
        sign,
        Piece(text[count:], places[count:], styles, address),
    ]
    return Prose(tuple(piece for piece in pieces if piece.text))


def _with_proses(block: Block, proses: Sequence[Prose]) -> Block:
    if not block.rows:
        return replace(block, prose=proses[0])
    width = len(block.rows[0])
    rows = tuple(tuple(proses[n : n + width]) for n in range(0, len(proses), width))
    return replace(block, rows=rows)
