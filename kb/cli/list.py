"""``kb list``: entries in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.options import Settings, filter_options, global_options, page_options
from kb.errors import ExitCode

if TYPE_CHECKING:
    from kb.records import Filters


@click.command("list")
@filter_options
@page_options(None)
@global_options
def command(settings: Settings, filters: Filters, limit: int | None, offset: int) -> int:
    """List entries in the order of their collections.

    \b
      kb list
      kb list --level H --verdict wrong
    """
    with settings.open() as library:
        results = library.list(limit=limit, offset=offset, filters=filters)
    if settings.as_json:
        from kb.cli.output import write_json
        from kb.contract.shapes import hit_json

        hits = [hit_json(hit) for hit in results.hits]
        write_json({"total": results.total, "hits": hits})
    else:
        from kb.cli.hits import write_hit
        from kb.cli.output import Page

        page = Page(settings.color)
        for hit in results.hits:
            write_hit(page, hit)
        if not results.hits:
            messages.notice("nothing matches")
    return ExitCode.DONE if results.hits else ExitCode.FINDINGS
