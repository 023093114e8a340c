"""A course of many: ``python -m tests.bench.course``.

Readers and writers each have a copy of a course on a PostgreSQL server on this machine. Each syncs
once a minute, at a moment of its own, and is connected only then. In a minute the writers change
some 50 entries, so a sync brings some 50 changes. Prints the seconds of a sync, from its call to
its end, p50, p95 and the longest, and how late it began: the copies run on the same processors as
the server.

At the end all sync once more. Each writer numbers the changes of a line of its own in each entry,
so every copy must show the last number of each line. Fails when one does not, or when a p95 is
above a second.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from kb import open_library
from kb.library import Library
from kb.model.draft import Amendment, Draft
from tests.bench.surroundings import parser, surroundings
from tests.sync.conftest import Server

_MOST = 1.0
_CHANGES = 50
_MANY = 40
"""Changes in a sync that counts as one with 50: writers do not meet the minute exactly."""

_Lines = Counter[tuple[str, int]]
"""The last number in the line of a writer in an entry."""


class _Durable(Server):
    settings = "-c max_connections=60"


class Sync(NamedTuple):
    """A sync: what it brought, how long it took, and how late it began, both in seconds."""

    received: int
    took: float
    late: float


def main() -> int:
    """Run the course, print the table, and fail above the promise."""
    options = parser(__doc__)
    for name, amount in (("readers", 200), ("writers", 20), ("minutes", 30), ("entries", 1000)):
        options.add_argument(f"--{name}", type=int, default=amount, metavar="N")
    options.add_argument("--processes", type=int, default=3, metavar="N")
    asked = options.parse_args()
    print(surroundings())
    with tempfile.TemporaryDirectory(prefix="kb-pg-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        os.makedirs(folder / "copies")
        (folder / "server").mkdir()
        server = _Durable(folder / "server")
        try:
            names = [f"reader{n}" for n in range(asked.readers)]
            names += [f"writer{n}" for n in range(asked.writers)]
            _prepare(server, folder / "copies", names, asked.entries)
            begin, share = time.time() + 5, asked.processes
            with ProcessPoolExecutor(share) as pool:
                runs = [
                    pool.submit(_run, folder, names[n::share], asked.writers, begin, asked.minutes)
                    for n in range(share)
                ]
                done = [run.result() for run in runs]
            wrong = _compare(folder, names, sum((last for _, last in done), Counter()))
        finally:
            server.stop("immediate")
    return _report([each for syncs, _ in done for each in syncs], wrong)


def _url(folder: Path, name: str) -> str:
    return f"postgresql://{name}@/hub?host={folder / 'server'}"


def _prepare(server: Server, copies: Path, names: list[str], entries: int) -> None:
    server.sql("CREATE ROLE teacher LOGIN CREATEROLE")
    server.sql("CREATE DATABASE hub OWNER teacher")
    folder, first = copies.parent, copies / "teacher.db"
    with open_library(first, bundled=False) as teacher:
        teacher.sync.hub_init(_url(folder, "teacher"))
        roles = {"teacher": "owner", "reader": "reader", "writer": "contributor"}
        for name in ("teacher", *names):
            role = roles[name.rstrip("0123456789")]
            teacher.sync.hub_add(name, role, "c", address=_url(folder, "teacher"))
        body = "\n\n".join(f"Line {n}: 0" for n in range(20))
        for n in range(entries):
            draft = Draft({"en": f"Question {n}"}, {"source": {"en": body}}, "question", "c")
            teacher.edit.new(draft)
        teacher.sync.sync_hub(_url(folder, "teacher"), "c")
    reader = copies / f"{names[0]}.db"
    with open_library(reader, bundled=False) as library:
        library.sync.sync_hub(_url(folder, names[0]), "c")
    for name in names[1:]:
        shutil.copy(reader, copies / f"{name}.db")


def _run(
    folder: Path, names: list[str], writers: int, begin: float, minutes: int
) -> tuple[list[Sync], _Lines]:
    """Let some copies sync once a minute."""
    last: _Lines = Counter()
    syncs = []
    for at, name in _moments(names, begin, minutes):
        time.sleep(max(0.0, at - time.time()))
        late = time.time() - at
        with open_library(folder / "copies" / f"{name}.db", bundled=False) as library:
            if name.startswith("writer"):
                _write(library, int(name.removeprefix("writer")), writers, last)
            started = time.perf_counter()
            done = library.sync.sync_hub(_url(folder, name), "c")
            syncs.append(Sync(done.received, time.perf_counter() - started, late))
    return syncs, last


def _moments(names: list[str], begin: float, minutes: int) -> Iterator[tuple[float, str]]:
    rng = random.Random(names[0])
    moments = {name: rng.random() * 60 for name in names}
    for minute in range(minutes):
        for name in sorted(names, key=moments.__getitem__):
            yield begin + 60 * minute + moments[name], name


def _write(library: Library, writer: int, writers: int, last: _Lines) -> None:
    entries = [hit.id for hit in library.list().hits]
    for id in random.sample(entries, -(-_CHANGES // writers)):
        last[id, writer] += 1
        (answer,) = library.show(id).answers
        lines = answer.text.split("\n\n")
        lines[writer % 20] = f"Line {writer}: {last[id, writer]}"
        library.edit.amend(id, Amendment(answer="\n\n".join(lines), lang="en"))


def _compare(folder: Path, names: list[str], last: _Lines) -> int:
    """Return how many lines of all copies are not the last ones."""
    wrong = 0
    for name in (*names, *names):  # what the first ones brought reaches all in the second round
        with open_library(folder / "copies" / f"{name}.db", bundled=False) as library:
            library.sync.sync_hub(_url(folder, name), "c")
    for name in names:
        with open_library(folder / "copies" / f"{name}.db", bundled=False) as library:
            for id in {id for id, _ in last}:
                text = library.show(id).answers[0].text.split("\n\n")
                wrong += sum(
                    text[writer % 20].strip() != f"Line {writer}: {number}"
                    for (entry, writer), number in last.items()
                    if entry == id
                )
    return wrong


def _report(syncs: list[Sync], wrong: int) -> int:
    many = [each for each in syncs if each.received >= _MANY]
    print(f"{len(syncs)} syncs, {len(many)} of them with {_MANY} changes or more")
    worst = 0.0
    for title, some in (("all", syncs), (f"{_MANY} or more", many)):
        took = sorted(each.took for each in some)
        late = sorted(each.late for each in some)
        p50, p95 = (took[int(len(took) * part)] for part in (0.5, 0.95))
        print(f"{title}: p50 {p50:.3f} s, p95 {p95:.3f} s, longest {took[-1]:.3f} s, "
              f"late p95 {late[int(len(late) * 0.95)]:.1f} s")  # fmt: skip
        worst = max(worst, p95)
    print(f"{wrong} lines wrong")
    return int(worst > _MOST or wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
