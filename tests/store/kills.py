"""Work on a base that is killed at some statement of SQLite's, and what is there afterwards.

Run as ``python -m tests.store.kills --kills 1000 [--seed N]``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kb import Library, open_library
from kb.records import TextSpan
from kb.records.draft import Amendment, Draft
from tests.behind import damaged, raw

_STEP = 8
_BETWEEN = 400


class Work(NamedTuple):
    """Something that is done to a base, and what is done before it, on a copy of the prepared."""

    do: Callable[[Library, Path], object]
    before: Callable[[Library, Path], object] = lambda library, file: None


def records(count: int, text: str = "Text", first: int = 0) -> str:
    """Return a file of so many records, in two languages by turns."""
    return "\n".join(
        json.dumps({
            "id": f"r{number}", "lang": "fa" if number % 2 else "en",
            "title": f"پرسش {number}" if number % 2 else f"Question {number}",
            "text": f"{text} {number}",
        }) for number in range(first, count)
    )  # fmt: skip


def prepare(library: Library, file: Path) -> None:
    """Let a base hold imported entries, changed, noted, removed and contested ones."""
    file.write_text(records(24), encoding="utf-8")
    library.import_file(file)
    library.edit.amend("bank/r0", Amendment(level="H"))
    library.edit.amend("bank/r2", Amendment(answer="Mine."))
    library.own.annotate("bank/r4", TextSpan("question", "en", 0, 3), "Mine, too.")
    library.edit.remove(["bank/r6", "bank/r7"])
    library.edit.new(Draft({"fa": "از خودم"}, {"source": {"fa": "پاسخ"}}, collection="خودم"))
    file.write_text(
        "\n".join([*records(10, "Later").split("\n"), *records(44, first=14).split("\n")]),
        encoding="utf-8",
    )


def _taken(library: Library, file: Path) -> None:
    library.import_file(file)


def _taken_back(library: Library, file: Path) -> None:
    library.import_file(file)
    library.changes.undo()


WORKS = {
    "import": Work(_taken),
    "import after undo": Work(_taken, _taken_back),
    "undo of an import": Work(lambda library, file: library.changes.undo(), _taken),
    "redo of an import": Work(lambda library, file: library.changes.redo(), _taken_back),
    "edit": Work(lambda library, file: library.edit.amend(
        "bank/r4", Amendment(question="Quite another?", lang="en"))),
    "undo of an edit": Work(lambda library, file: library.changes.undo(), lambda library, file:
                            library.edit.amend("bank/r4", Amendment(answer="Other."))),
    "rename": Work(lambda library, file: library.collections.rename("bank", "بانک/one")),
    "move": Work(lambda library, file: library.edit.move(["bank/r0", "bank/r2"], "new/place")),
    "rm": Work(lambda library, file: library.edit.remove(["bank/r4", "bank/r5"])),
    "prune": Work(lambda library, file: library.files.prune(), _taken),
    "compact": Work(lambda library, file: library.changes.compact(days=0), _taken_back),
}  # fmt: skip


def whole(path: Path) -> dict[str, Any]:
    """Return all that a reader sees of a base that is opened."""
    with open_library(path) as library:
        listed = [hit.id for hit in library.list().hits]
        return {
            "entries": {id: library.show(id) for id in listed},
            "order": listed,
            "collections": library.collections.tree(),
            "contested": list(library.files.contested()),
            "gone": list(library.files.gone()),
            "damaged": list(damaged(library)),
            "file": raw(library).execute("PRAGMA integrity_check").fetchone()[0],
            "broken": raw(library).execute("PRAGMA foreign_key_check").fetchall(),
        }


class Bench:
    """A prepared base for each work, with what it is before that and after."""

    def __init__(self, folder: Path, spoil: Callable[[], object]) -> None:
        self.folder, self.spoil = folder, spoil
        self.file = folder / "bank.jsonl"
        open_library(folder / "prepared.db", bundled=False).close()
        with open_library(folder / "prepared.db") as library:
            prepare(library, self.file)
        self.known: dict[str, tuple[Path, dict[str, Any], dict[str, Any], int]] = {}

    def of(self, name: str) -> tuple[Path, dict[str, Any], dict[str, Any], int]:
        """Return a base before a work, what it shows before and after it, and its statements."""
        if name not in self.known:
            base, done = self.folder / f"{len(self.known)}.db", self.folder / "done.db"
            shutil.copy(self.folder / "prepared.db", base)
            with open_library(base) as library:
                WORKS[name].before(library, self.file)
            shutil.copy(base, done)
            with open_library(done) as library:
                count = counted(library)
                WORKS[name].do(library, self.file)
            self.known[name] = (base, whole(base), whole(done), next(count))
            done.unlink()
        return self.known[name]

    def killed(self, name: str, chance: random.Random) -> str:
        """Kill a work somewhere; return what is then wrong, or nothing."""
        base, before, after, statements = self.of(name)
        path = self.folder / "killed.db"
        shutil.copy(base, path)
        at = chance.randint(1, statements)
        told = f"{name}, killed at {at} of {statements}"
        if not _child(lambda: self._work(path, name, at)):
            return f"{told}: it was not killed"
        found = whole(path)
        if found not in (before, after):
            return f"{told}: {_difference(found, before)}; {_difference(found, after)}"
        if found == before or "import" == name:
            with open_library(path) as library:
                WORKS[name].do(library, self.file)
                if library._base.store.layers.staged():
                    return f"{told}: something is left over"
            if whole(path) != after:
                return f"{told}: doing it again: {_difference(whole(path), after)}"
        for left in self.folder.glob("killed.db*"):
            left.unlink()
        return ""

    def _work(self, path: Path, name: str, at: int) -> None:
        self.spoil()
        with open_library(path) as library:
            counted(library, at)
            WORKS[name].do(library, self.file)


def counted(library: Library, last: int = 0) -> Iterator[int]:
    """Count the steps of SQLite's from now on, and kill this process at the last one."""
    steps = 0

    def step(*_: object) -> int:
        nonlocal steps
        steps += 1
        if steps == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    raw(library).set_trace_callback(step)
    raw(library).set_progress_handler(step, _BETWEEN)

    def told() -> Iterator[int]:
        yield steps

    return told()


def _child(work: Callable[[], object]) -> bool:
    """Do work in a process of its own; say whether that was killed."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    return "; ".join(
        f"{name}: {found[name]!s:.300} instead of {wanted[name]!s:.300}"
        for name in found
        if found[name] != wanted[name]
    )


def kill_many(
    kills: int,
    seed: int,
    folder: Path,
    names: list[str] | None = None,
    spoil: Callable[[], object] = lambda: None,
) -> list[str]:
    """Kill works by turns; return what was wrong afterwards. ``spoil`` breaks what is killed."""
    from kb.service import settling
    from kb.service.importing import staging

    settling.STEP = staging.STEP = _STEP  # so that little work is many transactions
    bench, chance = Bench(folder, spoil), random.Random(seed)
    turns = names or list(WORKS)
    return [
        wrong for n in range(kills) if (wrong := bench.killed(turns[n % len(turns)], chance))
    ]  # fmt: skip


def main() -> int:
    """Kill as often as is asked on the command line; return 1 where anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ["HOME"] = os.environ["XDG_DATA_HOME"] = name
        wrong = kill_many(asked.kills, asked.seed, Path(name))
    print(*wrong, f"{asked.kills} kills, {len(wrong)} with something wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
