"""The works that the trials of reliability disturb, and the bases that they begin from."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from kb import Library, open_library
from kb.errors import ExitCode, KbError
from kb.model.draft import Amendment, Draft
from kb.model.entry import TextSpan
from tests.behind import make_first
from tests.robustness.commands import DATABASE, Done, run
from tests.robustness.looking import State, difference, files_of, seen
from tests.robustness.tracing import EVERY, Call, concerns, traced

OLD = b"what lay there before\n"


class Work(NamedTuple):
    """A command on a base. ``{in}`` in its arguments is the folder of what is imported.

    ``before`` are commands that make the base what it is to begin from, and ``target`` is the
    file beside the base that the command writes, over another unless it is ``fresh``.
    """

    base: str
    arguments: Sequence[str]
    before: Sequence[Sequence[str]] = ()
    target: str = ""
    fresh: bool = False


_BANK, _MANY = ("import", "{in}/bank.jsonl"), ("import", "{in}/many.jsonl")
_NEW = ("new", "--question", "What is new? چه تازه است؟", "--answer", "This is.", "-c", "mine")
_EDIT = (
    "edit",
    "bank/r4",
    "--question",
    "Quite another?",
    "--answer",
    "پاسخی دیگر",
    "--level",
    "H",
)
_OUT = {name: f"out/all.{name}" for name in ("json", "jsonl", "csv", "md", "jsonld", "sqlite")}

WORKS: dict[str, Work] = {
    "import": Work("bank", _BANK),
    "import of many": Work("bank", _MANY),
    "import of Markdown": Work("bank", ("import", "{in}/list.md")),
    "import of our own": Work("bank", ("import", "{in}/own.json")),
    "import after undo": Work("bank", _BANK, (_BANK, ("undo",))),
    "undo of an import": Work("bank", ("undo",), (_BANK,)),
    "redo of an import": Work("bank", ("redo",), (_BANK, ("undo",))),
    "edit": Work("bank", _EDIT),
    "undo of an edit": Work("bank", ("undo",), (_EDIT,)),
    "new": Work("bank", _NEW),
    "tag": Work("bank", ("tag", "bank/r0", "bank/r2", "+امتحان", "+exam")),
    "mv": Work("bank", ("mv", "bank/r0", "bank/r2", "new/place")),
    "rename": Work("bank", ("collection", "rename", "bank", "بانک/one")),
    "rm": Work("bank", ("rm", "bank/r4", "bank/r5")),
    "rebuild": Work("bank", ("rebuild",)),
    "prune": Work("bank", ("prune", "--json"), (_BANK,)),
    "compact": Work("bank", ("compact", "--days", "0"), (_BANK, ("undo",))),
    "first start": Work("none", ("init",)),
    "empty start": Work("none", ("init", "--empty")),
    "migration": Work("older", ("list", "--limit", "1")),
    **{
        f"export of {name}": Work("bank", ("export", "-f", name, "-o", file), target=file)
        for name, file in _OUT.items()
    },
    "export to a new name": Work(
        "bank", ("export", "-f", "json", "-o", "out/new.json"), target="out/new.json", fresh=True
    ),
    "backup": Work("bank", ("backup", "out/copy.db"), target="out/copy.db", fresh=True),
    "backup in place of another": Work(
        "bank", ("backup", "--replace", "out/copy.db"), target="out/copy.db"
    ),
    "restore": Work("bank", ("restore", "safe.db"), (("backup", "safe.db"), _EDIT)),
    "export of a part": Work(
        "bank", ("export", "-f", "sqlite", "--lang", "fa", "-o", "out/part.sqlite"),
        target="out/part.sqlite",
    ),
}  # fmt: skip


class Stage(NamedTuple):
    """A work ready to be done: a folder to copy, and what is there before it and after it.

    ``state`` is nothing where there is no base yet; ``after``, ``made``, ``written``, ``code`` and
    ``seconds`` are what the work comes to when nothing disturbs it, and ``calls`` what it then asks
    of the system about its files. Where the target is a copy of the base, ``copied`` is what that
    holds: its bytes may differ from one time to the next.
    """

    name: str
    place: Path
    arguments: tuple[str, ...]
    state: State | None
    after: State
    files: frozenset[str]
    made: frozenset[str]
    target: str
    written: bytes
    code: int
    calls: tuple[Call, ...]
    seconds: float
    copied: State | None = None

    def wrong_target(self, place: Path, *, told: bool) -> str:
        """Return what is wrong with the target: it is old or new, and new if that was ``told``."""
        if not self.target:
            return ""
        file = place / self.target
        data = file.read_bytes() if file.exists() else None
        if data == (OLD if self.target in self.files else None):
            return f"{self.target} was told as written and is not there" if told else ""
        if data is None:
            return f"{self.target} is gone"
        if self.copied is None:
            return "" if data == self.written else f"{self.target} is half of a file: {len(data)} B"
        return _wrong_copy(file, self.copied)

    def copy(self, to: Path) -> Path:
        """Put a copy of it where a trial may do with it what it likes."""
        shutil.rmtree(to, ignore_errors=True)
        return Path(shutil.copytree(self.place, to))


def _wrong_copy(file: Path, wanted: State) -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = seen(Path(shutil.copy(file, folder)))
        except KbError as error:
            return error.message
    return "" if found == wanted else f"{file.name}: {difference(found, wanted)}"


class Stock:
    """Stages by the names of their works, each made once; ``spoil`` is a control's."""

    def __init__(self, root: Path, names: Iterable[str], spoil: str = "") -> None:
        self.root, self._spoil = root, spoil
        self._inputs, self._bases = root / "in", root / "bases"
        _put_inputs(self._inputs)
        wanted = list(dict.fromkeys(names))
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self._make_base, sorted({WORKS[name].base for name in wanted})))
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            self._stages = dict(zip(wanted, pool.map(self._made, wanted), strict=True))

    def of(self, name: str) -> Stage:
        """Return the stage of a work."""
        return self._stages[name]

    def light(self, name: str) -> Stage:
        """Return the stage of a work without its calls, to be handed to another process."""
        return self._stages[name]._replace(calls=())

    def _made(self, name: str) -> Stage:
        work, place = WORKS[name], self.root / "stages" / name.replace(" ", "-")
        shutil.copytree(self._bases / work.base, place)
        for given in work.before:
            _checked(run(place, self._given(given)))
        for folder in ("home", "tmp", "out"):
            (place / folder).mkdir(exist_ok=True)
        if work.target and not work.fresh:
            (place / work.target).write_bytes(OLD)
        state = _seen_in(place) if (place / DATABASE).exists() else None
        tried = Path(shutil.copytree(place, place.with_suffix(".tried")))
        arguments, began = self._given(work.arguments), time.monotonic()
        done, calls = traced(tried, arguments, EVERY, spoil=self._spoil)
        seconds, made = time.monotonic() - began, files_of(tried)
        written = (tried / work.target).read_bytes() if work.target else b""
        stage = Stage(
            name, place, arguments, state, _seen_in(tried), frozenset(files_of(place)),
            frozenset(made), work.target, written,
            _checked(done), tuple(c for c in calls if concerns(c, self.root, tried)), seconds,
            seen(tried / work.target) if work.target.endswith((".db", ".sqlite")) else None,
        )  # fmt: skip
        shutil.rmtree(tried)
        return stage

    def _given(self, arguments: Sequence[str]) -> tuple[str, ...]:
        return tuple(each.replace("{in}", str(self._inputs)) for each in arguments)

    def _make_base(self, name: str) -> None:
        (self._bases / name).mkdir(parents=True)
        _BASES[name](self._bases / name / DATABASE, self._inputs)


