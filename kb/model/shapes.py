"""Records as JSON values, each written and read in one place."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from kb.errors import BadData, Message, nearest

_LARGEST = 1 << 63
_HALVES = re.compile("[\ud800-\udfff]")
NAMES = {
    str: Message("a text"),
    int: Message("a whole number"),
    float: Message("a number"),
    bool: Message("true or false"),
    list: Message("a list"),
    dict: Message("an object"),
}
"""What the types of values are called in messages."""


class Codec(Protocol):
    """Writes and reads a value as JSON; ``place`` is its position, key included."""

    def write(self, value: Any) -> Any:
        """Return the value as JSON."""

    def read(self, value: Any, place: str, key: str) -> Any:
        """Return the value from JSON. Raises `BadData`."""


class _Unchanged:
    """What is in JSON as in a record."""

    __slots__ = ()

    def write(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value


@dataclass(frozen=True, slots=True)
class Plain(_Unchanged):
    """A value of a JSON type."""

    kind: type

    def read(self, value: Any, place: str, key: str) -> Any:
        """Return a value of that type; a whole number is a number, too."""
        if self.kind is str and type(value) is str:
            _check_whole(value, place, key)
            return value
        if self.kind is float and type(value) is int:
            value = float(value) if abs(value) < _LARGEST else math.inf
        if isinstance(value, float) and not math.isfinite(value):
            raise BadData("{key} is not a finite number", place=place, key=key)
        if type(value) is not self.kind:
            raise BadData("{key} must be {kind}", place=place, key=key, kind=NAMES[self.kind])
        if isinstance(value, int) and abs(value) >= _LARGEST:
            raise BadData("{key} is too large a number", place=place, key=key)
        return value


TEXT, WHOLE, NUMBER, FLAG = Plain(str), Plain(int), Plain(float), Plain(bool)


@dataclass(frozen=True, slots=True)
class Choice(_Unchanged):
    """A text from a list of choices."""

    known: Sequence[str]

    def read(self, value: Any, place: str, key: str) -> str:
        """Return the text, or an error that lists the choices."""
        text: str = TEXT.read(value, place, key)
        if text not in self.known:
            known = ", ".join(self.known)
            hint = nearest(text, self.known) or Message("Known: {known}.", known=known)
            raise BadData("{key}: unknown value '{text}'", hint, place=place, key=key, text=text)
        return text


class Day(_Unchanged):
    """An ISO 8601 date."""

    def read(self, value: Any, place: str, key: str) -> str:
        """Return the date, or an error."""
        text: str = TEXT.read(value, place, key)
        try:
            return datetime.date.fromisoformat(text).isoformat()
        except ValueError as error:
            raise BadData(
                "{key}: '{text}' is not a date",
                "Write a date such as 2026-11-23.",
                place=place,
                key=key,
                text=text,
            ) from error


DAY = Day()


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or null, which stands for ``nothing``; that is omitted unless ``spelled``."""

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
    """A list; items are identified by index."""

    codec: Codec

    def write(self, value: Sequence[Any]) -> list[Any]:
        """Return a list."""
        return [self.codec.write(item) for item in value]

    def read(self, value: Any, place: str, key: str) -> tuple[Any, ...]:
        """Return the items."""
        items = Plain(list).read(value, place, key)
        return tuple(self.codec.read(v, place, f"{key}[{n}]") for n, v in enumerate(items))


@dataclass(frozen=True, slots=True)
class ByName:
    """Values by name, such as by language."""

    codec: Codec

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object."""
        return {name: self.codec.write(item) for name, item in value.items()}

    def read(self, value: Any, place: str, key: str) -> dict[str, Any]:
        """Return the values."""
        items = Plain(dict).read(value, place, key)
        for name in items:
            _check_whole(name, place, key)
        return {name: self.codec.read(v, f"{place}: {key}", name) for name, v in items.items()}


WORDS, TEXTS = Many(TEXT), ByName(TEXT)


def _check_whole(text: str, place: str, key: str) -> None:
    """Reject a text with a NUL or half a surrogate pair."""
    if "\0" in text:
        raise BadData("{key} contains the character NUL", place=place, key=key)
    if not text.isascii() and _HALVES.search(text):
        raise BadData("{key} contains half of a surrogate pair", place=place, key=key)


# A record as an object: its keys in order, each with its codec.


R = TypeVar("R")
_NEEDED: Any = object()


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an object, named as the record's attribute.

    Without a ``default`` it is required. One that is ``shown`` only at times is omitted if it has
    its default.
    """

    name: str
    codec: Codec
    default: Any = _NEEDED
    always: bool = True


class Shape(Generic[R]):
    """The JSON form of a record. ``make`` is called with the attributes by name.

    ``ignored`` keys are allowed and skipped, and so are all unknown ones unless ``strict``.
    ``check`` gets the result and raises `BadData` for contradictions.
    """

    def __init__(
        self,
        make: Callable[..., R],
        *keys: Key,
        ignored: tuple[str, ...] = (),
        strict: bool = True,
        check: Callable[[R, str], None] | None = None,
    ) -> None:
        self._make = make
        self._keys = keys
        self._defaults = {e.name: e.default for e in keys if e.default is not _NEEDED}
        self._needed = [each.name for each in keys if each.default is _NEEDED]
        self._known = {*ignored, *(each.name for each in keys)}
        self._ignored = ignored
        self._strict = strict
        self._check = check

    def write(self, value: R) -> dict[str, Any]:
        """Return the record as an object, with keys in declared order."""
        written = {}
        for each in self._keys:
            found = getattr(value, each.name)
            if each.always or found != each.default:
                written[each.name] = each.codec.write(found)
        return written

    def read(self, value: Any, place: str, key: str = "") -> R:
        """Return the record from an object. Raises `BadData` with place and key."""
        here = f"{place}: {key}" if key else place
        if not isinstance(value, dict):
            raise BadData("must be an object", place=here)
        for name in self._needed:
            if name not in value:
                raise BadData("{name} is missing", place=here, name=name)
        given = {
            e.name: e.codec.read(value[e.name], here, e.name) for e in self._keys if e.name in value
        }
        for name in value if self._strict else ():  # rather than lose its content
            if name not in self._known:
                known = [*self._ignored, *(key.name for key in self._keys)]
                raise BadData("no such key '{name}'", nearest(name, known), place=here, name=name)
        record = self._make(**{**self._defaults, **given})
        if self._check is not None:
            self._check(record, here)
        return record


@dataclass(frozen=True)
class Either(Generic[R]):
    """One of two forms: ``other`` for the records and objects that a test selects."""

    is_other: Callable[[R], bool]
    says_other: Callable[[Mapping[str, Any]], bool]
    usual: Shape[R]
    other: Shape[R]

    def write(self, value: R) -> dict[str, Any]:
        """Return the record as an object."""
        return (self.other if self.is_other(value) else self.usual).write(value)

    def read(self, value: Any, place: str, key: str = "") -> R:
        """Return the record from an object."""
        marked = isinstance(value, dict) and self.says_other(value)
        return (self.other if marked else self.usual).read(value, place, key)
