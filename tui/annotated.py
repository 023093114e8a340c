"""Texts with the words that annotations speak of underlined, and a sign behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.display import whole
from kb.present.annotated import AnnotatedSpan, Numbered
from kb.present.annotated import paragraphs as paragraphs_of
from tui.bidi import StyledSpan
from tui.phrases import annotation_sign, verdict_of

if TYPE_CHECKING:
    from kb.records import TextSpan


def style_of(each: Numbered) -> str:
    """Return the style of the words an annotation speaks of: never colour alone."""
    return f"{verdict_of(each.annotation.verdict).style} underline"


def with_signs(
    text: str, marked: Sequence[AnnotatedSpan], marks: Sequence[StyledSpan] = ()
) -> tuple[str, list[StyledSpan]]:
    """Return a text with a sign behind each annotation's words, and all marks moved with them.

    The sign of words that end within a formula stands behind the formula. ``marks`` are
    others that the text has already, such as what a search matched.
    """
    spans = [StyledSpan(start, end, style_of(each)) for each, start, end in marked]
    signs = sorted(
        (_sign_place(text, each), each.each.number, style_of(each.each)) for each in marked
    )
    shifts = signs_of(text, marked)
    parts: list[str] = []
    inserted: list[StyledSpan] = []
    done = grown = 0
    for place, number, style in signs:
        parts.append(text[done:place])
        sign = annotation_sign(number)
        start = place + grown
        inserted.append(
            StyledSpan(start, start + len(sign), f"{style.removesuffix(' underline')} bold")
        )
        parts.append(sign)
        grown += len(sign)
        done = place
    parts.append(text[done:])
    moved = [_moved(mark, shifts) for mark in [*marks, *spans]]
    return "".join(parts), [*moved, *inserted]


def signs_of(text: str, marked: Sequence[AnnotatedSpan]) -> list[tuple[int, int]]:
    """Return the places in a text where signs go in, each with its length."""
    places = sorted((_sign_place(text, each), each.each.number) for each in marked)
    return [(place, len(annotation_sign(number))) for place, number in places]


def _sign_place(text: str, marked: AnnotatedSpan) -> int:
    return whole(text, marked.end, marked.end)[1]


class Home(NamedTuple):
    """Where a shown text stands in an entry's, and where signs went into it."""

    role: str
    lang: str
    start: int
    signs: Sequence[tuple[int, int]] = ()

    def words(self, start: int, end: int) -> TextSpan:
        """Return the words of the entry that ``shown[start:end]`` shows.

        >>> Home("source", "en", 10, [(4, 3)]).words(2, 9)
        TextSpan(role='source', lang='en', start=12, end=16)
        """
        from kb.records import TextSpan

        return TextSpan(self.role, self.lang, self._written(start), self._written(end))

    def _written(self, shown: int) -> int:
        before = 0
        for place, length in self.signs:
            if shown <= place + before:
                break
            before += min(length, shown - place - before)
        return self.start + shown - before


class SignedParagraph(NamedTuple):
    """A paragraph with its marks and signs, and the annotations whose words end in it.

    It begins at ``start`` of its text, and ``signs`` are the places and lengths of its signs.
    """

    text: str
    marks: Sequence[StyledSpan]
    annotations: Sequence[Numbered]
    start: int
    signs: Sequence[tuple[int, int]]


def paragraphs(
    text: str, marked: Sequence[AnnotatedSpan], marks: Sequence[StyledSpan] = ()
) -> Iterator[SignedParagraph]:
    """Yield the paragraphs of a text; words over several are marked in each, signed in the last."""
    for part, start, here, ended in paragraphs_of(text, marked):
        end = start + len(part)
        going_on = [
            StyledSpan(each.start, each.end, style_of(each.each))
            for each in here
            if each not in ended
        ]
        cut = [
            StyledSpan(max(mark.start - start, 0), min(mark.end, end) - start, mark.style)
            for mark in marks
            if mark.start < end and start < mark.end
        ]
        shown, moved = with_signs(part, ended, [*cut, *going_on])
        annotations = [each.each for each in ended]
        yield SignedParagraph(shown, moved, annotations, start, signs_of(part, ended))


def _moved(mark: StyledSpan, shifts: Sequence[tuple[int, int]]) -> StyledSpan:
    """Return a mark after signs of these lengths went in at these places."""
    before_start = sum(length for place, length in shifts if place <= mark.start)
    before_end = sum(length for place, length in shifts if place < mark.end)
    return StyledSpan(mark.start + before_start, mark.end + before_end, mark.style)
