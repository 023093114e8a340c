"""``kb unhide``: show hidden entries again."""

from __future__ import annotations

import click

from kb.cli.import_ import tell
from kb.cli.options import Invocation, complete_id, global_options
from kb.errors import ExitCode


@click.command("unhide")
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
@global_options
def command(invocation: Invocation, ids: tuple[str, ...]) -> int:
    """Show hidden entries again.

    \b
      kb list --hidden
      kb unhide batch-norm-epsilon
    """
    with invocation.open() as library:
        done = library.edit.unhide(library.read.full_ids(ids))
    tell(invocation, done.ids, done.change, "shown again")
    return ExitCode.DONE
