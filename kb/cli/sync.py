"""``kb sync``: exchange changes with other copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.messages import working
from kb.cli.options import Invocation, global_options
from kb.cli.output import write_json
from kb.errors import ExitCode, counted

if TYPE_CHECKING:
    from kb.service.sync import Synced

_NAMED = 20


@click.command("sync")
@click.argument("target", metavar="FILE")
@global_options
def command(invocation: Invocation, target: str) -> int:
    """Exchange changes with your other copies.

    \b
      kb sync /media/stick/notes.sync     on one machine, then on the other
      kb resolve                          what both changed

    FILE is created by the first copy. It holds everything that you wrote, imported or changed,
    except your study log and settings. Other changes merge. What two copies changed in
    different ways is a conflict: both versions are kept until you choose.
    """
    with (
        invocation.open() as library,
        working("syncing", "the next sync continues") as progress,
    ):
        done = library.sync.sync_file(target, progress=progress)
    if invocation.as_json:
        write_json(_as_json(done))
    _tell(done)
    return ExitCode.DONE


def _as_json(done: Synced) -> dict[str, object]:
    told = done._asdict() | {"entries": list(done.entries)}
    told["conflicts"] = told.pop("disputed")
    skipped = told.pop("aside")
    told["skipped"] = [{"name": each.text, "reason": str(each.reason)} for each in skipped]
    return {"schema_version": 1, **told}


def _tell(done: Synced) -> None:
    for each in done.aside[:_NAMED]:
        messages.notice("skipped: {name} ({reason})", name=each.text[:80], reason=each.reason)
    if len(done.aside) > _NAMED:
        messages.notice("and {more} more; --json names all", more=len(done.aside) - _NAMED)
    messages.notice(
        "{sent} sent, {received} received, {entries} changed",
        sent=counted(done.sent, "{n} change", "{n} changes"),
        received=counted(done.received, "{n} change", "{n} changes"),
        entries=counted(len(done.entries)),
    )
    if done.disputed:
        messages.notice(
            "{entries} with conflicts: see 'kb resolve'", entries=counted(done.disputed)
        )
