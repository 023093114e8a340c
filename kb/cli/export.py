"""``kb export``: write the knowledge base, or a part of it, in another format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.options import Command, Invocation, filter_options
from kb.cli.output import binary
from kb.errors import UsageError, counted
from kb.formats.registry import EXPORTERS, format_of

if TYPE_CHECKING:
    from kb.model import Filters

_FORMATS = "\n".join(f"      {name:<8}{format.summary}" for name, format in EXPORTERS.items())


@click.command(
    "export",
    cls=Command,
    help=f"""Export the knowledge base, or a filtered part.

    \b
      kb export -o everything.json
      kb export --level H -o hard.csv
      kb export -f jsonld

    Formats:

    \b
{_FORMATS}

    A spreadsheet would compute a cell that begins with = + - or @. Such a cell gets an
    apostrophe, which 'kb import' removes. --raw-cells leaves cells unchanged. A terminal shows
    control characters as signs. A file or a pipe gets the stored text.
    """,
)
@click.option(
    "--format",
    "-f",
    metavar="FORMAT",
    help="A format of the list above (default: by the file's ending).",
)
@click.option(
    "--output",
    "-o",
    metavar="PATH",
    default="-",
    help="File or folder (default: -, standard output).",
)
@click.option("--with-reviews", "reviews", is_flag=True, help="Also export how you studied.")
@click.option("--raw-cells", is_flag=True, help="Do not escape formulas in tables.")
@filter_options
def command(
    invocation: Invocation,
    format: str | None,
    output: str,
    reviews: bool,
    raw_cells: bool,
    filters: Filters,
) -> None:
    """Write an export to a file or to stdout."""
    to_stdout = output == "-"
    if format is None and to_stdout:
        raise UsageError("name a format with -f, or a file with -o")
    format = format_of(format, Path(output), EXPORTERS)
    if to_stdout and format == "sqlite" and os.isatty(1):
        raise UsageError("a database cannot be shown in a terminal", "Name a file with -o PATH.")
    if to_stdout and format in EXPORTERS and EXPORTERS[format].folder:
        raise UsageError(
            "'{format}' is a folder of files", "Name a folder with -o PATH.", format=format
        )
    with invocation.open() as library:
        target = binary() if to_stdout else output
        written = library.export(
            format, target, filters=filters, raw_cells=raw_cells, reviews=reviews
        )
    if not to_stdout:
        said = counted(written, "{n} entry written", "{n} entries written")
        messages.notice(said, place=output)
