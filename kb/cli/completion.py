"""``kb completion``: the script that completes commands in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from kb.cli.options import Command, Invocation
from kb.cli.output import Printer

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
def command(invocation: Invocation, shell: str) -> None:
    """Print the completion script for a shell.

    \b
      kb completion bash >> ~/.bashrc
      kb completion zsh >> ~/.zshrc
      kb completion fish > ~/.config/fish/completions/kb.fish

    It completes commands, options, ids, collections and tags.
    """
    from kb.cli.main import kb_group

    found = get_completion_class(shell)
    assert found is not None
    script = found(kb_group(), {}, "kb", "_KB_COMPLETE").source()
    Printer(invocation.color).stream(script.strip() + "\n")
