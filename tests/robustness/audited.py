"""The process that is watched, in a folder of files: ``python -m … WHAT AMOUNT SEED MARK``."""

from __future__ import annotations

import io
import json
import random
import sys
import sysconfig
from collections import Counter
from pathlib import Path
from types import CodeType
from typing import Any

_HOUSE = Path(__file__).parents[2]
_OURS = tuple(
    str(each)
    for each in (
        _HOUSE / "kb", _HOUSE / "tests", sysconfig.get_path("stdlib"),
        sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), sys.base_prefix, sys.prefix,
    )
)  # fmt: skip
_NEVER = (
    "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.startfile",
    "pty.", "socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.", "ctypes.dlopen",
    "code.__new__", "pickle.", "marshal.loads", "shutil.unpack_archive", "cpython.run_",
)  # fmt: skip
_FIRST = 40


class Watch:
    """Hears every event that Python tells, and keeps those that must not be."""

    def __init__(self, mark: str, folder: str) -> None:
        self._mark = mark
        self._folder = folder
        self.heard: Counter[str] = Counter()
        self.wrong: list[str] = []

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        """Hear an event."""
        self.heard[event] += 1
        if len(self.wrong) >= _FIRST:
            return
        if event.startswith(_NEVER) and not self._of_ours(event, given):
            self.wrong.append(f"{event} {given!r:.120}")
        elif event == "exec" and self._foreign(given[0]):
            self.wrong.append(f"exec {given[0]!r:.120}")
        elif event == "compile" and self._compiled(*given):
            self.wrong.append(f"compile {given[1]!r:.120}")
        elif event == "import" and str(given[1] or "").startswith(self._folder):
            self.wrong.append(f"import {given[0]} {given[1]}")

    def _of_ours(self, event: str, given: tuple[Any, ...]) -> bool:
        """Say whether a library of Python's own is loaded, or its own cached code is read."""
        if event in ("marshal.loads", "code.__new__"):
            return True
        return event == "ctypes.dlopen" and (not given[0] or str(given[0]).startswith(_OURS))

    def _foreign(self, code: object) -> bool:
        if not isinstance(code, CodeType):
            return True
        known = code.co_filename.startswith((*_OURS, "<frozen", "<string>", "<attrs", "<lambda"))
        return not known or self._mark in repr(code.co_consts)

    def _compiled(self, source: object, file: object) -> bool:
        """Say whether foreign text is made to code; to read it as a tree (``ast``) runs nothing."""
        text = source.decode("utf-8", "replace") if isinstance(source, bytes) else str(source)
        return self._mark in text and str(file) != "<unknown>"


def main() -> None:
    """Do what is to be watched, and tell what was heard."""
    what, amount, seed, mark = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    folder = Path.cwd()
    sys.path.append(str(folder))  # what is looked for and not installed would be found there
    watch = Watch(mark, str(folder))
    sys.addaudithook(watch)
    done = _with_data(folder, amount, seed) if what == "data" else _with_program(folder)
    for each in watch.wrong:
        print(json.dumps({"event": each}))
    print(json.dumps({"figures": {"deeds": str(done), "events": f"{sum(watch.heard.values()):,}"}}))


def _with_data(folder: Path, amount: int, seed: int) -> int:
    """Import every file there is and mutated ones, and read, search and export what came of it."""
    from kb import open_library
    from kb.errors import KbError
    from kb.model.results import Filters
    from kb.service.diagnose import check_folder
    from tests.robustness.mutants import mutated, seeds

    known = seeds()
    others = [data for some in known.values() for files in some for data in files.values()]
    places = sorted(each for each in folder.iterdir() if each.is_dir() and each.name.isdigit())
    tried = [
        place / name
        for place in places
        for name in ("x.md", "x.json", "x.jsonl", "x.csv", "course")
    ]
    done = 0
    with open_library(folder / ".base.db", bundled=False) as library:

        def attempt(deed: Any, *given: Any, **named: Any) -> None:
            nonlocal done
            done += 1
            try:
                deed(*given, **named)
            except KbError:
                return

        for number in range(amount):
            chance = random.Random(f"{seed}/{number}")
            some = chance.choice([files for each in known.values() for files in each])
            made = folder / f"{len(places) + number}"
            for name, data in mutated(some, others, chance).items():
                (made / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).write_bytes(data)
            tried += [made / next(iter(some)).partition("/")[0]]
        for place in filter(Path.exists, tried):
            attempt(library.import_file, place, skip_bad=True)
            attempt(check_folder, place.parent)
            attempt(check_folder, place)
            attempt(library.glossary.add, place)
            attempt(library.glossary.learn, [place])
        for query in ("gradient", "چرا", "code:import", "why OR what"):
            attempt(library.search, query)
            attempt(lambda query=query: list(library.search_typed(query)))
        for hit in library.list(limit=100, filters=Filters()).hits:
            attempt(library.show, hit.id)
        for name in ("json", "jsonl", "csv", "md", "jsonld", "sqlite"):
            attempt(
                library.export, name, folder / f".out.{name}" if name == "sqlite" else io.BytesIO()
            )
        attempt(library.info)
    return done


def _with_program(folder: Path) -> int:
    from kb import open_library

    (folder / "b.jsonl").write_text('{"id": "a", "title": "q?", "text": "t"}\n')
    with open_library(folder / ".base.db", bundled=False) as library:
        library.run_code("print('x: 1')")
    return 1


if __name__ == "__main__":
    main()
