"""``kb init``: create the database."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli import messages
from kb.cli.options import Invocation, global_options
from kb.cli.output import write_json
from kb.errors import Conflict, ExitCode


@click.command("init")
@click.option("--empty", is_flag=True, help="Leave out the bundled content.")
@global_options
def command(invocation: Invocation, empty: bool) -> int:
    """Create the database, with or without bundled content.

    \b
      kb init
      kb --db mine.db init --empty

    An existing file is used only if it is empty. Every other command refuses an empty file.
    """
    from kb.service.opening import default_path, remove_empty

    path = invocation.db or default_path()
    remove_empty(path)
    if empty and Path(path).is_file():
        raise Conflict("a database already exists here", "Name another file with --db.", place=path)
    with invocation.open(bundled=not empty) as library:
        info = library.info()
    if invocation.as_json:
        write_json(info)
    else:
        counts = info["counts"]
        assert isinstance(counts, dict)
        messages.notice("{entry} entries", place=path, entry=counts["entry"])
    return ExitCode.DONE
