"""Signs of ours put into a text's blocks, behind the characters that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.present.markdown.document import ADDED, Block, Piece, Prose, with_texts


def with_signs(blocks: Sequence[Block], signs: Iterable[tuple[int, Piece]]) -> tuple[Block, ...]:
    """Return blocks with each sign behind the last character before its place in the source.

    Those of one place come in their order.
    """
    changed = list(blocks)
    # What goes in last stands right behind its character, before those of the same place.
    for place, sign in sorted(signs, key=lambda each: each[0])[::-1]:
        at = max((n for n, block in enumerate(changed) if _says_before(block, place)), default=0)
        changed[at] = _with_sign(changed[at], place, sign)
    return tuple(changed)


def _says_before(block: Block, place: int) -> bool:
    return any(_is_before(prose, place) for prose in block.proses)


def _is_before(prose: Prose, place: int) -> bool:
    return any(ADDED < each < place for piece in prose.pieces for each in piece.places)


def _with_sign(block: Block, place: int, sign: Piece) -> Block:
    """Put a sign into the last of a block's texts that has something before the place."""
    texts = [prose for prose in block.proses if _is_before(prose, place)] or [block.proses[0]]
    return with_texts(
        block, lambda prose: _put(prose, place, sign) if prose is texts[-1] else prose
    )


def _put(prose: Prose, place: int, sign: Piece) -> Prose:
    pieces: list[Piece] = []
    done = False
    for piece in reversed(prose.pieces):
        before = [n for n, each in enumerate(piece.places) if ADDED < each < place]
        if done or not before:
            pieces.insert(0, piece)
            continue
        count = before[-1] + 1
        parts = (slice(count), slice(count, None))
        upto, behind = (piece._replace(text=piece.text[n], places=piece.places[n]) for n in parts)
        pieces[:0] = [upto, sign, behind]
        done = True
    return Prose(tuple(piece for piece in (pieces if done else [sign, *pieces]) if piece.text))
