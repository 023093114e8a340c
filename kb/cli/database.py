"""``kb init``, ``backup``, ``restore``, ``compact`` and ``rebuild``: the database as a whole."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli import documents, messages
from kb.cli.messages import working
from kb.cli.options import Command, Invocation, yes_option
from kb.errors import Conflict, Message, counted


@click.command("init", cls=Command)
@click.option("--empty", is_flag=True, help="Leave out the bundled content.")
def init(invocation: Invocation, empty: bool) -> None:
    """Create the database, with or without bundled content.

    \b
      kb init
      kb --db mine.db init --empty

    An existing file is used only if it is empty. Every other command refuses an empty file.
    """
    from kb.service.opening import default_path, remove_empty

    path = invocation.db or default_path()
    remove_empty(path)
    if empty and Path(path).is_file():
        raise Conflict("a database already exists here", "Name another file with --db.", place=path)
    with invocation.open(bundled=not empty) as library:
        info = library.info()
    if invocation.unless_json(info):
        counts = info["counts"]
        assert isinstance(counts, dict)
        messages.notice("{entry} entries", place=path, entry=counts["entry"])


@click.command("backup", cls=Command)
@click.argument("path", required=False, metavar="[PATH]")
@click.option("--replace", is_flag=True, help="Replace an existing file.")
def backup(invocation: Invocation, path: str | None, replace: bool) -> None:
    """Back up the database, even while it is in use.

    \b
      kb backup
      kb backup ~/safe/kb.db
      kb restore ~/safe/kb.db       restores it

    Without a PATH, the copy is named by its date in the folder 'backups' beside the database.
    Only the last ten are kept there: older ones are deleted. An existing file is replaced only
    with --replace.
    """
    with invocation.open() as library:
        made = library.backups.make(path, replace=replace)
    if invocation.unless_json(documents.backup(made)):
        entries, kib = counted(made.entries), made.bytes // 1024
        messages.notice("{entries}, {bytes} KiB", place=made.path, entries=entries, bytes=kib)


@click.command("restore", cls=Command)
@click.argument("path", metavar="PATH")
def restore(invocation: Invocation, path: str) -> None:
    """Restore the database from a backup.

    \b
      kb restore ~/safe/kb.db
      kb restore kb.db.before-restore-20260501-101502      undoes that

    The copy is checked first and does not change. The previous database is kept beside the
    restored one. Only the last two are kept there: older ones are deleted. 'kb restore' refuses
    while another danesh has the database open.
    """
    from kb.service import opening

    made = opening.restore(invocation.db, path)
    if not invocation.unless_json(documents.backup(made)):
        return
    messages.notice(
        "{entries} restored from {path}", place=made.path, entries=counted(made.entries), path=path
    )
    if made.kept:
        messages.notice("the previous database is {kept}", kept=made.kept)


@click.command("compact", cls=Command)
@click.option("--days", type=click.FloatRange(min=0), default=90, show_default=True,
              help="Delete changes older than N days.")  # fmt: skip
@yes_option
def compact(invocation: Invocation, days: float, yes: bool) -> None:
    """Delete old changes for good, to free their space.

    \b
      kb compact
      kb compact --days 7

    Deleted changes can no longer be undone. Entries do not change. On a terminal it asks first.
    In a script it does not ask.
    """
    with invocation.open() as library:
        old = library.changes.older(days=days)
        changes = counted(old, "{n} change", "{n} changes")
        question = Message("Delete {changes} for good? [y/N] ", changes=changes)
        done = None
        if not old or messages.confirmed(question, yes=yes):
            with working("compacting the change log") as progress:
                done = library.changes.compact(days=days, progress=progress)
    deleted, freed = done or (0, 0)
    if printer := invocation.unless_json({"changes": deleted, "bytes": freed}):
        changes = counted(deleted, "{n} change", "{n} changes")
        told = Message("{changes} deleted, {bytes} KiB freed", changes=changes, bytes=freed // 1024)
        printer.say(told)


@click.command("rebuild", cls=Command)
@click.option("--meaning", is_flag=True, help="Encode new texts for search by meaning instead.")
def rebuild(invocation: Invocation, meaning: bool) -> None:
    """Rebuild the search index.

    \b
      kb rebuild
      kb rebuild --meaning

    With --meaning the index stays as it is, and texts that changed are encoded. You can stop and
    continue at any time. It needs pip install "danesh[meaning]".
    """
    with invocation.open() as library:
        if meaning:
            with working("encoding texts", "what is encoded was kept") as progress:
                count = library.meaning.encode(progress)
            told = counted(count, "{n} text encoded", "{n} texts encoded")
        else:
            with working("indexing") as progress:
                count = library.rebuild(progress)
            told = counted(count, "{n} text indexed", "{n} texts indexed")
    if invocation.unless_json({"documents": count}):
        messages.notice(told)
