"""Show changes: one line each, with the differences of their fields."""

from __future__ import annotations

from collections.abc import Iterable

from kb.cli.options import Invocation
from kb.cli.output import Printer, write_json
from kb.i18n import _, ahead
from kb.i18n.names import action_name, field_name
from kb.model.changes import IMPORT, Change, FieldChange
from kb.present.changes import differing, is_short, text_of


def write_changes(
    invocation: Invocation, changes: Iterable[Change], *, differences: bool = False
) -> None:
    """Write changes as JSON, or as one line each with its ``differences``."""
    if invocation.as_json:
        from kb.model.reports_json import changes as document

        write_json(document(changes))
        return
    printer = Printer(invocation.color)
    for change in changes:
        write_change(printer, change)
        for field in change.fields if differences else ():
            if field.entry is not None:
                write_difference(printer, field)


def write_change(printer: Printer, change: Change) -> None:
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


def write_difference(printer: Printer, field: FieldChange) -> None:
    """Write the value of a field before and after a change, line by line."""
    name = field_name(field.field) if field.field else _("the whole entry")
    before, after = text_of(field.before), text_of(field.after)
    if is_short(before, after):
        nothing = _("nothing")
        printer.line(f"{name}: {before or nothing} {ahead()} {after or nothing}", indent=4)
        return
    printer.line(f"{name}:", indent=4)
    for line in differing(before, after):
        style = {"fg": {"+": "green", "-": "red"}.get(line[0])}
        printer.write(line, indent=6, style=style if style["fg"] else None)


def _summary(change: Change) -> str | None:
    """Return the counts of an import."""
    told = next((f.after for f in change.fields if f.field == IMPORT), None)
    if not isinstance(told, dict):
        return None
    files = told.get("files") or []
    numbers = [f"{told[name]} {_(name)}" for name in ("added", "updated", "conflicts", "gone")
               if told.get(name)]  # fmt: skip
    return _("{numbers} from {files}").format(
        numbers=_(", ").join(numbers), files=", ".join(files[:3]) or _("0 files")
    )
