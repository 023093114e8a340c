"""Sentences that are finished in English, said in the language in use.

The library and the command line write errors, notices and headings in English: so they stand in
JSON and in logs. A face that shows one to the reader asks here. A sentence is known by its
template: ``'{}' is a folder`` in the catalog stands for every sentence that an f-string with one
gap makes. What stands in a gap is looked for in its turn, unless it is quoted; so is what
follows a place such as ``bank.csv:3:``. What is not found stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from kb.i18n import digits, known_messages, language

_GAP = "{}"
_FILLED = re.compile(r"\{(\d)\}")
_NUMBER = re.compile(r"[0-9][0-9,.]*")
_ENDED = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_QUOTES = "'‘’“”«»\""
_LONGEST = 2000
_DEEPEST = 4
_MOST_PLACES = 5


class _Template(NamedTuple):
    """The words round the gaps of a sentence, and the sentence in the language in use."""

    parts: tuple[str, ...]
    said: str

    def gaps(self, sentence: str) -> tuple[str, ...] | None:
        """Return what stands in the gaps of a sentence; nothing for one of another template."""
        if not sentence.startswith(self.parts[0]) or not sentence.endswith(self.parts[-1]):
            return None
        if not all(part in sentence for part in self.parts):
            return None
        found = re.fullmatch("(.*?)".join(map(re.escape, self.parts)), sentence, re.DOTALL)
        return found.groups() if found else None

    @property
    def weight(self) -> int:
        """Count the letters of its words."""
        return sum(map(len, self.parts))


class _Reading(NamedTuple):
    """A sentence by its template, behind a place."""

    place: str
    template: _Template
    gaps: tuple[str, ...]


def said(sentence: str) -> str:
    """Return a sentence in the language in use; in English, and what is not known, as it is.

    >>> said("no such entry 'a'")
    "no such entry 'a'"
    """
    if language() == "en" or not sentence or len(sentence) > _LONGEST:
        return sentence
    told = _said(sentence, _DEEPEST)
    # Several of them, one after the other.
    return told or " ".join(_said(each, _DEEPEST) or each for each in _ENDED.split(sentence))


def _said(sentence: str, deepest: int) -> str:
    """Return a sentence in the language in use, or nothing for one that is not known."""
    exact = known_messages().get(sentence)
    if exact or not deepest:
        return exact or ""
    best = max(
        _readings(sentence), key=lambda each: (each.template.weight, len(each.place)), default=None
    )
    if best is None:
        return ""
    parts = best.template.parts
    told = [
        _in_gap(gap, parts[number], parts[number + 1], deepest - 1)
        for number, gap in enumerate(best.gaps)
    ]
    return best.place + _filled(best.template.said, told)


def _readings(sentence: str) -> Iterator[_Reading]:
    """Yield what a sentence may be read as: whole, or behind a place, which ends in a colon."""
    start = 0
    for _ in range(_MOST_PLACES):
        place, rest = sentence[:start], sentence[start:]
        exact = known_messages().get(rest)
        if exact and start:
            yield _Reading(place, _Template((rest,), exact), ())
        for template in _templates(language()):
            gaps = template.gaps(rest)
            if gaps is not None:
                yield _Reading(place, template, gaps)
                break
        start = sentence.find(": ", start) + 2
        if start < len(": "):
            return


def _filled(translated: str, told: Sequence[str]) -> str:
    return _FILLED.sub(lambda gap: told[int(gap[1])], translated)


def _in_gap(text: str, before: str, after: str, deepest: int) -> str:
    """Return what stands in a gap; names stay as they are, and so do the lines of a file."""
    if before[-1:] in _QUOTES and after[:1] in _QUOTES:
        return text
    if _NUMBER.fullmatch(text):
        return text if before.endswith(":") else digits(text)
    # A single word may be the name of anything.
    return (_said(text, deepest) if " " in text else "") or text


@lru_cache(maxsize=2)
def _templates(_language: str) -> tuple[_Template, ...]:
    """Return the templates of the catalog, those with the most words first."""
    found = _with_gaps(known_messages().items())
    return tuple(sorted(found, key=lambda each: -each.weight))


def _with_gaps(messages: Iterable[tuple[object, str]]) -> Iterable[_Template]:
    for message, translated in messages:
        if isinstance(message, str) and _GAP in message and translated:
            yield _Template(tuple(message.split(_GAP)), translated)
