"""``kb undo``: take back the last changes, the last first."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.replaying import replayed


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
    said = "taken back: {}; 'kb redo' does it again"
    return replayed(
        invocation,
        "taking back",
        lambda library, tell: library.changes.undo(count, progress=tell),
        said,
    )
