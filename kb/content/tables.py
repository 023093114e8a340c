"""A TOML file in which each mistake is reported with file, line, key and suggestion."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from kb import limits
from kb.errors import BadData, Message, nearest
from kb.foreign import read_text, unix
from kb.model.shapes import NAMES

T = TypeVar("T")
_LONG_KEY = re.compile(
    r"""(?<![\w.-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}"""
)  # the parser takes time with the square of a key's parts
_HEADER = re.compile(r"\s*\[\[?[^\]]+\]\]?\s*(?:#.*)?$")
_Step = tuple[str, int]
_NAMES = {**NAMES, str: Message("text"), dict: Message("a table"), datetime.date: Message("a date")}


class Table:
    """A table of a TOML file that knows its position.

    ``header`` is its path, each name with its index, as ``(("annotation", 2),)``; it is used to
    find the line of a key, which TOML parsers do not report.
    """

    def __init__(
        self, file: Path, text: str, values: Mapping[str, Any], header: tuple[_Step, ...] = ()
    ) -> None:
        self.file = file
        self._text = text
        self._values = values
        self._header = header

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def holds(self, key: str, kind: type) -> bool:
        """Return whether a key has a value of a type."""
        return type(self._values.get(key)) is kind

    def only(self, *known: str) -> None:
        """Reject unknown keys."""
        for key in self._values:
            if key not in known:
                names = ", ".join(sorted(known))
                hint = nearest(key, known) or Message("Known: {known}.", known=names)
                raise self.error(key, "no such key", hint)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return the value of ``key``, checked for its type; required without a default."""
        if key not in self._values:
            if default is not None:
                return default
            raise self.error(
                "", "the key '{key}' is missing", Message("Write {key} = … here.", key=key), key=key
            )
        value = self._values[key]
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise self.error(
                key,
                "must be {wanted}, not {found}",
                wanted=_NAMES[kind],
                found=_NAMES.get(type(value), Message("that")),
            )
        if isinstance(value, str) and not value.strip():
            raise self.error(key, "is empty")
        if isinstance(value, float) and not math.isfinite(value):
            raise self.error(key, "must be a finite number")
        return value

    def choice(self, key: str, known: Iterable[str]) -> str:
        """Return a text that must be one of ``known``."""
        value, allowed = self.get(key, str), list(known)
        if value not in allowed:
            hint = nearest(value, allowed) or Message("Known: {known}.", known=", ".join(allowed))
            raise self.error(key, "unknown value '{value}'", hint, value=value)
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty if the key is missing."""
        value = self.get(key, list, [])
        if not all(isinstance(item, str) for item in value):
            raise self.error(key, "must be a list of texts")
        return tuple(value)

    def texts(self, key: str) -> dict[str, str]:
        """Return texts by language; none may be empty."""
        value: dict[str, Any] = self.get(key, dict)
        for lang, text in value.items():
            if not isinstance(text, str) or not text.strip():
                raise self.error(key, "the text in '{lang}' is empty or not a text", lang=lang)
        return value

    def table(self, key: str) -> Table:
        """Return the table under ``key``."""
        return self._below(self.get(key, dict), key)

    def tables(self, key: str) -> list[Table]:
        """Return the list of tables under ``key``, empty if it is missing."""
        value = self.get(key, list, [])
        if not all(isinstance(item, dict) for item in value):
            raise self.error(key, "must be a list of tables")
        return [self._below(item, key, turn) for turn, item in enumerate(value)]

    def error(self, key: str, sentence: str, hint: str = "", /, **arguments: object) -> BadData:
        """Return an error that names this file, the line of ``key``, and the key."""
        message = Message(sentence, place=key, **arguments)
        return BadData(message, hint, place=f"{self.file}:{self._line(key)}")

    def place_of(self, text: str, words: str) -> str:
        """Return the file and line of the first line of some words of a text in this file."""
        begin = max(self._text.find(text.split("\n", 1)[0]), 0)
        at = max(self._text.find(words.strip().split("\n", 1)[0], begin), begin)
        return f"{self.file}:{self._text.count(chr(10), 0, at) + 1}"

    def _below(self, values: Any, key: str, turn: int = 0) -> Table:
        return Table(self.file, self._text, values, (*self._header, (key, turn)))

    def _line(self, key: str) -> int:
        """Return the line of a key, else of the table's header, else the first line."""
        lines, path = self._text.splitlines(), ""
        at = turn = 0
        for name, nth in (*self._header, *([(key, 0)] if key else [])):
            path = f"{path}.{name}".lstrip(".")
            header = re.compile(rf"\s*\[+{re.escape(path)}\]")
            found = [n for n in range(at, len(lines)) if header.match(lines[n])][nth:]
            if not found:  # a table written in one line has no header, and its keys come in turn
                spelled = re.compile(rf"(?:^|[\s{{,])\"?{re.escape(name)}\"?\s*(?:\.\w+\s*)?=")
                ends = (n for n in range(at + 1, len(lines)) if _HEADER.match(lines[n]))
                own = range(at, next(ends, len(lines)))
                found, turn = [n for n in own if spelled.search(lines[n])][turn:], nth
            at = found[0] if found else at
        return at + 1


def read_table(file: Path, within: Path | None = None) -> Table:
    """Read a TOML file of a folder.

    Raises `BadData` if it is missing, not ``within`` that folder, not UTF-8 or not TOML.
    """
    text = unix(read_text(file, limits.TABLE, within))
    if long := _LONG_KEY.search(text):
        at = text.count("\n", 0, long.start()) + 1
        raise BadData("a key has more than 64 parts", place=f"{file}:{at}")
    import tomllib  # with the first table that is read: a start of kb reads none

    try:
        return Table(file, text, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        number = line[1] if line else len(text.splitlines())
        raise BadData(
            "this is not TOML ({error})", place=f"{file}:{number}", error=error
        ) from error


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """Return a name as a key of TOML: quoted, unless it may stand bare.

    >>> toml_key("rnn-backprop"), toml_key("my notes/1")
    ('rnn-backprop', '"my notes/1"')
    """
    # JSON's escapes are TOML's; what JSON leaves as it is TOML does not: a delete sign.
    quoted = json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
    return name if _BARE.fullmatch(name) else quoted
