"""Converts Arabic letters to presentation forms, one code point each.

Few terminals join Arabic letters; the presentation forms (U+FB50 to U+FEFF) look joined
everywhere. ``arabic_reshaper`` chooses the form; ligatures are off, since lam-alef as one glyph
would have one cell less.

Joining follows ArabicShaping.txt: marks and most format characters are transparent,
ZWJ joins on both sides, ZWNJ and any other character keep letters apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

ZWNJ = "\u200c"
ZWJ = "\u200d"
KASHIDA = "\u0640"

_LETTERS = re.compile("[\u0620-\u064a\u0671-\u06d5\u06fa-\u06ff]")
_TRANSPARENT = frozenset({"Mn", "Me", "Cf"})
_NOT_TRANSPARENT = frozenset(f"{ZWNJ}{ZWJ}\u2066\u2067\u2068\u2069")
# All that changes lengths or positions is set: an environment variable of the
# reshaper may name a file with other defaults.
_SETTINGS = {
    "language": "Arabic",
    "support_ligatures": False,
    "delete_harakat": False,
    "shift_harakat_position": False,
    "delete_tatweel": False,
    "use_unshaped_instead_of_isolated": False,
}


def shape(text: str) -> str:
    """Return the text with Arabic letters in the forms that fit their neighbours.

    The result has the same length, and is still in logical order.

    >>> [f"{ord(char):04x}" for char in shape("سلا")]
    ['feb3', 'fee0', 'fe8e']
    """
    if not _LETTERS.search(text):
        return text
    visible = "".join(char for char in text if not _transparent(char))
    # The reshaper deletes ZWJ, and misplaces marks when it does; a kashida joins alike.
    forms = iter(_reshaper()(visible.replace(ZWJ, KASHIDA)))
    shaped = ((char, char if _transparent(char) else next(forms)) for char in text)
    return "".join(char if char == ZWJ else form for char, form in shaped)


@lru_cache(maxsize=4096)
def _transparent(char: str) -> bool:
    """Return whether letters join across the character."""
    return (
        unicodedata.category(char) in _TRANSPARENT
        and char not in _NOT_TRANSPARENT
        and unicodedata.bidirectional(char) != "AN"
    )


@cache
def _reshaper() -> Callable[[str], str]:
    import arabic_reshaper  # not before it is needed

    reshape: Callable[[str], str] = arabic_reshaper.ArabicReshaper(_SETTINGS).reshape
    return reshape


# Lines in visual order for a terminal that turns each run of Arabic script by itself.
#
# kitty draws cells in the order in which they come, but hands the letters of neighbouring cells to
# a shaper, which draws those of a script that runs right to left from the right: letters, Persian
# digits and signs alike (kitty 0.26 with HarfBuzz). What is sent the other way round stands right.
# A colour belongs to its cell, and stays there.


_LETTER = (
    r"[\u0600-\u064a\u0660-\u066f\u0671-\u06ff\u0750-\u077f\u08a0-\u08c7"
    r"\ufb50-\ufdff\ufe70-\ufefc]"
)
_MARKS = re.compile(r"(?<=[\u0600-\u08ff\ufb50-\ufefc])[\u064b-\u065f\u0670]+")
_STYLE = r"(?:\x1b\[[0-9;:]*m)*"
_RUN = re.compile(f"{_LETTER}(?:{_STYLE}{_LETTER})+")
_SIGN = re.compile(_LETTER)


def runs_turned(text: str) -> str:
    """Return text with styles in which each run of Arabic script is the other way round.

    Marks above and below letters are left out: in some fonts, a marked cell ends a run.

    >>> runs_turned("ab \u06f1\u06f2 c") == "ab \u06f2\u06f1 c"
    True
    >>> runs_turned("\u0628\x1b[1m\u062a") == "\u062a\x1b[1m\u0628"
    True
    """

    def turned(run: re.Match[str]) -> str:
        signs = _SIGN.findall(run[0])
        return _SIGN.sub(lambda _: signs.pop(), run[0])

    return _RUN.sub(turned, _MARKS.sub("", text))
