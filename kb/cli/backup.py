"""``kb backup``: write a complete copy."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.options import Invocation, global_options
from kb.cli.output import write_json
from kb.errors import ExitCode, counted


@click.command("backup")
@click.argument("path", required=False, metavar="[PATH]")
@click.option("--replace", is_flag=True, help="Replace an existing file.")
@global_options
def command(invocation: Invocation, path: str | None, replace: bool) -> int:
    """Back up the database, even while it is in use.

    \b
      kb backup
      kb backup ~/safe/kb.db
      kb restore ~/safe/kb.db       restores it

    Without a PATH, the copy is named by its date in the folder 'backups' beside the database.
    Only the last ten are kept there: older ones are deleted. An existing file is replaced only
    with --replace.
    """
    with invocation.open() as library:
        made = library.backups.make(path, replace=replace)
    if invocation.as_json:
        from kb.model.reports_json import backup

        write_json(backup(made))
    else:
        messages.notice(
            "{entries}, {bytes} KiB",
            place=made.path,
            entries=counted(made.entries),
            bytes=made.bytes // 1024,
        )
    return ExitCode.DONE
