"""``kb tui``: the terminal app."""

from __future__ import annotations

import sys

import click

from kb.cli.options import Settings, global_options
from kb.errors import ExitCode, UsageError


@click.command("tui")
@click.argument("id", required=False)
@global_options
def command(settings: Settings, id: str | None = None) -> int:
    """Open the terminal app, at an entry if one is named."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal", "In a pipe or a script use 'kb search'.")
    with settings.open() as library:
        if id is not None:
            library.show(id)
        from tui.app import open_app

        open_app(library, id)
    return ExitCode.DONE
