"""A query as every engine gets it, and the files that processes hand each other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

QUESTION, LOG, WORD, PREFIX, PHRASE, ALL = (
    "question", "Persian log", "word", "prefix", "phrase", "three-way AND",
)  # fmt: skip
KINDS = (QUESTION, LOG, WORD, PREFIX, PHRASE, ALL)
"""Any of the words; one of them; any, the last only begun; all in this order; all."""


class Ask(NamedTuple):
    """A query as it is typed, in the query language, and in analysed terms."""

    kind: str
    typed: str
    expression: str
    terms: tuple[str, ...]


class Source(NamedTuple):
    """The documents of a size: as lines of JSON, as lines of terms, and what comes after them."""

    docs: Path
    terms: Path
    more: Path

    @classmethod
    def of(cls, folder: Path) -> Source:
        """Return the files of a folder."""
        return cls(folder / "docs.jsonl", folder / "terms.txt", folder / "more.jsonl")


def lines_of(file: Path, most: int | None = None) -> Iterator[str]:
    """Yield the first lines of a file, without their ends."""
    with file.open(encoding="utf-8", newline="\n") as lines:
        yield from (line.rstrip("\n") for line in islice(lines, most))


def write_asks(file: Path, asks: Mapping[str, Sequence[Ask]]) -> None:
    """Write the queries of each kind."""
    file.write_text(json.dumps(asks, ensure_ascii=False), encoding="utf-8")


def read_asks(file: Path) -> dict[str, list[Ask]]:
    """Read what `write_asks` wrote."""
    read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return {kind: [Ask(*row[:3], tuple(row[3])) for row in rows] for kind, rows in read.items()}
