"""The results of a run, a verification, an import and a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from kb.errors import Message


class Outcome(NamedTuple):
    """The outcome of running a program. Sizes are in bytes, time is wall time in seconds.

    ``isolation`` is what its ``level`` isolated it from (strong, good, limits-only); ``reason``
    is a key of `REASONS` if it was ended from outside.
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
"""Why a program was ended from outside."""


class Verification(NamedTuple):
    """The status of an annotation's evidence, its figures, and why it is not confirmed.

    ``stored`` is false if the result could not be written to the database.
    """

    annotation: str
    status: str
    figures: Mapping[str, float]
    reason: str = ""
    stored: bool = True


class Proven(NamedTuple):
    """The number of annotations confirmed by a run, and of those with evidence."""

    confirmed: int
    total: int


class ImportedEntry(NamedTuple):
    """An imported entry, and its first line in the file, if the file has lines."""

    id: str
    question: Mapping[str, str]
    line: int | None = None


class Dropped(NamedTuple):
    """A skipped span of a file: where it begins, why, and its text."""

    file: str
    line: int | None
    reason: str
    text: str


class FileReading(NamedTuple):
    """How a Markdown file was read, by which form, and why.

    The value is ``notes``, ``questions`` or ``cards``. ``words`` counts words of at least three
    letters in the text, ``lost`` those in no entry.
    """

    file: str
    taken_as: str
    form: str
    why: str
    words: int
    lost: int


class ImportOptions(TypedDict, total=False):
    """The options of an import.

    ``collection`` is the target and ``format`` the file's format; without them the file decides.
    ``columns`` sets the roles of table columns (``question=2,answer=3``), ``taken_as`` how to
    read Markdown: notes, questions or cards. ``reviews`` imports the review history. ``dry_run``
    changes nothing; ``skip_bad`` reports unreadable lines and imports the others. ``mine``
    accepts that what the file marks as the reader's own is so.
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
    """What an import did, or would do: counts, and a list of entries.

    ``dropped`` was skipped, ``bad`` was unreadable, ``conflicts`` are entries changed here and in
    the file, and ``gone`` those no longer in the file. ``disbelieved`` are claims of the file
    that were ignored: that something is the reader's own or was measured. ``unfit`` are programs
    that hide code: they are stored as text and never run. ``assumed`` says what was guessed about
    the file, and ``readings`` how Markdown files were read.
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
    """A preview of a foreign table from its first rows.

    ``roles`` has the assumed roles of columns by index, and ``known`` the possible roles. With a
    ``header``, the first row only names the columns. ``assumed`` describes the dialect.
    """

    rows: tuple[tuple[str, ...], ...]
    roles: Mapping[int, str]
    known: tuple[str, ...]
    header: bool
    assumed: tuple[str, ...] = ()


class GlossaryReport(NamedTuple):
    """The result of adding a dictionary: its name and number of pairs."""

    name: str
    pairs: int


class LearnedReport(NamedTuple):
    """The result of learning a dictionary: its name and number of word pairs.

    It was learned from ``sentences`` pairs, without those that were ``repeated`` or ``too_long``.
    """

    name: str
    pairs: int
    sentences: int
    repeated: int
    too_long: int


class Backup(NamedTuple):
    """A backup or restored database: its file, entries and bytes.

    ``kept`` is the path of the previous database.
    """

    path: str
    entries: int
    bytes: int
    kept: str = ""


class Salvaged(NamedTuple):
    """What was recovered from a damaged database: the new file and its counts.

    ``partly`` are entries that lost a part. It is not ``complete`` if something was lost:
    ``lost`` counts what is known by name.
    """

    path: str
    saved: Mapping[str, int]
    lost: Mapping[str, int]
    partly: tuple[str, ...]
    complete: bool


class Check(NamedTuple):
    """A check: whether it passed, what was found, and how to fix it."""

    name: str
    well: bool
    found: str
    remedy: str = ""
