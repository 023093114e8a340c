"""Reads a JSON document in pieces: at most one record is in memory."""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from json import JSONDecodeError
from typing import Any, BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, nearest
from kb.foreign import pieces, size
from kb.model.json import decoder, fault_at, unreadable

_BLANK = re.compile(r"[ \t\n\r]*")
_WINDOW = 1 << 16
_CUT = 12
"""A mistake this close to the end of the buffer may only be caused by the cut."""


class Part(NamedTuple):
    """Receives the value of a key with its place, or ``many`` list items one by one."""

    take: Callable[[Any, str, str], None]
    many: bool = False


def read_object(stream: BinaryIO, name: str, keys: Mapping[str, Part]) -> set[str]:
    """Read the object in a stream and return its keys.

    Each value is passed to the part of its key. Raises `BadData` for invalid JSON, for an unknown
    or repeated key, and for a value or item of more than `limits.RECORD` characters.
    """
    text = _Text(stream, name)
    if text.next() != "{":
        text.value()  # what is no JSON at all is told as that
        raise BadData("must be an object", place=name)
    seen: set[str] = set()
    for _ in _each(text, "}"):
        key = _key(text)
        if key in seen:
            raise BadData("the key '{key}' is given twice", place=text.place, key=key)
        if key not in keys:
            raise BadData("no such key '{key}'", nearest(key, keys), place=name, key=key)
        seen.add(key)
        if not keys[key].many:
            keys[key].take(text.value(), name, key)
        elif text.next() != "[":
            raise BadData("{key} must be a list", place=name, key=key)
        else:
            for number in _each(text, "]"):
                keys[key].take(text.value(), name, f"{key}[{number}]")
    if text.next():
        raise text.error("Extra data")
    return seen


def _each(text: _Text, end: str) -> Iterator[int]:
    """Yield the indexes of an object or list; read each member before asking for the next."""
    text.take()
    found, numbers = text.next(), itertools.count()
    while found != end:
        yield next(numbers)
        found = text.next()
        if found not in (",", end):
            raise text.error("Expecting ',' delimiter")
        if found != end:
            text.take()
    text.take()


def _key(text: _Text) -> str:
    """Read a key and its colon."""
    if text.next() != '"':
        raise text.error("Expecting property name enclosed in double quotes")
    key: str = text.value()
    if len(key) > limits.NAME:
        raise BadData("a key has more than {most:,} characters", place=text.place, most=limits.NAME)
    if text.next() != ":":
        raise text.error("Expecting ':' delimiter")
    text.take()
    return key


class _Text:
    """The unread text of a stream, and its line number."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._name = name
        self._pieces = pieces(stream, name, limits.FILE)
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._bytes = 0
        self._text, self._at, self._line, self._ended = "", 0, 1, False

    @property
    def place(self) -> str:
        """The file and the current line."""
        return f"{self._name}:{self._line + self._text.count(chr(10), 0, self._at)}"

    def next(self) -> str:
        """Return the next character that is not blank, without consuming it; nothing at the end."""
        while True:
            found = _BLANK.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text) or not self._fill():
                return self._text[self._at : self._at + 1]

    def take(self) -> None:
        """Take a character."""
        self._at += 1

    def value(self) -> Any:
        """Take a value. Raises `BadData` for an invalid or overlong value."""
        bare = self.next() not in ('"', "{", "[")  # which alone say themselves where they end
        wanted = _WINDOW
        while True:
            while len(self._text) - self._at < wanted and self._fill():
                pass
            try:
                found, end = decoder().raw_decode(self._text, self._at)
                if self._ended or not bare or end < len(self._text):
                    self._at = end
                    return found
            except JSONDecodeError as error:
                inside = error.pos < len(self._text) - _CUT
                if self._ended or (inside and not error.msg.startswith("Unterminated string")):
                    self._at = error.pos
                    raise self.error(error.msg) from error
            except (ValueError, RecursionError) as error:
                self._at = fault_at(self._text, self._at, error)
                raise unreadable(self.place, error) from error
            if wanted > limits.RECORD:
                raise BadData(
                    "the part that begins here is larger than {most}",
                    place=self.place,
                    most=size(limits.RECORD),
                )
            wanted = min(wanted * 4, limits.RECORD + 1)

    def error(self, said: str) -> BadData:
        """Return an error with line and column."""
        column = self._at - self._text.rfind("\n", 0, self._at)
        return BadData(
            "this is not JSON ({said}, column {column})", place=self.place, said=said, column=column
        )

    def _fill(self) -> bool:
        """Read more and drop what was consumed; return whether there was more."""
        if self._ended:
            return False
        piece = next(self._pieces, b"")
        self._ended = not piece
        try:
            more = self._decode(piece, self._ended)
        except UnicodeDecodeError as error:
            place = self._bytes + error.start
            raise BadData(
                "this is not UTF-8 text (byte {where})", place=self._name, where=place
            ) from error
        self._bytes += len(piece)
        self._line += self._text.count("\n", 0, self._at)
        self._text, self._at = self._text[self._at :] + more, 0
        return True
