"""Annotations brought to the text they speak of: spans found, signs put behind them.

An annotation's place is known in its source document; a shown text is a span of that
document, or mends it. So the place is computed, checked against the quote, and else the
quote is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.display import paragraphs as paragraphs_of
from kb.display import whole
from tui.bidi import Mark
from tui.phrases import annotation_sign, verdict_of

if TYPE_CHECKING:
    from kb.records import Annotation, Entry, Span, TextSpan


class Numbered(NamedTuple):
    """An annotation of an entry with the number a reader knows it by."""

    number: int
    annotation: Annotation

    @property
    def style(self) -> str:
        """The style of its span: never colour alone."""
        return f"{verdict_of(self.annotation.verdict).style} underline"


def numbered(entry: Entry) -> list[Numbered]:
    """Return the annotations of an entry in the order a reader needs them, from 1.

    Those of answers come first, by language and place, then those of the question, most of
    which tell what a source lost and the text shown has again.
    """
    spoken = [*entry.question, *(answer.lang for answer in entry.answers)]

    def place(annotation: Annotation) -> tuple[bool, int, bool, int]:
        target = annotation.target
        known = target.lang in spoken
        origins = origins_of(entry, target.role, target.lang) if target.file else ()
        begins = next((origin.start for origin in origins if origin.file == target.file), 0)
        return (
            target.role == "question",
            spoken.index(target.lang) if known else len(spoken),
            target.role == "reference",
            target.start - begins,
        )

    in_order = sorted(entry.annotations, key=place)
    return [Numbered(number, each) for number, each in enumerate(in_order, 1)]


def origins_of(entry: Entry, role: str, lang: str) -> tuple[Span, ...]:
    """Return where the text of that role and language lies in the source documents."""
    if role == "question":
        return tuple(entry.origins.get(lang, ()))
    answer = entry.answer(lang, role)
    return (answer.origin,) if answer and answer.origin else ()


def concerns(annotation: Annotation, role: str, lang: str) -> bool:
    """Say whether an annotation speaks of the text of that role and language."""
    return (annotation.target.role, annotation.target.lang) == (role, lang)


def find_span(text: str, origins: Iterable[Span], annotation: Annotation) -> tuple[int, int] | None:
    """Return where the annotation's quote stands in a text, or nothing."""
    target = annotation.target
    if annotation.own:
        return None if annotation.status == "orphaned" else (target.start, target.end)
    for origin in origins:
        start = target.start - origin.start
        end = start + len(target.quote)
        if origin.file == target.file and start >= 0 and text[start:end] == target.quote:
            return start, end
    start = text.find(target.quote) if target.quote else -1
    return (start, start + len(target.quote)) if start >= 0 else None


def with_signs(
    text: str, found: Sequence[tuple[Numbered, tuple[int, int]]], marks: Sequence[Mark] = ()
) -> tuple[str, list[Mark]]:
    """Return a text with a sign behind each span, and all marks moved to their new places.

    The sign of a span that ends within a formula stands behind the formula. ``marks`` are
    others that the text has already, such as what a search matched.
    """
    spans = [Mark(*span, each.style) for each, span in found]
    signs = sorted((_sign_place(text, span), each.number, each.style) for each, span in found)
    shifts = signs_of(text, found)
    parts: list[str] = []
    inserted: list[Mark] = []
    done = grown = 0
    for place, number, style in signs:
        parts.append(text[done:place])
        sign = annotation_sign(number)
        start = place + grown
        inserted.append(Mark(start, start + len(sign), f"{style.removesuffix(' underline')} bold"))
        parts.append(sign)
        grown += len(sign)
        done = place
    parts.append(text[done:])
    moved = [_moved(mark, shifts) for mark in [*marks, *spans]]
    return "".join(parts), [*moved, *inserted]


def signs_of(text: str, found: Sequence[tuple[Numbered, tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the places in a text where signs go in, each with its length."""
    places = sorted((_sign_place(text, span), each.number) for each, span in found)
    return [(place, len(annotation_sign(number))) for place, number in places]


def _sign_place(text: str, span: tuple[int, int]) -> int:
    end = span[1]
    return whole(text, end, end)[1]


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


class Paragraph(NamedTuple):
    """A paragraph with its marks and signs, and the annotations whose words end in it.

    It begins at ``start`` of its text, and ``signs`` are the places and lengths of its signs.
    """

    text: str
    marks: Sequence[Mark]
    annotations: Sequence[Numbered]
    start: int
    signs: Sequence[tuple[int, int]]


def paragraphs(
    text: str, found: Sequence[tuple[Numbered, tuple[int, int]]], marks: Sequence[Mark] = ()
) -> Iterator[Paragraph]:
    """Yield the paragraphs of a text; a span over several is marked in each, signed in its last."""
    for start, end in paragraphs_of(text):
        part = text[start:end]
        ending = [
            (each, (max(a - start, 0), b - start)) for each, (a, b) in found if start < b <= end
        ]
        going_on = [Mark(a, b, each.style) for each, (a, b) in found if a < end < b]
        cut = [
            Mark(max(mark.start - start, 0), min(mark.end, end) - start, mark.style)
            for mark in (*marks, *going_on)
            if mark.start < end and start < mark.end
        ]
        shown, moved = with_signs(part, ending, cut)
        ended = [each for each, _ in sorted(ending)]
        yield Paragraph(shown, moved, ended, start, signs_of(part, ending))


def _moved(mark: Mark, shifts: Sequence[tuple[int, int]]) -> Mark:
    """Return a mark after signs of these lengths went in at these places."""
    before_start = sum(length for place, length in shifts if place <= mark.start)
    before_end = sum(length for place, length in shifts if place < mark.end)
    return Mark(mark.start + before_start, mark.end + before_end, mark.style)
