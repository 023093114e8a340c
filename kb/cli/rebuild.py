"""``kb rebuild``: the index anew."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.options import Settings, global_options
from kb.cli.output import write_json
from kb.cli.working import working
from kb.errors import ExitCode


@click.command("rebuild")
@global_options
def command(settings: Settings) -> int:
    """Make the search index anew from the stored texts."""
    with settings.open() as library, working("indexing") as progress:
        documents = library.rebuild(progress)
    if settings.as_json:
        write_json({"documents": documents})
    else:
        messages.notice(f"{documents} texts indexed")
    return ExitCode.DONE
