"""How long a reader waits for a change to be saved: ``python -m tests.bench.editing``.

Every deed is a whole transaction with its index and its row of the journal, in a base of so many
entries. Beside it a change of a row by sqlite-utils, with a full-text index that triggers keep,
in a file of the same texts. Prints milliseconds of work of the thread; fails above the limit.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from kb import Library, open_library
from kb.model.draft import Amendment, Draft

LIMIT_MS = 50.0
WORDS = [f"word{n}" for n in range(5000)]


def texts(entries: int) -> list[tuple[str, str, str]]:
    """Return ids, questions and answers of words at random, some more frequent than others."""
    some = random.Random(7)
    weights = [1 / (n + 1) for n in range(len(WORDS))]

    def words(count: int) -> str:
        return " ".join(some.choices(WORDS, weights, k=count))

    return [(f"e{n}", words(8), words(40)) for n in range(entries)]


def clock(deed: Callable[[str], object], names: Sequence[str]) -> tuple[float, float]:
    """Return the median and the most of the milliseconds that a deed takes."""
    spent = []
    for name in names:
        began = time.thread_time()
        deed(name)
        spent.append(1000 * (time.thread_time() - began))
    return statistics.median(spent), max(spent)


def deeds(library: Library) -> dict[str, Callable[[str], object]]:
    """Return what a reader does to an entry, by its name."""
    return {
        "edit": lambda name: library.edit.amend(name, Amendment(answer=f"Another word of {name}.")),
        "tag": lambda name: library.edit.tag([name], ["exam"]),
        "move": lambda name: library.edit.move([name], "else/where"),
        "new": lambda name: library.edit.new(Draft({"en": f"What is {name}?"})),
        "undo": lambda name: library.changes.undo(),
        "redo": lambda name: library.changes.redo(),
        "remove": lambda name: library.edit.remove([name]),
    }


def rival(folder: Path, rows: Sequence[tuple[str, str, str]]) -> Callable[[str], object]:
    """Return what changes a row in sqlite-utils' own way."""
    from sqlite_utils import Database

    table = Database(folder / "rival.db").table("entry", pk="id")
    table.insert_all({"id": id, "question": q, "answer": a} for id, q, a in rows)
    table.enable_fts(["question", "answer"], create_triggers=True)

    def change(id: str) -> None:
        with table.db.conn:
            table.update(id.removeprefix("words/"), {"answer": f"Another word of {id}."})

    return change


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 where a deed took longer than the limit."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--entries", type=int, default=100_000)
    asked.add_argument("--times", type=int, default=40)
    options = asked.parse_args(arguments)
    rows = texts(options.entries)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.jsonl"
        lines = (json.dumps({"id": id, "title": q, "text": a, "lang": "en"}) for id, q, a in rows)
        file.write_text("\n".join(lines))
        chosen = random.Random(3).sample([f"words/{id}" for id, *_ in rows], options.times)
        with open_library(Path(folder) / "kb.db", bundled=False) as library:
            library.import_file(file)
            found = {name: clock(deed, chosen) for name, deed in deeds(library).items()}
        theirs = clock(rival(Path(folder), rows), chosen)
    print(f"{options.entries} entries, {options.times} times each\n")
    print("| | median ms | most ms | beside sqlite-utils |\n|---|---|---|---|")
    for name, (median, most) in found.items():
        print(f"| {name} | {median:.1f} | {most:.1f} | {median / theirs[0]:.1f} |")
    print(f"| sqlite-utils, a row changed | {theirs[0]:.1f} | {theirs[1]:.1f} | 1 |")
    return int(any(median > LIMIT_MS for median, _ in found.values()))


if __name__ == "__main__":
    sys.exit(main())
