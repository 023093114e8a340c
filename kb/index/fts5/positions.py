"""Each document's terms in order, kept to look closer at the best few.

The full-text index answers which documents hold a term; this table, where in a document its
terms stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from kb.records.document import COLUMNS
from kb.store.sqlite.connection import Connection
from kb.text.coding import CodedText, coded_text, packed, unpacked

_BETWEEN = "\n"


def put(connection: Connection, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
    """Store the terms of documents, given as the full-text index got them."""
    connection.run_many(
        "INSERT INTO forward (document, terms) VALUES (?, ?)",
        ((document, pack(texts)) for document, texts in rows),
    )


def remove(connection: Connection, documents: Iterable[int]) -> None:
    """Forget the terms of documents."""
    rows = ((document,) for document in documents)
    connection.run_many("DELETE FROM forward WHERE document = ?", rows)


def read(connection: Connection, documents: Sequence[int]) -> list[Mapping[str, CodedText]]:
    """Return the terms of documents by column; of one that is unknown none."""
    sql = "SELECT f.document, f.terms FROM json_each(?) j JOIN forward f ON f.document = j.value"
    rows = dict(map(tuple, connection.rows(sql, (json.dumps(list(documents)),))))
    return [_columns(rows.get(document)) for document in documents]


def pack(texts: Sequence[str]) -> str:
    """Return what is stored of a document."""
    return _BETWEEN.join(packed(coded_text(text)) for text in texts)


def _columns(row: str | None) -> Mapping[str, CodedText]:
    if row is None:
        return {}
    return dict(zip(COLUMNS, map(unpacked, row.split(_BETWEEN)), strict=False))
