"""The languages whose words are stemmed, and which of them stems a given word.

Persian is ours (`kb.text.persian`), English is Snowball over regular forms and American
spelling (`kb.text.english`), and the other languages are Snowball as they are
(https://snowballstem.org, by way of PyStemmer). A word in another script than the text's
own language is stemmed by the usual language of that script: an English term in a
Persian answer is an English word.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import Stemmer

from kb.text import english, persian
from kb.text.fold import fold, script, without_accents

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_SCRIPT_OF = {
    "ar": "arabic", "fa": "arabic", "el": "greek", "hi": "devanagari", "ne": "devanagari",
    "hy": "armenian", "ru": "cyrillic", "sr": "cyrillic", "ta": "tamil", "yi": "hebrew",
}  # fmt: skip
_USUAL_LANGUAGE = {
    "arabic": "fa", "latin": "en", "greek": "el", "devanagari": "hi", "armenian": "hy",
    "cyrillic": "ru", "tamil": "ta", "hebrew": "yi",
}  # fmt: skip
LANGUAGES = tuple(sorted({*_SNOWBALL, "fa"}))
"""The codes of the languages that have a stemmer; any other is indexed as it is spelled."""

_APOSTROPHE = re.compile("['\u2019]")
_LOCAL = threading.local()


def default_language(word: str) -> str:
    """Name the language a word is taken for when nothing else is known of it."""
    return _USUAL_LANGUAGE.get(script(word), "en")


@lru_cache(maxsize=1 << 14)
def stem(part: str, lang: str) -> tuple[str, str]:
    """Return the stem and the folded spelling of a part of a word.

    >>> stem("Optimisation", "en"), stem("شبكه‌ها".replace("\u200c", ""), "fa")
    (('optim', 'optimisation'), ('شبکه', 'شبکهها'))
    """
    folded = fold(part)
    written_in = script(folded)
    speaks = (
        lang if _SCRIPT_OF.get(lang, "latin") == written_in else _USUAL_LANGUAGE.get(written_in)
    )
    if speaks == "fa":
        return persian.stem(folded), folded
    if speaks is None or speaks not in _SNOWBALL:
        return folded, without_accents(folded)
    word = english.regular(folded) if speaks == "en" else folded
    if speaks == "tr" and (apart := _APOSTROPHE.split(part, maxsplit=1))[1:]:
        word = fold(apart[0])  # what follows the apostrophe of a name is its ending
    return without_accents(_snowball(speaks).stemWord(word)) or folded, without_accents(folded)


def _snowball(lang: str) -> Stemmer.Stemmer:
    """Return this thread's stemmer: PyStemmer's objects must not be shared between threads."""
    stemmers: dict[str, Stemmer.Stemmer] = _LOCAL.__dict__.setdefault("stemmers", {})
    if lang not in stemmers:
        stemmers[lang] = Stemmer.Stemmer(_SNOWBALL[lang])
    return stemmers[lang]
