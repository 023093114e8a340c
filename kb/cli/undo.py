"""``kb undo``: take back the last changes, the last first."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.working import working
from kb.cli.writing import tell
from kb.errors import ExitCode


@click.command("undo")
@click.argument("count", type=click.IntRange(min=1), default=1, metavar="[N]")
@global_options
def command(invocation: Invocation, count: int) -> int:
    """Take back the last changes, the last first.

    \b
      kb undo
      kb undo 3

    New versions of what came with danesh are stepped over.
    """
    with invocation.open() as library, working("undo") as progress:
        done = library.changes.undo(count, progress=progress)
    tell(
        invocation,
        done.ids,
        done.change,
        f"taken back: {', '.join(done.deeds)}; 'kb redo' does it again",
    )
    return ExitCode.DONE
