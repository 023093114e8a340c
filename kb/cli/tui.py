"""``kb tui``: the terminal app."""

from __future__ import annotations

import click

from kb.cli.app import open_at
from kb.cli.options import Invocation, global_options


@click.command("tui")
@click.argument("id", required=False)
@global_options
def command(invocation: Invocation, id: str | None = None) -> int:
    """Open the terminal app, at an entry if one is named.

    \b
      kb tui
      kb tui matrix-chain-three
      kb tui --bidi terminal

    Where Persian reads wrong, --bidi says who turns it: the app, the terminal, or nobody
    (off); auto finds out. F3 in the app shows both ways and keeps the one that is right.
    """
    return open_at(invocation.db, id, invocation.bidi)
