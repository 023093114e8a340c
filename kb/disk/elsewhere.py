"""Drafts in folders that no later start would look at: remembered beside the database.

While something is made elsewhere a file ``NAME.in-PID-THREAD`` beside the database names the
folder. Where that process is killed, the next start finds it, and sweeps there.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from kb.disk.leftovers import left_behind, sweep

SCRATCH = ".danesh-"
"""How the names of the folders begin in which exports are made, beside what they become."""


@contextmanager
def making_in(folder: Path, database: str | None) -> Iterator[None]:
    """Remember beside a database that something is being made in a folder.

    Where that cannot be written down the work goes on: what is left there is then swept by the
    next that makes something in the same folder.
    """
    if database is None:
        yield
        return
    note = Path(f"{database}.in-{os.getpid()}-{threading.get_ident()}")
    with suppress(OSError):
        note.write_bytes(os.fsencode(folder.absolute()))
    try:
        yield
    finally:
        with suppress(OSError):
            note.unlink()


def sweep_elsewhere(database: str, patterns: Sequence[re.Pattern[str]]) -> list[Path]:
    """Remove what killed processes were making in the folders that they named; return it."""
    place = Path(database).absolute()
    removed = []
    for note in left_behind(place.parent, _notes_of(place.name)):
        with suppress(OSError):
            folder = os.fsdecode(note.read_bytes())
            removed += [made for pattern in patterns for made in sweep(folder, pattern)]
            note.unlink()
    return removed


def _notes_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(name)}\.in-(?P<pid>\d+)-\d+")
