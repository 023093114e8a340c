"""A database reduced to chosen entries, so that it can be given away."""

from __future__ import annotations

import json
from collections.abc import Iterable

from kb.store.sqlite.connection import Connection

_PRIVATE = ("journal", "change", "version", "retired", "record", "file", "path", "review")
"""Tables about the reader: what was changed, by whom, from which files, and how it was studied."""

_CHOSEN = "SELECT value FROM json_each(?)"
_GONE = "annotation NOT IN (SELECT id FROM annotation)"
_USED = "SELECT snippet FROM entry_snippet UNION SELECT snippet FROM evidence"
_REST = (
    "UPDATE entry SET layer = 0, file = NULL",
    "UPDATE collection SET layer = 0",
    "DELETE FROM layer",
    "DELETE FROM name WHERE owner <> 'bundled'",
    f"DELETE FROM verification WHERE {_GONE}",
    f"DELETE FROM evidence WHERE {_GONE}",
    f"DELETE FROM snippet WHERE id NOT IN (SELECT * FROM ({_USED}) WHERE snippet IS NOT NULL)",
)


def keep_only(
    connection: Connection,
    entries: Iterable[str],
    collections: Iterable[str],
    sources: Iterable[str],
) -> None:
    """Remove all rows but those of these entries, collections and source documents.

    What is about the reader goes, too, and so do dictionaries that did not come with danesh.
    The index does not follow. The caller holds the transaction.
    """
    connection.run("PRAGMA defer_foreign_keys = ON")
    chosen = json.dumps(list(entries))
    gone = f"SELECT key FROM entry WHERE id NOT IN ({_CHOSEN})"
    for statement, values in (
        (f"DELETE FROM document WHERE entry IN ({gone})", chosen),
        (f"DELETE FROM annotation WHERE entry NOT IN ({_CHOSEN})", chosen),
        (f"DELETE FROM entry_snippet WHERE entry NOT IN ({_CHOSEN})", chosen),
        (f"DELETE FROM entry WHERE id NOT IN ({_CHOSEN})", chosen),
        (f"DELETE FROM collection WHERE id NOT IN ({_CHOSEN})", json.dumps(list(collections))),
        (f"DELETE FROM source WHERE file NOT IN ({_CHOSEN})", json.dumps(list(sources))),
    ):
        connection.run(statement, (values,))
    for statement in (*(f"DELETE FROM {table}" for table in _PRIVATE), *_REST):
        connection.run(statement)
