"""All errors that leave the library, in one hierarchy.

    KbError                    1  something was found wrong
    ├── UsageError             2  the request cannot be read
    ├── NotFound               3  no such entry, snippet, collection, file
    ├── BadData                4  a file has invalid content
    │   └── BadDatabase        4  the database is damaged, foreign, newer or inaccessible
    │       ├── ReadOnly       4  the database may be read but not changed
    │       ├── DiskFull       4  the disk is full or failing
    │       └── Replaced       4  the open file was replaced or removed
    ├── Untrusted              5  a snippet that is neither bundled nor trusted
    ├── Conflict               6  the change contradicts what is stored
    ├── HubError               4  a hub cannot be reached, or refuses
    ├── OutputClosed           0  the reader of the output has closed it
    ├── OutputFailed           4  standard output cannot be written
    ├── DeadlineExceeded       1  a query exceeded its budget, or was cancelled
    ├── InternalError         70  a bug in danesh
    └── Cancelled            130  long work was cancelled

The number is the exit code of the command line. A message is one sentence for the reader;
``hint`` says what to do about it.

Everything the library and the command line say is a `Message`: an English sentence, as in JSON
and logs, that keeps its template and arguments. A front end translates it with `kb.i18n._`, which
finds the template in the catalog and fills in the arguments. To add a message, write

    raise NotFound("no such key '{name}'", nearest(name, known), place=file, name=name)

with a `Message` for a hint with arguments, and run ``python -m tests.catalog``.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

_LONGEST_COMPARED, _LONGEST_SHOWN = 100, 200


class Message(str):
    """An English sentence with its template, its arguments and its place.

    Arguments can be messages, which are translated, and numbers, which get the language's digits;
    texts are unchanged. A place, such as a file and line, comes before the sentence in every
    language.

    >>> Message("no such entry '{id}'", id="a")
    "no such entry 'a'"
    >>> Message("this is not TOML", place="a.toml:3")
    'a.toml:3: this is not TOML'
    """

    template: str
    arguments: dict[str, object]
    place: str
    forms: tuple[str, str, int] | None = None
    """The templates for singular and plural, and the count, if it counts something."""

    def __new__(cls, template: str, /, *, place: object = "", **arguments: object) -> Message:
        """Make a message; an existing message is kept, with the place added."""
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
        """Return the message without its place, or only without ``place``, if given.

        >>> Message("this is not TOML", place="a.toml").without_place()
        'this is not TOML'
        """
        others = place is not None and self.place != str(place)
        return self if others else Message(self.template, **self.arguments)


def joined_sentences(*sentences: str) -> Message:
    """Return sentences joined into one text, without empty ones.

    >>> joined_sentences("It is damaged.", "", "Put a copy back.")
    'It is damaged. Put a copy back.'
    """
    told = {f"sentence{n}": Message(each) for n, each in enumerate(sentences) if each}
    return Message(" ".join(f"{{{name}}}" for name in told), **told)


def counted(n: int, one: str = "{n} entry", many: str = "{n} entries") -> Message:
    """Return a count in words, in singular or plural.

    >>> counted(1), counted(3)
    ('1 entry', '3 entries')
    """
    message = Message(one if n == 1 else many, n=n)
    message.forms = one, many, n
    return message


class ExitCode(IntEnum):
    """The exit codes of the command line."""

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
    """The base of all errors: a sentence and an optional hint."""

    code = "error"
    exit_code = ExitCode.FINDINGS

    def __init_subclass__(cls, code: str = "", exit_code: ExitCode | None = None) -> None:
        """Give a class a code and an exit code, or those of its base."""
        cls.code = code or cls.code
        cls.exit_code = cls.exit_code if exit_code is None else exit_code

    def __init__(
        self, message: str, hint: str = "", /, *, place: object = "", **arguments: object
    ) -> None:
        """Make an error from a `Message`, or from a template and its arguments."""
        self.message = Message(message, place=place, **arguments)
        self.hint = hint
        super().__init__(self.message)


class UsageError(KbError, code="usage", exit_code=ExitCode.USAGE):
    """The request is invalid: an unknown format, a negative limit."""


class NotFound(KbError, code="not-found", exit_code=ExitCode.NOT_FOUND):
    """There is no entry, snippet, collection or file of that name."""


class BadData(KbError, code="bad-data", exit_code=ExitCode.BAD_DATA):
    """A file has invalid content; nothing was changed."""


class BadDatabase(BadData, code="bad-database"):
    """The database is damaged, foreign, too new, full or inaccessible."""


class ReadOnly(BadDatabase, code="read-only"):
    """The database may be read but not changed."""


class DiskFull(BadDatabase, code="disk-full"):
    """The disk is full or failing; the message names what was being written."""


class Replaced(BadDatabase, code="replaced"):
    """The file was replaced or removed while it was open; nothing was written."""


class Untrusted(KbError, code="untrusted", exit_code=ExitCode.UNTRUSTED):
    """An untrusted program was to run without the reader's consent."""


class Conflict(KbError, code="conflict", exit_code=ExitCode.CONFLICT):
    """The change contradicts what is stored, or another program holds the database."""


class HubError(KbError, code="hub", exit_code=ExitCode.BAD_DATA):
    """A hub cannot be reached or refuses a request; nothing was changed or lost."""


class OutputClosed(KbError, code="output-closed", exit_code=ExitCode.DONE):
    """The reader of the output has closed it: there is nothing left to do and nothing is wrong."""

    def __init__(self) -> None:
        super().__init__(Message("the output was closed"))


class OutputFailed(KbError, code="output-failed", exit_code=ExitCode.BAD_DATA):
    """Standard output cannot be written: it is closed, or its disk is full."""


class DeadlineExceeded(KbError, code="deadline"):
    """A query was stopped: it exceeded its budget or was cancelled."""

    def __init__(self) -> None:
        super().__init__(
            Message("The query was too much work and was stopped. Use fewer or rarer words.")
        )


class InternalError(KbError, code="internal", exit_code=ExitCode.INTERNAL):
    """A bug in danesh; the hint names the file with the traceback."""


class Cancelled(KbError, code="cancelled", exit_code=ExitCode.INTERRUPTED):
    """Long work was cancelled: `kb.model.results.Progress` raises this, and the work passes it on.

    Before that, the work undoes its changes or keeps what is complete; each method says which.
    """


def nearest(word: str, known: Iterable[str], limit: int = 3) -> Message:
    """Return a sentence with the known names nearest to ``word``, or nothing.

    >>> nearest("levle", ["level", "lang", "topic"])
    'Nearest: level.'
    >>> nearest("zzz", ["level"])
    ''
    """
    import difflib

    close = difflib.get_close_matches(word[:_LONGEST_COMPARED], list(known), n=limit, cutoff=0.5)
    return Message("Nearest: {words}.", words=", ".join(close)) if close else Message("")


def shown(name: str) -> str:
    """Return a name for use in a message; an overlong one is cut.

    >>> shown("momentum"), len(shown("a" * 10_000))
    ('momentum', 201)
    """
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"
