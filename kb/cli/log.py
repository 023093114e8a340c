"""``kb log``: show the change log, newest first."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options, page_options
from kb.errors import ExitCode


@click.command("log")
@page_options(20)
@global_options
def command(invocation: Invocation, limit: int | None, offset: int) -> int:
    """Show the change log, newest first.

    \b
      kb log
      kb log --limit 100
    """
    from kb.cli.journal import write_changes

    with invocation.open() as library:
        found = library.changes.log(limit=limit, offset=offset)
    write_changes(invocation, found)
    return ExitCode.DONE
