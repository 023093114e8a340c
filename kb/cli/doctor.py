"""``kb doctor``: what is well, what is not, and what mends it."""

from __future__ import annotations

import click

from kb.cli.options import Settings, global_options
from kb.cli.output import Page, write_json
from kb.errors import ExitCode


@click.command("doctor")
@global_options
def command(settings: Settings) -> int:
    """Check the database, the index, the content, the sandbox and the terminal."""
    with settings.open() as library:
        checks = library.doctor()
    if settings.as_json:
        names = ("check", "ok", "found", "remedy")
        rows = [dict(zip(names, check, strict=True)) for check in checks]
        write_json({"checks": rows})
    else:
        page = Page(settings.color)
        for name, well, found, remedy in checks:
            page.write(f"{'✓' if well else '✗'} {name}: {found}")
            if not well:
                page.write(remedy, indent=4)
    return ExitCode.DONE if all(well for _, well, _, _ in checks) else ExitCode.FINDINGS
