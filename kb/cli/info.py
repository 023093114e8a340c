"""``kb info``: paths, versions, counts."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode


@click.command("info")
@global_options
def command(invocation: Invocation) -> int:
    """Show paths, versions, counts and the state of the index."""
    with invocation.open() as library:
        facts = library.info()
    if invocation.as_json:
        write_json(facts)
        return ExitCode.DONE
    printer = Printer(invocation.color)
    for name, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {part}" for key, part in value.items())
        printer.line(f"{name + ':':<10} {value}")
    return ExitCode.DONE
