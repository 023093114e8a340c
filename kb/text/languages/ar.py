"""Arabic: its own letters and articles, with light stemming.

The stemmer is light10 of Larkey, Ballesteros and Connell ("Light Stemming for Arabic Information
Retrieval", in Arabic Computational Morphology, 2007): it removes articles with preceding
conjunctions and prepositions, then endings. It needs Arabic letters, so the text is not
normalized to Persian before; its result is.
"""

from __future__ import annotations

import re
import unicodedata

from kb.text.fold import fold
from kb.text.languages import Profile

_LETTERS = str.maketrans({
    **dict.fromkeys("أإآٱ", "ا"), **dict.fromkeys("یى", "ي"), "ک": "ك", "ہ": "ه", "ۀ": "ه",
    "ـ": None, "\u0670": None, **dict.fromkeys(map(chr, range(0x064B, 0x0660))),
})  # fmt: skip
_ARTICLES = ("وال", "بال", "كال", "فال", "ال", "لل")
_ENDINGS = ("ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي")
_SHORTEST = 2
_SHORTEST_AFTER_AND = 3


def _fold(part: str) -> str:
    """Normalize a part as Arabic: without vowels and kashida, with one alif and one ya."""
    return unicodedata.normalize("NFKC", part).translate(_LETTERS)


def stem(word: str) -> str:
    """Remove article and endings from a word in Arabic letters.

    >>> [stem(_fold(word)) for word in ("الخوارزمية", "والخوارزميات", "للخوارزمية")]
    ['خوارزم', 'خوارزم', 'خوارزم']
    """
    word = _without_article(word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
    return fold(word)


def _without_article(word: str) -> str:
    for article in _ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= _SHORTEST:
            return word[len(article) :]
    conjoined = word.startswith("و") and len(word) - 1 >= _SHORTEST_AFTER_AND
    return word[1:] if conjoined else word


_FUNCTION_WORDS = "في إلى التي الذي الذين هذا هذه ذلك تلك"
PROFILE = Profile(
    "ar",
    "arabic",
    direction="rtl",
    fold=_fold,
    stem=stem,
    function_words=frozenset(map(fold, _FUNCTION_WORDS.split())),
    # Persian has neither ة nor an initial إ, and none of these words.
    signs=re.compile(r"ة|\bإ|ى\b|\b(?:في|على|هي|هو|التي|الذي|هذا|هذه|ذلك|أن|كان)\b"),
)
