"""A text as stretches between blanks, each analysed once and remembered.

No word reaches over a blank but by an affix that is written apart, so what is found in a
stretch does not depend on where it stands; and a few thousand stretches are most of what is
written in a base.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kb.text.analyzer import Word, analyze, are_one_word, stem
from kb.text.forming import spelled_alone
from kb.text.split import is_one_part, parts

LONGEST = 64
"""Characters of a stretch that is analysed as a whole; a longer one is read word by word."""

_REMEMBERED = 1 << 14
_LANGUAGES = 8
_WORDS = 1 << 12
EDGES = "!\"$%&'()*,-./:;<=>?@[\\]^_`{|}~،؛؟«»…"
"""What is no part of a word where it stands beside a blank."""


class Ends(NamedTuple):
    """The parts with which a stretch begins and ends, where these touch the blanks.

    ``follows`` and ``leads`` say that they may be one word with what stands beyond the blank.
    """

    first: str = ""
    last: str = ""
    follows: bool = False
    leads: bool = False


_LOOSE = Ends()


class Stretch(NamedTuple):
    """How many words a stretch has, and what they are indexed by.

    ``stems`` are their terms in order, ``forms`` the other forms beside them.
    """

    words: int
    stems: tuple[str, ...]
    forms: tuple[str, ...]
    ends: Ends = _LOOSE


class _Analyzed(dict[str, Stretch]):
    """The stretches of a language that were met last: twice as many as are counted here.

    Once these are full they are the older ones, of which those that are met again are kept.
    """

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang
        self._older: dict[str, Stretch] = {}

    def __missing__(self, written: str) -> Stretch:
        found = self._older.get(written) or self._found(written)
        if len(written) <= LONGEST:
            if len(self) >= _REMEMBERED:
                self._older = dict(self)
                self.clear()
            self[written] = found
        return found

    def _found(self, written: str) -> Stretch:
        bare = written.strip(EDGES)
        if bare == written:
            return _analysed(written, self._lang)
        found = self[bare]
        if found.ends is _LOOSE:
            return found
        first, last, follows, leads = found.ends
        begins, ends = written.startswith(bare), written.endswith(bare)
        loose = Ends(first * begins, last * ends, follows and begins, leads and ends)
        return found._replace(ends=loose)


@lru_cache(maxsize=_LANGUAGES)
def analyzed(lang: str) -> Mapping[str, Stretch]:
    """Return what is in each stretch, as a language reads it; a long one is not remembered.

    >>> analyzed("en")["(k-NN)"][:3]
    (1, ('k', 'nn'), ('knn',))
    """
    return _Analyzed(lang)


def stretches(text: str, lang: str) -> list[str]:
    """Return the stretches of a text in order, with an affix that is written apart in one.

    >>> stretches("k-NN (شبکه ها) را", "fa")
    ['k-NN', '(شبکه ها)', 'را']
    """
    written = text.split()
    if text.isascii():
        return written
    known = analyzed(lang)
    ends = [known[e].ends if len(e) <= LONGEST else _ends(e, lang) for e in written]
    affixed = {
        number
        for number, (left, right) in enumerate(pairwise(ends), 1)
        if (right.follows or left.leads) and _are_one(left.last, right.first, lang)
    }
    return _joined(text, written, affixed) if affixed else written


def words_of(text: str, lang: str) -> tuple[Word, ...]:
    """Return the words of a text; those of a short one are remembered.

    >>> [[term.text for term in word.terms] for word in words_of("k-NN", "en")]
    [['k', 'nn']]
    """
    return _words_of(text, lang) if len(text) <= LONGEST else tuple(analyze(text, lang))


@lru_cache(maxsize=_WORDS)
def _words_of(text: str, lang: str) -> tuple[Word, ...]:
    return tuple(analyze(text, lang))


def stems(text: str, lang: str) -> tuple[str, ...]:
    """Return the stems of a text in order: what a name is known by, however it is written.

    >>> stems("Hidden layers", "en") == stems("hidden layer", "en")
    True
    """
    known = analyzed(lang)
    return tuple([stem for each in stretches(text, lang) for stem in known[each].stems])


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


def _are_one(before: str, behind: str, lang: str) -> bool:
    return bool(before and behind) and are_one_word(before, behind, lang)


def _analysed(written: str, lang: str) -> Stretch:
    """Return what is in a stretch; most are one part, of which no words need to be made."""
    if is_one_part(written):
        stems, forms = spelled_alone(written, lang)
        return Stretch(len(stems), stems, forms, _ends(written, lang, written))
    words = list(analyze(written, lang))
    stems = tuple([term.text for word in words for term in word.terms])
    forms = tuple([form.text for word in words for form in word.forms])
    return Stretch(len(words), stems, forms, _ends(written, lang))


def _ends(written: str, lang: str, part: str = "") -> Ends:
    """Return the ends of a stretch, which may be known to be one ``part``."""
    if written.isascii():
        return _LOOSE
    first = part or _first(written)
    last = part or _last(written)
    if not first and not last:
        return _LOOSE
    before, behind = stem(first, lang), stem(last, lang)
    follows = before.surface in before.affixes.apart
    return Ends(first, last, follows, behind.surface in behind.affixes.verb_prefixes)


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
