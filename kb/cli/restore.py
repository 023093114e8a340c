"""``kb restore``: restore a copy."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.options import Invocation, global_options
from kb.cli.output import write_json
from kb.errors import ExitCode, counted


@click.command("restore")
@click.argument("path", metavar="PATH")
@global_options
def command(invocation: Invocation, path: str) -> int:
    """Restore the database from a backup.

    \b
      kb restore ~/safe/kb.db
      kb restore kb.db.before-restore-20260501-101502      undoes that

    The copy is checked first and does not change. The previous database is kept beside the
    restored one. Only the last two are kept there: older ones are deleted. 'kb restore' refuses
    while another danesh has the database open.
    """
    from kb.service.opening import restore

    made = restore(invocation.db, path)
    if invocation.as_json:
        from kb.model.reports_json import backup

        write_json(backup(made))
        return ExitCode.DONE
    messages.notice(
        "{entries} restored from {path}", place=made.path, entries=counted(made.entries), path=path
    )
    if made.kept:
        messages.notice("the previous database is {kept}", kept=made.kept)
    return ExitCode.DONE
