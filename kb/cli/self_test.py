"""``kb self-test``: test the promises of danesh on this machine."""

from __future__ import annotations

import click

from kb.cli.doctor import tell
from kb.cli.messages import working
from kb.cli.options import Invocation, global_options


@click.command("self-test")
@global_options
def command(invocation: Invocation) -> int:
    """Test this installation: search and evidence, too.

    \b
      kb self-test

    It also runs ten known searches and all evidence of the bundled content, in memory. Your
    database is checked and does not change.
    """
    from kb.service.opening import examine_installation

    with invocation.open() as library:
        checks = list(library.doctor())
    with working("trying searches and evidence") as progress:
        checks.extend(examine_installation(progress))
    return tell(invocation, checks)
