"""``kb undo``, ``redo``, ``log`` and ``history``: the change log, read and replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from kb.cli import documents
from kb.cli.import_ import tell
from kb.cli.messages import working
from kb.cli.options import Command, Invocation, complete_id, page_options
from kb.cli.output import Printer
from kb.errors import Message, counted
from kb.i18n import N_, _
from kb.i18n.changes import is_said, lines_of
from kb.i18n.names import action_name

if TYPE_CHECKING:
    from kb.model.changes import Change, FieldChange


@click.command("undo", cls=Command)
@click.argument("count", type=click.IntRange(min=1), default=1, metavar="[N]")
def undo(invocation: Invocation, count: int) -> None:
    """Undo the last change, or the last N.

    \b
      kb undo
      kb undo 3

    Updates of bundled content are skipped.
    """
    _replayed(invocation, count, forward=False)


@click.command("redo", cls=Command)
@click.argument("count", type=click.IntRange(min=1), default=1, metavar="[N]")
def redo(invocation: Invocation, count: int) -> None:
    """Redo the last undone change, or the last N.

    \b
      kb redo

    Updates of bundled content are skipped.
    """
    _replayed(invocation, count, forward=True)


def _replayed(invocation: Invocation, count: int, *, forward: bool) -> None:
    """Undo or redo changes and report them."""
    phrase = N_("redoing") if forward else N_("undoing")
    with invocation.open() as library, working(phrase) as progress:
        replay = library.changes.redo if forward else library.changes.undo
        done = replay(count, progress=progress)
    actions = _(", ").join(map(action_name, done.actions))
    said = Message("undone: {actions}. 'kb redo' redoes it.", actions=actions)
    if forward:
        said = Message("redone: {actions}. 'kb undo' undoes it.", actions=actions)
    tell(invocation, done.ids, done.change, said)


@click.command("log", cls=Command)
@page_options(20)
def log(invocation: Invocation, limit: int | None, offset: int) -> None:
    """Show the change log, newest first.

    \b
      kb log
      kb log --limit 100
    """
    with invocation.open() as library:
        found = library.changes.log(limit=limit, offset=offset)
    _write_changes(invocation, found)


@click.command("history", cls=Command)
@click.argument("id", shell_complete=complete_id)
def history(invocation: Invocation, id: str) -> None:
    """Show the history of an entry, with differences.

    \b
      kb history notes/what-is-a-logit
    """
    with invocation.open() as library:
        (id,) = library.read.full_ids([id])
        found, own = library.changes.history(id), library.read.is_own(id)
    _write_changes(invocation, found, differences=True, own=own)


def _write_changes(
    invocation: Invocation,
    changes: Sequence[Change],
    *,
    differences: bool = False,
    own: bool = False,
) -> None:
    """Write changes as JSON, or as one line each with its ``differences``: see `lines_of`."""
    printer = invocation.unless_json(documents.changes(changes))
    if printer is None:
        return
    for change in changes:
        _write_change(printer, change)
        for field in change.fields if differences else ():
            if field.entry is not None and is_said(field.field):
                write_difference(printer, field, own=own)


def _write_change(printer: Printer, change: Change) -> None:
    """Write a change: when, by whom, which action and which entries."""
    entries = list(dict.fromkeys(f.entry for f in change.fields if f.entry))
    named = ", ".join(entries[:3])
    if len(entries) > 3:
        named = _("{named} and {more} more", named=named, more=len(entries) - 3)
    state = "" if change.state == "done" else _("undone")
    action = action_name(change.action)
    if change.what in ("undo", "redo"):
        again = _("undo of {action}") if change.what == "undo" else _("redo of {action}")
        action = again.format(action=action)
    when = change.at[:19].replace("T", " ")
    printer.line(printer.joined([when, change.who, action, named, _summary(change), state]))


def write_difference(printer: Printer, field: FieldChange, *, own: bool = False) -> None:
    """Write the value of a field before and after a change, line by line."""
    first, *lines = lines_of(field, own=own)
    printer.line(first, indent=4)
    for line in lines:
        style = {"fg": {"+": "green", "-": "red"}.get(line[0])}
        printer.write(line, indent=6, style=style if style["fg"] else None)


_COUNTS: Mapping[str, Callable[[int], Message]] = {
    "added": lambda n: counted(n, "{n} entry added", "{n} entries added"),
    "updated": lambda n: counted(n, "{n} updated", "{n} updated"),
    "conflicts": lambda n: counted(n, "{n} conflict", "{n} conflicts"),
    "gone": lambda n: counted(n, "{n} no longer in the file", "{n} no longer in the file"),
}


def _summary(change: Change) -> str | None:
    """Return the counts of an import."""
    from kb.model.changes import IMPORT

    told = next((f.after for f in change.fields if f.field == IMPORT), None)
    if not isinstance(told, dict):
        return None
    files = told.get("files") or []
    numbers = [_(count(n)) for name, count in _COUNTS.items() if (n := told.get(name))]
    return _("{numbers} from {files}").format(
        numbers=_(", ").join(numbers), files=", ".join(files[:3]) or _("0 files")
    )
