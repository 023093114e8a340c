"""What came of work: a run, a verification, an import, a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from kb.errors import Message


class Outcome(NamedTuple):
    """What came of running a snippet. Sizes in bytes, time in seconds of wall clock.

    ``isolation`` is what it was shut off from at its ``level`` (strong, good, limits-only);
    ``reason`` says by a key of `REASONS` why it did not end by itself, if it did not.
    """

    snippet: str
    status: str
    exit_code: int | None
    stdout: str
    stderr: str
    truncated: bool
    seconds: float
    peak_memory_bytes: int
    isolation: tuple[str, ...]
    figures: Mapping[str, float]
    level: str = ""
    reason: str = ""


REASONS = {
    "time": Message("it ran out of time"),
    "output": Message("it wrote too much"),
    "asked": Message("it was stopped"),
    "disk": Message("it wrote too much to its folder"),
    "threads": Message("it started too many threads"),
    "call": Message("it made a forbidden system call"),
    "memory": Message("the system killed it, probably for lack of memory"),
    "signal": Message("it was ended by a signal"),
    "sandbox": Message("the sandbox could not start"),
    "unwatched": Message("it could not be monitored"),
    "lost": Message("the process that monitors it died"),
}
"""Why a program did not end by itself."""


class Verification(NamedTuple):
    """The state of one annotation's evidence, the figures measured, and why it is not confirmed.

    ``stored`` is false where the database could not be written to keep it.
    """

    annotation: str
    status: str
    figures: Mapping[str, float]
    reason: str = ""
    stored: bool = True


class Proven(NamedTuple):
    """Of how many annotations the evidence was confirmed by a run, and how many have any."""

    confirmed: int
    total: int


class ImportedEntry(NamedTuple):
    """An entry that an import took, and the line of the file where it begins, if it has lines."""

    id: str
    question: Mapping[str, str]
    line: int | None = None


class Dropped(NamedTuple):
    """A span of a file of which no entry was made: where it begins, why not, its text."""

    file: str
    line: int | None
    reason: str
    text: str


class FileReading(NamedTuple):
    """What a file of Markdown was taken for, by which form, and why.

    It is one of ``notes``, ``questions`` and ``cards``. ``words`` counts the words of three
    letters and more in its text, ``lost`` those that are in no entry.
    """

    file: str
    taken_as: str
    form: str
    why: str
    words: int
    lost: int


class ImportOptions(TypedDict, total=False):
    """What may be asked of an import, by name.

    ``collection`` is where entries go, ``format`` what the file is; without them the file says.
    ``columns`` says which columns of a table are what (``question=2,answer=3``), ``taken_as`` what
    files of Markdown are: notes, questions or cards. With ``reviews`` comes how cards were studied.
    With ``dry_run`` nothing is changed; with ``skip_bad`` lines that cannot be read are told, and
    the others taken. ``mine`` vouches that what the files call their reader's own is.
    """

    collection: str | None
    format: str | None
    columns: str | None
    taken_as: str | None
    reviews: bool
    dry_run: bool
    skip_bad: bool
    mine: bool


class ImportReport(NamedTuple):
    """What an import did, or would do: in numbers of entries, and entry by entry.

    ``dropped`` is what was not taken, ``bad`` what was set aside as it cannot be read,
    ``conflicts`` are the entries that were changed here and in the file, and ``gone`` those
    whose records are in the file no more. ``disbelieved`` is what the file claims of itself and
    was not taken over: that something is the reader's own, or that it was measured. ``unfit``
    are programs that hide what Python runs: they are taken as text and never run. ``assumed``
    says what had to be guessed of how the file is written, and ``readings`` what files of
    Markdown were taken for.
    """

    collection: str
    added: int
    updated: int
    unchanged: int
    dry_run: bool = False
    file: str = ""
    entries: Sequence[ImportedEntry] = ()
    dropped: tuple[Dropped, ...] = ()
    bad: tuple[Dropped, ...] = ()
    conflicts: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    change: str | None = None
    disbelieved: tuple[Dropped, ...] = ()
    assumed: tuple[str, ...] = ()
    unfit: tuple[Dropped, ...] = ()
    readings: tuple[FileReading, ...] = ()


class TablePreview(NamedTuple):
    """What a table of other people's seems to be, by its first rows.

    ``roles`` says what columns are taken for, by their places from 0, and ``known`` what any can
    be. With a ``header`` the first row only names them. ``assumed`` says how it is written.
    """

    rows: tuple[tuple[str, ...], ...]
    roles: Mapping[int, str]
    known: tuple[str, ...]
    header: bool
    assumed: tuple[str, ...] = ()


class GlossaryReport(NamedTuple):
    """What adding a dictionary did: under which name, and how many pairs it has."""

    name: str
    pairs: int


class LearnedReport(NamedTuple):
    """What learning a dictionary did: under which name, how many pairs of words it has now.

    It was learned from so many pairs of ``sentences``, without those that were ``repeated``
    or ``too_long``.
    """

    name: str
    pairs: int
    sentences: int
    repeated: int
    too_long: int


class Backup(NamedTuple):
    """A copy that was made or put back: the file it is, its entries, its bytes.

    ``kept`` is where what was there before lies.
    """

    path: str
    entries: int
    bytes: int
    kept: str = ""


class Salvaged(NamedTuple):
    """What was saved of a damaged database: the new file, and how many of each thing it holds.

    ``partly`` are the entries that miss something. Where it is not ``complete`` things were lost:
    ``lost`` counts those that are known by name.
    """

    path: str
    saved: Mapping[str, int]
    lost: Mapping[str, int]
    partly: tuple[str, ...]
    complete: bool


class Check(NamedTuple):
    """A check of a knowledge base: whether all is well, what was found, what mends it."""

    name: str
    well: bool
    found: str
    remedy: str = ""
