"""Annotations in the order a reader needs them, and texts with the words they speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.present.anchors import find_span, origins_of

if TYPE_CHECKING:
    from kb.present.markdown.document import Document, Passage
    from kb.records import Annotation, Entry


class Numbered(NamedTuple):
    """An annotation of an entry with the number a reader knows it by."""

    number: int
    annotation: Annotation


class AnnotatedSpan(NamedTuple):
    """The words of a text that an annotation speaks of: ``text[start:end]``."""

    each: Numbered
    start: int
    end: int


class AnnotatedPassage(NamedTuple):
    """A passage of a text, and the annotations' words that end in it, in their order.

    Their notes stand below it.
    """

    passage: Passage
    ended: Sequence[AnnotatedSpan]


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


def number_of(entry: Entry, id: str) -> int | None:
    """Return the number that an annotation of this id has in its entry."""
    found = (each.number for each in numbered(entry) if each.annotation.id == id)
    return next(found, None)


def marked_words(entry: Entry, role: str, lang: str, text: str) -> list[AnnotatedSpan]:
    """Return the words of a text of an entry that annotations speak of, by their numbers."""
    origins = origins_of(entry, role, lang)
    return [
        AnnotatedSpan(each, *span)
        for each in numbered(entry)
        if (each.annotation.target.role, each.annotation.target.lang) == (role, lang)
        and (span := find_span(text, origins, each.annotation)) is not None
    ]


def passages(document: Document, marked: Sequence[AnnotatedSpan]) -> Iterator[AnnotatedPassage]:
    """Yield the passages of a text with the annotations that belong below each."""
    for passage in document.passages:
        ended = [each for each in sorted(marked) if passage.start < each.end <= passage.end]
        yield AnnotatedPassage(passage, ended)
