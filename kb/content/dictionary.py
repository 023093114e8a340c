"""A reader's own dictionary: a table with tabs, a word and its translation in each line.

The first two columns are read; what follows (part of speech, sense, source) is left
out. Lines with the same word and sense are not joined: each is a concept of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kb import limits
from kb.content.columns import first_two
from kb.errors import BadData
from kb.records import Concept

_FIELD = "dictionary"


def read_dictionary(file: Path, languages: tuple[str, str]) -> list[Concept]:
    """Return the pairs of a file as concepts of two languages; a broken line is named.

    Raises `NotFound` without a file, `BadData` for a line without two columns.
    """
    pairs = dict.fromkeys(_pairs(file))
    if not pairs:
        raise BadData("holds no pair of words", place=file)
    left, right = languages
    return [Concept({left: (one,), right: (other,)}, _FIELD) for one, other in pairs]


def _pairs(file: Path) -> Iterator[tuple[str, str]]:
    for number, one, other in first_two(file, "Write a word, a tab, and its translation.", "#"):
        if max(len(one), len(other)) > limits.NAME:
            raise BadData(
                "a word has more than {most:,} characters",
                place=f"{file}:{number}",
                most=limits.NAME,
            )
        yield one, other
