"""What Python reads of a program's text, and what must not stand in it.

Python ends a line at ``\\n``, ``\\r\\n`` and a lone ``\\r`` (Language Reference, 2.1.2); a
terminal does not, and obeys others. So code is kept with ``\\n`` alone, and what would
let a reader see other lines than Python runs is refused.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

BOM = "\ufeff"

_NAMES = {
    0x00: "a NUL", 0x0B: "a vertical tab", 0x0C: "a form feed", 0x0D: "a carriage return",
    0x1B: "an escape", 0x7F: "a DEL", 0x85: "a next-line character", 0x2028: "a line separator",
    0x2029: "a paragraph separator", 0xFEFF: "a byte order mark",
}  # fmt: skip
_REFUSED = (
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F),  # controls, but for newline and tab
    (0x2028, 0x2029),  # what some programs end a line at, and Python does not
    (0x061C, 0x061C), (0x202A, 0x202E), (0x2066, 0x2069),  # direction (CVE-2021-42574)
    (0xD800, 0xDFFF), (0xFDD0, 0xFDEF),  # surrogates, noncharacters
    # Letters and marks that no one sees; half-spaces and LRM, RLM stay, which Persian needs.
    (0xAD, 0xAD), (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200B), (0x2060, 0x2065), (0x206A, 0x206F), (0x3164, 0x3164), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF), *((n << 16 | 0xFFFE, n << 16 | 0xFFFF) for n in range(17)),
)  # fmt: skip
_HIDING = frozenset(chr(point) for a, b in _REFUSED for point in range(a, b + 1))
_ENDS = re.compile(r"\r\n|\r|\n")
# PEP 263: in the first two lines, and the first of them is nothing but a comment.
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = ("utf-8", "utf8")


class Unfit(NamedTuple):
    """What must not stand in code: the line as Python counts, and what it is, in words."""

    line: int
    what: str


def settled(code: str) -> str:
    r"""Return code with its lines ended by ``\n``, and without the mark some editors put first.

    >>> settled("\ufeffa = 1\r\nb = 2\r\n")
    'a = 1\nb = 2\n'
    """
    return code.removeprefix(BOM).replace("\r\n", "\n")


def lines_of(code: str) -> list[str]:
    r"""Return the lines of code as Python splits it; what stands in them is as it is.

    >>> lines_of("# fine\rimport os\x0c\n")
    ['# fine', 'import os\x0c', '']
    """
    return _ENDS.split(code)


def unfit(code: str) -> Unfit | None:
    r"""Return the first thing in code that would hide what Python runs, or nothing.

    >>> unfit("# fine\n# here\rimport os")
    Unfit(line=2, what='a carriage return (U+000D)')
    >>> unfit("# coding: utf-7\n")
    Unfit(line=1, what="the encoding 'utf-7'; a program is UTF-8")
    """
    if not _HIDING.isdisjoint(code):
        place, sign = next((n, char) for n, char in enumerate(code) if char in _HIDING)
        return Unfit(len(_ENDS.findall(code, 0, place)) + 1, name_of(sign))
    for number, line_of in enumerate(code.split("\n", 2)[:2], 1):
        coding = _CODING.match(line_of)
        if coding and coding[1].lower().replace("_", "-") not in _UTF8:
            return Unfit(number, f"the encoding '{coding[1]}'; a program is UTF-8")
    return None


def name_of(character: str) -> str:
    r"""Return what a character that must not stand in code is called.

    >>> name_of("\u202e")
    'a hidden direction or character, RIGHT-TO-LEFT OVERRIDE (U+202E)'
    """
    point = ord(character)
    known = _NAMES.get(point)
    if known is None:
        known = unicodedata.name(character, "") and (
            f"a hidden direction or character, {unicodedata.name(character)}"
        )
    return f"{known or 'a control character'} (U+{point:04X})"
