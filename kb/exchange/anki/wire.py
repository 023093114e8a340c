"""Protocol buffers as they are on the wire: numbered fields, without the descriptions of them.

Source: https://protobuf.dev/programming-guides/encoding/. Of the few messages that are read here
only texts, bytes and whole numbers are wanted; fields of fixed length are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

_LONGEST_VARINT = 10
_FIXED = {1: 8, 5: 4}
_VARINT, _BYTES = 0, 2


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message in order. Raises `ValueError` for what is none.

    >>> list(fields(b"\\x08\\x03\\x12\\x01a"))
    [(1, 3), (2, b'a')]
    """
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield number, value
        elif kind == _BYTES:
            length, at = _varint(message, at)
            if length > len(message) - at:
                raise ValueError("a field goes beyond the end")
            yield number, message[at : at + length]
            at += length
        elif kind in _FIXED:
            at += _FIXED[kind]
        else:
            raise ValueError(f"no such kind of field: {kind}")


def whole(message: bytes, number: int) -> int:
    """Return the last value of a field that is a whole number, 0 without one."""
    found = [value for key, value in fields(message) if key == number and isinstance(value, int)]
    return found[-1] if found else 0


def text(message: bytes, number: int) -> str:
    """Return the last value of a field that is a text, empty without one."""
    found = [value for key, value in fields(message) if key == number and isinstance(value, bytes)]
    return found[-1].decode("utf-8") if found else ""


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    for place in range(at, min(at + _LONGEST_VARINT, len(message))):
        value |= (message[place] & 0x7F) << shift
        if message[place] < 0x80:
            return value, place + 1
        shift += 7
    raise ValueError("a number has no end")
