"""``kb redo``: redo the last undone change."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.replaying import replayed
from kb.errors import Message
from kb.i18n import N_


@click.command("redo")
@click.argument("count", type=click.IntRange(min=1), default=1, metavar="[N]")
@global_options
def command(invocation: Invocation, count: int) -> int:
    """Redo the last undone change, or the last N.

    \b
      kb redo

    Updates of bundled content are skipped.
    """
    return replayed(
        invocation,
        N_("redoing"),
        lambda library, tell: library.changes.redo(count, progress=tell),
        lambda actions: Message("redone: {actions}. 'kb undo' undoes it.", actions=actions),
    )
