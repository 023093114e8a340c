"""A TOML file whose every mistake is named by file, line, key and nearest right spelling."""

from __future__ import annotations

import datetime
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from kb import limits
from kb.errors import BadData, Message, nearest
from kb.foreign import read_text, unix

T = TypeVar("T")
_LONG_KEY = re.compile(
    r"""(?<![\w.-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}"""
)  # the parser takes time with the square of a key's parts
_HEADER = re.compile(r"^\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$")
_NAMES = {
    str: Message("text"),
    int: Message("a whole number"),
    float: Message("a number"),
    bool: Message("true or false"),
    list: Message("a list"),
    dict: Message("a table"),
    datetime.date: Message("a date"),
}


class Table:
    """A table of a TOML file that knows where it stands.

    ``header`` is its path with the number of its turn, as ``("annotation", 2)``; it
    serves to find the line of a key, which TOML parsers do not tell.
    """

    def __init__(
        self, file: Path, text: str, values: Mapping[str, Any], header: tuple[object, ...] = ()
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
        """Say whether there is a key whose value is of a kind."""
        return type(self._values.get(key)) is kind

    def only(self, *known: str) -> None:
        """Refuse keys that are not known."""
        for key in self._values:
            if key not in known:
                hint = nearest(key, known) or Message(
                    "Known: {known}.", known=", ".join(sorted(known))
                )
                raise self.error(key, "no such key", hint)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return the value of ``key``, of that kind; it is needed unless it has a default."""
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
            raise self.error(key, "'{value}' is not one of its values", hint, value=value)
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty where the key is absent."""
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
        return self._below(self.get(key, dict), (*self._header, key))

    def tables(self, key: str) -> list[Table]:
        """Return the list of tables under ``key``, empty where it is absent."""
        value = self.get(key, list, [])
        if not all(isinstance(item, dict) for item in value):
            raise self.error(key, "must be a list of tables")
        return [self._below(item, (*self._header, key, turn)) for turn, item in enumerate(value)]

    def error(self, key: str, sentence: str, hint: str = "", /, **arguments: object) -> BadData:
        """Return an error that names this file, the line of ``key``, and the key."""
        place = self.place(key)
        message = Message(sentence, place=key, **arguments)
        return BadData(message, hint, place=place)

    def place(self, key: str, words: str = "") -> str:
        """Return file and line of a key: the line below it that has these words, if one has."""
        line = self._line(key)
        lines = self._text.split("\n") if words else []
        found = (n for n in range(line - 1, len(lines)) if words in lines[n])
        return f"{self.file}:{next(found, line - 1) + 1}"

    def _below(self, values: Any, header: tuple[object, ...]) -> Table:
        return Table(self.file, self._text, values, header)

    def _line(self, key: str) -> int:
        """Return the line of a key of this table, or else of its header, or else the first."""
        header, best = self._header, 1
        while header:
            best, found = self._look(header, key if header == self._header else str(header[-1]))
            if best > 1:
                break
            # A table written in one line has no header: look in the one it stands in.
            turn = header[-1] if isinstance(header[-1], int) else 0
            best, found = self._look(header[: -2 if isinstance(header[-1], int) else -1], key, turn)
            if found:
                break
            header = header[:-1]
        else:
            best, _ = self._look((), key)
        return best

    def _look(self, header: tuple[object, ...], key: str, turn: int = 0) -> tuple[int, bool]:
        """Return the line of the key's ``turn``-th mention under a header, or the header's."""
        spelled = re.compile(rf"(?:^|[\s{{,])\"?{re.escape(key)}\"?\s*(?:\.\w+\s*)?=")
        sections = _sections(self._text)
        below = sections.get((*header, key)) if key else None
        section = sections.get(header, _Section([1], []))
        seen = 0
        for number, line in section.lines if key else ():
            if below and below.headers[0] < number:
                break
            if spelled.search(line):
                if seen == turn:
                    return number, True
                seen += 1
        return (below.headers[0], True) if below else (section.headers[-1], False)


class _Section(NamedTuple):
    """The lines in which the headers of a table stand, and those below them, by their number."""

    headers: list[int]
    lines: list[tuple[int, str]]


@lru_cache(maxsize=4)
def _sections(text: str) -> Mapping[tuple[object, ...], _Section]:
    """Return what stands in a file, by the places that its headers open."""
    section = _Section([1], [])
    found: dict[tuple[object, ...], _Section] = {(): section}
    turns: dict[tuple[object, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        opened = _HEADER.match(line)
        if opened is None:
            section.lines.append((number, line))
            continue
        here = _place(opened[2].strip().split("."), opened[1] == "[[", turns)
        section = found.setdefault(here, _Section([], []))
        section.headers.append(number)
    return found


def read_table(file: Path, within: Path | None = None) -> Table:
    """Read a TOML file of a folder.

    Raises `BadData` where it is gone, does not lie ``within`` that, is not UTF-8 or not TOML.
    """
    text = unix(read_text(file, limits.TABLE, within))
    if long := _LONG_KEY.search(text):
        at = text.count("\n", 0, long.start()) + 1
        raise BadData("a key has more than 64 parts", place=f"{file}:{at}")
    try:
        return Table(file, text, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        number = line[1] if line else len(text.splitlines())
        raise BadData(
            "this is not TOML ({error})", place=f"{file}:{number}", error=error
        ) from error


def _place(
    names: list[str], listed: bool, turns: dict[tuple[object, ...], int]
) -> tuple[object, ...]:
    """Return the path a header opens, with the turn of each list of tables on the way."""
    path: tuple[object, ...] = ()
    for depth, name in enumerate(names, 1):
        path = (*path, name)
        last = depth == len(names)
        if last and listed:
            turns[path] = turns.get(path, -1) + 1
        if path in turns:
            path = (*path, turns[path])
    return path
