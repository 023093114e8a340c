"""``kb tui``: the terminal app."""

from __future__ import annotations

import click

from kb.cli.app import open_at
from kb.cli.options import Command, Invocation, complete_id


@click.command("tui", cls=Command)
@click.argument("id", required=False, shell_complete=complete_id)
def command(invocation: Invocation, id: str | None = None) -> int:
    """Open the terminal app, at an entry if one is named.

    \b
      kb tui
      kb tui matrix-chain-three
      kb tui --bidi terminal

    If Persian reads backwards, --bidi names who reorders it: the app, the terminal, or nobody
    (off). auto detects the terminal. "Settings: text direction" (Ctrl+P) shows both.
    """
    return open_at(invocation.db, id, invocation.bidi)
