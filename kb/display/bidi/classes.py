"""The bidirectional class of a character, for unassigned code points too.

Python's ``unicodedata`` has no class for code points that its Unicode version
does not assign. The standard gives them the class of their block, so that text
from a later version still runs in the right direction.

Source: UAX #44, ``DerivedBidiClass.txt``, the ``@missing`` lines and the
unassigned code points listed there as BN (Unicode 15.0).
"""

from __future__ import annotations

import unicodedata

INITIATORS = frozenset({"LRI", "RLI", "FSI"})
ISOLATES = INITIATORS | {"PDI"}
IGNORED = frozenset({"BN", "LRE", "RLE", "LRO", "RLO", "PDF"})

_UNASSIGNED = (
    (0x0590, 0x05FF, "R"),
    (0x0600, 0x07BF, "AL"),
    (0x07C0, 0x085F, "R"),
    (0x0860, 0x08FF, "AL"),
    (0x2065, 0x2065, "BN"),
    (0x20A0, 0x20CF, "ET"),
    (0xFB1D, 0xFB4F, "R"),
    (0xFB50, 0xFDCF, "AL"),
    (0xFDD0, 0xFDEF, "BN"),
    (0xFDF0, 0xFDFF, "AL"),
    (0xFE70, 0xFEFF, "AL"),
    (0xFFF0, 0xFFF8, "BN"),
    (0x10800, 0x10CFF, "R"),
    (0x10D00, 0x10D3F, "AL"),
    (0x10D40, 0x10EBF, "R"),
    (0x10EC0, 0x10EFF, "AL"),
    (0x10F00, 0x10F2F, "R"),
    (0x10F30, 0x10F6F, "AL"),
    (0x10F70, 0x10FFF, "R"),
    (0x1E800, 0x1EC6F, "R"),
    (0x1EC70, 0x1ECBF, "AL"),
    (0x1ECC0, 0x1ECFF, "R"),
    (0x1ED00, 0x1ED4F, "AL"),
    (0x1ED50, 0x1EDFF, "R"),
    (0x1EE00, 0x1EEFF, "AL"),
    (0x1EF00, 0x1EFFF, "R"),
    (0xE0000, 0xE0FFF, "BN"),
)


def bidi_class(char: str) -> str:
    r"""Return the Bidi_Class of a character as its short name.

    >>> bidi_class("a"), bidi_class("س"), bidi_class("۱"), bidi_class("٣"), bidi_class("\u05ff")
    ('L', 'AL', 'EN', 'AN', 'R')
    """
    return unicodedata.bidirectional(char) or _unassigned_class(ord(char))


def _unassigned_class(code: int) -> str:
    if code & 0xFFFE == 0xFFFE:
        return "BN"
    for first, last, name in _UNASSIGNED:
        if first <= code <= last:
            return name
    return "L"
