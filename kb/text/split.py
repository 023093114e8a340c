"""Splits a text into words and their parts by character classes.

Every character has one class, and a text's *class string* has one letter per character, so the
rules are short regular expressions on it:

``w`` letter   ``a`` Arabic letter   ``d`` digit   ``m`` combining mark   ``k`` kashida
``j`` half-space
``z`` zero-width control   ``c`` letter of a script without spaces
``'`` apostrophe   ``-`` connector (hyphen, underscore, full stop)   ``+`` plus or sharp
``_`` blank   ``x`` anything else

Arabic letters are separated from adjacent Latin letters and digits: APIها, ۲بعدی. Combining marks
count as letters: Hindi vowel signs and Persian vowels stay in their word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

JOINERS = "\u200c\u200b\u00ac"  # ZWNJ, and the two characters that stand in for it in old texts
WITHOUT_SPACES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # CJK radicals
    (0x3005, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x9FFF),  # Han
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
SPECIAL = {
    **dict.fromkeys(JOINERS, "j"),
    **dict.fromkeys("'\u2019", "'"),
    **dict.fromkeys("-_.\u2010\u2011", "-"),
    **dict.fromkeys("+#", "+"),
    "\u0640": "k",
}


class Part(NamedTuple):
    """A run of letters, digits and marks: ``text[start:end]``.

    ``glue`` is the class of the joiner before it: ``-`` or ``j``, or nothing at the start of a
    word.
    """

    start: int
    end: int
    glue: str
    kind: str


class _Classes(dict[int, str]):
    """The cached class of each character."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _character_class(chr(code))
        return found


def _character_class(char: str) -> str:
    special = SPECIAL.get(char)
    if special:
        return special
    category = unicodedata.category(char)
    if category[0] in "LM" and any(low <= ord(char) <= high for low, high in WITHOUT_SPACES):
        return "c"
    if category[0] == "L":
        return "a" if unicodedata.name(char, "").startswith("ARABIC") else "w"
    if category[0] == "N":
        return "d"
    if category[0] == "M":
        return "m"
    if category == "Cf":
        return "z"
    return "_" if char.isspace() else "x"


_CLASSES = _Classes()
PART = re.compile(
    r"(?P<symbol>(?<![wd])w\++(?![wd]))"
    r"|(?P<pairs>c+)"
    r"|(?P<word>[wd](?:[wdm]|z+(?=[wdm])|'(?=w))*"
    r"|a(?:[amk]|z+(?=[amk])|'(?=a))*)"
)
GLUE = re.compile(r"(?P<joiner>[jz]*j[jz]*|)|-")
MAY_GLUE = "jz-"
SOFT_HYPHEN = re.compile(r"(?<=[\u0620-\u06d3])\u00ad")


def parts(text: str) -> Iterator[Part]:
    """Yield the parts of a text in order; ``kind`` is symbol, pairs or word.

    >>> [(text[p.start:p.end], p.glue) for text in ["k-NN in C++"] for p in parts(text)]
    [('k', ''), ('NN', '-'), ('in', ''), ('C++', '')]
    """
    if "\u00ad" in text:
        text = SOFT_HYPHEN.sub("\u200c", text)
    classes = text.translate(_CLASSES)
    previous = -1
    for match in PART.finditer(classes):
        kind = match.lastgroup or "word"
        glue = ""
        if (
            previous >= 0
            and kind == "word"
            and (previous == match.start() or classes[previous] in MAY_GLUE)
        ):
            between = GLUE.fullmatch(classes, previous, match.start())
            glue = "" if between is None else "-" if between["joiner"] is None else "j"
        yield Part(match.start(), match.end(), glue, kind)
        previous = match.end() if kind == "word" else -1
