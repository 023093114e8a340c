"""Pages of a database made random: each row that lay on other pages alone is saved unchanged.

Which pages a row lies on is known from SQLite's own ``dbstat`` before the damage. Where there is a
shell that knows ``.recover`` (``SQLITE3_SHELL``, or ``sqlite3``), what it yields is saved, too.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from kb import Library, open_library
from kb.errors import ExitCode, InternalError, KbError
from kb.model.draft import Amendment, Draft
from kb.model.entry import Review, TextSpan
from kb.service.opening import salvage
from tests.robustness.commands import DATABASE, Done, run
from tests.robustness.trial import Finding, Tally, Trial, kept

PAGE = 4096
_SALVAGED = "salvaged.db"
_PAGES_AT_ONCE = 6
_NAMES = 300
_ENTRIES = 120
_SHELL = os.environ.get("SQLITE3_SHELL", "sqlite3")
_SAVED = (
    "source", "collection", "entry", "document", "snippet", "entry_snippet", "annotation",
    "evidence", "verification", "name", "path", "file", "record", "media", "review",
    "study_log", "study_card", "study_scheduler",
)  # fmt: skip
_MADE_AGAIN = ("entry", "collection")
"""The tables whose lost rows are made again, so that rows that name them stay."""

_CHANGED = ("layer", "digest")
"""The columns that do not stay: undoing ends, and an entry that misses something is told apart."""

_ASKED: Mapping[str, Callable[[Library], object]] = {
    "search": lambda library: library.search("gradient"),
    "search in Persian": lambda library: library.search("گرادیان"),
    "list": lambda library: library.list(),
    "show": lambda library: library.show("mine/a-long-one"),
    "export": lambda library: library.export("json", io.BytesIO()),
    "rebuild": lambda library: library.rebuild(),
    "repair": lambda library: library.repair(),
}
_COMMANDS = (
    ("search", "gradient"), ("list",), ("export", "-f", "json"), ("show", "mine/a-long-one"),
    ("rebuild",), ("doctor", "--repair"), ("info",), ("doctor",),
)  # fmt: skip
Row = tuple[str, tuple[object, ...]]


class Saved(NamedTuple):
    """The rows that were saved, and whether it was told that nothing is missing."""

    rows: set[Row]
    complete: bool


class Draw(NamedTuple):
    """The pages that are made random, from a seed, and whether a log lies beside the file."""

    seed: int
    pages: tuple[int, ...]
    logged: bool = False


class Place(NamedTuple):
    """Where a row lies, and the rows without which it cannot stand."""

    pages: frozenset[int]
    needs: tuple[tuple[str, object], ...]


class Whole(NamedTuple):
    """A database before the damage: its rows and where they lie, and what its pages are.

    ``inner`` are the pages that hold no rows: of the schema, above others, of indexes, free ones.
    """

    path: Path
    rows: Mapping[Row, Place]
    pages: int
    inner: tuple[int, ...]
    newer: frozenset[int]

    def left(self, draw: Draw) -> set[Row]:
        """Return the rows that a draw leaves; pages that the log has newer are not missed."""
        hit = set(draw.pages) - self.newer
        return self.standing({row for row, place in self.rows.items() if not place.pages & hit})

    def standing(self, rows: set[Row]) -> set[Row]:
        """Return those of some rows without those that need others which are not among them."""
        keys = {(table, values[0]) for table, values in rows}
        return {row for row in rows if keys.issuperset(self.rows[row].needs)}


def damage(path: Path, draw: Draw) -> None:
    """Put random bytes over pages of a file, which are counted from 1."""
    chance = random.Random(draw.seed)
    with path.open("r+b") as file:
        for page in draw.pages:
            file.seek((page - 1) * PAGE)
            file.write(chance.randbytes(PAGE))


def draws(amount: int, seed: int, wholes: Sequence[Whole]) -> Iterator[Draw]:
    """Yield draws of six pages, in turn with and without a log; one page of each holds no rows.

    In one of ten that is the first page.
    """
    chance = random.Random(seed)
    for number in range(amount):
        whole = wholes[number % 2]
        drawn = {1 if number % 10 == 9 else chance.choice(whole.inner)}
        while len(drawn) < _PAGES_AT_ONCE:
            drawn.add(chance.randrange(1, whole.pages + 1))
        yield Draw(chance.randrange(1 << 30), tuple(sorted(drawn)), bool(number % 2))


def make_bases(folder: Path) -> tuple[Path, Path]:
    """Make a database with much of a reader's own, after edits and deletions; return two states.

    One is closed; beside the other lies the log of a process that was killed.
    """
    made, closed, killed = (folder / f"{name}.db" for name in ("made", "closed", "killed"))
    _fill(made, folder)
    with open_library(made) as library:
        change(library)
        for end in ("", "-wal", "-journal"):
            if os.path.exists(f"{made}{end}"):
                shutil.copy(f"{made}{end}", f"{killed}{end}")
    return Path(shutil.copy(made, closed)), killed


def _fill(path: Path, folder: Path) -> None:
    """Make a database with the bundled entries and one's own."""
    open_library(path).close()
    trim_glossary(path)
    with open_library(path) as library:
        write_own(library, folder)


