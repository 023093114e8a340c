"""Eight readers and four writers use one base at once, and a large import beside them.

All go on until each writer has written so many times, however long that takes; how long anybody
waited is told, and not judged.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Any, NamedTuple

from kb import Library, open_library
from kb.errors import ExitCode, KbError
from kb.model.draft import Amendment
from kb.store.sqlite import locking
from tests.behind import damaged, raw
from tests.robustness.commands import DATABASE, LONGEST, start
from tests.robustness.spoiled import SPOILS
from tests.robustness.trial import Finding, Tally, Trial
from tests.robustness.works import records

READERS, WRITERS = 8, 4
_OWN = 10
"""So many entries does each writer have to itself; it counts in them."""

_SHARED = 50
"""So many entries do all writers tag."""

_LARGE = 20_000
_CHANGED = 10
"""Of so many records of the large file one is another each time that it is imported again."""

_PAUSE = 0.1
"""Seconds that one of the crowd rests at most between two deeds; the import never rests."""

_A_MOMENT = 0.05
"""Seconds between two looks whether the writers have written enough."""


class Job(NamedTuple):
    """What one of the crowd is to do: its number, on which base; a control spoils."""

    number: int
    path: Path
    seed: int
    spoil: str


class Ends(NamedTuple):
    """When all of it ends: what each writer says after so many deeds, and what then tells all."""

    deeds: int
    enough: Any
    over: Any


_ends: Ends


class Account(NamedTuple):
    """What one of the crowd did: how long each of its deeds took, what was wrong, what it wrote."""

    seconds: list[float]
    wrong: list[str]
    written: dict[str, int]
    tagged: list[tuple[str, str]]


def tried(deeds: int, seed: int, spoil: str = "", large: int = _LARGE) -> Tally:
    """Let each writer do so many deeds at least, and look whether any was refused or lost."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        _prepare(place, large)
        jobs = [Job(n, place / DATABASE, seed, spoil) for n in range(READERS + WRITERS)]
        context = multiprocessing.get_context("fork")
        ends = Ends(deeds, context.Semaphore(0), context.Event())
        with context.Pool(len(jobs), _begin, (ends,)) as crowd:
            waiting = crowd.map_async(_work, jobs, chunksize=1)
            imports, wrong = _import_meanwhile(place, ends, spoil)
            accounts = waiting.get(timeout=LONGEST)
        readers, writers = accounts[:READERS], accounts[READERS:]
        wrong += [said for account in accounts for said in account.wrong]
        with open_library(place / DATABASE) as library:
            wrong += [*_lost(library, writers), *_unsound(library)]
    figures = {**_told("reads", readers), **_told("writes", writers), "imports": str(imports)}
    done = sum(len(account.seconds) for account in accounts)
    return Tally(done, tuple(map(Finding, wrong)), figures)


def _begin(ends: Ends) -> None:
    """Let a process of the crowd know when it ends, and wait for its turn however long it takes."""
    global _ends
    _ends = ends
    locking.PATIENCE = LONGEST


def _told(what: str, accounts: list[Account]) -> dict[str, str]:
    seconds = sorted(one for account in accounts for one in account.seconds)
    if len(seconds) < 2:
        return {what: str(len(seconds))}
    p99 = statistics.quantiles(seconds, n=100)[98]
    return {what: f"{len(seconds):,} (p99 {p99 * 1000:.0f} ms, longest {seconds[-1] * 1000:.0f})"}


def _prepare(place: Path, large: int) -> None:
    open_library(place / DATABASE, bundled=False).close()
    few = place / "few.jsonl"
    few.write_text(records(range(_SHARED + WRITERS * _OWN)), encoding="utf-8")
    for name in ("Sooner", "Later"):
        (place / name).mkdir()
        _rewrite(place, name, large)
    with open_library(place / DATABASE) as library:
        library.import_file(few)


def _import_meanwhile(place: Path, ends: Ends, spoil: str) -> tuple[int, list[str]]:
    """Import a large file, one way and another by turns, and end the last as a reader does."""
    file = place / "large.jsonl"
    try:
        for done, name in enumerate(cycle(("Sooner", "Later"))):
            (place / name / "large.jsonl").replace(place / "next")
            (place / "next").replace(file)
            process = start(place, ("import", "large.jsonl"), spoil=spoil)
            stopped = _is_enough(process, ends)
            _, said = process.communicate(timeout=LONGEST)
            if process.returncode and not (stopped and process.returncode == ExitCode.INTERRUPTED):
                return done, [f"an import: exit code {process.returncode}: {said.strip()}"]
            if stopped:
                return done + (not process.returncode), []
            _rewrite(place, name, sum(1 for _ in file.open(encoding="utf-8")))
    finally:
        ends.over.set()
    raise AssertionError("names do not end")


