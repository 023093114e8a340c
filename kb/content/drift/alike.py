"""The record of alarms that were looked at: texts that say the same, though a rule points at them.

``alike.tsv`` is a table with tabs: the entry and which of its texts, the rule, the words that
stand on one side alone, and why they are no drift.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kb.content.drift.compare import RULES, Drift
from kb.content.drift.pairs import Pair
from kb.content.glossary import lines_of
from kb.errors import BadData, nearest

ALIKE = "alike.tsv"
COLUMNS = ("entry", "text", "rule", "words", "why")


class Alike(NamedTuple):
    """An alarm that was looked at."""

    entry: str
    text: str
    rule: str
    words: str


def read_alike(folder: Path, within: Path | None = None) -> dict[Alike, str]:
    """Return the alarms that were looked at, each with the place of its line; none without a file.

    Raises `BadData` for a line without a reason, or with a rule that does not exist.
    """
    file = folder / ALIKE
    return dict(_rows(file, within)) if file.exists() else {}


def alarm_of(pair: Pair, drift: Drift) -> Alike:
    """Return by what an alarm is known."""
    return Alike(pair.owner, pair.name, drift.rule, ", ".join((*drift.one, *drift.other)))


def _rows(file: Path, within: Path | None) -> Iterator[tuple[Alike, str]]:
    for number, line in lines_of(file, COLUMNS, within):
        place, cells = f"{file}:{number}", line.split("\t")
        if len(cells) != len(COLUMNS) or not all(cells):
            raise BadData(
                "needs {columns}, with tabs between", place=place, columns=", ".join(COLUMNS)
            )
        if cells[2] not in RULES:
            raise BadData(
                "rule: no rule '{cells}'", nearest(cells[2], RULES), place=place, cells=cells[2]
            )
        yield Alike(*cells[: len(Alike._fields)]), place
