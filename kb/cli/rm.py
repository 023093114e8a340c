"""``kb rm``: delete entries, or hide bundled ones."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.import_ import tell
from kb.cli.options import Invocation, complete_id, global_options
from kb.errors import ExitCode, Message, counted


@click.command("rm")
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
@global_options
def command(invocation: Invocation, ids: tuple[str, ...]) -> int:
    """Delete your own entries, or hide bundled ones.

    \b
      kb rm notes/what-is-a-logit
      kb undo                              undoes it
      kb list --hidden                     hidden entries ('kb unhide ID' shows one again)
    """
    with invocation.open() as library:
        done = library.edit.remove(library.read.full_ids(ids))
    removed = len(done.ids) - len(done.hidden)
    told = Message("{entries} deleted", entries=counted(removed))
    if done.hidden:
        hidden = Message("{entries} hidden", entries=counted(len(done.hidden)))
        told = Message("{told}, {hidden}", told=told, hidden=hidden) if removed else hidden
    tell(invocation, done.ids, done.change, Message("{told}; 'kb undo' undoes it", told=told))
    if invocation.as_json and done.hidden:
        messages.notice(
            "{entries} bundled with danesh were hidden, not deleted",
            entries=counted(len(done.hidden)),
        )
    return ExitCode.DONE
