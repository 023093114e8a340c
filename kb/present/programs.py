"""A program shown before it may run: its lines as Python splits them, with their numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from kb.display.safe import safe
from kb.text.program import lines_of, unfit

_RIGHT_TO_LEFT = ("R", "AL")


def shown_code(code: str) -> str:
    r"""Return code fit to be shown, in exactly as many lines as Python sees.

    >>> shown_code("# fine\rimport os\n")
    '# fine␍\nimport os'
    """
    if unfit(code) is None:
        return code.rstrip()
    lines = code.replace("\r\n", "\n").replace("\r", "\r\n")
    return safe(lines).rstrip()


def numbered_code(code: str) -> Iterator[str]:
    """Yield the lines of code as they are shown, each with its number.

    >>> list(numbered_code("a = 1\\n\\nb = 2\\n"))
    ['1  a = 1', '2  ', '3  b = 2']
    """
    lines = shown_code(code).split("\n")
    width = len(str(len(lines)))
    for number, line in enumerate(lines, 1):
        yield f"{number:>{width}}  {line}"


def turning_lines(code: str) -> list[int]:
    """Return the numbers of the lines that hold letters which run right to left.

    A terminal may show such a line in another order than Python reads it.
    """
    return [
        number
        for number, line in enumerate(lines_of(code), 1)
        if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in line)
    ]
