"""The process that imports mutated files, and measures: ``python -m … FOLDER SEED START COUNT``."""

from __future__ import annotations

import base64
import json
import math
import random
import resource
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb import Library, open_library
from kb.errors import InternalError, KbError
from kb.formats import form
from kb.service.diagnose import check_folder
from tests.robustness import pace
from tests.robustness.mutants import Files, mutated, packed, seeds
from tests.robustness.trial import kept

MOST_TIMES = 500.0
"""How many times as long as the reference of `pace` an import may take; seen were 220."""

_ENDLESS, _TRIES, _PEAK_MIB = 4, 3, 512
_MANY = 1_000  # entries above which a base is begun anew


class TooLong(BaseException):
    """A case takes far longer than it may."""


class Taking:
    """A base that files are imported into, one after another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._library: Library | None = None
        self._watch: sqlite3.Connection | None = None
        self.taken = self.refused = 0
        self.slowest = 0.0

    def tried(self, format: str, files: Files) -> str:
        """Import files; return what went wrong, or nothing.

        What took long is imported again into a new base, and the least counts.
        """
        least = math.inf
        for _ in range(_TRIES):
            wrong, accepted, seconds = self._timed(format, files)
            least = min(least, pace.ratio(seconds, MOST_TIMES))
            if wrong or least <= MOST_TIMES:
                break
            self._close()
        else:
            wrong = f"takes {least:.0f} times the reference"
        self.taken += accepted
        self.refused += not accepted
        self.slowest = max(self.slowest, seconds)
        if not wrong and peak() > _PEAK_MIB:
            wrong = f"{peak()} MiB"
        return wrong

    def _timed(self, format: str, files: Files) -> tuple[str, bool, float]:
        """Import files; return what went wrong, whether they were taken, and the seconds of CPU."""
        library = self._fresh()
        first = self._written(packed(files) if format == "deck" else files)
        before, began = self._commits(), time.process_time()
        wrong, accepted = "", False
        signal.setitimer(signal.ITIMER_PROF, _ENDLESS * MOST_TIMES * pace.fastest())
        try:
            _import(library, format, first)
            accepted = True
        except InternalError as error:
            wrong = f"a bug of ours: {error.__cause__!r:.200}"
        except KbError as error:
            wrong = "" if error.message and "\n" not in error.message[:1] else "says nothing"
        except TooLong:
            wrong = "does not end"
        except Exception as error:  # noqa: BLE001 - any error that is not of ours is a finding
            wrong = f"{type(error).__name__}: {error!s:.200}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - began
        if not wrong and not accepted and self._commits() != before:
            wrong = "a refused import changed the database"
        return wrong, accepted, seconds

    def _fresh(self) -> Library:
        if self._library and self._watch and self._library.find.list(limit=1).total > _MANY:
            self._close()
        if self._library is None:
            for file in self._folder.glob("kb.db*"):
                file.unlink()
            self._library = open_library(self._folder / "kb.db", bundled=False)
            self._watch = sqlite3.connect(f"file:{self._folder}/kb.db?mode=ro", uri=True)
        return self._library

    def _close(self) -> None:
        if self._library and self._watch:
            self._watch.close()
            self._library.close()
        self._library = self._watch = None

    def _written(self, files: Files) -> Path:
        for name, data in files.items():
            place = self._folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        first = next(iter(files))
        return self._folder / first.partition("/")[0]

    def _commits(self) -> int:
        """Return what changes with every commit of another connection."""
        assert self._watch is not None
        found: int = self._watch.execute("pragma data_version").fetchone()[0]
        return found


def _import(library: Library, format: str, first: Path) -> None:
    if format == "glossary":
        if first.stat().st_size % 2:
            library.glossary.add(first)
        else:
            library.glossary.learn([first])
    elif format == "form":
        text = first.read_bytes().decode("utf-8", "replace")
        library.edit.new(form.read(text, "form"))
    else:
        if format == "course":
            check_folder(first)
        studied = format in ("apkg", "deck", "vault")
        library.import_file(first, skip_bad=len(first.name) % 2 == 0, reviews=studied)


def peak() -> int:
    """Return the most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _cases(job: list[str]) -> Iterator[tuple[object, str, Files]]:
    if job == ["--kept"]:
        for case in kept("files"):
            files = {name: base64.b64decode(data) for name, data in case["files"].items()}
            yield "a kept case", case["format"], files
        return
    known = seeds()
    others = [data for some in known.values() for files in some for data in files.values()]
    formats = [(format, some) for format, some in known.items() if some]
    seed, start, count = map(int, job)
    for number in range(start, start + count):
        chance = random.Random(f"{seed}/{number}")
        format, some = formats[number % len(formats)]
        files = some[number // len(formats) % len(some)]
        yield number, format, mutated(files, others, chance)


def main() -> None:
    """Try the cases of a job, and tell each that went wrong, and at last the figures."""
    folder, *job = sys.argv[1:]
    place = Path(folder) / "-".join(job)
    place.mkdir()
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    signal.signal(signal.SIGPROF, _stop)
    taking = Taking(place)
    for number, format, files in _cases(job):
        _tell({"at": f"{number} ({format})"})
        wrong = taking.tried(format, files)
        if wrong:
            from tests.robustness.files import case_of

            _tell({"said": f"{format} {number}: {wrong}", "case": case_of(files, format)})
            if "MiB" in wrong or "not end" in wrong:
                break  # what was measured so far says nothing of the next
    figures = {"taken": taking.taken, "refused": taking.refused}
    _tell({"figures": {**figures, "slowest": taking.slowest, "peak": peak()}})


def _stop(number: int, frame: object) -> None:
    raise TooLong


def _tell(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
