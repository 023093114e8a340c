"""A program as shown: before it runs, its lines as Python splits them; its parameters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from kb.evidence.parameters import Parameter as Parameter
from kb.evidence.parameters import parameters_of as parameters_of
from kb.evidence.parameters import with_values as with_values
from kb.terminal.terminal import safe
from kb.text.program import is_mark, is_seen, lines_of

_RIGHT_TO_LEFT = ("R", "AL")
_GOES_ON = "↳ "
_MANY_BLANKS = re.compile(r"[ \t]{41,}")
"""More spaces than usual indentation; fewer are shown unchanged."""
_TAB = " " * 4
_PICTURES = "\U0001f000"
_LEAST = 2


def shown_code(code: str) -> str:
    r"""Return displayable code with exactly the lines that Python sees.

    >>> shown_code("# fine\rimport os\n")
    '# fine␍\nimport os'
    """
    lines = code.replace("\r\n", "\n").replace("\r", "\r\n")
    return safe(lines).rstrip()


def numbered_rows(code: str, width: int) -> Iterator[str]:
    r"""Yield code for the consent question: rows of at most ``width`` cells, with line numbers.

    A wrapped row is indented below the code, so that no part of a program is where line numbers
    are. Invisible characters are shown as escapes in brackets, and long runs of spaces are
    counted.

    >>> list(numbered_rows("a = 1\n\nname = 10\n", 10))
    ['1  a = 1', '2  ', '3  name = ', ' ↳ 10']
    >>> list(numbered_rows(f"a = 1{' ' * 3000}; b", 40))
    ['1  a = 1⟨␣ × 3000⟩; b']
    """
    lines = shown_code(code).split("\n")
    size = len(str(len(lines)))
    for number, line in enumerate(lines, 1):
        yield from hanging(line, width, f"{number:>{size}}  ", f"{'':>{size}}{_GOES_ON}")


def hanging(text: str, width: int, first: str = "", then: str = _GOES_ON) -> Iterator[str]:
    """Yield a line in rows of at most ``width`` cells, prefixed with ``first``, later ``then``.

    >>> list(hanging("from a file", 8))
    ['from a f', '↳ ile']
    """
    lead, room = first, max(_LEAST, width - len(first))
    row: list[str] = []
    for char in _spelled(text):
        taken = _most_cells(char)
        if taken > room and row and not is_mark(char):
            yield lead + "".join(row)
            lead, room, row = then, max(_LEAST, width - len(then)), []
        row.append(char)
        room -= taken
    yield lead + "".join(row)


def _spelled(line: str) -> str:
    """Return a line with invisible characters escaped, tabs as spaces and many spaces counted."""
    counted = _MANY_BLANKS.sub(lambda run: f"⟨␣ × {len(run[0])}⟩", line)
    escaped = (
        char
        if char == " " or is_seen(char)
        else _TAB
        if char == "\t"
        else f"⟨{char.encode('unicode_escape').decode('ascii')}⟩"
        for char in counted
    )
    return "".join(escaped)


def _most_cells(char: str) -> int:
    """Return the maximum width of a character in any terminal, so that no row is too long."""
    narrow = unicodedata.east_asian_width(char) in ("N", "Na", "H") and char < _PICTURES
    return 1 if narrow and unicodedata.category(char) != "Cn" else 2


def turning_lines(code: str) -> list[int]:
    """Return the numbers of lines with right-to-left letters.

    A terminal may show such a line in another order than Python reads it.
    """
    return [
        number
        for number, line in enumerate(lines_of(code), 1)
        if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in line)
    ]
