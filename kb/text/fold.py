"""Normalization of words: letters, digits, marks and case.

Persian is written with Arabic letters, with and without vowels, kashida and hamza, and with two
sets of digits. The mapping follows the normalizers of Apache Lucene (ArabicNormalizer,
PersianNormalizer) with these differences, because the pairs are the same word to Persian readers:
presentation forms are decomposed, and a lone hamza is dropped.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_LETTERS = {
    **dict.fromkeys("\u064a\u0649\u06d2\u06cd\u06d0\u0626", "ی"),
    **dict.fromkeys("\u0643\u06aa", "ک"),
    **dict.fromkeys("\u0629\u06c0\u06c2\u06d5\u06c1\u06be\u06c3", "ه"),
    **dict.fromkeys("\u0622\u0623\u0625\u0671\u0672\u0673", "ا"),
    "\u0624": "و",
}
_DROPPED = dict.fromkeys([0x0621, 0x0640, 0x0670, *range(0x0610, 0x061B), *range(0x064B, 0x0660)])
_DROPPED[0x06D4] = None
_ARABIC: dict[int, str | None] = {**{ord(k): v for k, v in _LETTERS.items()}, **_DROPPED}


class _Plain(dict[int, str]):
    """The cached normalization of characters: digits are 0-9, controls and signs are dropped."""

    def __missing__(self, code: int) -> str:
        found = _ARABIC.get(code, chr(code)) or ""
        if found.isdecimal():
            found = str(unicodedata.decimal(found))
        elif found and unicodedata.category(found)[0] not in "LMN":
            found = ""
        self[code] = found
        return found


_PLAIN = _Plain()


def script(word: str) -> str:
    """Return the script of a word by its first letter: arabic, latin, or its Unicode name.

    >>> script("شبکه"), script("L2"), script("сеть"), script("2024")
    ('arabic', 'latin', 'cyrillic', 'latin')
    """
    for char in word:
        if char.isascii():
            if char.isalpha():
                return "latin"
        elif char.isalpha():
            return _script_of(char)
    return "latin"


@lru_cache(maxsize=1 << 12)
def _script_of(letter: str) -> str:
    return unicodedata.name(letter, "latin").split()[0].lower()


def fold(part: str) -> str:
    """Return the normalized spelling of a part.

    >>> fold("كاهِشي"), fold("L۲"), fold("Straße"), fold("دادهٔ")
    ('کاهشی', 'l2', 'strasse', 'داده')
    """
    if part.isascii():
        return part.lower().replace("'", "")
    text = unicodedata.normalize("NFKC", part).casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFC", text).translate(_PLAIN)


def without_accents(word: str) -> str:
    """Remove accents from Latin and Greek letters, after stemming, which needs them.

    The Turkish ı is kept, because I is the capital of both letters.

    >>> without_accents("réseau"), without_accents("ırak"), without_accents("й")
    ('reseau', 'irak', 'й')
    """
    if word.isascii() or script(word) not in ("latin", "greek"):
        return word
    decomposed = unicodedata.normalize("NFD", word).replace("ı", "i")
    return "".join(char for char in decomposed if not unicodedata.combining(char))
