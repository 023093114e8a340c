"""A record as an object: its keys in order, each with its codec."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from kb.contract.codec import Choice, Codec, Maybe, Plain
from kb.errors import BadData, nearest

R = TypeVar("R")
_NEEDED: Any = object()


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an object, and the attribute of the record that it is.

    Without a ``default`` it is needed when read. One that is ``shown`` only at times is left
    out when the attribute is its default.
    """

    name: str
    codec: Codec
    attribute: str = ""
    default: Any = _NEEDED
    always: bool = True


class Shape(Generic[R]):
    """How a record is written and read. ``make`` is called with its attributes by name.

    ``ignored`` are keys that may be there and say nothing, and unless ``strict`` so are all
    that are not known. ``check`` gets what was read and raises `BadData` where it contradicts
    itself.
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
        self._written = [
            (each.name, each.attribute or each.name, _writer(each), each.always, each.default)
            for each in keys
        ]
        self._known = {*ignored, *(each.name for each in keys)}
        self._ignored = ignored
        self._strict = strict
        self._check = check

    def write(self, value: R) -> dict[str, Any]:
        """Return the record as an object, its keys in the order of their declaration."""
        written = {}
        for name, attribute, write, always, default in self._written:
            found = getattr(value, attribute)
            if always or found != default:
                written[name] = found if write is None else write(found)
        return written

    def said(self, value: R) -> dict[str, Any]:
        """Return what `write` does, without the keys of what is nothing, or empty but a text."""
        return {
            name: found if write is None else write(found)
            for name, attribute, write, _, _ in self._written
            if (found := getattr(value, attribute)) or found == ""
        }

    def read(self, value: Any, place: str, key: str = "") -> R:
        """Return the record of an object. Raises `BadData` that names the place and the key."""
        here = f"{place}: {key}" if key else place
        if not isinstance(value, dict):
            raise BadData("must be an object", place=here)
        read = {each.attribute or each.name: _value(value, each, here) for each in self._keys}
        if self._strict:
            self._refuse_unknown(value, here)
        record = self._make(**read)
        if self._check is not None:
            self._check(record, here)
        return record

    def _refuse_unknown(self, value: Mapping[str, Any], place: str) -> None:
        """Refuse keys that nothing asks for: better than to lose what they hold."""
        for name in value:
            if name not in self._known:
                known = [*self._ignored, *(key.name for key in self._keys)]
                raise BadData("no such key '{name}'", nearest(name, known), place=place, name=name)


@dataclass(frozen=True)
class Either(Generic[R]):
    """One of two shapes: ``other`` for those records and objects of which it is said so."""

    is_other: Callable[[R], bool]
    says_other: Callable[[Mapping[str, Any]], bool]
    usual: Shape[R]
    other: Shape[R]

    def write(self, value: R) -> dict[str, Any]:
        """Return the record as an object."""
        return (self.other if self.is_other(value) else self.usual).write(value)

    def read(self, value: Any, place: str, key: str = "") -> R:
        """Return the record of an object."""
        marked = isinstance(value, dict) and self.says_other(value)
        return (self.other if marked else self.usual).read(value, place, key)


def _writer(key: Key) -> Callable[[Any], Any] | None:
    """Return what writes a key's value, or nothing where that is written as it is."""
    codec = key.codec
    if isinstance(codec, Maybe) and codec.nothing is None:
        codec = codec.codec
    return None if isinstance(codec, Plain | Choice) else key.codec.write


def _value(value: Mapping[str, Any], key: Key, place: str) -> Any:
    if key.name in value:
        return key.codec.read(value[key.name], place, key.name)
    if key.default is _NEEDED:
        raise BadData("{name} is missing", place=place, name=key.name)
    return key.default
