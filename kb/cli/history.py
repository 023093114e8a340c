"""``kb history``: what became of one entry, the first change first."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode


@click.command("history")
@click.argument("id")
@global_options
def command(invocation: Invocation, id: str) -> int:
    """Show what became of an entry, with the differences.

    \b
      kb history notes/what-is-a-logit
    """
    with invocation.open() as library:
        found = library.changes.history(id)
    if invocation.as_json:
        from kb.contract.changes import changes

        write_json(changes(found))
        return ExitCode.DONE
    from kb.cli.journal import write_change, write_difference

    printer = Printer(invocation.color)
    for change in found:
        write_change(printer, change)
        for field in change.fields:
            if field.entry is not None:
                write_difference(printer, field)
    return ExitCode.DONE
