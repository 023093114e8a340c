"""What newer packages hold packed once more, by Zstandard: unpacked within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from kb import limits
from kb.errors import BadData


@contextmanager
def unpacked(file: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """Return what is packed in a file as a stream. Raises `BadData` for what is not packed so."""
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=limits.WINDOW)
    try:
        with unpacker.stream_reader(file, closefd=False) as reader:
            yield cast("BinaryIO", reader)
    except zstandard.ZstdError as error:
        raise BadData(f"{name}: cannot be unpacked ({error})", "Export the deck again.") from error
