"""Lines in visual order for a terminal that turns each run of Arabic script by itself.

kitty draws cells in the order in which they come, but hands the letters of neighbouring cells to a
shaper, which draws those of a script that runs right to left from the right: letters, Persian
digits and signs alike (kitty 0.26 with HarfBuzz). What is sent the other way round stands right.
A colour belongs to its cell, and stays there.
"""

from __future__ import annotations

import re

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

    Marks above and below letters are left out: a cell with one ends a run, in some fonts.

    >>> runs_turned("ab \u06f1\u06f2 c") == "ab \u06f2\u06f1 c"
    True
    >>> runs_turned("\u0628\x1b[1m\u062a") == "\u062a\x1b[1m\u0628"
    True
    """
    return _RUN.sub(lambda found: _turned(found[0]), _MARKS.sub("", text))


def _turned(run: str) -> str:
    signs = _SIGN.findall(run)
    return _SIGN.sub(lambda _: signs.pop(), run)
