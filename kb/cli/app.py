"""The app, opened from the command line: as ``kb tui``, or by ``kb`` alone."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from kb.cli import messages
from kb.cli.messages import in_terminal
from kb.errors import Cancelled, ExitCode, UsageError

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.results import Progress


def open_at(database: str | None, entry: str | None = None, bidi: str | None = None) -> int:
    """Open the app on a database, at an entry if one is named.

    If the database must be created or updated first, the app does that and shows its progress.
    Raises `UsageError` without a terminal, `NotFound` for an unknown entry, and `Cancelled` if
    the reader stopped the creation.
    """
    if not in_terminal():
        raise UsageError("the app needs a terminal", "In a pipe or a script use 'kb search'.")
    if not sys.stderr.isatty():
        raise UsageError("the app needs standard error to be a terminal",
                         "Do not redirect it.")  # fmt: skip

    gc.disable()  # until the first screen is painted: `tui.app.look_for_garbage`

    def opening(progress: Progress) -> Library:
        """Open a knowledge base and check that it has the entry, if one is named."""
        from kb.library import open_library

        library = open_library(database, progress=progress)
        if entry is not None:
            try:
                library.show(*library.read.full_ids([entry]))
            except BaseException:
                library.close()
                raise
        return library

    try:
        library = opening(_give_way)
    except _LongWork:
        from tui.app import build_and_open

        build_and_open(opening, entry, bidi)
        return ExitCode.DONE
    with library:
        from tui.app import open_app

        open_app(library, library.read.full_ids([entry])[0] if entry else None, bidi)
    return ExitCode.DONE


class _LongWork(Cancelled):
    """Raised if opening would take more than a moment."""


def _give_way(done: int, total: int) -> None:
    """Stop long work at its first step: nothing has changed yet, and the app starts it again."""
    raise _LongWork("there is something to be made first")


def open_alone() -> int:
    """Open the app for ``kb`` without arguments and return the exit code.

    This is the most frequent start, so it skips the command line's parser.
    """
    return messages.exit_code_of(lambda: open_at(None), as_json=False)
