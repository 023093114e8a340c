"""The languages that use Snowball's stemmers (https://snowballstem.org, through PyStemmer)."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import Stemmer

from kb.text.fold import fold, without_accents
from kb.text.profile import Profile


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


_LATIN = {
    "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "eo": "esperanto",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "st": "sesotho", "sv": "swedish",
}  # fmt: skip
PROFILES = (
    *(Profile(code, stem=stemmer(name)) for code, name in _LATIN.items()),
    Profile("el", "greek", usual=True, stem=stemmer("greek")),
    Profile("hi", "devanagari", usual=True, stem=stemmer("hindi")),
    Profile("hy", "armenian", usual=True, stem=stemmer("armenian")),
    Profile("ne", "devanagari", stem=stemmer("nepali")),
    Profile("ru", "cyrillic", usual=True, stem=stemmer("russian")),
    Profile("sr", "cyrillic", stem=stemmer("serbian")),
    Profile("ta", "tamil", usual=True, stem=stemmer("tamil")),
    Profile("tr", fold=_without_ending, stem=stemmer("turkish")),
    Profile("yi", "hebrew", usual=True, direction="rtl", stem=stemmer("yiddish")),
)
