"""The languages of the analyzer: each module here declares one or more `PROFILES`.

A word in another script is read as the default language of that script: an English term in a
Persian answer is an English word.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module

from kb.text.fold import script
from kb.text.profile import Profile

_FALLBACK = "en"
_ENOUGH = 2000  # characters of a text that tell its language


@cache
def profiles() -> dict[str, Profile]:
    """Return all profiles by language code."""
    (folder,) = __path__  # importing `pkgutil` would take longer
    files = (each for each in sorted(os.listdir(folder)) if each.endswith(".py"))
    names = (file[:-3] for file in files if not file.startswith("_"))
    found = (profile for name in names for profile in _declared(name))
    return {profile.code: profile for profile in found}


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


def _declared(name: str) -> Iterator[Profile]:
    module = import_module(f"{__name__}.{name}")
    yield from (module.PROFILE,) if hasattr(module, "PROFILE") else module.PROFILES
