"""The power fails while the real command line writes: what of it may then be on the disk."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from kb.errors import KbError
from tests.robustness.commands import DATABASE
from tests.robustness.disk import MODELS, Image, Recording, image
from tests.robustness.looking import difference, seen
from tests.robustness.recording import recorded
from tests.robustness.trial import Finding, Tally, Trial, kept
from tests.robustness.works import Stage, Stock

WORKS = (
    "import", "import of our own", "undo of an import", "redo of an import", "edit", "new", "rm",
    "rebuild", "compact", "empty start", "migration", "backup", "restore",
    "export of json", "export of md", "export of sqlite",
)  # fmt: skip
_AT_ONCE = 25
_AFTER_ALL = 0.3
"""So large a part of the images is of the moment when the reader has just been told."""

_FAST = "/dev/shm"


class Cut(NamedTuple):
    """A power cut: in which work, on which kind of disk, from which seed."""

    work: str
    model: str
    seed: int


class Judged(NamedTuple):
    """What was wrong after a power cut, or nothing, and the digest of what was on the disk."""

    cut: Cut
    wrong: str
    digest: str


def tried(images: int, seed: int, works: Sequence[str] = WORKS, spoil: str = "") -> Tally:
    """Cut the power in works by turns, and open what is then on the disk."""
    chance = random.Random(seed)
    again = [] if spoil else [Cut(*case) for case in kept("power_cuts")]
    fresh = [
        Cut(works[n % len(works)], MODELS[n // len(works) % 2], chance.getrandbits(32))
        for n in range(images)
    ]
    parts = list(_parts([*again, *fresh]))
    folder = _FAST if os.path.isdir(_FAST) else None
    with tempfile.TemporaryDirectory(dir=folder) as name:
        root = Path(name)
        stock = Stock(root, [part[0].work for part in parts], spoil)
        each = partial(_judged, root=root, spoil=spoil)
        stages = [stock.light(part[0].work) for part in parts]
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            judged = [one for some in pool.map(each, parts, stages) for one in some]
    return _told(judged)


def _parts(cuts: Sequence[Cut]) -> Iterator[list[Cut]]:
    """Yield cuts in parts, each of one work."""
    for _, some in groupby(sorted(cuts), key=lambda cut: cut.work):
        left = list(some)
        yield from (left[n : n + _AT_ONCE] for n in range(0, len(left), _AT_ONCE))


def _told(judged: Sequence[Judged]) -> Tally:
    wrong = [one for one in judged if one.wrong]
    per = Counter(one.cut.model for one in wrong)
    findings = tuple(
        Finding(f"{one.cut.work} ({one.cut.model}): {one.wrong}", list(one.cut)) for one in wrong
    )
    figures = {model: f"{per[model]} wrong" for model in MODELS}
    figures["different images"] = f"{len({one.digest for one in judged}):,}"
    return Tally(len(judged), findings, figures)


_recordings: dict[str, Recording] = {}
_known: dict[str, str] = {}


def _judged(cuts: Sequence[Cut], stage: Stage, root: Path, spoil: str) -> list[Judged]:
    """Judge some images of one work; each process records a work once."""
    folder = root / f"cut-{os.getpid()}"
    key = f"{spoil} {stage.name} {stage.place}"
    if key not in _recordings:
        done, _recordings[key] = recorded(stage, folder, spoil)
        if done.code != stage.code:
            raise RuntimeError(f"{stage.name}: exit code {done.code}: {done.err}")
    return [_one(cut, stage, _recordings[key], folder) for cut in cuts]


def _one(cut: Cut, stage: Stage, recording: Recording, folder: Path) -> Judged:
    chance, every = random.Random(cut.seed), len(recording.events)
    told = recording.told_at()
    late = chance.random() < _AFTER_ALL
    end = chance.randint(told, every) if late else chance.randint(0, every)
    found = image(recording, end, cut.model, chance)
    digest = _digest(f"{stage.name} {end >= told}", found)
    if digest not in _known:
        _known[digest] = _wrong(found, stage, folder, told=end >= told)
    wrong = _known[digest]
    where = f"after {end} of {every} events, told after {told}"
    return Judged(cut, f"{where}: {wrong}" if wrong else "", digest)


def _digest(judged_as: str, found: Image) -> str:
    digest = hashlib.sha256(judged_as.encode())
    for name, data in sorted(found.items()):
        digest.update(f"{name}\0{data is None}".encode() + hashlib.sha256(data or b"").digest())
    return digest.hexdigest()


def _wrong(found: Image, stage: Stage, folder: Path, *, told: bool) -> str:
    """Put an image on a disk and open it; return what is wrong, or nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in sorted(found.items()):
        if data is None:
            (folder / name).mkdir(parents=True, exist_ok=True)
        elif not name.endswith("-shm"):  # SQLite makes that anew
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
    wrong = (stage.wrong_target(folder, told=told), _base(stage, folder, told))
    return "; ".join(filter(None, wrong))


def _base(stage: Stage, folder: Path, told: bool) -> str:
    if stage.state is None and not told and not (folder / DATABASE).exists():
        return ""
    if not (folder / DATABASE).exists():
        return "the database is gone"
    try:
        state = seen(folder / DATABASE)
    except KbError as error:
        return error.message
    if state == stage.after or (state == stage.state and not told):
        return ""
    return ("told as done and lost: " if told and state == stage.state else "") + difference(
        state, stage.after
    )


def _run(amount: int, seed: int) -> Tally:
    return tried(amount, seed)


def _control(amount: int, seed: int) -> Tally:
    """Let nothing wait for the disk."""
    return tried(amount, seed, ("edit", "import", "export of json"), "syncs")


TRIAL = Trial(
    "power_cuts",
    "Whatever of the unsynced writes a power cut loses or tears, what was told as done is there, "
    "and nothing is damaged.",
    short=400,
    long=50_000,
    run=_run,
    control=_control,
    controls=60,
)