def trim_glossary(path: Path) -> None:
    """Leave few words of the glossary, so that a file is small."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode=DELETE")
        base.execute("DELETE FROM name WHERE id > ?", (_NAMES,))
        base.execute("VACUUM")


def write_own(library: Library, folder: Path) -> None:
    """Import entries of a reader's own in two languages; one in ten is longer than a page."""
    lines = [
        {"id": f"e{n}", "lang": "fa" if n % 3 else "en", "title": f"What is {n}? پرسش {n}",
         "text": f"Answer {n}. پاسخ گرادیان " * (400 if n % 10 == 0 else 5)}
        for n in range(_ENTRIES)
    ]  # fmt: skip
    (folder / "own.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    library.import_file(folder / "own.jsonl")


def change(library: Library) -> None:
    """Write, edit, tag, annotate, study and delete."""
    long = "A long answer to gradients, پاسخی بلند. " * 1500
    library.edit.new(Draft({"en": "A long one"}, {"source": {"en": long}}, collection="mine"))
    for n in range(0, _ENTRIES, 7):
        library.edit.amend(f"own/e{n}", Amendment(answer=f"Another answer {n}. " * (n * 9)))
    library.edit.tag([f"own/e{n}" for n in range(1, _ENTRIES, 5)], ["exam", "امتحان"])
    for n in range(2, _ENTRIES, 4):
        lang = "fa" if n % 3 else "en"
        library.own.annotate(f"own/e{n}", TextSpan("question", lang, 0, 4), f"Mine, {n}. " * 20)
    store = library._base.store
    with store.transaction():
        for n in range(5):
            store.media.put(f"{n:064x}", random.Random(n).randbytes(3000 * n + 10))
        store.reviews.put(
            {f"own/e{n}": [Review(0, 1_700_000_000_000 + n, 3, n, 2500, 900, 1)] for n in range(80)}
        )
    library.edit.remove([f"own/e{n}" for n in range(3, _ENTRIES, 11)])


def measured(path: Path) -> Whole:
    """Return what a database holds, and where."""
    with tempfile.TemporaryDirectory() as folder:  # SQLite brings a log into the file it reads
        copy = Path(folder, DATABASE)
        for end in ("", "-wal"):
            if os.path.exists(f"{path}{end}"):
                shutil.copy(f"{path}{end}", f"{copy}{end}")
        with contextlib.closing(sqlite3.connect(copy)) as base:
            rows = dict(pair for table in _SAVED for pair in _placed(base, table))
            (pages,) = base.execute("PRAGMA page_count").fetchone()
    pages = min(pages, path.stat().st_size // PAGE)
    held = {page for place in rows.values() for page in place.pages}
    inner = tuple(sorted({*range(1, pages + 1)} - held))
    return Whole(path, rows, pages, inner, frozenset(_logged_pages(Path(f"{path}-wal"))))


def pages_of(path: Path, name: str, kind: str = "%") -> list[int]:
    """Return the pages of a table or an index, of a ``kind``: leaf, internal, overflow."""
    sql = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype LIKE ? ORDER BY path"
    with contextlib.closing(sqlite3.connect(path)) as base:
        return [page for (page,) in base.execute(sql, (name, kind))]


def _placed(base: sqlite3.Connection, table: str) -> Iterator[tuple[Row, Place]]:
    """Yield the rows of a table with their pages: dbstat has leaves, their cells and what follows.

    A leaf's path ends in a slash; the pages that follow a cell have its number and a plus behind.
    """
    where, following = list[tuple[str, int]](), defaultdict[tuple[str, int], set[int]](set)
    sql = "SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = ? ORDER BY path"
    for path, page, kind, cells in base.execute(sql, (table,)):
        if kind == "leaf":
            for cell in range(cells):
                where.append((path, cell))
                following[path, cell].add(page)
        elif kind == "overflow":
            leaf, _, cell = path.partition("+")[0].rpartition("/")
            following[f"{leaf}/", int(cell, 16)].add(page)
    keys = [
        (source, parent)
        for _, _, parent, source, *_ in base.execute(f"PRAGMA foreign_key_list({table})")
        if parent not in _MADE_AGAIN
    ]
    found = base.execute(f"SELECT * FROM {table} ORDER BY rowid")
    names = [column[0] for column in found.description]
    for cell, values in zip(where, found, strict=True):
        given = dict(zip(names, values, strict=True))
        needs = tuple((parent, given[source]) for source, parent in keys)
        yield _row(table, names, values), Place(frozenset(following[cell]), needs)


def _row(table: str, names: Sequence[str], values: Sequence[object]) -> Row:
    each = zip(names, values, strict=True)
    return table, tuple(value for name, value in each if name not in _CHANGED)


def _logged_pages(log: Path) -> Iterator[int]:
    """Yield the pages that a log has newer: https://sqlite.org/fileformat.html, 4.1."""
    data = log.read_bytes() if log.exists() else b""
    for at in range(32, len(data), 24 + PAGE):
        if data[at + 8 : at + 16] == data[16:24]:  # not from before the log began anew
            yield struct.unpack_from(">I", data, at)[0]


def rows_of(path: Path) -> set[Row]:
    """Return the rows of a file, of each table those before SQLite meets damage."""
    rows: set[Row] = set()
    with contextlib.closing(sqlite3.connect(path)) as base:
        for table in _SAVED:
            with contextlib.suppress(sqlite3.Error):
                found = base.execute(f"SELECT * FROM {table}")
                names = [column[0] for column in found.description]
                rows.update(_row(table, names, values) for values in found)
    return rows


def recovers() -> bool:
    """Say whether there is a shell that was built with ``SQLITE_ENABLE_DBPAGE_VTAB``."""
    with contextlib.suppress(OSError):
        done = subprocess.run([_SHELL, ":memory:", ".recover"], capture_output=True, check=False)
        return done.returncode == 0 and not done.stderr
    return False


def recovered(path: Path) -> set[Row]:
    """Return the rows of our tables that the shell recovers."""
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder, "recovered.db")
        script = subprocess.run([_SHELL, path, ".recover"], capture_output=True, check=False)
        subprocess.run([_SHELL, new], input=script.stdout, capture_output=True, check=False)
        return rows_of(new)


def tried(amount: int, seed: int, save: Callable[[Path, int], str | Saved]) -> Tally:
    """Damage copies of a database, and compare what is saved with what is left."""
    with tempfile.TemporaryDirectory(prefix="kb-damage-") as name:
        root = Path(name)
        wholes = [measured(path) for path in make_bases(root)]
        every = [Draw(seed, tuple(pages), logged) for seed, pages, logged in kept("damage")]
        every += draws(amount, seed, wholes)
        each = partial(_tried, wholes=wholes, save=save, root=root, shell=recovers())
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(each, every, range(len(every))))
    findings = [
        Finding(f"pages {draw.pages}: {said}", list(draw))
        for draw, (said, _, _, _) in zip(every, outcomes, strict=True)
        if said
    ]
    figures = {
        "rows expected": f"{sum(each[1] for each in outcomes):,}",
        "saved": f"{sum(each[2] for each in outcomes):,}",
        "recovered": f"{sum(each[3] for each in outcomes):,}" if recovers() else "no shell for it",
    }
    return Tally(len(every), tuple(findings), figures)


