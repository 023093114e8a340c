"""Every call to the system that concerns a file of the reader's fails once, with the disk full or
failing."""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from kb.errors import ExitCode, KbError
from tests.robustness.commands import DATABASE, Done, run
from tests.robustness.looking import difference, seen
from tests.robustness.tracing import OPENING, Call, paths_in, traced
from tests.robustness.trial import Finding, Tally, Trial, kept
from tests.robustness.works import Stage, Stock

WORKS = (
    "import", "import of Markdown", "import of our own", "edit", "new", "undo of an import",
    "empty start", "migration", "backup", "backup in place of another", "restore", "rebuild",
    "export of json", "export of md", "export of sqlite", "export to a new name",
)  # fmt: skip
_ALL = 1_000_000
_ROOM = frozenset(("write", "pwrite64", "writev", "pwritev", "ftruncate", "fallocate", "mkdir",
                   "mkdirat", "link", "linkat", "rename", "renameat", "renameat2", "fsync",
                   "fdatasync", "copy_file_range", "sendfile"))  # fmt: skip
"""The calls that need room on the disk; those that open a file need it where they make it."""


class Fault(NamedTuple):
    """A fault: of which work, in which call, with which error; ``path`` is what that is about."""

    work: str
    call: str
    number: int
    error: str
    path: str


