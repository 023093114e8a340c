"""``kb rebuild``: rebuild the index, or encode texts for search by meaning."""

from __future__ import annotations

import click

from kb.cli import messages
from kb.cli.messages import working
from kb.cli.options import Invocation, global_options
from kb.cli.output import write_json
from kb.errors import ExitCode, counted


@click.command("rebuild")
@click.option("--meaning", is_flag=True, help="Encode new texts for search by meaning instead.")
@global_options
def command(invocation: Invocation, meaning: bool) -> int:
    """Rebuild the search index.

    \b
      kb rebuild
      kb rebuild --meaning

    With --meaning the index stays as it is, and texts that changed are encoded. You can stop and
    continue at any time. It needs pip install "danesh[meaning]".
    """
    with invocation.open() as library:
        if meaning:
            with working("encoding texts", "what is encoded was kept") as progress:
                documents = library.meaning.encode(progress)
            told = counted(documents, "{n} text encoded", "{n} texts encoded")
        else:
            with working("indexing") as progress:
                documents = library.rebuild(progress)
            told = counted(documents, "{n} text indexed", "{n} texts indexed")
    if invocation.as_json:
        write_json({"documents": documents})
    else:
        messages.notice(told)
    return ExitCode.DONE
