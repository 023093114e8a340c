"""Pages of a database made random: what ``sqlite3 .recover`` yields of it is saved, too.

The shell's recovery is the measure: what it gives back as it was, a salvaged file has as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from kb.errors import ExitCode
from tests.robustness.commands import DATABASE, Done, run
from tests.robustness.trial import Finding, Tally, Trial, kept

SALVAGED = "salvaged.db"
_PAGE = 4096
_PAGES_AT_ONCE = 6
_SAVED = ("source", "collection", "entry", "document", "snippet", "annotation")
_DIGEST = 11
"""The column of an entry that is empty where the entry misses something."""

_ASKED = (
    ("search", "gradient"), ("search", "گرادیان"), ("list",), ("export", "-f", "json"),
    ("show", "rnn-backprop-complexity"), ("rebuild",), ("doctor", "--repair"), ("info",),
)  # fmt: skip
_SHELL = os.environ.get("SQLITE3_SHELL", "sqlite3")
"""The shell that is the measure: one that was built with ``SQLITE_ENABLE_DBPAGE_VTAB``."""
Rows = frozenset[tuple[str, tuple[object, ...]]]


class Draw(NamedTuple):
    """The pages that are made random, from a seed, and how many bytes are cut off the end."""

    seed: int
    pages: tuple[int, ...]


def damage(path: Path, draw: Draw) -> None:
    """Put random bytes over pages of a file, which are counted from 1."""
    chance = random.Random(draw.seed)
    with path.open("r+b") as file:
        for page in draw.pages:
            file.seek((page - 1) * _PAGE)
            file.write(chance.randbytes(_PAGE))


def draws(amount: int, seed: int, pages: int) -> Iterator[Draw]:
    """Yield so many draws; one in ten has the first page among those that it damages."""
    chance = random.Random(seed)
    for number in range(amount):
        drawn = chance.sample(range(1, pages + 1), _PAGES_AT_ONCE)
        if number % 10 == 9:
            drawn[0] = 1
        yield Draw(chance.randrange(1 << 30), tuple(sorted(set(drawn))))


def rows_of(path: Path) -> Rows:
    """Return the rows of all tables of a whole file that are compared."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        return frozenset(
            (table, row) for table in _SAVED for row in base.execute(f"SELECT * FROM {table}")
        )


def scanned(path: Path) -> Rows:
    """Return the rows that SQLite gives before it meets damage: what the control saves."""
    found = set()
    with contextlib.closing(sqlite3.connect(path)) as base:
        for table in _SAVED:
            with contextlib.suppress(sqlite3.Error):
                for row in base.execute(f"SELECT * FROM {table}"):
                    found.add((table, row))
    return frozenset(found)


def recovered(path: Path, whole: Rows) -> Rows:
    """Return those rows of a whole file that the shell recovers, wherever it puts them."""
    told = subprocess.run([_SHELL, path, ".recover"], capture_output=True, check=False).stdout
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        for statement in _statements(told.decode("utf-8", "replace")):
            with contextlib.suppress(sqlite3.Error):
                base.execute(statement)
        found = {
            row for table, in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for row in _values(base, table)
        }  # fmt: skip
    return frozenset(each for each in whole if _alike(each) & found)


def _compared(rows: Rows) -> Rows:
    """Return rows without the digests of entries."""
    return frozenset(
        (table, values[:_DIGEST] + values[_DIGEST + 1 :] if table == "entry" else values)
        for table, values in rows
    )


def _statements(script: str) -> Iterator[str]:
    waiting = ""
    for line in script.splitlines(keepends=True):
        waiting += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(waiting):
            yield waiting
            waiting = ""