def tried(faults: int, seed: int, works: Sequence[str] = WORKS, spoil: str = "") -> Tally:
    """Let calls of works fail, all or so many of them, and look at what came of it."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        again = [] if spoil else [Fault(*case) for case in kept("io_faults")]
        stock = Stock(root, [*works, *(fault.work for fault in again)], spoil)
        known = [fault for work in works for fault in _faults(stock.of(work))]
        chosen = _sample(known, faults, chance)
        every = [*again, *chosen]
        each = partial(_failed, root=root, spoil=spoil)
        stages = [stock.light(fault.work) for fault in every]
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(each, every, stages, range(len(every))))
    met = Counter(met for met, _ in outcomes)
    findings = [
        Finding(f"{_told(fault)}: {said}", list(fault))
        for fault, (_, said) in zip(every, outcomes, strict=True)
        if said
    ]
    figures = {"points there are": f"{len(known):,}", **{k: f"{n:,}" for k, n in met.items()}}
    return Tally(len(every), tuple(findings), figures)


def _sample(known: Sequence[Fault], faults: int, chance: random.Random) -> list[Fault]:
    """Return so many faults, of each kind one before a second: most are in the pages of a file."""
    kinds: dict[Fault, list[Fault]] = {}
    for fault in chance.sample(known, len(known)):
        kinds.setdefault(fault._replace(number=0), []).append(fault)
    turns = zip_longest(*chance.sample([*kinds.values()], len(kinds)))
    return [fault for turn in turns for fault in turn if fault is not None][:faults]


def _told(fault: Fault) -> str:
    return f"{fault.work}, {fault.error} at {fault.call} {fault.number} of {fault.path}"


def _faults(stage: Stage) -> Iterator[Fault]:
    """Yield the faults there are of a work, each call with each error it may have."""
    for call in stage.calls:
        if call.value < 0:
            continue  # it failed by itself
        place = stage.place.with_suffix(".tried")
        name = _plain_name(paths_in(call, str(place))[-1], place)
        yield Fault(stage.name, call.name, call.number, "EIO", name)
        if call.name in _ROOM or (call.name in OPENING and "O_CREAT" in call.arguments):
            yield Fault(stage.name, call.name, call.number, "ENOSPC", name)


def _plain_name(path: str, place: Path) -> str:
    """Return the name of a file without what differs from one run to the next."""
    if path == str(place):
        return "."
    name = re.sub(r"\d{8}-\d{6}", "DATE", Path(path).name.removesuffix("(deleted)"))
    return re.sub(r"(?<=-)\w{8}$|\d{3,}", "N", name)


def _failed(fault: Fault, stage: Stage, turn: int, root: Path, spoil: str) -> tuple[str, str]:
    """Let a call fail; return how that was met, and what was wrong, or nothing."""
    place = stage.copy(root / "failed" / str(turn))
    tampering = f"{fault.call}:error={fault.error}:when={fault.number}"
    done, calls = traced(place, stage.arguments, (fault.call,), tampering=tampering, spoil=spoil)
    hit = next((call for call in calls if "INJECTED" in call.result), None)
    try:
        if hit is None or not _same(hit, fault, place):
            return "missed", ""
        met = "told" if done.code not in (0, stage.code) else "passed over"
        return met, "; ".join(_wrongs(fault, stage, place, done))
    finally:
        shutil.rmtree(place)


def _same(call: Call, fault: Fault, place: Path) -> bool:
    return _plain_name(paths_in(call, str(place))[-1], place) == fault.path


def _wrongs(fault: Fault, stage: Stage, place: Path, done: Done) -> Iterator[str]:
    told = done.code in (0, stage.code) and not _is_error(done)
    if not told:
        yield from _message(fault, stage, done)
    if wrong := stage.wrong_target(place, told=told):
        yield wrong
    yield from _state(stage, place, told=told)
    yield from _again(stage, place)


def _is_error(done: Done) -> bool:
    return done.code not in (ExitCode.DONE, ExitCode.CONFLICT)


def _message(fault: Fault, stage: Stage, done: Done) -> Iterator[str]:
    """Look at what was said: one sentence that names the file, and a hint."""
    lines = done.err.strip().splitlines()
    if done.code not in (ExitCode.BAD_DATA, ExitCode.NOT_FOUND):
        yield f"exit code {done.code}"
    if "Traceback" in done.err:
        yield "a traceback"
    told = [line for line in lines if line.startswith("kb: ")]
    if len(told) != 1 or len(lines) > 2:
        yield f"not one sentence: {done.err.strip()!r}"
    wanted = _to_be_named(fault, stage)
    if not any(name in done.err for name in wanted):
        yield f"none of {', '.join(wanted)} is named: {done.err.strip()!r}"


def _to_be_named(fault: Fault, stage: Stage) -> list[str]:
    """Return the names of which one is to be in the message about a file that fails."""
    inputs = [Path(each).name for each in stage.arguments if each.startswith("/")]
    for name in inputs:
        if fault.path == name:
            return [name]
    if fault.path in ("new", "out") or fault.path.startswith((".danesh-", "new-")):
        return [Path(stage.target).name]
    if stage.target and fault.path.startswith(Path(stage.target).name):
        return [Path(stage.target).name]
    if fault.path.startswith("safe.db"):
        return ["safe.db"]
    return [DATABASE]


def _state(stage: Stage, place: Path, *, told: bool) -> Iterator[str]:
    if not (place / DATABASE).exists():
        if stage.state is not None or told:
            yield "the database is gone"
        return
    try:
        found = seen(place / DATABASE)
    except KbError as error:
        yield error.message
        return
    if found != stage.after and (told or found != stage.state):
        yield f"{'told as done and lost: ' if told else ''}{difference(found, stage.after)}"


def _again(stage: Stage, place: Path) -> Iterator[str]:
    """Do it again, now that nothing fails."""
    done = run(place, stage.arguments)
    if done.code not in (0, stage.code, *_DONE_BEFORE.get(stage.name, ())):
        yield f"the same again: exit code {done.code}: {done.err.strip()}"


_DONE_BEFORE = {
    "empty start": (ExitCode.CONFLICT,),
    "backup": (ExitCode.CONFLICT,),
    "undo of an import": (),
}
"""What the same command may say where it had been done: this file already exists."""


def _run(amount: int, seed: int) -> Tally:
    return tried(amount, seed)


def _control(amount: int, seed: int) -> Tally:
    """Let the command go on where something fails."""
    return tried(amount, seed, ("edit", "export of json"), "errors")


TRIAL = Trial(
    "io_faults",
    "Where the disk is full or fails, whatever the call, nothing is changed or all is done, one "
    "sentence names the file, and the same command works afterwards.",
    short=60,
    long=_ALL,
    run=_run,
    control=_control,
    controls=16,
)
