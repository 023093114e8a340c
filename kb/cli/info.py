"""``kb info``: paths, versions, counts."""

from __future__ import annotations

import click

from kb.cli.options import Settings, global_options
from kb.cli.output import Page, write_json
from kb.errors import ExitCode


@click.command("info")
@global_options
def command(settings: Settings) -> int:
    """Show paths, versions, counts and the state of the index."""
    with settings.open() as library:
        facts = library.info()
    if settings.as_json:
        write_json(facts)
        return ExitCode.DONE
    page = Page(settings.color)
    for name, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {part}" for key, part in value.items())
        page.write(f"{name + ':':<10} {value}")
    return ExitCode.DONE
