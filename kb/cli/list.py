"""``kb list``: list entries in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli.options import Invocation, filter_options, global_options, page_options
from kb.errors import ExitCode
from kb.i18n import language

if TYPE_CHECKING:
    from kb.model import Filters


@click.command("list")
@filter_options
@click.option("--hidden", is_flag=True, help="List hidden entries instead.")
@page_options(None)
@global_options
def command(
    invocation: Invocation, filters: Filters, hidden: bool, limit: int | None, offset: int
) -> int:
    """List entries in the order of their collections.

    \b
      kb list
      kb list --level H --verdict wrong
      kb list --collection notes --tag exam
    """
    with invocation.open() as library:
        results = library.find.list(limit=limit, offset=offset, filters=filters, hidden=hidden)
    if invocation.as_json:
        from kb.cli.output import write_json
        from kb.model.reports_json import listed

        write_json(listed(results))
    else:
        from kb.cli.output import Printer
        from kb.cli.search import tell_how_many, write_hit

        printer = Printer(invocation.color)
        for hit in results.hits:
            write_hit(printer, hit, filters.lang or language())
        tell_how_many(results, offset)
    return ExitCode.DONE if results.total else ExitCode.FINDINGS
