"""Texts as byte streams: UTF-8, read with or without a byte order mark."""

from __future__ import annotations

from typing import BinaryIO

from kb import limits
from kb.foreign import decoded, drawn


def read_text(stream: BinaryIO, name: str, limit: int = limits.WHOLE) -> str:
    """Return the text of a stream. Raises `BadData` if it is not UTF-8 or too long."""
    return decoded(drawn(stream, name, limit), name)


def write_text(out: BinaryIO, text: str) -> None:
    """Write a text to a stream."""
    out.write(text.encode("utf-8"))
