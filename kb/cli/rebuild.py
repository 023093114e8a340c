"""``kb rebuild``: rebuild the index."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.messages import working
from kb.cli.options import Invocation, global_options
from kb.cli.output import write_json
from kb.errors import ExitCode


@click.command("rebuild")
@global_options
def command(invocation: Invocation) -> int:
    """Rebuild the search index."""
    with invocation.open() as library, working("indexing") as progress:
        documents = library.rebuild(progress)
    if invocation.as_json:
        write_json({"documents": documents})
    else:
        messages.notice("{documents} texts indexed", documents=documents)
    return ExitCode.DONE
