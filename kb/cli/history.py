"""``kb history``: show the changes of one entry, oldest first."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, complete_id, global_options
from kb.errors import ExitCode


@click.command("history")
@click.argument("id", shell_complete=complete_id)
@global_options
def command(invocation: Invocation, id: str) -> int:
    """Show the history of an entry, with differences.

    \b
      kb history notes/what-is-a-logit
    """
    from kb.cli.journal import write_changes

    with invocation.open() as library:
        found = library.changes.history(*library.read.full_ids([id]))
    write_changes(invocation, found, differences=True)
    return ExitCode.DONE
