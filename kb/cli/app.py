"""The app, opened from the command line: as ``kb tui``, or by ``kb`` alone."""

from __future__ import annotations

import sys

from kb.cli import messages
from kb.cli.working import working
from kb.errors import ExitCode, KbError, UsageError


def in_terminal() -> bool:
    """Say whether somebody sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def open_at(database: str | None, entry: str | None = None, bidi: str | None = None) -> int:
    """Open the app on a database, at an entry if one is named.

    Raises `UsageError` where there is no terminal, `NotFound` for an entry that is none.
    """
    if not in_terminal():
        raise UsageError("the app needs a terminal", "In a pipe or a script use 'kb search'.")
    if not sys.stderr.isatty():
        raise UsageError("the app is drawn on standard error, which is no terminal",
                         "Leave out what redirects it.")  # fmt: skip
    from kb.library import open_library

    with working(_making) as progress:
        library = open_library(database, progress=progress)
    with library:
        if entry is not None:
            library.show(entry)
        from tui.app import open_app

        open_app(library, entry, bidi)
    return ExitCode.DONE


def _making(done: int, total: int) -> str:
    """Say how far a new knowledge base is, in the language of the app that is to open."""
    from tui.app import making

    return making(done, total)


def open_alone() -> int:
    """Open the app for ``kb`` without arguments; return the exit code.

    It is what people start most, so it is reached without the command line's parser.
    """
    try:
        return open_at(None)
    except KbError as error:
        messages.error(error, as_json=False)
        return error.exit_code
    except Exception as error:  # noqa: BLE001  # a bug of ours, told as one
        from kb.service.guard import internal

        messages.error(internal(error), as_json=False)
        return ExitCode.INTERNAL
