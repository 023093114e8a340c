"""``kb import``: other people's question banks and decks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.cli.working import working
from kb.errors import ExitCode
from kb.exchange.registry import IMPORTERS

if TYPE_CHECKING:
    from kb.records import ImportReport


@click.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--format", "-f", metavar="FORMAT", help=f"One of: {', '.join(IMPORTERS)}.")
@click.option("--collection", metavar="NAME", help="Where to put them (else the file's name).")
@click.option("--dry-run", is_flag=True, help="Read and check, but change nothing.")
@global_options
def command(
    invocation: Invocation,
    paths: tuple[str, ...],
    format: str | None,
    collection: str | None,
    dry_run: bool,
) -> int:
    """Add the questions, answers and cards of files.

    \b
      kb import questions.md
      kb import deck.jsonl --collection mine
      kb import backup.json
      kb import my-course/                 a folder of the form of danesh's own data

    Each file is added whole or not at all, and nothing is ever erased: importing a file
    again renews its entries.
    """
    reports, printer = [], Printer(invocation.color)
    with invocation.open() as library:
        # All files are looked at before one is stored, so that a broken one stops them all.
        for path in paths if len(paths) > 1 else ():
            with working(f"checking {Path(path).name}", "nothing was stored") as progress:
                library.import_file(
                    path, collection=collection, format=format, dry_run=True, progress=progress
                )
        for path in paths:
            what, ending = f"importing {Path(path).name}", f"nothing of {path} was stored"
            with working(what, ending) as progress:
                report = library.import_file(
                    path, collection=collection, format=format, dry_run=dry_run, progress=progress
                )
            reports.append(report)
            if not invocation.as_json:
                printer.write(_sentence(report))
    if invocation.as_json:
        from kb.contract.reports import imports

        write_json(imports(reports, dry_run))
    return ExitCode.DONE


def _sentence(report: ImportReport) -> str:
    would = "would be " if report.dry_run else ""
    return (
        f"{report.file}: {report.added} {would}added, {report.updated} {would}updated, "
        f"{report.unchanged} unchanged, in {report.collection}"
    )
