"""``kb tui``: the terminal app."""

from __future__ import annotations

import click

from kb.cli.options import Settings, global_options
from kb.errors import ExitCode


@click.command("tui")
@click.argument("id", required=False)
@global_options
def command(settings: Settings, id: str | None = None) -> int:
    """Open the terminal app, at an entry if one is named."""
    with settings.open() as library:
        if id is not None:
            library.show(id)
        from tui.app import open_app

        open_app(library, id)
    return ExitCode.DONE
