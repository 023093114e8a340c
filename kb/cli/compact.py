"""``kb compact``: the journal trimmed."""

from __future__ import annotations

import click

from kb.cli.messages import working
from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Message


@click.command("compact")
@click.option("--days", type=click.FloatRange(min=0), default=90, show_default=True,
              help="Keep the changes of so many days.")  # fmt: skip
@global_options
def command(invocation: Invocation, days: float) -> int:
    """Forget old changes, and give back the room they took.

    \b
      kb compact
      kb compact --days 7

    What is forgotten can be taken back no more; entries stay as they are.
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
