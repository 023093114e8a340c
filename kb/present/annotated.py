"""The annotations of an entry: their places in its texts, their weight and their order.

A reader's own annotation is located whenever its entry is read, so it survives changes of the
text. The position of others is known in the source document; a shown text is a span of it, or a
corrected copy. Severity is the harm that the words do, the verdict the kind of mistake: see
`kb.model.values.SEVERITIES`.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from kb.model.values import SEVERITIES, VERDICTS
from kb.present.titles import best_language, first_words, said_first

if TYPE_CHECKING:
    from kb.model.entry import Annotation, Entry, Span
    from kb.model.results import Hit


# Where the words of an annotation are, and how they are quoted.


def in_quotes(text: str, lang: str) -> str:
    """Return a text in the quotation marks of its language.

    >>> in_quotes("loss", "en"), in_quotes("زیان", "fa")
    ('“loss”', '«زیان»')
    """
    return f"«{text}»" if lang == "fa" else f"“{text}”"


def anchored(entry: Entry) -> Entry:
    """Return an entry whose reader's annotations are at the current place of their words."""
    found = tuple(_anchored(entry, each) if each.own else each for each in entry.annotations)
    return dataclasses.replace(entry, annotations=found)


def _anchored(entry: Entry, annotation: Annotation) -> Annotation:
    target = annotation.target
    text = entry.text(target.role, target.lang)
    found = _find(text, target.quote, target.start, target.prefix, target.suffix)
    if found is None:
        return dataclasses.replace(annotation, status="orphaned")
    start, end = found
    moved = target._replace(start=start, end=end, quote=text[start:end])
    return dataclasses.replace(annotation, target=moved)


def origins_of(entry: Entry, role: str, lang: str) -> tuple[Span, ...]:
    """Return the spans of a text of that role and language in the source documents."""
    if role == "question":
        return tuple(entry.origins.get(lang, ()))
    answer = entry.answer(lang, role)
    return (answer.origin,) if answer and answer.origin else ()


def span_in(entry: Entry, annotation: Annotation, role: str, lang: str) -> tuple[int, int] | None:
    """Return the span of an annotation's words in the entry's text of a language.

    In other languages it is the span of its anchor. The result is nothing if it has no anchor
    there.
    """
    target, text = annotation.target, entry.text(role, lang)
    if (target.role, target.lang) == (role, lang):
        return find_span(text, origins_of(entry, role, lang), annotation)
    anchor = annotation.anchors.get(lang)
    if anchor is None or anchor.role != role:
        return None
    return _find(text, anchor.quote, anchor.start)


def _find(
    text: str, quote: str, start: int, prefix: str = "", suffix: str = ""
) -> tuple[int, int] | None:
    from kb.text.quotation import Quotation, find_quotation  # lists need no places

    return find_quotation(text, Quotation(quote, prefix, suffix, start))


def find_span(text: str, origins: Iterable[Span], annotation: Annotation) -> tuple[int, int] | None:
    """Return the span of the annotation's quote in a text of these origins, or nothing."""
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


# Which annotations come first, and which are shown on demand.


SIGNS: Mapping[str, str] = {
    "wrong": "✗",
    "misleading": "≈",
    "incomplete": "◐",
    "outdated": "↺",
    "typo": "✎",
    "translation-error": "⇄",
    "lost-in-extraction": "□",
    "note": "¶",
}
"""A sign for each verdict: mistakes look different from additions."""

_OF_ONE_TEXT = frozenset(("typo", "translation-error", "lost-in-extraction"))
_FALSE = ("wrong", "misleading", "outdated")


def concerns(annotation: Annotation, lang: str) -> bool:
    """Return whether an annotation concerns readers of a language.

    Spelling and translation of another language, and what its file lost, do not.
    """
    return _concerns(annotation.verdict, annotation.target.lang, lang)


def verdicts_in(hit: Hit, lang: str) -> Mapping[str, int]:
    """Return the verdict counts of annotations for readers of a language."""
    found: Counter[str] = Counter()
    for spoken, counts in hit.told.items():
        found.update({word: n for word, n in counts.items() if _concerns(word, spoken, lang)})
    return dict(sorted(found.items()))


def _concerns(verdict: str, spoken: str, lang: str) -> bool:
    return verdict not in _OF_ONE_TEXT or lang in ("", spoken)


def may_wait(annotation: Annotation) -> bool:
    """Return whether an annotation has so little weight that it is shown on demand."""
    return annotation.severity == "low" and not annotation.own


def is_bad(annotation: Annotation) -> bool:
    """Return whether an annotation comes first: it marks a false statement in an answer.

    Annotations of low severity, a reader's own, and repetitions do not.
    """
    told = annotation.own or annotation.repeats or annotation.target.role == "question"
    return annotation.verdict in _FALSE and annotation.severity != "low" and not told


def by_weight(annotation: Annotation) -> tuple[bool, int, int]:
    """Return the sort key of annotations: first ones, then verdict, then severity."""
    verdict = VERDICTS.index(annotation.verdict) if annotation.verdict in VERDICTS else 0
    return not is_bad(annotation), verdict, SEVERITIES.index(annotation.severity)


# Annotations in display order, and texts with the words they mark.


class Numbered(NamedTuple):
    """An annotation with its displayed number."""

    number: int
    annotation: Annotation


class AnnotatedSpan(NamedTuple):
    """The marked words of a text: ``text[start:end]``."""

    each: Numbered
    start: int
    end: int


def numbered(entry: Entry) -> list[Numbered]:
    """Return the annotations of an entry in display order, numbered from 1.

    Those that concern every reader come first: those of answers by language and position, those
    of the question, and a reader's own. Those that concern only readers of one language follow,
    and continue the numbers for each language. So an annotation has the same number everywhere,
    and readers of one language see consecutive numbers.
    """
    spoken = [*entry.question, *(answer.lang for answer in entry.answers)]

    def place(annotation: Annotation) -> tuple[bool, bool, bool, int, bool, int]:
        target = annotation.target
        known = target.lang in spoken
        origins = origins_of(entry, target.role, target.lang) if target.file else ()
        begins = next((origin.start for origin in origins if origin.file == target.file), 0)
        return (
            annotation.verdict in _OF_ONE_TEXT,
            annotation.own,
            target.role == "question",
            spoken.index(target.lang) if known else len(spoken),
            target.role == "reference",
            target.start - begins,
        )

    seen: Counter[str | None] = Counter()
    found = []
    for each in sorted(entry.annotations, key=place):
        only = each.target.lang if each.verdict in _OF_ONE_TEXT else None
        seen[only] += 1
        found.append(Numbered(seen[only] + (0 if only is None else seen[None]), each))
    return found


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
