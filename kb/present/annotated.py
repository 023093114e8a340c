"""Annotations in display order, and texts with the words they mark."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from kb.present.anchors import origins_of, span_in
from kb.present.sentences import first_words, said_first
from kb.present.titles import best_language
from kb.present.weight import by_weight, concerns, is_bad

if TYPE_CHECKING:
    from kb.model import Annotation, Entry
    from kb.present.markdown.document import Document, Passage


class Numbered(NamedTuple):
    """An annotation with its displayed number."""

    number: int
    annotation: Annotation


class AnnotatedSpan(NamedTuple):
    """The marked words of a text: ``text[start:end]``."""

    each: Numbered
    start: int
    end: int


class AnnotatedPassage(NamedTuple):
    """A passage of a text, and the marked words that end in it, in order.

    Their notes are shown below it.
    """

    passage: Passage
    ended: Sequence[AnnotatedSpan]


def numbered(entry: Entry) -> list[Numbered]:
    """Return the annotations of an entry in display order, numbered from 1.

    Those of answers come first, by language and position. Those of the question follow, because
    most describe what a source lost and our text restored. A reader's own are last, so that
    writing one does not change the numbers of the others.
    """
    spoken = [*entry.question, *(answer.lang for answer in entry.answers)]

    def place(annotation: Annotation) -> tuple[bool, bool, int, bool, int]:
        target = annotation.target
        known = target.lang in spoken
        origins = origins_of(entry, target.role, target.lang) if target.file else ()
        begins = next((origin.start for origin in origins if origin.file == target.file), 0)
        return (
            annotation.own,
            target.role == "question",
            spoken.index(target.lang) if known else len(spoken),
            target.role == "reference",
            target.start - begins,
        )

    in_order = sorted(entry.annotations, key=place)
    return [Numbered(number, each) for number, each in enumerate(in_order, 1)]


class Remark(NamedTuple):
    """An annotation summarized in one sentence."""

    each: Numbered
    lang: str
    sentence: str


def remarks_of(entry: Entry, langs: Sequence[str]) -> tuple[Remark, ...]:
    """Return the remarks for readers of these languages, worst first.

    The text is in the first of these languages, or another that the note has.
    """
    found = sorted(concerning(entry, langs), key=lambda each: by_weight(each.annotation))
    return tuple(_remark(each, langs[0]) for each in found)


def worst_of(entry: Entry, *langs: str) -> tuple[Remark, ...]:
    """Return the few worst remarks on false statements in an answer; one beside an assessment."""
    found = (each for each in remarks_of(entry, langs) if is_bad(each.each.annotation))
    return tuple(islice(found, 1 if entry.assessment else _MOST))


def concerning(entry: Entry, langs: Sequence[str]) -> list[Numbered]:
    """Return the annotations for readers of these languages, with their numbers."""
    every = numbered(entry)
    return [each for each in every if any(concerns(each.annotation, lang) for lang in langs)]


def _remark(each: Numbered, lang: str) -> Remark:
    target, note = each.annotation.target, each.annotation.note
    spoken = best_language(note, lang)
    if note.get(spoken):
        return Remark(each, spoken, said_first(note[spoken], spoken, _SENTENCE))
    return Remark(each, target.lang, first_words(target.quote, _WORDS))


def numbers_of(entry: Entry) -> Mapping[str, Numbered]:
    """Return the annotation numbers of an entry by id, in order."""
    return {each.annotation.id: each for each in numbered(entry)}


def said_before(
    numbers: Mapping[str, Numbered], annotation: Annotation, lang: str
) -> tuple[int, str] | None:
    """Return the number of the repeated annotation, and its first words.

    They are in the text of this language, if the annotation has words there.
    """
    repeated = numbers.get(annotation.repeats or "")
    if repeated is None:
        return None
    target = repeated.annotation.target
    anchor = repeated.annotation.anchors.get(lang)
    return repeated.number, first_words(anchor.quote if anchor else target.quote, _WORDS)


_WORDS = 40
"""The number of letters that identify the marked words."""

_MOST = 3
"""The number of remarks shown at once."""

_SENTENCE = 110
"""The number of letters above which the first sentence of a remark is cut."""


def marked_words(entry: Entry, role: str, lang: str) -> list[AnnotatedSpan]:
    """Return the marked words of a text, by annotation number."""
    return [
        AnnotatedSpan(each, *span)
        for each in numbered(entry)
        if concerns(each.annotation, lang)
        and (span := span_in(entry, each.annotation, role, lang)) is not None
    ]


def passages(document: Document, marked: Sequence[AnnotatedSpan]) -> Iterator[AnnotatedPassage]:
    """Yield the passages of a text, each with its annotations."""
    all_of_them = document.passages
    ends = [passage.end for passage in all_of_them]
    ended: list[list[AnnotatedSpan]] = [[] for _ in ends]
    for each in sorted(marked):
        if 0 < each.end <= len(document.source):
            ended[bisect_left(ends, each.end)].append(each)
    yield from map(AnnotatedPassage, all_of_them, ended)
