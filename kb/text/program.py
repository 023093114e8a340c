"""The lines of a program as Python reads them, and the characters that are forbidden in it.

Python ends a line at ``\\n``, ``\\r\\n`` and a lone ``\\r`` (Language Reference, 2.1.2); a
terminal does not, and obeys others. So code is stored with ``\\n`` alone. Code is refused
if a reader would see other lines or characters than Python runs.

Allowed are visible characters, blanks (U+0020), tabs and newlines. A mark must follow a
character that can carry it. Strings and comments may also have one ZWNJ or ZWJ between two
letters that join, and a variation selector after an emoji. Unassigned and private characters
count as invisible, because a font may not draw them. ``characters.txt`` is from Unicode's data.
"""

from __future__ import annotations

import re
import tokenize
import unicodedata
from bisect import bisect
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

BOM = "\ufeff"

_NAMES = {
    0x00: "a NUL", 0x0B: "a vertical tab", 0x0C: "a form feed", 0x0D: "a carriage return",
    0x1B: "an escape", 0x7F: "a DEL", 0x85: "a next-line character", 0x2028: "a line separator",
    0x2029: "a paragraph separator", 0xFEFF: "a byte order mark",
}  # fmt: skip
_BLANKS = " \t\n"
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
_MOST_MARKS = 4
"""The maximum number of marks on a letter; more would be drawn over each other."""
_ENDS = re.compile(r"\r\n|\r|\n")
# PEP 263: in the first two lines, and the first of them is nothing but a comment.
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = ("utf-8", "utf8")


class Forbidden(NamedTuple):
    """A forbidden part of code: Python's line number, and a description."""

    line: int
    what: str


def normal_code(code: str) -> str:
    r"""Return code with ``\n`` line ends and without a byte order mark.

    >>> normal_code("\ufeffa = 1\r\nb = 2\r\n")
    'a = 1\nb = 2\n'
    """
    return code.removeprefix(BOM).replace("\r\n", "\n")


def lines_of(code: str) -> list[str]:
    r"""Return the lines of code as Python splits them, unchanged.

    >>> lines_of("# fine\rimport os\x0c\n")
    ['# fine', 'import os\x0c', '']
    """
    return _ENDS.split(code)


def forbidden_part(code: str) -> Forbidden | None:
    r"""Return the first part of code that would hide what Python runs, or nothing.

    >>> forbidden_part("# fine\n# here\rimport os")
    Forbidden(line=2, what='a carriage return (U+000D)')
    >>> forbidden_part("# coding: utf-7\n")
    Forbidden(line=1, what="the encoding 'utf-7'; a program is UTF-8")
    """
    strange = _strange(code)
    if strange is not None:
        quoted: Sequence[int] | None = None
        for found in strange.finditer(code):
            place = found.start()
            if code[place] in _JOINERS + _SELECTORS and quoted is None:
                quoted = _quoted(code)
            if not _stands(code, place, quoted=bool(quoted and bisect(quoted, place) % 2)):
                return Forbidden(len(_ENDS.findall(code, 0, place)) + 1, name_of(code[place]))
    for number, line_of in enumerate(code.split("\n", 2)[:2], 1):
        coding = _CODING.match(line_of)
        if coding and coding[1].lower().replace("_", "-") not in _UTF8:
            return Forbidden(number, f"the encoding '{coding[1]}'; a program is UTF-8")
    return None


def forbidden_in_name(name: str) -> str:
    r"""Return a description of what is forbidden in a program's name, or nothing.

    >>> forbidden_in_name("نامه\u200cها"), forbidden_in_name("a\nb")
    ('', 'a control character (U+000A)')
    """
    strange = re.compile(r"[\n\t]") if "\n" in name or "\t" in name else _strange(name)
    for found in strange.finditer(name) if strange else ():
        if found[0] in "\n\t" or not _stands(name, found.start(), quoted=True):
            return name_of(found[0])
    return ""


