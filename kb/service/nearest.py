"""Reads the table of nearest words, once per process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kb.content.tables import bundled_folder
from kb.errors import KbError
from kb.foreign import read_bytes
from kb.limits import WHOLE
from kb.search.nearest import Nearest

FILE = "nearest.tsv"


def nearest_words() -> Nearest:
    """Return the bundled table, empty if there is none."""
    return _read(bundled_folder() / FILE)


@lru_cache(maxsize=1)
def _read(file: Path) -> Nearest:
    try:
        lines = read_bytes(file, WHOLE).decode().splitlines()[1:]
    except (KbError, UnicodeDecodeError):
        return {}
    rows = (line.split("\t") for line in lines)
    return {(row[1], row[0]): tuple(row[2].split("|")) for row in rows if len(row) == 3}
