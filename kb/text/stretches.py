"""A text as stretches between blanks, each analysed once and remembered.

No word reaches over a blank but by an affix that is written apart, so what is found in a
stretch does not depend on where it stands; and a few thousand stretches are most of what is
written in a base.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from kb.text.analyzer import Word, analyze, are_one_word, stem
from kb.text.split import parts

LONGEST = 64
"""Characters of a stretch that is analysed as a whole; a longer one is read word by word."""

_REMEMBERED = 1 << 15
_LANGUAGES = 64


class Stretch(NamedTuple):
    """The words of a stretch, placed from its beginning, and all that they are indexed by.

    ``stems`` are their terms in order, ``spellings`` the other forms as well.
    """

    words: tuple[Word, ...]
    stems: tuple[str, ...]
    spellings: tuple[str, ...]


class _Affixes(NamedTuple):
    """Whether a stretch begins with an affix of what stands before it, or ends with one."""

    follows: bool
    leads: bool


_NEITHER = _Affixes(False, False)


def stretches(text: str, lang: str) -> list[str]:
    """Return the stretches of a text in order, with an affix that is written apart in one.

    >>> stretches("k-NN (شبکه ها) را", "fa")
    ['k-NN', '(شبکه ها)', 'را']
    """
    written = text.split()
    if text.isascii():
        return written
    affixed = _affixed(written, lang)
    return _joined(text, written, affixed) if affixed else written


class _Analyzed(dict[str, Stretch]):
    """What is in stretches; when they are too many, all are forgotten.

    It is asked for every word of every text that is shown: a dict is asked in a fraction of
    the time that `lru_cache` takes to keep its order.
    """

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def __missing__(self, written: str) -> Stretch:
        found = spelled(tuple(analyze(written, self._lang)))
        if len(written) > LONGEST:
            return found
        if len(self) >= _REMEMBERED:
            self.clear()
        self[written] = found
        return found


class _Edges(dict[str, _Affixes]):
    """What stretches begin and end with; when they are too many, all are forgotten."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def __missing__(self, written: str) -> _Affixes:
        found = _affixes(written, self._lang)
        if len(written) > LONGEST:
            return found
        if len(self) >= _REMEMBERED:
            self.clear()
        self[written] = found = found if any(found) else _NEITHER
        return found


_edges = lru_cache(maxsize=_LANGUAGES)(_Edges)


@lru_cache(maxsize=_LANGUAGES)
def analyzed(lang: str) -> Mapping[str, Stretch]:
    """Return what is in each stretch, as a language reads it; a long one is not remembered.

    >>> analyzed("en")["(k-NN)"].spellings
    ('k', 'nn', 'knn')
    """
    return _Analyzed(lang)


def spelled(words: tuple[Word, ...]) -> Stretch:
    """Return some words of a stretch, with all that they are indexed by."""
    stems = tuple([term.text for word in words for term in word.terms])
    forms = tuple([form.text for word in words for form in word.forms])
    return Stretch(words, stems, stems + forms)


def words_of(text: str, lang: str) -> tuple[Word, ...]:
    """Return the words of a text; those of a short one without blanks are remembered.

    >>> [[term.text for term in word.terms] for word in words_of("k-NN", "en")]
    [['k', 'nn']]
    """
    if len(text.split(None, 1)) > 1:
        return tuple(analyze(text, lang))
    return analyzed(lang)[text].words


def stems(text: str, lang: str) -> tuple[str, ...]:
    """Return the stems of a text in order: what a name is known by, however it is written.

    >>> stems("Hidden layers", "en") == stems("hidden layer", "en")
    True
    """
    known = analyzed(lang)
    return tuple([stem for each in stretches(text, lang) for stem in known[each].stems])


def _affixed(written: list[str], lang: str) -> set[int]:
    """Return the numbers of those that are one word with what stands before them."""
    known = _edges(lang)
    edges = [known[each] for each in written]
    if edges.count(_NEITHER) == len(edges):
        return set()
    return {
        number
        for number in range(1, len(edges))
        if (edges[number].follows or edges[number - 1].leads)
        and _are_one(written[number - 1], written[number], lang)
    }


def _joined(text: str, written: list[str], affixed: set[int]) -> list[str]:
    """Join what is affixed to what stands before it, if only one blank is between them."""
    begins: list[int] = []
    ends: list[int] = []
    end = 0
    for number, each in enumerate(written):
        start = text.index(each, end)
        if number in affixed and start - end == 1:
            ends.pop()
        else:
            begins.append(start)
        end = start + len(each)
        ends.append(end)
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _are_one(left: str, right: str, lang: str) -> bool:
    before, behind = _last(left), _first(right)
    return bool(before and behind) and are_one_word(before, behind, lang)


def _affixes(written: str, lang: str) -> _Affixes:
    first = _first(written)
    last = first if first == written else _last(written)
    before, behind = stem(first, lang), stem(last, lang)
    follows = before.surface in before.affixes.apart
    return _Affixes(follows, behind.surface in behind.affixes.verb_prefixes)


def _first(written: str) -> str:
    """Return the first part of a stretch, if nothing is before it."""
    # An affix is short: of a part that goes on, no more needs to be seen.
    shown = written[:LONGEST]
    found = next(parts(shown), None)
    return shown[: found.end] if found is not None and not found.start else ""


def _last(written: str) -> str:
    """Return the last part of a stretch, if nothing is behind it."""
    shown = written[-LONGEST:]
    found = list(parts(shown))
    return shown[found[-1].start :] if found and found[-1].end == len(shown) else ""
