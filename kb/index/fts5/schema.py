"""The tables of the index: an external-content FTS5 table over ``document``, and the positions."""

from __future__ import annotations

from kb.records.document import COLUMNS
from kb.store.sqlite.connection import Connection

# Datasette and the sqlite3 shell have no tokenizer of ours, so the index holds terms that are
# already analysed, and SQLite's tokenizer must leave them as they are: diacritics stay, and
# combining marks are letters.
_TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
_TABLE = (
    f'CREATE VIRTUAL TABLE document_fts USING fts5({", ".join(COLUMNS)}, content="document", '
    f'content_rowid="id", prefix=\'1 2 3\', tokenize="{_TOKENIZER}")'
)


def prepare(connection: Connection) -> bool:
    """Make the index where there is none of this form; say whether it is new, and so empty."""
    stored = connection.value("SELECT sql FROM sqlite_master WHERE name = 'document_fts'")
    if stored == _TABLE:
        return False
    connection.run("DROP TABLE IF EXISTS document_fts")
    connection.run(_TABLE)
    connection.run("DELETE FROM forward")
    return True
