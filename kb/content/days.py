"""The days on which what changes with time was checked, and is to be checked again."""

from __future__ import annotations

import datetime
from typing import TypedDict

from kb.content.context import Context
from kb.content.tables import Table
from kb.errors import Message


class Days(TypedDict):
    """Dates as ISO 8601 writes them, or empty."""

    checked: str
    until: str


def read_days(row: Table, context: Context) -> Days:
    """Return a table's keys ``checked`` and ``until``; what is over is told as advice."""
    if "checked" not in row and "until" not in row:
        return Days(checked="", until="")
    checked, until = row.get("checked", datetime.date), row.get("until", datetime.date)
    if until < checked:
        raise row.error(
            "until", "{until} is before it was checked ({checked})", until=until, checked=checked
        )
    if until < datetime.datetime.now(datetime.UTC).date():
        hint = Message("Look at it again, and write when you did.")
        context.advise(
            row,
            "until",
            "was checked on {checked}, for the time to {until}",
            hint,
            checked=checked,
            until=until,
        )
    return Days(checked=checked.isoformat(), until=until.isoformat())
