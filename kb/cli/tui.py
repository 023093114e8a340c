"""``kb tui``: the terminal app."""

from __future__ import annotations

import click

from kb.cli.app import open_at
from kb.cli.options import Settings, global_options


@click.command("tui")
@click.argument("id", required=False)
@global_options
def command(settings: Settings, id: str | None = None) -> int:
    """Open the terminal app, at an entry if one is named."""
    return open_at(settings.db, id)
