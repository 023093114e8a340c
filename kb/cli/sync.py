"""``kb sync``: exchange changes with other copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.messages import working
from kb.cli.options import Command, Invocation
from kb.cli.output import write_json
from kb.errors import UsageError, counted

if TYPE_CHECKING:
    from kb.service.exchange import Synced

_NAMED = 20
_ADDRESSES = ("postgresql://", "postgres://")


@click.command("sync", cls=Command)
@click.argument("target", required=False, metavar="[FILE|URL]")
@click.option("--course", metavar="NAME", help="The course on the hub, once.")
@click.option(
    "--only", multiple=True, metavar="COLLECTION",
    help="Read only this collection of the course (repeatable). Its own name means all.",
)  # fmt: skip
@click.option(
    "--with-reviews", "reviews", is_flag=True,
    help="Also exchange how you studied, and the settings of studying.",
)  # fmt: skip
def command(
    invocation: Invocation,
    target: str | None,
    course: str | None,
    only: Sequence[str],
    reviews: bool,
) -> None:
    """Exchange changes with your other copies, or with a course.

    \b
      kb sync /media/stick/notes.sync     on one machine, then on the other
      kb sync postgresql://ada@db.example.org/course --course ml
      kb sync                             the last file and courses again
      kb resolve                          what was changed in two ways

    FILE is created by the first copy. It holds everything that you wrote, imported or changed,
    and after --with-reviews your study log and the settings of studying. A course gets only
    entries of its collection, without your private notes. Changes merge. What two copies changed
    in different ways is a conflict: both versions are kept until you choose.
    """
    to_hub = target is not None and target.startswith(_ADDRESSES)
    if reviews and (target is None or to_hub):
        raise UsageError("--with-reviews needs a file")
    if only and not to_hub:
        raise UsageError("--only needs the address of a hub")
    with invocation.open() as library, working("syncing", "the next sync continues") as progress:
        if target is None:
            done = library.sync.sync_known(course, progress=progress)
            if not done:
                raise UsageError("name a file, or the address of a hub")
        elif not to_hub:
            if course is not None:
                raise UsageError("--course needs the address of a hub")
            done = [library.sync.sync_file(target, reviews=reviews, progress=progress)]
        else:
            known = [each.course for each in library.sync.courses() if each.target == target]
            courses = known if known and course is None and not only else [course]
            done = [
                library.sync.sync_hub(target, each, only=only, progress=progress)
                for each in courses
            ]
    if invocation.as_json:
        write_json({"syncs": [_as_json(each) for each in done]})
    for each in done:
        _tell(each)


def _as_json(done: Synced) -> dict[str, object]:
    told = {n: list(v) if isinstance(v, tuple) else v for n, v in done._asdict().items()}
    told["conflicts"] = told.pop("disputed")
    skipped = told.pop("aside")
    told["skipped"] = [{"name": each.text, "reason": str(each.reason)} for each in skipped]
    return told


def _tell(done: Synced) -> None:
    for each in done.aside[:_NAMED]:
        messages.notice("skipped: {name} ({reason})", name=each.text[:80], reason=each.reason)
    if len(done.aside) > _NAMED:
        messages.notice("and {more} more; --json names all", more=len(done.aside) - _NAMED)
    sent, received, unsent = (
        counted(n, "{n} change", "{n} changes") for n in (done.sent, done.received, done.unsent)
    )
    entries, disputed = counted(len(done.entries)), counted(done.disputed)
    told = {"sent": sent, "received": received, "entries": entries}
    messages.notice("{sent} sent, {received} received, {entries} changed", **told)
    if done.only:
        messages.notice("read: only {collections}", collections=", ".join(done.only))
    if done.settings:
        messages.notice("changed settings: {names}", names=", ".join(done.settings))
    if done.unsent:
        messages.notice("{changes} not sent yet", changes=unsent)
    if done.disputed:
        messages.notice("{entries} with conflicts: see 'kb resolve'", entries=disputed)
