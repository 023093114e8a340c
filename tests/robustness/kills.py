"""Work of the real command line is killed at some call to the system, and at some moment."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.robustness.aftermath import Aftermath, look
from tests.robustness.commands import run, start
from tests.robustness.tracing import WRITING, tracer
from tests.robustness.trial import Finding, Tally, Trial, kept
from tests.robustness.works import WORKS, Stage, Stock

_BY_CLOCK = 5
"""Each so many-th kill is at a moment, the others at a call."""

_EXAMINED = 8
"""Each so many-th time 'kb doctor' is asked, too, and what was not done is done again."""

_RARE = {"first start": 6, "migration": 3, "import of many": 2}
"""Works that take long are killed only each so many-th turn."""


class Kill(NamedTuple):
    """A kill: of which work, before which call; or without one after so many seconds."""

    work: str
    call: str
    number: int
    seconds: float = 0.0


def tried(kills: int, seed: int, works: Sequence[str] = (), spoil: str = "") -> Tally:
    """Kill works by turns, and look at what is there afterwards."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        root, turns = Path(name), _turns(works or tuple(WORKS), kills)
        again = [] if spoil else [Kill(*case) for case in kept("kills")]
        stock = Stock(root, [*turns, *(kill.work for kill in again)], spoil)
        chosen = [*again, *(_chosen(n, stock.of(work), chance) for n, work in enumerate(turns))]
        each = partial(_killed, root=root, spoil=spoil)
        stages, places = [stock.light(kill.work) for kill in chosen], range(len(chosen))
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            outcomes = list(pool.map(each, chosen, stages, places))
    return _told(chosen, outcomes)


def _told(chosen: Sequence[Kill], outcomes: Sequence[tuple[bool, str]]) -> Tally:
    findings = [
        Finding(f"{_place_of(kill)}: {said}", list(kill))
        for kill, (_, said) in zip(chosen, outcomes, strict=True)
        if said
    ]
    killed = sum(hit for hit, _ in outcomes)
    return Tally(len(chosen), tuple(findings), {"killed": str(killed)})


def _turns(works: Sequence[str], kills: int) -> list[str]:
    turns: list[str] = []
    round_ = 0
    while len(turns) < kills:
        turns += [work for work in works if round_ % _RARE.get(work, 1) == 0]
        round_ += 1
    return turns[:kills]


def _chosen(n: int, stage: Stage, chance: random.Random) -> Kill:
    if n % _BY_CLOCK == 0:
        return Kill(stage.name, "", 0, round(chance.uniform(0, stage.seconds), 3))
    calls = [call for call in stage.calls if call.name in WRITING or "O_CREAT" in call.arguments]
    # As many kills at rare calls as at frequent ones: what is renamed is renamed once.
    name = chance.choice(sorted({call.name for call in calls}))
    return Kill(stage.name, name, chance.choice([c.number for c in calls if c.name == name]))


def _place_of(kill: Kill) -> str:
    where = f"before {kill.call} {kill.number}" if kill.call else f"after {kill.seconds:.3f} s"
    return f"{kill.work}, killed {where}"


def _killed(kill: Kill, stage: Stage, turn: int, root: Path, spoil: str) -> tuple[bool, str]:
    """Kill a work; return whether it was, and what is then wrong, or nothing."""
    place = stage.copy(root / "killed" / str(turn))
    kill_it = _by_call if kill.call else _by_clock
    hit, out = kill_it(kill, stage, place, spoil)
    left = Aftermath(stage, place, bool(out.strip()), examined=turn % _EXAMINED == 0)
    wrong = look(left)
    shutil.rmtree(place)
    return hit, wrong


def _by_call(kill: Kill, stage: Stage, place: Path, spoil: str) -> tuple[bool, str]:
    tampering = f"{kill.call}:signal=KILL:when={kill.number}"
    log = place.with_suffix(".log")
    done = run(place, stage.arguments, tracer=tracer(log, (kill.call,), tampering), spoil=spoil)
    return done.code == -signal.SIGKILL, done.out


def _by_clock(kill: Kill, stage: Stage, place: Path, spoil: str) -> tuple[bool, str]:
    process = start(place, stage.arguments, spoil=spoil)
    try:
        out, _ = process.communicate(timeout=kill.seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    return process.returncode == -signal.SIGKILL, out


def _run(amount: int, seed: int) -> Tally:
    return tried(amount, seed)


def _control(amount: int, seed: int) -> Tally:
    """Kill commands whose statements are each for themselves."""
    return tried(amount, seed, ("mv", "rm", "edit", "import"), "transactions")


TRIAL = Trial(
    "kills",
    "A command that is killed has done its work whole or not at all, keeps what was done before, "
    "and leaves nothing lying about once danesh is started again.",
    short=50,
    long=5000,
    run=_run,
    control=_control,
    controls=12,
)
