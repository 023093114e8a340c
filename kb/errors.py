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

Whatever the library and the command line say to the reader is a `Message`: an English
sentence, as it stands in JSON and in logs, that remembers its template and its arguments.
A face asks `kb.i18n._` for it in the language in use, which looks up the template in the
catalog and fills in the arguments. Who has something new to say writes

    raise NotFound("no such key '{name}'", nearest(name, known), place=file, name=name)

with a `Message` for a hint that has gaps, too, and runs ``python -m tests.catalog``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import IntEnum

_LONGEST_COMPARED, _LONGEST_SHOWN = 100, 200


class Message(str):
    """A sentence in English, with its template, its arguments and the place it is about.

    Arguments may be messages, which are said in the language of the whole, and numbers, which
    are written in its digits; texts stay as they are. A place, such as a file and its line,
    stands before the sentence in every language.

    >>> Message("no such entry '{id}'", id="a")
    "no such entry 'a'"
    >>> Message("this is not TOML", place="a.toml:3")
    'a.toml:3: this is not TOML'
    """

    template: str
    arguments: dict[str, object]
    place: str
    forms: tuple[str, str, int] | None = None
    """The templates for one and for many, and how many there are, where it counts something."""

    def __new__(cls, template: str, /, *, place: object = "", **arguments: object) -> Message:
        """Make a sentence; what is a message already stays as it is, but for a place before it."""
        if isinstance(template, Message):
            if not place:
                return template
            template, arguments = "{message}", {"message": template}
        text = template.format(**arguments) if arguments else template
        message = super().__new__(cls, f"{place}: {text}" if place else text)
        message.template, message.place = template, str(place)
        message.arguments = {
            name: value if isinstance(value, Message | int | float) else str(value)
            for name, value in arguments.items()
        }
        return message

    def without_place(self, place: object = None) -> Message:
        """Return what it says without its place; where a ``place`` is named, without that alone.

        >>> Message("this is not TOML", place="a.toml").without_place()
        'this is not TOML'
        """
        others = place is not None and self.place != str(place)
        return self if others else Message(self.template, **self.arguments)


def joined_sentences(*sentences: str) -> Message:
    """Return sentences one after the other, without those that are empty.

    >>> joined_sentences("It is damaged.", "", "Put a copy back.")
    'It is damaged. Put a copy back.'
    """
    told = {f"sentence{n}": Message(each) for n, each in enumerate(sentences) if each}
    return Message(" ".join(f"{{{name}}}" for name in told), **told)


def counted(n: int, one: str = "{n} entry", many: str = "{n} entries") -> Message:
    """Return so many things in words, in a form that agrees with their number.

    >>> counted(1), counted(3)
    ('1 entry', '3 entries')
    """
    message = Message(one if n == 1 else many, n=n)
    message.forms = one, many, n
    return message


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

    def __init__(
        self, message: str, hint: str = "", /, *, place: object = "", **arguments: object
    ) -> None:
        """Make an error of a `Message`, or of what makes one; a hint with gaps is a `Message`."""
        self.message = Message(message, place=place, **arguments)
        self.hint = hint
        super().__init__(self.message)


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
        super().__init__(Message("the output was closed"))


class OutputFailed(KbError):
    """Standard output takes nothing: it is closed, or the disk behind it is full."""

    code = "output-failed"
    exit_code = ExitCode.BAD_DATA


class DeadlineExceeded(KbError):
    """A query was stopped: it asked for more work than it may make, or was no more wanted."""

    code = "deadline"

    def __init__(self) -> None:
        super().__init__(
            Message("The query was too much work and was stopped. Use fewer or rarer words.")
        )


class InternalError(KbError):
    """A bug of ours; the hint names the file that holds the traceback."""

    code = "internal"
    exit_code = ExitCode.INTERNAL


class Cancelled(KbError):
    """Long work was told to end: a `kb.model.Progress` raises it, and the work lets it through.

    Before that the work undoes what it began, or keeps what is whole; each method says which.
    """

    code = "cancelled"
    exit_code = ExitCode.INTERRUPTED


def nearest(word: str, known: Iterable[str], limit: int = 3) -> Message:
    """Return the sentence that names the known spellings nearest to ``word``, or nothing.

    >>> nearest("levle", ["level", "lang", "topic"])
    'Nearest: level.'
    >>> nearest("zzz", ["level"])
    ''
    """
    close = difflib.get_close_matches(word[:_LONGEST_COMPARED], list(known), n=limit, cutoff=0.5)
    return Message("Nearest: {words}.", words=", ".join(close)) if close else Message("")


def shown(name: str) -> str:
    """Return a name as a message quotes it: one that nobody can read is cut.

    >>> shown("momentum"), len(shown("a" * 10_000))
    ('momentum', 201)
    """
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"
