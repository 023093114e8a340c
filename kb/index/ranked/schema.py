"""The tables of the index, beside those of the store in one file.

A term is looked up by its segment first: what is written together lies together, and a
segment that was merged away goes as one range.
"""

from __future__ import annotations

from kb.store.sqlite.connection import Connection

FORM = 3
"""The number of this form of the tables; the file keeps it with the revision."""

_TABLES = {
    "index_revision": "form INTEGER NOT NULL, stamp INTEGER NOT NULL",
    "index_segment": (
        "id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, live INTEGER NOT NULL, "
        "size INTEGER NOT NULL, gone INTEGER NOT NULL, terms INTEGER NOT NULL"
    ),
    # What never changes lies apart: SQLite writes a row anew whatever changes in it.
    "index_documents": (
        "segment INTEGER PRIMARY KEY, patterns TEXT NOT NULL, documents BLOB NOT NULL, "
        "siblings BLOB NOT NULL, lengths BLOB NOT NULL, layers BLOB NOT NULL"
    ),
    "index_posting": (
        "segment INTEGER NOT NULL, term TEXT NOT NULL, frequency INTEGER NOT NULL, "
        "documents BLOB NOT NULL, places BLOB NOT NULL, PRIMARY KEY (segment, term)"
    ),
    "index_skeleton": (
        "segment INTEGER NOT NULL, skeleton TEXT NOT NULL, term TEXT NOT NULL, "
        "PRIMARY KEY (segment, skeleton, term)"
    ),
    "index_gone": (
        "id INTEGER PRIMARY KEY AUTOINCREMENT, segment INTEGER NOT NULL, "
        "ordinal INTEGER NOT NULL, UNIQUE (segment, ordinal)"
    ),
}
_OPTIONS = dict.fromkeys(("index_posting", "index_skeleton"), "WITHOUT ROWID")


def prepare(connection: Connection) -> bool:
    """Make the index where there is none of this form; say whether it is new, and so empty."""
    known = connection.value("SELECT 1 FROM sqlite_master WHERE name = 'index_revision'")
    if known and connection.value("SELECT form FROM index_revision") == FORM:
        return False
    for name, columns in _TABLES.items():
        connection.run(f"DROP TABLE IF EXISTS {name}")
        connection.run(f"CREATE TABLE {name} ({columns}) {_OPTIONS.get(name, '')}")
    connection.run("INSERT INTO index_revision (form, stamp) VALUES (?, 0)", (FORM,))
    return True