def _is_enough(process: subprocess.Popen[str], ends: Ends) -> bool:
    """Wait for an import; say whether it was stopped since the writers have written enough."""
    while process.poll() is None:
        if ends.enough.get_value() >= WRITERS:
            process.send_signal(signal.SIGINT)
            return True
        time.sleep(_A_MOMENT)
    return False


def _rewrite(place: Path, name: str, lines: int) -> None:
    """Write a large file, of which some records say another thing each way."""
    some = lines // _CHANGED
    text = f"{records(range(some), name)}\n{records(range(some, lines))}"
    (place / name / "large.jsonl").write_text(text, encoding="utf-8")


def _work(job: Job) -> Account:
    if job.spoil:
        SPOILS[job.spoil]()
    account = Account([], [], {}, [])
    deeds, pace = _read if job.number < READERS else _write, random.Random(job.number)
    with open_library(job.path) as library:
        for number, deed in enumerate(deeds(library, job, account), 1):
            began = time.perf_counter()
            try:
                deed()
            except KbError as error:
                account.wrong.append(f"{deeds.__name__[1:]} refused: {error.message}")
            account.seconds.append(time.perf_counter() - began)
            if number == _ends.deeds and job.number >= READERS:
                _ends.enough.release()
            if _ends.over.is_set():
                return account
            time.sleep(pace.uniform(0, _PAUSE))
    raise AssertionError("deeds do not end")


Deed = Callable[[], Any]


def _read(library: Library, job: Job, account: Account) -> Iterator[Deed]:
    """Yield what a reader does, by turns."""
    chance, known = random.Random(f"{job.seed} {job.number}"), dict[str, int]()
    few, large = _SHARED + WRITERS * _OWN, _LARGE
    while True:
        entry = f"few/r{_SHARED + chance.randrange(WRITERS * _OWN)}"
        yield partial(_shown, library, entry, known, account)
        word = chance.choice(("Question", "پرسش", "Text", f"{chance.randrange(few)}"))
        yield partial(library.search, word)
        yield partial(_listed, library, few, large, account)


def _shown(library: Library, id: str, known: dict[str, int], account: Account) -> None:
    """Look at an entry that somebody counts in: all of it is of one moment, and none goes back."""
    entry = library.show(id)
    said = {*entry.question.values(), *(answer.text for answer in entry.answers)}
    counted = [text for text in said if text.startswith("Count ")]
    if not counted:
        return
    if len(said) > 1:
        account.wrong.append(f"{id} was seen half changed: {sorted(said)}")
    number = int(counted[0].split()[1])
    if number < known.get(id, 0):
        account.wrong.append(f"{id} went back from {known[id]} to {number}")
    known[id] = number


def _listed(library: Library, few: int, large: int, account: Account) -> None:
    total = library.list(limit=5).total
    if total not in (few, few + large):
        account.wrong.append(f"{total} entries were seen: an import was there in part")


def _write(library: Library, job: Job, account: Account) -> Iterator[Deed]:
    """Yield what a writer does: it counts in its own entries, and tags those of all."""
    chance, first = random.Random(f"{job.seed} {job.number}"), job.number - READERS
    for number in count(1):
        entry = f"few/r{_SHARED + first * _OWN + chance.randrange(_OWN)}"
        yield partial(_count_in, library, entry, number, account)
        if number % 5 == 0:
            entry = f"few/r{chance.randrange(_SHARED)}"
            yield partial(_tag, library, entry, f"w{first}n{number}", account)


def _count_in(library: Library, id: str, number: int, account: Account) -> None:
    text = f"Count {number}"
    lang = next(iter(library.show(id).question))
    library.edit.amend(id, Amendment(question=text, answer=text, lang=lang))
    account.written[id] = number


def _tag(library: Library, id: str, tag: str, account: Account) -> None:
    library.edit.tag([id], [tag], [])
    account.tagged.append((id, tag))


def _lost(library: Library, writers: list[Account]) -> Iterator[str]:
    """Yield what was told as written and is not there."""
    for account in writers:
        for id, number in account.written.items():
            found = [*library.show(id).question.values()]
            if found != [f"Count {number}"]:
                yield f"lost: {id} says {found}, and {number} was written last"
        for id, tag in account.tagged:
            if tag not in library.show(id).tags:
                yield f"lost: {id} has no tag {tag}"


def _unsound(library: Library) -> Iterator[str]:
    found = raw(library).execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        yield found
    if bad := damaged(library):
        yield f"{len(bad)} texts are not indexed as they are stored"


def _run(deeds: int, seed: int) -> Tally:
    return tried(deeds, seed)


def _control(deeds: int, seed: int) -> Tally:
    """Let nobody wait for another, and begin to write by reading."""
    return tried(deeds, seed, "waiting", large=2000)


TRIAL = Trial(
    "crowd",
    "Eight readers and four writers at once, an import of 20,000 beside them (as many deeds of "
    "each writer as times): no edit is refused or lost, and all that is read is of one moment.",
    short=100,
    long=9_000,
    run=_run,
    control=_control,
    controls=10,
)
