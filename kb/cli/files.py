"""``kb prune`` and ``kb resolve``: where entries differ from their files or other copies."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.import_ import tell
from kb.cli.options import Command, Invocation, complete_id, yes_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Message, UsageError, counted
from kb.i18n import N_, _
from kb.i18n.names import field_name


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
            if invocation.as_json:
                write_json({"ids": ids, "change": None})
            else:
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
    if invocation.as_json:
        write_json({"contested": [each._asdict() for each in found]})
    else:
        from kb.present.changes import texts_of

        printer = Printer(invocation.color)
        for each in found:
            printer.line(f"{each.entry}  {field_name(each.field)}", style={"bold": True})
            sides = (N_("yours"), N_("the other"))
            for side_of, text in zip(sides, texts_of(each.mine, each.theirs), strict=True):
                printer.write(f"{_(side_of)}:", indent=2, style={"dim": True})
                printer.write(text or _("nothing"), indent=4)
    return ExitCode.DONE if found else ExitCode.FINDINGS
