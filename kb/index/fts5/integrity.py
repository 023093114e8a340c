"""Whether the index holds what the stored texts give.

SQLite's own integrity check compares the index with the stored text, which is not what was
indexed, so this one compares with the terms of the texts, made anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kb.index.fts5 import positions
from kb.index.fts5.vocabulary import Vocabulary
from kb.records.document import COLUMNS, Document
from kb.store.sqlite.connection import Connection
from kb.text.analyzer import index_text

Bag = Counter[tuple[str, str]]
"""How often each term stands in each column of a document."""


def damaged(
    connection: Connection, vocabulary: Vocabulary, documents: Iterable[Document]
) -> list[int]:
    """Return the numbers of documents that are not indexed as their texts say."""
    indexed: dict[int, Bag] = {}
    for term, number, column in vocabulary.places():
        indexed.setdefault(number, Counter())[term, column] += 1
    stored = dict(map(tuple, connection.rows("SELECT document, terms FROM forward")))
    wrong = []
    for document in documents:
        texts = indexed_texts(document)
        whole = _bag(texts) == indexed.pop(document.id, Counter())
        if not whole or stored.get(document.id) != positions.pack(texts):
            wrong.append(document.id)
    return wrong + sorted(indexed)


def indexed_texts(document: Document) -> tuple[str, ...]:
    """Return what is handed to the index for each column of a document."""
    texts = (document.texts.get(column) for column in COLUMNS)
    return tuple(index_text(text, document.lang) if text else "" for text in texts)


def _bag(texts: tuple[str, ...]) -> Bag:
    pairs = zip(COLUMNS, texts, strict=True)
    return Counter((term, column) for column, text in pairs for term in text.split())
