"""The passage to show of what matched, in its original spelling, with the matches marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kb.model import Excerpt
from kb.search.plan import Wanted
from kb.text.chain import analyze

_LENGTH = 160
_LEAD = 40
# Prose is looked at first, and what is read more seldom only if the match is nowhere in it.
_COLUMNS = (("source", "reference", "question", "wording"), ("notes", "keywords"), ("code",))
_BLANKS = str.maketrans("\n\r\t\v\f\x85\u2028\u2029", "        ")


class _Match(NamedTuple):
    start: int
    end: int
    term: str


def marks(text: str, lang: str, wanted: Wanted) -> tuple[tuple[int, int], ...]:
    """Return the places in ``text`` that match, in order and apart.

    >>> marks("Ill-conditioned matrices", "en", Wanted(frozenset(["matrix"])))
    ((16, 24),)
    """
    return _apart(_matches(text, lang, wanted))


def excerpt(texts: Mapping[str, str | None], lang: str, wanted: Wanted) -> Excerpt:
    """Return the passage of about 160 characters that holds most of what was asked.

    ``texts`` has a document's texts by column. Offsets count characters of the excerpt.
    """
    for columns in _COLUMNS:
        found = [
            (text, _best_window(_matches(text, lang, wanted)))
            for column in columns
            if (text := texts.get(column))
        ]
        text, window = max(found, key=lambda each: _distinct(each[1]), default=("", []))
        if window:
            return _cut(text, window)
    return _cut(texts.get("question") or texts.get("source") or "", [])


def _matches(text: str, lang: str, wanted: Wanted) -> list[_Match]:
    terms = (term for word in analyze(text, lang) for term in (*word.terms, *word.forms))
    return sorted(_Match(t.start, t.end, t.text) for t in terms if t.text in wanted)


def _best_window(matches: list[_Match]) -> list[_Match]:
    """Return the matches of the stretch with most distinct terms; the first of equals."""
    best: list[_Match] = []
    most, first = 0, 0
    for last, match in enumerate(matches):
        while matches[first].start < match.end - (_LENGTH - _LEAD):
            first += 1
        window = matches[first : last + 1]
        if _distinct(window) > most:
            best, most = window, _distinct(window)
    return best


def _distinct(window: Sequence[_Match]) -> int:
    return len({match.term for match in window})


def _cut(text: str, window: Sequence[_Match]) -> Excerpt:
    """Cut the passage at blanks, so that no word is cut, and mark what matched."""
    start = max(0, window[0].start - _LEAD) if window else 0
    if start:
        blank = _next_blank(text, start, window[0].start)
        start = window[0].start if blank is None else blank
    end = min(len(text), start + _LENGTH)
    end = max(end, window[-1].end) if window else end
    if end < len(text) and not text[end].isspace():
        least = window[-1].end if window else start + 1
        while end > least and not text[end - 1].isspace():
            end -= 1
    passage = text[start:end]
    start += len(passage) - len(passage.lstrip())
    passage = passage.strip().translate(_BLANKS)
    return Excerpt(passage, tuple((m[0] - start, m[1] - start) for m in _apart(window)))


def _next_blank(text: str, start: int, before: int) -> int | None:
    for place in range(start, before):
        if text[place].isspace():
            return place + 1
    return None


def _apart(matches: Sequence[_Match]) -> tuple[tuple[int, int], ...]:
    """Merge places that overlap."""
    merged: list[tuple[int, int]] = []
    for start, end, _ in matches:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
