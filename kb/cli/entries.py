"""What arranges entries without changing their texts.

``kb rm``, ``unhide``, ``mv`` and ``tag`` are for single entries, ``kb collection`` for the tree of
collections. ``kb prune`` and ``resolve`` are for what differs from files or other copies.
"""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.import_ import tell
from kb.cli.options import Command, Invocation, WordsCommand, complete_id, completed, yes_option
from kb.cli.output import Printer
from kb.errors import ExitCode, Message, UsageError, counted
from kb.i18n import N_, _
from kb.i18n.names import field_name


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


@click.group("collection")
def collection() -> None:
    """Manage collections ('a/b' nests b in a).

    \b
      kb collection list
      kb collection new reading/attention
      kb collection rename reading papers
    """


@collection.command("list", cls=Command)
def list_(invocation: Invocation) -> None:
    """List collections with their number of entries."""
    with invocation.open() as library:
        tree = library.collections.tree()
    printer = invocation.unless_json({"collections": [each._asdict() for each in tree]})
    if printer is None:
        return
    for each in tree:
        depth = each.id.count("/")
        title = " · ".join(each.title.values())
        line = f"{each.id}  {printer.joined([_(counted(each.entries)), title or None])}"
        printer.line(line, indent=2 * depth)


@collection.command("new", cls=Command)
@click.argument("name")
@click.option("--title", metavar="TEXT", help="Title shown in lists.")
def new(invocation: Invocation, name: str, title: str | None) -> None:
    """Create a collection."""
    with invocation.open() as library:
        change = library.collections.new(name, title=title or "")
    tell(invocation, (), change, Message("created {name}", name=name))


@collection.command("rename", cls=Command)
@click.argument("old", shell_complete=completed("collection"))
@click.argument("new")
def rename(invocation: Invocation, old: str, new: str) -> None:
    """Rename or move a collection and keep entry ids."""
    with invocation.open() as library:
        change = library.collections.rename(old, new)
    tell(invocation, (), change, Message("{old} is now {new}", old=old, new=new))


@collection.command("rm", cls=Command)
@click.argument("name", shell_complete=completed("collection"))
def remove(invocation: Invocation, name: str) -> None:
    """Delete an empty collection."""
    with invocation.open() as library:
        change = library.collections.remove(name)
    tell(invocation, (), change, Message("deleted {name}", name=name))


@click.command("prune", cls=Command)
@click.option("--dry-run", is_flag=True, help="Show what would be deleted, without deleting.")
@yes_option
def prune(invocation: Invocation, dry_run: bool, yes: bool) -> None:
    """Delete entries that are no longer in their files.

    \b
      kb prune --dry-run
      kb prune
      kb undo                     undoes it

    Entries that you changed or annotated stay. On a terminal it shows what would be deleted
    and asks first. In a script it does not ask.
    """
    with invocation.open() as library:
        gone = library.files.gone()
        if not invocation.as_json:
            printer = Printer(invocation.color)
            for each in gone:
                kept = _("kept: {why}").format(why=_(each.kept)) if each.kept else None
                gone_from = _("no longer in {file}", file=each.file)
                printer.line(printer.joined([each.entry, gone_from, kept]))
        ids = [each.entry for each in gone if not each.kept]
        if dry_run:
            if invocation.unless_json({"ids": ids, "change": None}):
                messages.notice("{entries} would be deleted", entries=counted(len(ids)))
            return
        question = Message("Delete {entries}? [y/N] ", entries=counted(len(ids)))
        if ids and not messages.confirmed(question, yes=yes):
            tell(invocation, (), None, question)
            return
        done = library.files.prune()
    told = Message("{entries} deleted; 'kb undo' undoes it", entries=counted(len(done.ids)))
    tell(invocation, done.ids, done.change, told)


@click.command("resolve", cls=Command)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_id)
@click.option("--mine", "side", flag_value="mine", help="Keep your version.")
@click.option("--theirs", "side", flag_value="theirs", help="Take the other version.")
def resolve(invocation: Invocation, ids: tuple[str, ...], side: str | None) -> int:
    """Resolve what was changed in two ways: by you, and elsewhere.

    \b
      kb resolve                        all of them, side by side
      kb resolve notes/logits --theirs
      kb resolve notes/logits --mine

    The other version is from the file of an import, or from another copy ('kb sync'). Until you
    choose, both versions are kept.
    """
    with invocation.open() as library:
        ids = library.read.full_ids(ids)
        if side is not None:
            if not ids:
                raise UsageError("name the entries to resolve")
            done = library.files.resolve(ids, "mine" if side == "mine" else "theirs")
            tell(invocation, done.ids, done.change, "resolved; 'kb undo' undoes it")
            return ExitCode.DONE
        found = library.files.contested(ids)
    if printer := invocation.unless_json({"contested": [each._asdict() for each in found]}):
        from kb.i18n.changes import texts_of

        for each in found:
            printer.line(f"{each.entry}  {field_name(each.field)}", style={"bold": True})
            sides = (N_("yours"), N_("the other"))
            texts = texts_of(each.field, each.mine, each.theirs)
            for side_of, text in zip(sides, texts, strict=True):
                printer.write(f"{_(side_of)}:", indent=2, style={"dim": True})
                printer.write(text or _("nothing"), indent=4)
    return ExitCode.DONE if found else ExitCode.FINDINGS
