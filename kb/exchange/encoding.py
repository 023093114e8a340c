"""Texts as streams of bytes: UTF-8, with or without a byte order mark when read."""

from __future__ import annotations

from typing import BinaryIO

from kb.errors import BadData


def read_text(stream: BinaryIO, name: str) -> str:
    """Return the text of a stream. Raises `BadData` for what is not UTF-8."""
    try:
        return stream.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadData(f"{name}: this is not UTF-8 text (byte {error.start})") from error


def write_text(out: BinaryIO, text: str) -> None:
    """Write a text to a stream."""
    out.write(text.encode("utf-8"))
