"""``kb rm``, ``unhide``, ``mv`` and ``tag``: change entries without their texts."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.import_ import tell
from kb.cli.options import Command, Invocation, WordsCommand, complete_id, completed
from kb.errors import Message, counted


@click.command("rm", cls=Command)
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
def rm(invocation: Invocation, ids: tuple[str, ...]) -> None:
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


@click.command("unhide", cls=Command)
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
def unhide(invocation: Invocation, ids: tuple[str, ...]) -> None:
    """Show hidden entries again.

    \b
      kb list --hidden
      kb unhide batch-norm-epsilon
    """
    with invocation.open() as library:
        done = library.edit.unhide(library.read.full_ids(ids))
    tell(invocation, done.ids, done.change, "shown again")


@click.command("mv", cls=Command)
@click.argument(
    "ids",
    nargs=-1,
    required=True,
    metavar="ID... COLLECTION",
    shell_complete=completed("id", "collection"),
)
def mv(invocation: Invocation, ids: tuple[str, ...]) -> None:
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


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    if not incomplete.startswith("+"):
        return complete_id(context, parameter, incomplete)
    return [f"+{tag}" for tag in completed("tag")(context, parameter, incomplete[1:])]


@click.command("tag", cls=WordsCommand)
@click.argument(
    "ids", nargs=-1, required=True, metavar="ID... [+TAG|-TAG]...", shell_complete=_complete
)
def tag(invocation: Invocation, ids: tuple[str, ...]) -> None:
    """Add tags to entries, and remove tags.

    \b
      kb tag notes/what-is-a-logit +losses -todo
      kb tag notes/a notes/b +exam
    """
    marks = [each for each in ids if each[:1] in ("+", "-") and each[1:]]
    more, less = ([mark[1:] for mark in marks if mark[0] == sign] for sign in "+-")
    names = [each for each in ids if each not in marks]
    if not names:
        raise click.MissingParameter(param_hint="'ID...'", param_type="argument")
    if not more and not less:
        raise click.UsageError("name a tag: +TAG adds it, -TAG removes it")
    with invocation.open() as library:
        done = library.edit.tag(library.read.full_ids(names), more, less)
    tell(invocation, done.ids, done.change, "tagged; 'kb undo' undoes it")
