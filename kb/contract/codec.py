"""Values of the contract's JSON, each written and read in one place."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kb.errors import BadData, Message, nearest

_LARGEST = 1 << 63
_HALVES = re.compile("[\ud800-\udfff]")
_NAMES = {
    str: Message("a text"),
    int: Message("a whole number"),
    float: Message("a number"),
    bool: Message("true or false"),
    list: Message("a list"),
    dict: Message("an object"),
}


class Codec(Protocol):
    """Writes a value as JSON, and reads it; ``place`` says where it stands, key included."""

    def write(self, value: Any) -> Any:
        """Return the value as JSON has it."""

    def read(self, value: Any, place: str, key: str) -> Any:
        """Return the value that JSON has. Raises `BadData`."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of one of JSON's own kinds."""

    kind: type

    def write(self, value: Any) -> Any:
        """Return the value as it is."""
        return value

    def read(self, value: Any, place: str, key: str) -> Any:
        """Return a value of that kind; a whole number is a number, too."""
        if self.kind is str and type(value) is str:
            _check_whole(value, place, key)
            return value
        if self.kind is float and type(value) is int:
            value = float(value) if abs(value) < _LARGEST else math.inf
        if isinstance(value, float) and not math.isfinite(value):
            raise BadData("{key} is not a finite number", place=place, key=key)
        if type(value) is not self.kind:
            raise BadData("{key} must be {kind}", place=place, key=key, kind=_NAMES[self.kind])
        if isinstance(value, int) and abs(value) >= _LARGEST:
            raise BadData("{key} is too large a number", place=place, key=key)
        return value


TEXT, WHOLE, NUMBER, FLAG = Plain(str), Plain(int), Plain(float), Plain(bool)


@dataclass(frozen=True, slots=True)
class Choice:
    """A text that is one of some."""

    known: Sequence[str]

    def write(self, value: str) -> str:
        """Return the text."""
        return value

    def read(self, value: Any, place: str, key: str) -> str:
        """Return the text, or say which are known."""
        text: str = TEXT.read(value, place, key)
        if text not in self.known:
            hint = nearest(text, self.known) or Message(
                "Known: {known}.", known=", ".join(self.known)
            )
            raise BadData(
                "{key}: '{text}' is not one of its values", hint, place=place, key=key, text=text
            )
        return text


class Day:
    """A date as ISO 8601 writes it."""

    def write(self, value: str) -> str:
        """Return the date."""
        return value

    def read(self, value: Any, place: str, key: str) -> str:
        """Return the date, or say what is none."""
        text: str = TEXT.read(value, place, key)
        try:
            return datetime.date.fromisoformat(text).isoformat()
        except ValueError as error:
            raise BadData(
                "{key}: '{text}' is no date",
                "Write it as 2026-11-23.",
                place=place,
                key=key,
                text=text,
            ) from error


DAY = Day()


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or null for ``nothing``, which is written as null unless ``spelled``."""

    codec: Codec
    nothing: Any = None
    spelled: bool = False

    def write(self, value: Any) -> Any:
        """Return the value, or null."""
        empty = value == self.nothing and not self.spelled
        return None if empty else self.codec.write(value)

    def read(self, value: Any, place: str, key: str) -> Any:
        """Return the value, or what null stands for."""
        return self.nothing if value is None else self.codec.read(value, place, key)


@dataclass(frozen=True, slots=True)
class Many:
    """A list; each item is named by its number."""

    codec: Codec

    def write(self, value: Sequence[Any]) -> list[Any]:
        """Return a list."""
        return [self.codec.write(item) for item in value]

    def read(self, value: Any, place: str, key: str) -> tuple[Any, ...]:
        """Return the items."""
        items = Plain(list).read(value, place, key)
        return tuple(self.codec.read(v, place, f"{key}[{n}]") for n, v in enumerate(items))


@dataclass(frozen=True, slots=True)
class Words:
    """A list of texts."""

    def write(self, value: Sequence[str]) -> list[str]:
        """Return a list."""
        return list(value)

    def read(self, value: Any, place: str, key: str) -> tuple[str, ...]:
        """Return the texts."""
        items = Plain(list).read(value, place, key)
        if not all(isinstance(item, str) for item in items):
            raise BadData("{key} must be a list of texts", place=place, key=key)
        for item in items:
            _check_whole(item, place, key)
        return tuple(items)


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts by language."""

    def write(self, value: Mapping[str, str]) -> dict[str, str]:
        """Return an object."""
        return dict(value)

    def read(self, value: Any, place: str, key: str) -> dict[str, str]:
        """Return the texts."""
        items: dict[str, Any] = Plain(dict).read(value, place, key)
        if not all(isinstance(text, str) for text in items.values()):
            raise BadData("{key} must hold texts by language", place=place, key=key)
        for lang, text in items.items():
            _check_whole(lang + text, place, key)
        return items


@dataclass(frozen=True, slots=True)
class ByName:
    """Values by name, such as those of a language."""

    codec: Codec

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object."""
        return {name: self.codec.write(item) for name, item in value.items()}

    def read(self, value: Any, place: str, key: str) -> dict[str, Any]:
        """Return the values."""
        items = Plain(dict).read(value, place, key)
        return {name: self.codec.read(v, f"{place}: {key}", name) for name, v in items.items()}


class Flags:
    """Names that are marked: those that are not are left out."""

    def write(self, value: Mapping[str, bool]) -> dict[str, bool]:
        """Return an object of those that are marked."""
        return {name: True for name, marked in value.items() if marked}

    def read(self, value: Any, place: str, key: str) -> dict[str, bool]:
        """Return those that are marked."""
        items = ByName(FLAG).read(value, place, key)
        return {name: True for name, marked in items.items() if marked}


def _check_whole(text: str, place: str, key: str) -> None:
    """Refuse a text that JSON smuggles half a surrogate pair into, or a NUL."""
    if "\0" in text:
        raise BadData("{key} holds the character NUL", place=place, key=key)
    if not text.isascii() and _HALVES.search(text):
        raise BadData("{key} holds half of a surrogate pair", place=place, key=key)
