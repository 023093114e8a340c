"""A Markdown document as a tree of blocks, each with its lines as they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

Tick = Callable[[], None]
"""Called now and then while reading goes on; may raise to end it."""

_LEADING = re.compile(r"[ \t]*")


class Line(NamedTuple):
    """A line: its number in the file, from 1, and its text without the signs of its containers.

    One that stands for several lines has the number of the last in ``last``.
    """

    number: int
    text: str
    last: int = 0


class Block(NamedTuple):
    """A block and what stands in it.

    ``kind`` is heading, paragraph, list, item, quote, code, html, rule, table, row, cell,
    details, or a card that was told by its lines. ``text`` has the words of a heading,
    paragraph, cell or summary; ``depth`` the level of a heading; ``number`` the number of an
    item as written, empty for a bullet.
    """

    kind: str
    lines: tuple[Line, ...]
    text: str = ""
    depth: int = 0
    number: str = ""
    children: tuple[Block, ...] = ()

    @property
    def start(self) -> int:
        """The number of its first line."""
        return self.lines[0].number if self.lines else 0


def numbered(text: str) -> tuple[Line, ...]:
    """Return the lines of a text.

    >>> numbered("a\\nb")
    (Line(number=1, text='a', last=0), Line(number=2, text='b', last=0))
    """
    return tuple(Line(number, each) for number, each in enumerate(text.split("\n"), 1))


def places(lines: Iterable[Line]) -> frozenset[int]:
    """Return the numbers of all lines that some lines stand for."""
    return frozenset(
        n for line in lines for n in range(line.number, max(line.number, line.last) + 1)
    )


def trimmed(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines without the blank ones at both ends."""
    start, end = 0, len(lines)
    while start < end and not lines[start].text.strip():
        start += 1
    while end > start and not lines[end - 1].text.strip():
        end -= 1
    return tuple(lines[start:end])


def dedented(line: Line, width: int) -> Line:
    """Return a line without its first blanks, at most as many columns as ``width``.

    >>> dedented(Line(3, "\\tx"), 2).text, dedented(Line(3, " x"), 2).text
    ('  x', 'x')
    """
    leading = _LEADING.match(line.text)[0]  # type: ignore[index]
    blanks = len(leading.expandtabs(4))
    return line._replace(text=" " * max(blanks - width, 0) + line.text[len(leading) :])


def source(lines: Iterable[Line]) -> str:
    """Return lines as text; for lines that are left out between two there are blank ones."""
    out: list[str] = []
    last = 0
    for line in lines:
        if out and last:
            out.extend([""] * (line.number - last - 1))
        out.append(line.text.rstrip() if not line.text.endswith("  ") else line.text)
        last = max(line.number, line.last)
    return _closed("\n".join(out).strip("\n").rstrip())


def _closed(text: str) -> str:
    """Return text moved left by the blanks that all its lines begin with."""
    lines = text.split("\n")
    widths = [len(each) - len(each.lstrip(" ")) for each in lines if each.strip()]
    width = min(widths, default=0)
    return "\n".join(each[width:] for each in lines)
