"""The languages of the analyzer: what it knows about each, in one record.

A language with rules of its own is a module here that declares its `Profile`; those that have
Snowball's stemmer (https://snowballstem.org, through PyStemmer), or none, are rows of a table. A
word in another script is read as the default language of that script: an English term in a
Persian answer is an English word.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Literal

import Stemmer

from kb.text.fold import fold, script, without_accents


@dataclass(frozen=True, slots=True)
class Affixes:
    """The normalized affixes of a language that writers may separate from their word.

    ``verb_prefixes`` and ``apart`` join a word across a space, ``half_joined`` across a
    half-space. ``word_prefixes`` are first halves of compounds that many writers separate, and
    ``degrees`` those of ``apart`` that no function word takes.
    """

    verb_prefixes: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    half_joined: frozenset[str] = frozenset()
    word_prefixes: frozenset[str] = frozenset()
    degrees: frozenset[str] = frozenset()


NO_AFFIXES = Affixes()


@dataclass(frozen=True, slots=True)
class Profile:
    """A language: how its words are normalized, stemmed and recognized.

    ``script`` is that of its words, as `kb.text.fold.script` names it, and ``usual`` means that
    it is the default language of that script. ``stem`` gets a part of a word normalized by
    ``fold`` and returns its stem in index form; without it, words are indexed unstemmed.
    ``function_words`` are folded. ``signs`` match what only this language has among those of its
    script, to guess a text's language. ``numerals`` are its digits from zero, and its signs for
    thousands, decimals and percent; empty for ASCII.
    """

    code: str
    script: str = "latin"
    usual: bool = False
    direction: Literal["ltr", "rtl"] = "ltr"
    fold: Callable[[str], str] = fold
    stem: Callable[[str], str] | None = None
    affixes: Affixes = NO_AFFIXES
    function_words: frozenset[str] = field(default_factory=frozenset)
    signs: re.Pattern[str] | None = None
    numerals: str = ""


_VERSION = 4
FINGERPRINT = f"{_VERSION}/snowball {Stemmer.version()}/unicode {unicodedata.unidata_version}"
"""Changes whenever a text could give other terms; each index stores the value it was made with."""


_LATIN = {
    "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "eo": "esperanto",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "st": "sesotho", "sv": "swedish",
}  # fmt: skip
_UNSTEMMED = {"ckb": "arabic", "dv": "thaana", "he": "hebrew", "ku": "arabic", "ps": "arabic",
              "sd": "arabic", "ug": "arabic", "ur": "arabic"}  # fmt: skip
"""Right-to-left languages without a stemmer, and their scripts."""

_FALLBACK = "en"
_ENOUGH = 2000  # characters of a text that tell its language


@cache
def profiles() -> dict[str, Profile]:
    """Return all profiles by language code."""
    from kb.text.languages import ar, en, fa  # they import from here

    few = (ar.PROFILE, en.PROFILE, fa.PROFILE)
    unstemmed = (Profile(code, script, direction="rtl") for code, script in _UNSTEMMED.items())
    # Dari is Persian as it is written in Afghanistan.
    dari = replace(fa.PROFILE, code="prs", usual=False, signs=None)
    return {each.code: each for each in (*few, *_stemmed(), *unstemmed, dari)}


def _stemmed() -> Iterator[Profile]:
    """Yield the languages that Snowball stems."""
    yield from (Profile(code, stem=stemmer(name)) for code, name in _LATIN.items())
    yield Profile("el", "greek", usual=True, stem=stemmer("greek"))
    yield Profile("hi", "devanagari", usual=True, stem=stemmer("hindi"))
    yield Profile("hy", "armenian", usual=True, stem=stemmer("armenian"))
    yield Profile("ne", "devanagari", stem=stemmer("nepali"))
    yield Profile("ru", "cyrillic", usual=True, stem=stemmer("russian"))
    yield Profile("sr", "cyrillic", stem=stemmer("serbian"))
    yield Profile("ta", "tamil", usual=True, stem=stemmer("tamil"))
    yield Profile("tr", fold=_without_ending, stem=stemmer("turkish"))
    yield Profile("yi", "hebrew", usual=True, direction="rtl", stem=stemmer("yiddish"))


def stemmer(name: str) -> Callable[[str], str]:
    """Return the Snowball stemmer of that name, with accents removed from stems.

    >>> stemmer("french")("réseaux")
    'reseau'
    """
    of_thread = _Stemmers(name)

    def stem(folded: str) -> str:
        return without_accents(of_thread.stemmer.stemWord(folded))

    return stem


class _Stemmers(threading.local):
    """A stemmer for each thread: PyStemmer's objects must not be shared between threads."""

    def __init__(self, name: str) -> None:
        # Without its own memory: who asks remembers, and to keep that in order takes longer.
        self.stemmer = Stemmer.Stemmer(name, 0)


