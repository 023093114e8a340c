"""Every error that leaves the library, as one tree.

    KbError                    1  something was found wrong
    ├── UsageError             2  the request cannot be read
    ├── NotFound               3  no such entry, snippet, collection, file
    ├── BadData                4  a file holds what it must not
    │   └── BadDatabase        4  the database is damaged, foreign, newer or out of reach
    │       ├── ReadOnly       4  the database may be read but not changed
    │       ├── DiskFull       4  there is no room to write
    │       └── Replaced       4  another file lies where the open one did
    ├── Untrusted              5  a snippet that is neither bundled nor trusted
    ├── Conflict               6  the change contradicts what is stored
    ├── OutputClosed           0  whoever read the output has gone
    ├── OutputFailed           4  what was to be written could not be
    ├── DeadlineExceeded       1  a query asked too much, or was no more wanted
    ├── InternalError         70  a bug of ours
    └── Cancelled            130  long work was told to end before its end

The figure is the exit code of the command line. A message is one sentence for
the reader; ``hint`` is what the reader can do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import IntEnum

_LONGEST_COMPARED, _LONGEST_SHOWN = 100, 200


class ExitCode(IntEnum):
    """What the command line tells the shell."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    NOT_FOUND = 3
    BAD_DATA = 4
    UNTRUSTED = 5
    CONFLICT = 6
    INTERNAL = 70
    TIMEOUT = 124
    INTERRUPTED = 130


class KbError(Exception):
    """The root of the tree: a sentence for the reader and, where there is one, a remedy."""

    code = "error"
    exit_code = ExitCode.FINDINGS

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(KbError):
    """The request cannot be read: an unknown format, a limit below zero."""

    code = "usage"
    exit_code = ExitCode.USAGE


class NotFound(KbError):
    """There is no entry, snippet, collection or file of that name."""

    code = "not-found"
    exit_code = ExitCode.NOT_FOUND


class BadData(KbError):
    """A file holds what it must not; nothing was changed."""

    code = "bad-data"
    exit_code = ExitCode.BAD_DATA


class BadDatabase(BadData):
    """The database is damaged, foreign, made by a newer version, full or out of reach."""

    code = "bad-database"


class ReadOnly(BadDatabase):
    """The database may be read but not changed."""

    code = "read-only"


class DiskFull(BadDatabase):
    """There is no room to write, or the disk fails; the message names what was to be written."""

    code = "disk-full"


class Replaced(BadDatabase):
    """The file was replaced or removed while it was open; nothing was written."""

    code = "replaced"


class Untrusted(KbError):
    """A snippet that is not bundled was to run without the reader's consent."""

    code = "untrusted"
    exit_code = ExitCode.UNTRUSTED


class Conflict(KbError):
    """The change contradicts what is stored, or another program holds the database."""

    code = "conflict"
    exit_code = ExitCode.CONFLICT


class OutputClosed(KbError):
    """Whoever read the output has gone: nothing is left to do, and nothing is wrong."""

    code = "output-closed"
    exit_code = ExitCode.DONE

    def __init__(self) -> None:
        super().__init__("the output was closed")


class OutputFailed(KbError):
    """Standard output takes nothing: it is closed, or the disk behind it is full."""

    code = "output-failed"
    exit_code = ExitCode.BAD_DATA


class DeadlineExceeded(KbError):
    """A query was stopped: it asked for more work than it may make, or was no more wanted."""

    code = "deadline"

    def __init__(self) -> None:
        super().__init__(
            "The query asks too much at once and was stopped; ask for fewer or rarer words."
        )


class InternalError(KbError):
    """A bug of ours; the hint names the file that holds the traceback."""

    code = "internal"
    exit_code = ExitCode.INTERNAL


class Cancelled(KbError):
    """Long work was told to end: a `kb.records.Progress` raises it, and the work lets it through.

    Before that the work undoes what it began, or keeps what is whole; each method says which.
    """

    code = "cancelled"
    exit_code = ExitCode.INTERRUPTED


def nearest(word: str, known: Iterable[str], limit: int = 3) -> str:
    """Return the sentence that names the known spellings nearest to ``word``, or nothing.

    >>> nearest("levle", ["level", "lang", "topic"])
    'Nearest: level.'
    >>> nearest("zzz", ["level"])
    ''
    """
    close = difflib.get_close_matches(word[:_LONGEST_COMPARED], list(known), n=limit, cutoff=0.5)
    return f"Nearest: {', '.join(close)}." if close else ""


def shown(name: str) -> str:
    """Return a name as a message quotes it: one that nobody can read is cut.

    >>> shown("momentum"), len(shown("a" * 10_000))
    ('momentum', 201)
    """
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"