def _values(base: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """Yield rows as values; the shell's own columns of rows that it found apart are left out."""
    apart = table.startswith("lost_and_found")
    with contextlib.suppress(sqlite3.Error):
        for row in base.execute(f'SELECT * FROM "{table}"'):
            yield tuple(row[4 : 4 + row[2]]) if apart else tuple(row)


def _alike(each: tuple[str, tuple[object, ...]]) -> set[tuple[object, ...]]:
    """Return a row as the shell may have it: a key that is a row's number is nothing elsewhere.

    Columns that were added later are not in rows that are older.
    """
    _, values = each
    bare = (None, *values[1:])
    return {values, bare} | {
        some[:length] for some in (values, bare) for length in range(len(values) - 3, len(values))
    }


def tried(amount: int, seed: int, save: Callable[[Path], str | Rows]) -> Tally:
    """Damage copies of a bundled database, and compare what is saved with what is recovered."""
    with tempfile.TemporaryDirectory(prefix="kb-damage-") as name:
        root = Path(name)
        (root / "base").mkdir()
        made = run(root / "base", ("init",))
        base = root / "base" / DATABASE
        assert made.code == ExitCode.DONE, made.err
        whole, pages = rows_of(base), base.stat().st_size // _PAGE
        every = [Draw(each[0], tuple(each[1])) for each in kept("damage")]
        every += draws(amount, seed, pages)
        each = partial(_tried, base=base, whole=whole, save=save, root=root)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(each, every, range(len(every))))
    findings = [
        Finding(f"pages {draw.pages}: {said}", [draw.seed, list(draw.pages)])
        for draw, (said, _, _) in zip(every, outcomes, strict=True)
        if said
    ]
    figures = {
        "rows the shell recovers": f"{sum(shell for _, shell, _ in outcomes):,}",
        "rows saved": f"{sum(ours for *_, ours in outcomes):,}",
        "of": f"{len(whole) * len(every):,}",
    }
    return Tally(len(every), tuple(findings), figures)


def _tried(
    draw: Draw, turn: int, base: Path, whole: Rows, save: Callable[[Path], str | Rows], root: Path
) -> tuple[str, int, int]:
    """Try one draw; return what went wrong, and how many rows the shell and danesh have."""
    place = root / str(turn)
    place.mkdir()
    shutil.copy(base, place / DATABASE)
    damage(place / DATABASE, draw)
    shell = recovered(place / DATABASE, whole)
    try:
        ours = save(place)
        if isinstance(ours, str):
            return ours, len(shell), 0
        missing = _compared(shell) - _compared(ours)
        said = f"{len(missing)} rows missing, as of {min(missing)[0]}" if missing else ""
        wrong = [said, _asked(place, draw)]
        return "; ".join(filter(None, wrong)), len(shell), len(ours & whole)
    finally:
        shutil.rmtree(place)


def _salvaged(place: Path) -> str | Rows:
    """Let danesh save what it can; return the rows, or what was wrong."""
    before = (place / DATABASE).read_bytes()
    done = run(place, ("doctor", "--salvage", SALVAGED, "--json"))
    if done.code not in (ExitCode.DONE, ExitCode.FINDINGS):
        return f"salvage: exit code {done.code}: {done.err.strip()}"
    if (place / DATABASE).read_bytes() != before:
        return "salvage: the damaged file was changed"
    if json.loads(done.out)["complete"] != (done.code == ExitCode.DONE):
        return "salvage: exit code and report differ"
    with contextlib.closing(sqlite3.connect(place / SALVAGED)) as new:
        for check in ("integrity_check", "foreign_key_check"):
            found = [row for row in new.execute(f"PRAGMA {check}") if row != ("ok",)]
            if found:
                return f"salvage: {check}: {found[:3]}"
    return rows_of(place / SALVAGED)


def _asked(place: Path, draw: Draw) -> str:
    """Ask something of the damaged file; return what was wrong with the answer, or nothing."""
    arguments = random.Random(draw.seed).choice(_ASKED)
    return wrong_answer(arguments, run(place, arguments))


def wrong_answer(arguments: Sequence[str], done: Done) -> str:
    """Return what is wrong with what a command said of a damaged file, or nothing."""
    if done.code not in (ExitCode.DONE, ExitCode.FINDINGS, ExitCode.NOT_FOUND, ExitCode.BAD_DATA):
        return f"{' '.join(arguments)}: exit code {done.code}: {done.err.strip()}"
    if "Traceback" in done.err:
        return f"{' '.join(arguments)}: a traceback"
    if done.code == ExitCode.BAD_DATA and "--salvage" not in done.err:
        return f"{' '.join(arguments)}: no advice: {done.err.strip()}"
    return ""


def _run(amount: int, seed: int) -> Tally:
    return tried(amount, seed, _salvaged)


def _control(amount: int, seed: int) -> Tally:
    """Save only what SQLite gives before it meets the damage."""
    return tried(amount, seed, lambda place: scanned(place / DATABASE))


TRIAL = Trial(
    "damage",
    "Whichever six pages of a database are random, what 'sqlite3 .recover' yields as it was is "
    "saved, the new file is sound, and every command on the damaged one answers in a sentence.",
    short=3,
    long=100,
    run=_run,
    control=_control,
    controls=3,
)
