"""The languages of the analyzer: each module here declares one or more of the `profiles`.

A word in another script is read as the default language of that script: an English term in a
Persian answer is an English word.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache, lru_cache

from kb.text.fold import script
from kb.text.profile import Profile

_UNSTEMMED = {"ckb": "arabic", "dv": "thaana", "he": "hebrew", "ku": "arabic", "ps": "arabic",
              "sd": "arabic", "ug": "arabic", "ur": "arabic"}  # fmt: skip
"""Right-to-left languages without a stemmer, and their scripts."""

_FALLBACK = "en"
_ENOUGH = 2000  # characters of a text that tell its language


@cache
def profiles() -> dict[str, Profile]:
    """Return all profiles by language code."""
    from kb.text.languages import ar, en, fa, snowball  # they import from here

    few = (ar.PROFILE, en.PROFILE, fa.PROFILE)
    unstemmed = (Profile(code, script, direction="rtl") for code, script in _UNSTEMMED.items())
    # Dari is Persian as it is written in Afghanistan.
    dari = replace(fa.PROFILE, code="prs", usual=False, signs=None)
    return {each.code: each for each in (*few, *snowball.PROFILES, *unstemmed, dari)}


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


def guess_language(text: str) -> str:
    """Guess the language of a text: by its letters, then by its ``signs``.

    The script of most letters decides. Among its languages, the default one is chosen, unless the
    ``signs`` of another occur more often.

    >>> guess_language("پس‌انتشار در RNN"), guess_language("ما هي الخوارزمية؟")
    ('fa', 'ar')
    >>> guess_language("42")
    'en'
    """
    read = text[:_ENOUGH]
    votes: Counter[str] = Counter()
    for char, count in Counter(char for char in read if char.isalpha()).items():
        votes[script(char)] += count
    if not votes:
        return _FALLBACK
    written_in = votes.most_common(1)[0][0]
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
