"""What is there after something happened to a base: all a reader sees, and whether it is sound."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from kb import open_library
from tests.behind import damaged, raw

State = dict[str, Any]
_DATE = re.compile(r"\d{8}-\d{6}(-\d+)?")


def seen(path: Path) -> State:
    """Open a base as its next user does, and return all that a reader sees of it."""
    with open_library(path) as library:
        listed = [hit.id for hit in library.list().hits]
        hidden = [hit.id for hit in library.find.list(hidden=True).hits]
        return {
            "entries": library._base.store.entries.get([*listed, *hidden]),
            "order": listed,
            "hidden": hidden,
            "collections": library.collections.tree(),
            "contested": list(library.files.contested()),
            "gone": list(library.files.gone()),
            "log": [_told(change) for change in library.changes.log(limit=None)],
            "damaged": list(damaged(library)),
            "file": raw(library).execute("PRAGMA integrity_check").fetchone()[0],
            "broken": raw(library).execute("PRAGMA foreign_key_check").fetchone(),
        }


def _told(change: Any) -> Any:
    fields = [(each.entry, each.field, each.before, each.after) for each in change.fields]
    return (change.what, change.action, change.state, fields)


def difference(found: State, wanted: State) -> str:
    """Say in what a state differs from the one that was wanted."""
    return "; ".join(
        f"{name}: {found[name]!s:.300} instead of {wanted[name]!s:.300}"
        for name in found
        if found[name] != wanted[name]
    )


def files_of(place: Path) -> set[str]:
    """Return the names of the files and folders below a place, with ``DATE`` for any date."""
    return {_DATE.sub("DATE", str(file.relative_to(place))) for file in place.rglob("*")}
