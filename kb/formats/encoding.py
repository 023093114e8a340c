"""Texts as byte streams."""

from __future__ import annotations

from typing import BinaryIO


def write_text(out: BinaryIO, text: str) -> None:
    """Write a text to a stream in UTF-8."""
    out.write(text.encode("utf-8"))
