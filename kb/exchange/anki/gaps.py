"""Texts with gaps in them: ``{{c1::hidden::hint}}``, one within another, and places on an image.

A note is one entry, whatever its cards: all that any of them hides is a gap in the question.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.exchange.notes.forms import GAP

_PARTS = re.compile(
    r"\{\{c(?P<numbers>[0-9][0-9,]{0,30})::|(?P<end>\}\})|(?P<hint>::)", re.IGNORECASE
)
_DEEPEST = 8
_PLACE = "image-occlusion:"
_PROPERTY = re.compile(r"(?<!\\):")


class Gapped(NamedTuple):
    """A text with its gaps, the text as a whole, and what it says of places on an image.

    ``shown`` are words that stand on the image, ``hidden`` those that a card asks for;
    ``masks`` counts the places that are covered.
    """

    asked: str
    told: str
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    masks: int = 0


class _Gap:
    """A gap that is being read."""

    def __init__(self, begin: str) -> None:
        self.begin = begin
        self.asked: list[str] = []
        self.told: list[str] = []
        self.hint: list[str] | None = None

    def add(self, asked: str, told: str) -> None:
        """Add to what is hidden, or to the hint."""
        if self.hint is not None:
            self.hint.append(told)
        else:
            self.asked.append(asked)
            self.told.append(told)


def gapped(source: str) -> Gapped:
    """Return the two sides of a field that hides some of itself; HTML stays as it is.

    >>> gapped("{{c1::Paris::city}} lies on the {{c2::Seine}}.")[:2]
    ('[…] (city) lies on the […].', 'Paris lies on the Seine.')
    >>> gapped("{{c1::a {{c2::b}}}} {{c3::c")[:2]
    ('[…] {{c3::c', 'a b {{c3::c')
    """
    if "{{c" not in source.lower():
        return Gapped(source, source)
    reading = _Reading()
    done = 0
    for part in _PARTS.finditer(source):
        reading.add(source[done : part.start()])
        reading.take(part)
        done = part.end()
    reading.add(source[done:])
    return reading.gapped()


class _Reading:
    def __init__(self) -> None:
        self._stack = [_Gap("")]
        self._shown: list[str] = []
        self._hidden: list[str] = []
        self._masks = 0

    def add(self, text: str) -> None:
        """Add what is no mark of a gap."""
        self._stack[-1].add(text, text)

    def take(self, part: re.Match[str]) -> None:
        """Begin a gap, end it, or begin its hint; a mark that stands elsewhere is text."""
        inner = self._stack[-1]
        if part["numbers"] and len(self._stack) <= _DEEPEST:
            self._stack.append(_Gap(part[0]))
        elif part["end"] and len(self._stack) > 1:
            self._end()
        elif part["hint"] and len(self._stack) > 1 and inner.hint is None and not _is_place(inner):
            inner.hint = []
        else:
            self.add(part[0])

    def gapped(self) -> Gapped:
        """Return all; what was never ended is text."""
        while len(self._stack) > 1:
            open_ = self._stack.pop()
            hint = "" if open_.hint is None else f"::{''.join(open_.hint)}"
            asked, told = "".join(open_.asked), "".join(open_.told)
            self._stack[-1].add(f"{open_.begin}{asked}{hint}", f"{open_.begin}{told}{hint}")
        whole = self._stack[0]
        asked, told = "".join(whole.asked), "".join(whole.told)
        return Gapped(asked, told, tuple(self._shown), tuple(self._hidden), self._masks)

    def _end(self) -> None:
        ended = self._stack.pop()
        told = "".join(ended.told)
        if _is_place(ended):
            self._place(ended.begin, told)
        else:
            hint = "".join(ended.hint or ()).strip()
            self._stack[-1].add(f"{GAP} ({hint})" if hint else GAP, told)

    def _place(self, begin: str, said: str) -> None:
        """Take a place on an image, of which the words alone can be told."""
        shape, *properties = _PROPERTY.split(said.removeprefix(_PLACE))
        is_shown = begin.lower() == "{{c0::"
        self._masks += not is_shown
        for each in properties if shape == "text" else ():
            if each.startswith("text="):
                words = re.sub(r"\\(.)", r"\1", each.removeprefix("text="))
                (self._shown if is_shown else self._hidden).append(words)


def _is_place(gap: _Gap) -> bool:
    return bool(gap.told) and gap.told[0].startswith(_PLACE)
