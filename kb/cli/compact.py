"""``kb compact``: delete old changes from the change log."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.messages import working
from kb.cli.options import Invocation, global_options, yes_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Message, counted


@click.command("compact")
@click.option("--days", type=click.FloatRange(min=0), default=90, show_default=True,
              help="Delete changes older than N days.")  # fmt: skip
@yes_option
@global_options
def command(invocation: Invocation, days: float, yes: bool) -> int:
    """Delete old changes for good, to free their space.

    \b
      kb compact
      kb compact --days 7

    Deleted changes can no longer be undone. Entries do not change. On a terminal it asks first.
    In a script it does not ask.
    """
    with invocation.open() as library:
        old = library.changes.older(days=days)
        changes = counted(old, "{n} change", "{n} changes")
        question = Message("Delete {changes} for good? [y/N] ", changes=changes)
        if old and not messages.confirmed(question, yes=yes):
            _write(invocation, 0, 0)
            return ExitCode.DONE
        with working("compacting the change log") as progress:
            done = library.changes.compact(days=days, progress=progress)
    _write(invocation, done.changes, done.bytes)
    return ExitCode.DONE


def _write(invocation: Invocation, changes: int, freed: int) -> None:
    if invocation.as_json:
        write_json({"changes": changes, "bytes": freed})
        return
    deleted = counted(changes, "{n} change", "{n} changes")
    told = Message("{changes} deleted, {bytes} KiB freed", changes=deleted, bytes=freed // 1024)
    Printer(invocation.color).say(told)
