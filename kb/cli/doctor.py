"""``kb doctor``: what is well, what is not, and what mends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from kb.cli.checks import tell
from kb.cli.options import Invocation, global_options

if TYPE_CHECKING:
    from kb.records import Check


@click.command("doctor")
@click.argument("folder", required=False, metavar="[FOLDER]")
@global_options
def command(invocation: Invocation, folder: str | None) -> int:
    """Check the database, the index, the content, the sandbox and the terminal.

    \b
      kb doctor
      kb doctor my-course

    With a FOLDER of content of your own it checks that alone, file by file, and changes
    nothing; 'kb import FOLDER' takes it in.
    """
    return tell(invocation, _checks(invocation, folder))


def _checks(invocation: Invocation, folder: str | None) -> Sequence[Check]:
    if folder is not None:
        from kb.service.opening import check_folder

        return check_folder(folder)
    with invocation.open() as library:
        return library.doctor()
