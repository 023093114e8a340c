"""The first two columns of a table with tabs: what stands in them line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kb import limits
from kb.errors import BadData
from kb.foreign import read_text


def first_two(file: Path, hint: str, comment: str | None = None) -> Iterator[tuple[int, str, str]]:
    """Yield the number and two columns of every line that is not empty, nor a ``comment``.

    Raises `NotFound` without a file, `BadData` for a line without two columns, which is named,
    with a ``hint`` how it should be written.
    """
    for number, line in enumerate(read_text(file, limits.DICTIONARY).splitlines(), 1):
        if number > limits.PAIRS:
            raise BadData("has more than {most:,} lines", place=file, most=limits.PAIRS)
        if not line.strip() or (comment and line.startswith(comment)):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 2 or not cells[0] or not cells[1]:
            raise BadData("a line needs two columns", hint, place=f"{file}:{number}")
        yield number, cells[0], cells[1]
