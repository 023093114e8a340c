"""``kb log``: what was changed, the last first."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options, page_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode


@click.command("log")
@page_options(20)
@global_options
def command(invocation: Invocation, limit: int | None, offset: int) -> int:
    """Show the journal: every change of content, the last first.

    \b
      kb log
      kb log --limit 100
    """
    with invocation.open() as library:
        found = library.changes.log(limit=limit, offset=offset)
    if invocation.as_json:
        from kb.contract.changes import changes

        write_json(changes(found))
        return ExitCode.DONE
    from kb.cli.journal import write_change

    printer = Printer(invocation.color)
    for change in found:
        write_change(printer, change)
    return ExitCode.DONE
