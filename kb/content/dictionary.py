"""A reader's own dictionary: a table with tabs, a word and its translation in each line.

The first two columns are read; what follows (part of speech, sense, source) is left
out. Lines with the same word and sense are not joined: each is a concept of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kb import limits
from kb.errors import BadData
from kb.foreign import read_text
from kb.records import Concept

_FIELD = "dictionary"


def read_dictionary(file: Path, languages: tuple[str, str]) -> list[Concept]:
    """Return the pairs of a file as concepts of two languages; a broken line is named.

    Raises `NotFound` without a file, `BadData` for a line without two columns.
    """
    text = read_text(file, limits.DICTIONARY)
    pairs = dict.fromkeys(_pairs(file, text))
    if not pairs:
        raise BadData(f"{file}: holds no pair of words")
    left, right = languages
    return [Concept({left: (one,), right: (other,)}, _FIELD) for one, other in pairs]


def _pairs(file: Path, text: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if number > limits.PAIRS:
            raise BadData(f"{file}: has more than {limits.PAIRS:,} lines")
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 2 or not cells[0] or not cells[1]:
            hint = "Write a word, a tab, and its translation."
            raise BadData(f"{file}:{number}: a line needs two columns", hint)
        if max(map(len, cells[:2])) > limits.NAME:
            raise BadData(f"{file}:{number}: a word has more than {limits.NAME:,} characters")
        yield cells[0], cells[1]
