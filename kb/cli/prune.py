"""``kb prune``: delete entries that are no longer in their files."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.import_ import tell
from kb.cli.options import Invocation, global_options, yes_option
from kb.cli.output import Printer
from kb.errors import ExitCode, Message, counted
from kb.i18n import _


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Show what would be deleted, without deleting.")
@yes_option
@global_options
def command(invocation: Invocation, dry_run: bool, yes: bool) -> int:
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
            _tell_dry(invocation, ids)
            return ExitCode.DONE
        question = Message("Delete {entries}? [y/N] ", entries=counted(len(ids)))
        if ids and not messages.confirmed(question, yes=yes):
            tell(invocation, (), None, question)
            return ExitCode.DONE
        done = library.files.prune()
    told = Message("{entries} deleted; 'kb undo' undoes it", entries=counted(len(done.ids)))
    tell(invocation, done.ids, done.change, told)
    return ExitCode.DONE


def _tell_dry(invocation: Invocation, ids: list[str]) -> None:
    """Say what would be deleted."""
    if invocation.as_json:
        from kb.cli.output import write_json
        from kb.model.reports_json import edited

        write_json(edited(ids, None))
    else:
        messages.notice("{entries} would be deleted", entries=counted(len(ids)))