def _tried(
    draw: Draw,
    turn: int,
    wholes: Sequence[Whole],
    save: Callable[[Path, int], str | Saved],
    root: Path,
    *,
    shell: bool,
) -> tuple[str, int, int, int]:
    """Try one draw; return what went wrong, and the rows expected, saved and recovered."""
    whole, place = wholes[draw.logged], root / str(turn)
    place.mkdir()
    for end in ("", "-wal", "-journal"):
        if os.path.exists(f"{whole.path}{end}"):
            shutil.copy(f"{whole.path}{end}", place / f"{DATABASE}{end}")
    damage(place / DATABASE, draw)
    try:
        left = whole.left(draw)
        ours = save(place, turn)
        if isinstance(ours, str):
            return ours, len(left), 0, 0
        ours, complete = ours
        stored = {row for row in whole.rows if row[0] != "name"}  # the glossary comes again
        others = whole.standing(recovered(place / DATABASE) & whole.rows.keys() if shell else set())
        said = [
            f"{len(missing)} rows missing of {what}, as {str(min(missing, key=str))[:200]}"
            for what, missing in (("what was left", left - ours), ("the shell's", others - ours))
            if missing
        ]
        said += ["a loss was not told"] if complete and stored - ours else []
        wrong = "; ".join(filter(None, [*said, _asked(place, draw, turn)]))
        return wrong, len(left), len(left & ours), len(others)
    finally:
        shutil.rmtree(place)


