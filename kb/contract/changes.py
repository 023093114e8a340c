"""What changed: deeds, the journal, collections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.records.changes import Change, Collection


def edited(ids: Iterable[str], change: str | None) -> dict[str, Any]:
    """Return the document of a command that writes: the entries, and the change of the journal."""
    return {"ids": list(ids), "change": change}


def changes(found: Iterable[Change]) -> dict[str, Any]:
    """Return the document of ``kb log --json`` and ``kb history --json``: a row for each field."""
    return {"changes": [row for change in found for row in _rows(change)]}


def collections(tree: Iterable[Collection]) -> dict[str, Any]:
    """Return the document of ``kb collection list --json``."""
    return {
        "collections": [
            {"id": c.id, "title": c.title, "entries": c.entries, "parent": c.parent} for c in tree
        ]
    }


def _rows(change: Change) -> Iterable[dict[str, Any]]:
    head = {"at": change.at, "what": change.deed}
    tail = {"change": change.id, "who": change.who, "kind": change.what, "state": change.state,
            "of": change.of}  # fmt: skip
    told = {"entry": None, "field": None, "before": None, "after": None}
    for field in change.fields:
        row = {"entry": field.entry, "field": field.field, "before": field.before,
               "after": field.after}  # fmt: skip
        yield {"id": field.id, **head, **row, **tail}
    if not change.fields:
        yield {"id": change.id, **head, **told, **tail}
