"""Characters to show, each with its place in the text that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

_PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_OPENERS, _CLOSERS = frozenset(_PAIRS), frozenset([*_PAIRS.values(), ",", ";"])


class Glyph(NamedTuple):
    """A character to show, and its place in the text."""

    char: str
    place: int


def text_of(glyphs: Iterable[Glyph]) -> str:
    """Return the characters."""
    return "".join(glyph.char for glyph in glyphs)


def ends_blank(glyphs: Sequence[Glyph]) -> bool:
    """Say whether the last is a blank."""
    return bool(glyphs) and glyphs[-1].char == " "


def bracketed(glyphs: list[Glyph]) -> list[Glyph]:
    """Put round brackets around, unless the first and the last are a pair already."""
    if not glyphs or is_pair(text_of(glyphs)):
        return glyphs
    return [Glyph("(", glyphs[0].place), *glyphs, Glyph(")", glyphs[-1].place)]


def tidy(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Leave out blanks at the ends, within brackets next to them, and all but one in a row.

    >>> text_of(tidy([Glyph(char, 0) for char in " ( a  b ) "]))
    '(a b)'
    """
    read: list[Glyph] = []
    for glyph in glyphs:
        if glyph.char == " " and (not read or read[-1].char == " " or read[-1].char in _OPENERS):
            continue
        if glyph.char in _CLOSERS and read and read[-1].char == " ":
            read.pop()
        read.append(glyph)
    if read and read[-1].char == " ":
        read.pop()
    return read


def is_pair(text: str) -> bool:
    """Say whether the bracket that opens a text is closed at its very end."""
    closer = _PAIRS.get(text[:1])
    depth = 0
    for place, char in enumerate(text):
        depth += (char == text[0]) - (char == closer)
        if not depth:
            return closer is not None and place == len(text) - 1
    return False


def braced(place: int, inner: list[Glyph]) -> list[Glyph]:
    """Put back the braces of a group that is left as it is written."""
    return [Glyph("{", place), *inner, Glyph("}", inner[-1].place if inner else place)]
