"""``kb doctor``: what is well, what is not, and what mends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.cli.working import working
from kb.errors import BadDatabase, ExitCode, UsageError

if TYPE_CHECKING:
    from kb.records import Check


_SIGNS = {"advice": "·"}


@click.command("doctor")
@click.argument("folder", required=False, metavar="[FOLDER]")
@click.option("--repair", is_flag=True, help="Mend the index, and rows whose others are missing.")
@global_options
def command(invocation: Invocation, folder: str | None, repair: bool) -> int:
    """Check the database, the index, the content, the sandbox and the terminal.

    \b
      kb doctor
      kb doctor my-course
      kb doctor --repair

    With a FOLDER of content of your own it checks that alone, file by file, and changes
    nothing; 'kb import FOLDER' takes it in.
    """
    if repair and folder is not None:
        raise UsageError("--repair mends the database, not a folder")
    checks = _checks(invocation, folder, repair)
    if invocation.as_json:
        from kb.contract.reports import CHECK

        write_json({"checks": [CHECK.write(check) for check in checks]})
    else:
        printer = Printer(invocation.color)
        for name, well, found, remedy in checks:
            printer.write(f"{_SIGNS.get(name, '✓' if well else '✗')} {name}: {found}")
            if remedy and (not well or name in _SIGNS):
                printer.write(remedy, indent=4)
    return ExitCode.DONE if all(well for _, well, _, _ in checks) else ExitCode.FINDINGS


def _checks(invocation: Invocation, folder: str | None, repair: bool) -> Sequence[Check]:
    if folder is not None:
        from kb.service.opening import check_folder

        return check_folder(folder)
    try:
        library = invocation.open()
    except BadDatabase as error:
        if repair:
            raise
        from kb.records import Check

        return [Check("database", False, error.message, error.hint)]
    with library:
        if repair:
            with working("mending", "the index stayed as it was") as progress:
                for done in library.repair(progress):
                    messages.notice(done)
        return library.doctor()
