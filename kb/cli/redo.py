"""``kb redo``: do again what was taken back last."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.working import working
from kb.cli.writing import tell
from kb.errors import ExitCode


@click.command("redo")
@click.argument("count", type=click.IntRange(min=1), default=1, metavar="[N]")
@global_options
def command(invocation: Invocation, count: int) -> int:
    """Do again what was taken back last.

    \b
      kb redo

    New versions of what came with danesh are stepped over.
    """
    with invocation.open() as library, working("redo") as progress:
        done = library.changes.redo(count, progress=progress)
    tell(
        invocation,
        done.ids,
        done.change,
        f"done again: {', '.join(done.deeds)}; 'kb undo' takes it back",
    )
    return ExitCode.DONE