def _checked(done: Done) -> int:
    if done.code not in (0, ExitCode.CONFLICT):  # an import that leaves both sides
        raise RuntimeError(f"exit code {done.code}: {done.err}")
    return done.code


def _seen_in(place: Path) -> State:
    """Look at a copy, so that looking changes nothing."""
    copy = Path(shutil.copytree(place, place.with_suffix(".looked")))
    try:
        return seen(copy / DATABASE)
    finally:
        shutil.rmtree(copy)


def records(numbers: Sequence[int], text: str = "Text") -> str:
    """Return a file of so many records, in two languages by turns."""
    return "\n".join(
        json.dumps({
            "id": f"r{number}", "lang": "fa" if number % 2 else "en",
            "title": f"پرسش {number}" if number % 2 else f"Question {number}",
            "text": f"{text} {number}",
        }) for number in numbers
    )  # fmt: skip


def _put_inputs(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "many.jsonl").write_text(records(range(2000)), encoding="utf-8")
    questions = (f"{n}. [M] What is {n}?\n\n   پاسخ {n}\n" for n in range(1, 40))
    (folder / "list.md").write_text("# فهرست\n\n" + "\n".join(questions), encoding="utf-8")
    with open_library(folder / "own.db", bundled=False) as library:
        for number in range(120):
            library.edit.new(
                Draft({"fa": f"از خودم {number}"}, {"source": {"fa": "پاسخ"}}, collection="own")
            )
        library.export("json", folder / "own.json")
    (folder / "own.db").unlink()


def _bank(path: Path, inputs: Path) -> None:
    """Let a base hold imported entries, changed, noted, removed and contested ones."""
    inputs.mkdir(exist_ok=True)
    file = inputs / "bank.jsonl"
    file.write_text(records(range(24)), encoding="utf-8")
    open_library(path, bundled=False).close()
    with open_library(path) as library:
        library.import_file(file)
        _change(library)
    later = [records(range(10), "Later"), records(range(14, 44))]
    file.write_text("\n".join(later), encoding="utf-8")


def _change(library: Library) -> None:
    library.edit.amend("bank/r0", Amendment(level="H"))
    library.edit.amend("bank/r2", Amendment(answer="Mine."))
    library.own.annotate("bank/r4", TextSpan("question", "en", 0, 3), "Mine, too.")
    library.edit.remove(["bank/r6", "bank/r7"])
    library.edit.new(Draft({"fa": "از خودم"}, {"source": {"fa": "پاسخ"}}, collection="خودم"))


def _older(path: Path, inputs: Path) -> None:
    _bank(path, inputs / "older")
    make_first(path)


def _none(path: Path, inputs: Path) -> None:
    """Leave the place empty."""


_BASES: dict[str, Callable[[Path, Path], None]] = {
    "none": _none,
    "bank": _bank,
    "older": _older,
}