def _salvaged(place: Path, turn: int) -> str | Saved:
    """Save what can be read, every tenth time by a command; return the rows, or what failed."""
    files = [place / f"{DATABASE}{end}" for end in ("", "-wal")]
    before = [file.read_bytes() if file.exists() else b"" for file in files]
    if turn % 10 == 0:
        done = run(place, ("doctor", "--salvage", _SALVAGED, "--json"))
        if done.code not in (ExitCode.DONE, ExitCode.FINDINGS):
            return f"salvage: exit code {done.code}: {done.err.strip()}"
        complete = done.code == ExitCode.DONE
        if json.loads(done.out)["complete"] != complete:
            return "salvage: exit code and report differ"
    else:
        try:
            complete = salvage(place / DATABASE, place / _SALVAGED).complete
        except Exception as error:  # noqa: BLE001  # whatever it is, it is told
            return f"salvage: {type(error).__name__}: {error}"
    if [file.read_bytes() if file.exists() else b"" for file in files] != before:
        return "salvage: the damaged file was changed"
    with contextlib.closing(sqlite3.connect(place / _SALVAGED)) as new:
        for check in ("integrity_check", "foreign_key_check"):
            found = [row for row in new.execute(f"PRAGMA {check}") if row != ("ok",)]
            if found:
                return f"salvage: {check}: {found[:3]}"
    return Saved(rows_of(place / _SALVAGED), complete)


def _asked(place: Path, draw: Draw, turn: int) -> str:
    """Ask something of the damaged file; return what was wrong with the answer, or nothing."""
    chance = random.Random(draw.seed)
    if turn % 10 == 0:
        arguments = chance.choice(_COMMANDS)
        return wrong_answer(arguments, run(place, arguments))
    name = chance.choice([*_ASKED])
    try:
        with open_library(place / DATABASE) as library:
            _ASKED[name](library)
    except InternalError as error:
        return f"{name}: {error.message}"
    except KbError as error:
        if error.exit_code == ExitCode.BAD_DATA and "--salvage" not in error.hint:
            return f"{name}: no advice: {error.message} {error.hint}"
    except Exception as error:  # noqa: BLE001  # whatever it is, it is told
        return f"{name}: {type(error).__name__}: {error}"
    return ""


def wrong_answer(arguments: Sequence[str], done: Done) -> str:
    """Return what is wrong with what a command said of a damaged file, or nothing."""
    said = f"{done.out}{done.err}" if arguments == ("doctor",) else done.err
    if done.code not in (ExitCode.DONE, ExitCode.FINDINGS, ExitCode.NOT_FOUND, ExitCode.BAD_DATA):
        return f"{' '.join(arguments)}: exit code {done.code}: {done.err.strip()}"
    if "Traceback" in done.err:
        return f"{' '.join(arguments)}: a traceback"
    if done.code == ExitCode.BAD_DATA and "--salvage" not in said:
        return f"{' '.join(arguments)}: no advice: {done.err.strip()}"
    return ""


def _run(amount: int, seed: int) -> Tally:
    return tried(amount, seed, _salvaged)


def _scanned(place: Path, turn: int) -> Saved:
    return Saved(rows_of(place / DATABASE), complete=False)


def _control(amount: int, seed: int) -> Tally:
    """Save only what SQLite gives before it meets the damage."""
    return tried(amount, seed, _scanned)


TRIAL = Trial(
    "damage",
    "Whichever six pages of a database are random, every row that lay on others is saved as it "
    "was, the new file is sound, and whatever is asked of the damaged one is answered.",
    short=40,
    long=100,
    run=_run,
    control=_control,
    controls=4,
)
