"""``kb collection``: manage the tree of collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli.import_ import tell
from kb.cli.options import Command, Invocation, completed
from kb.cli.output import Printer, write_json
from kb.errors import Message, counted
from kb.i18n import _

if TYPE_CHECKING:
    from kb.model.changes import Collection


@click.group("collection")
def command() -> None:
    """Manage collections ('a/b' nests b in a).

    \b
      kb collection list
      kb collection new reading/attention
      kb collection rename reading papers
    """


@command.command("list", cls=Command)
def list_(invocation: Invocation) -> None:
    """List collections with their number of entries."""
    with invocation.open() as library:
        tree = library.collections.tree()
    if invocation.as_json:
        write_json({"collections": [each._asdict() for each in tree]})
        return
    printer = Printer(invocation.color)
    order = {each.id: number for number, each in enumerate(tree)}

    def place(each: Collection) -> list[int]:
        """Return the sort key of a collection: after its parent, in the order of the tree."""
        parts = each.id.split("/")
        return [order["/".join(parts[:depth])] for depth in range(1, len(parts) + 1)]

    for each in sorted(tree, key=place):
        depth = each.id.count("/")
        title = " · ".join(each.title.values())
        line = f"{each.id}  {printer.joined([_(counted(each.entries)), title or None])}"
        printer.line(line, indent=2 * depth)


@command.command("new", cls=Command)
@click.argument("name")
@click.option("--title", metavar="TEXT", help="Title shown in lists.")
def new(invocation: Invocation, name: str, title: str | None) -> None:
    """Create a collection."""
    with invocation.open() as library:
        change = library.collections.new(name, title=title or "")
    tell(invocation, (), change, Message("created {name}", name=name))


@command.command("rename", cls=Command)
@click.argument("old", shell_complete=completed("collection"))
@click.argument("new")
def rename(invocation: Invocation, old: str, new: str) -> None:
    """Rename or move a collection and keep entry ids."""
    with invocation.open() as library:
        change = library.collections.rename(old, new)
    tell(invocation, (), change, Message("{old} is now {new}", old=old, new=new))


@command.command("rm", cls=Command)
@click.argument("name", shell_complete=completed("collection"))
def rm(invocation: Invocation, name: str) -> None:
    """Delete an empty collection."""
    with invocation.open() as library:
        change = library.collections.remove(name)
    tell(invocation, (), change, Message("deleted {name}", name=name))