def is_seen(character: str) -> bool:
    r"""Return whether a character is visible, by itself or on the previous one.

    >>> is_seen("a"), is_seen("\u0301"), is_seen("\u200c"), is_seen("\u2800")
    (True, True, False, False)
    """
    return _is("VISIBLE", character) or is_mark(character)


def is_mark(character: str) -> bool:
    r"""Return whether a character is drawn on the previous one.

    >>> is_mark("\u0301"), is_mark("a")
    (True, False)
    """
    return _is("MARKS", character)


def _strange(text: str) -> re.Pattern[str] | None:
    """Return a pattern for characters that are only allowed in some places."""
    strange = [c for c in set(text) if c not in _BLANKS and not _is("VISIBLE", c)]
    return re.compile(f"[{re.escape(''.join(strange))}]") if strange else None


def _stands(text: str, place: int, *, quoted: bool) -> bool:
    """Return whether such a character is allowed at its place, which is ``quoted`` or not."""
    char, after = text[place], text[place + 1 : place + 2]
    base, marks = _base(text, place)
    if is_mark(char):
        bears = _is("VISIBLE", base) and (not base.isascii() or base.isalnum())
        return (bears or (char == _KEYCAP and base in ("#", "*"))) and marks < _MOST_MARKS
    if char in _JOINERS:
        return quoted and _is("JOINING", base) and _is("JOINING", after)
    if char in _SELECTORS:
        before = text[max(0, place - 1) : place]
        keycap = before in tuple("0123456789#*") and after == _KEYCAP
        return quoted and (_is("EMOJI", before) or keycap)
    return False


def _base(text: str, place: int) -> tuple[str, int]:
    """Return the base of the character at a place, and the number of marks between."""
    start = place
    while start and (is_mark(text[start - 1]) or text[start - 1] in _SELECTORS):
        start -= 1
    return text[max(0, start - 1) : start], place - start


def _quoted(code: str) -> Sequence[int]:
    """Return alternating starts and ends of strings and comments; nothing for invalid Python."""
    lines = [f"{line}\n" for line in code.split("\n")]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    places: list[int] = []
    depth = 0
    try:
        for token in tokenize.generate_tokens(iter(lines).__next__):
            kind = tokenize.tok_name[token.type]
            if kind == "ERRORTOKEN" and not token.string.isspace():
                return ()
            # From Python 3.12 on an f-string is many tokens, and some of them may be strings.
            whole = kind in ("STRING", "COMMENT")
            opens, closes = kind.endswith("STRING_START"), kind.endswith("STRING_END")
            if (whole or opens) and not depth:
                places.append(starts[token.start[0] - 1] + token.start[1])
            depth += opens - closes
            if (whole or closes) and not depth:
                places.append(starts[token.end[0] - 1] + token.end[1])
    except (tokenize.TokenError, SyntaxError, RecursionError, IndexError):
        return ()
    return places


def _is(table: str, character: str) -> bool:
    """Return whether a character, or nothing, is in a table of ``characters.txt``."""
    return bool(character) and bisect(_bounds()[table], ord(character)) % 2 == 1


@cache
def _bounds() -> Mapping[str, Sequence[int]]:
    """Return alternating starts and ends of the ranges of each table."""
    found = {}
    _, *tables = Path(__file__).with_name("characters.txt").read_text("utf-8").split("\n# ")
    for name, *ranges in map(str.split, tables):
        pairs = (each.partition("-")[::2] for each in ranges)
        found[name] = [n for a, b in pairs for n in (int(a, 16), int(b or a, 16) + 1)]
    return found


def name_of(character: str) -> str:
    r"""Return the name of a forbidden character.

    >>> name_of("\u202e")
    'a hidden or misplaced character, RIGHT-TO-LEFT OVERRIDE (U+202E)'
    >>> name_of("\ue000")
    'a character without a known shape (U+E000)'
    """
    point, name = ord(character), unicodedata.name(character, "")
    known = _NAMES.get(point) or (name and f"a hidden or misplaced character, {name}")
    if not known:
        control = unicodedata.category(character) == "Cc"
        known = "a control character" if control else "a character without a known shape"
    return f"{known} (U+{point:04X})"
