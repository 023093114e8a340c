"""``kb mv``: move entries to another collection."""

from __future__ import annotations

import click

from kb.cli.import_ import tell
from kb.cli.options import Invocation, completed, global_options
from kb.errors import ExitCode, Message


@click.command("mv")
@click.argument(
    "ids",
    nargs=-1,
    required=True,
    metavar="ID... COLLECTION",
    shell_complete=completed("id", "collection"),
)
@global_options
def command(invocation: Invocation, ids: tuple[str, ...]) -> int:
    """Move entries to a collection and keep their ids.

    \b
      kb mv notes/what-is-a-logit reading/losses
    """
    if len(ids) < 2:
        raise click.UsageError("name the entries, then the collection")
    *names, collection = ids
    with invocation.open() as library:
        done = library.edit.move(library.read.full_ids(names), collection)
    tell(
        invocation,
        done.ids,
        done.change,
        Message("moved to {collection}; 'kb undo' undoes it", collection=collection),
    )
    return ExitCode.DONE
