"""``kb undo``: undo changes, newest first."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.replaying import replayed
from kb.errors import Message
from kb.i18n import N_


@click.command("undo")
@click.argument("count", type=click.IntRange(min=1), default=1, metavar="[N]")
@global_options
def command(invocation: Invocation, count: int) -> int:
    """Undo the last change, or the last N.

    \b
      kb undo
      kb undo 3

    Updates of bundled content are skipped.
    """
    return replayed(
        invocation,
        N_("undoing"),
        lambda library, tell: library.changes.undo(count, progress=tell),
        lambda actions: Message("undone: {actions}. 'kb redo' redoes it.", actions=actions),
    )
