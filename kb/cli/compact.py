"""``kb compact``: the journal trimmed."""

from __future__ import annotations

import click

from kb.cli.messages import working
from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Message


@click.command("compact")
@click.option("--days", type=click.FloatRange(min=0), default=90, show_default=True,
              help="Delete changes older than N days.")  # fmt: skip
@global_options
def command(invocation: Invocation, days: float) -> int:
    """Delete old changes for good, to free their space.

    \b
      kb compact
      kb compact --days 7

    Deleted changes can no longer be undone. Entries do not change.
    """
    with invocation.open() as library, working("trimming the journal") as progress:
        done = library.changes.compact(days=days, progress=progress)
    if invocation.as_json:
        write_json({"changes": done.changes, "bytes": done.bytes})
    else:
        told = Message(
            "{changes} changes forgotten, {bytes} KiB given back",
            changes=done.changes,
            bytes=done.bytes // 1024,
        )
        Printer(invocation.color).say(told)
    return ExitCode.DONE
