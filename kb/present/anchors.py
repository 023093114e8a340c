"""The positions of annotations in a text: computed from the source, or found by their words.

A reader's own annotation is located whenever its entry is read, so it survives changes of the
text. The position of others is known in the source document; a shown text is a span of it, or a
corrected copy.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kb.text.quotation import Quotation, find_quotation

if TYPE_CHECKING:
    from kb.model import Annotation, Entry, Span


def anchored(entry: Entry) -> Entry:
    """Return an entry whose reader's annotations are at the current place of their words."""
    if not any(each.own for each in entry.annotations):
        return entry
    found = tuple(_anchored(entry, each) if each.own else each for each in entry.annotations)
    return dataclasses.replace(entry, annotations=found)


def _anchored(entry: Entry, annotation: Annotation) -> Annotation:
    target = annotation.target
    text = entry.text(target.role, target.lang)
    wanted = Quotation(target.quote, target.prefix, target.suffix, target.start)
    found = find_quotation(text, wanted)
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
    return find_quotation(text, Quotation(anchor.quote, start=anchor.start))


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