_APOSTROPHE = re.compile("['\u2019]")


def _without_ending(part: str) -> str:
    """Normalize a part of a Turkish name: what follows its apostrophe is an ending."""
    return fold(_APOSTROPHE.split(part, maxsplit=1)[0])


@lru_cache(maxsize=1 << 10)
def reader_of(lang: str, written_in: str) -> Profile | None:
    """Return the profile that reads a word of a script in a text of a language, if any.

    >>> reader_of("fa", "latin").code, reader_of("ar", "arabic").code, reader_of("vi", "latin")
    ('en', 'ar', None)
    """
    known = profiles().get(lang, Profile(lang))
    if known.script == written_in:
        return known if known.stem else None
    return _usual().get(written_in)


def default_language(word: str) -> str:
    """Return the assumed language of a word without context.

    >>> default_language("شبکه"), default_language("x2")
    ('fa', 'en')
    """
    usual = _usual().get(script(word))
    return usual.code if usual else _FALLBACK


def scripts(text: str) -> Counter[str]:
    """Return the number of letters of a text in each script."""
    votes: Counter[str] = Counter()
    for char, count in Counter(filter(str.isalpha, text)).items():
        votes[script(char)] += count
    return votes


def main_script(votes: Counter[str]) -> str:
    """Return the script of most letters, or another that a quarter are in.

    Latin letters are also those of terms and code, as in a Persian question on Python. Greek ones
    are those of formulas.

    >>> main_script(Counter(latin=3, arabic=1)), main_script(Counter(latin=7, arabic=2))
    ('arabic', 'latin')
    >>> main_script(Counter(latin=3, greek=2)), main_script(Counter(latin=2, greek=3))
    ('latin', 'greek')
    """
    most = votes.most_common(1)[0][0]
    others = (name for name, count in votes.most_common() if count * 4 >= votes.total())
    return next((name for name in others if name not in ("latin", "greek")), most)


def guess_language(text: str) -> str:
    """Guess the language of a text: by its letters, then by its ``signs``.

    Its script decides. Among the languages of that, the default one is chosen, unless the
    ``signs`` of another occur more often.

    >>> guess_language("پس‌انتشار در RNN"), guess_language("ما هي الخوارزمية؟")
    ('fa', 'ar')
    >>> guess_language("تفاوت readonly و const در TypeScript؟")
    'fa'
    >>> guess_language("42")
    'en'
    """
    read = text[:_ENOUGH]
    votes = scripts(read)
    if not votes:
        return _FALLBACK
    written_in = main_script(votes)
    usual = _usual().get(written_in)
    if usual is None:
        return _FALLBACK
    others = (each for each in profiles().values() if each.script == written_in and each.signs)
    return max((usual, *others), key=lambda each: _signs(each, read)).code


@cache
def function_words() -> frozenset[str]:
    """Return the normalized function words of all languages."""
    return frozenset(word for each in profiles().values() for word in each.function_words)


@cache
def right_to_left() -> frozenset[str]:
    """Return the codes of the languages that are written from right to left."""
    return frozenset(each.code for each in profiles().values() if each.direction == "rtl")


@cache
def numerals_of(lang: str) -> str:
    """Return a language's digits from zero, and its signs for thousands, decimals and percent.

    Nothing if it uses ASCII digits, or its usage is unknown.
    """
    known = profiles().get(lang)
    return known.numerals if known else ""


def _signs(profile: Profile, text: str) -> int:
    return len(profile.signs.findall(text)) if profile.signs else 0


@cache
def _usual() -> dict[str, Profile]:
    return {each.script: each for each in profiles().values() if each.usual}
