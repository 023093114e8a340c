"""Passages with the words that annotations speak of underlined, and a sign behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.present.annotated import AnnotatedSpan, Numbered
from kb.present.annotated import passages as passages_of
from kb.present.markdown.document import Piece, added
from kb.terminal import whole
from tui.bidi import StyledSpan
from tui.phrases import annotation_sign, verdict_of

if TYPE_CHECKING:
    from kb.present.markdown.document import Document, Passage


_ADDRESS = "note:"


class SignedPassage(NamedTuple):
    """A passage with signs behind the words of annotations, and those whose words end in it."""

    passage: Passage
    annotations: Sequence[Numbered]


def style_of(each: Numbered) -> str:
    """Return the style of the words an annotation speaks of: never colour alone."""
    return f"{verdict_of(each.annotation.verdict).style} underline"


def marks_of(marked: Sequence[AnnotatedSpan]) -> list[StyledSpan]:
    """Return the words that annotations speak of as marks on their text."""
    return [StyledSpan(start, end, style_of(each)) for each, start, end in marked]


def passages(document: Document, marked: Sequence[AnnotatedSpan]) -> Iterator[SignedPassage]:
    """Yield the passages of a text, a sign behind each annotation's words.

    The sign of words that end within a formula stands behind the formula.
    """
    from kb.present.markdown.signs import with_signs

    for passage, ended in passages_of(document, marked):
        signs = [(whole(document.source, each.end, each.end)[1], _sign(each)) for each in ended]
        blocks = with_signs(passage.blocks, signs) if signs else passage.blocks
        yield SignedPassage(passage._replace(blocks=blocks), [each.each for each in ended])


def _sign(marked: AnnotatedSpan) -> Piece:
    style = style_of(marked.each).removesuffix(" underline")
    address = address_of(marked.each.annotation.id)
    return added(annotation_sign(marked.each.number), {f"{style} bold"}, address)


def address_of(annotation: str) -> str:
    """Return the address that the sign of an annotation leads to: no link of a text has such."""
    return f"{_ADDRESS}{annotation}"


def nearest(marked: Sequence[AnnotatedSpan], place: int) -> AnnotatedSpan | None:
    """Return the innermost of the marked words that a place is in; of alike, what ends first.

    >>> each = Numbered(1, None)
    >>> nearest([AnnotatedSpan(each, 0, 9), AnnotatedSpan(each, 2, 5)], 3)[1:]
    (2, 5)
    """
    around = [each for each in marked if each.start <= place < each.end]
    return min(around, key=lambda each: (each.end - each.start, each.end), default=None)
