"""Entries of a file that holds facts and texts alone, completed by what is stored beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TypeVar

from kb.model import Answer, Entry

T = TypeVar("T")


def completed(entry: Entry, stored: Entry | None) -> Entry:
    """Return an entry with what its file cannot say as it is stored: snippets, notes, origins."""
    if stored is None:
        return entry
    langs = entry.languages
    return dataclasses.replace(
        stored,
        question=entry.question,
        wording=entry.wording,
        answers=_answers(entry.answers, stored.answers),
        origins=_in(stored.origins, langs),
        restored=_in(stored.restored, langs),
        kind=entry.kind,
        collection=entry.collection,
        number=entry.number,
        level=entry.level,
        topic=entry.topic,
        tags=entry.tags,
    )


def _answers(told: Iterable[Answer], stored: Iterable[Answer]) -> tuple[Answer, ...]:
    """Return the answers in the order in which they are stored; one with the same text is it."""
    left = {(answer.role, answer.lang): answer for answer in told}
    kept = []
    for answer in stored:
        new = left.pop((answer.role, answer.lang), None)
        if new is not None:
            kept.append(answer if new.text == answer.text else new)
    return (*kept, *left.values())


def _in(by_language: Mapping[str, T], langs: Iterable[str]) -> Mapping[str, T]:
    return {lang: by_language[lang] for lang in langs if lang in by_language}
