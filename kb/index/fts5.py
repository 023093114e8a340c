"""SQLite's own full-text index, written into a copy of a base for readers that know no other.

Datasette, sqlite-utils and the shell of SQLite search it with ``MATCH``. What is indexed are
the terms that `kb.text` makes of a text, so a foreign reader finds a word in the form it is
written in, and in its stem. Nothing of ours asks it.
"""

from __future__ import annotations

from collections.abc import Iterable

from kb.records.document import COLUMNS, Document
from kb.store.sqlite.connection import Connection
from kb.text.indexing import index_text

# Foreign readers have no tokenizer of ours, so the index holds terms that are already analysed,
# and SQLite's tokenizer must leave them as they are: diacritics stay, and combining marks are
# letters.
_TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
_COLUMNS = ", ".join(COLUMNS)


def write(connection: Connection, documents: Iterable[Document]) -> None:
    """Index documents in the table ``document_fts``; the caller holds the transaction."""
    connection.run("DROP TABLE IF EXISTS document_fts")
    connection.run(
        f'CREATE VIRTUAL TABLE document_fts USING fts5({_COLUMNS}, content="document", '
        f'content_rowid="id", prefix=\'1 2 3\', tokenize="{_TOKENIZER}")'
    )
    marks = ", ".join("?" * (len(COLUMNS) + 1))
    connection.run_many(
        f"INSERT INTO document_fts (rowid, {_COLUMNS}) VALUES ({marks})",
        ((document.id, *_terms(document)) for document in documents),
    )


def _terms(document: Document) -> Iterable[str]:
    texts = (document.texts.get(column) for column in COLUMNS)
    return (index_text(text, document.lang) if text else "" for text in texts)
