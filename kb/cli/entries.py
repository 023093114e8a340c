"""``kb rm``, ``unhide``, ``mv`` and ``tag``: change entries without their texts."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.import_ import tell
from kb.cli.options import Command, Invocation, complete_id, completed
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


class _WithMarks(Command):
    """A command in which ``-word`` removes a tag and is not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Separate the tags before the options are parsed."""
        rest, marks = _parted(args)
        ctx.meta[__name__] = marks
        return super().parse_args(ctx, rest)


def _parted(args: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments, separated from those that begin with a plus or minus.

    >>> _parted(["a", "+x", "-y", "--db", "k.db", "-h"])
    (['a', '--db', 'k.db', '-h'], ['+x', '-y'])
    """
    rest: list[str] = []
    marks: list[str] = []
    for arg in args:
        single = arg[:1] in ("+", "-") and len(arg) > 1 and not arg.startswith("--")
        (marks if single and arg != "-h" else rest).append(arg)
    return rest, marks


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    if not incomplete.startswith("+"):
        return complete_id(context, parameter, incomplete)
    return [f"+{tag}" for tag in completed("tag")(context, parameter, incomplete[1:])]


@click.command("tag", cls=_WithMarks)
@click.argument(
    "ids", nargs=-1, required=True, metavar="ID... [+TAG|-TAG]...", shell_complete=_complete
)
@click.pass_context
def tag(context: click.Context, invocation: Invocation, ids: tuple[str, ...]) -> None:
    """Add tags to entries, and remove tags.

    \b
      kb tag notes/what-is-a-logit +losses -todo
      kb tag notes/a notes/b +exam
    """
    marks = context.meta[__name__]
    more, less = ([mark[1:] for mark in marks if mark.startswith(sign)] for sign in "+-")
    if not more and not less:
        raise click.UsageError("name a tag: +TAG adds it, -TAG removes it")
    with invocation.open() as library:
        done = library.edit.tag(library.read.full_ids(ids), more, less)
    tell(invocation, done.ids, done.change, "tagged; 'kb undo' undoes it")
