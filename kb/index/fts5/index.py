"""The full-text index: FTS5 over terms that `kb.text` has analysed.

The index is an external-content table over ``document``: what is stored there is
the readable text, what is indexed are its terms. SQLite cannot take a row out of
such an index without the terms that were put in, so they are analysed again from
the stored text; the file therefore remembers the analyzer's fingerprint.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kb.index.fts5 import forward
from kb.index.fts5.terms import Vocabulary
from kb.records import Progress
from kb.records.progress import silent
from kb.store.sqlite.conditions import Condition, to_sql
from kb.store.sqlite.database import FINGERPRINT_KEY, put_meta
from kb.store.sqlite.driver import Connection, Deadline
from kb.store.sqlite.schema import INDEXED
from kb.text.analyzer import index_text
from kb.text.fingerprint import FINGERPRINT

_COLUMNS = ", ".join(INDEXED)
_MARKS = ", ".join("?" * len(INDEXED))
# What a query may take: enough for a hundred thousand documents a second, within bounds.
_SECONDS_A_DOCUMENT = 1e-5
_LEAST_SECONDS, _MOST_SECONDS = 0.17, 2.0


class Found(NamedTuple):
    """A document that matched: its entry, its language and its score (higher is better)."""

    document: int
    entry: str
    lang: str
    score: float


class Ranking(NamedTuple):
    """How documents are ranked: a factor for each of `INDEXED`, and one for some languages."""

    weights: tuple[float, ...]
    damped: tuple[str, ...] = ()
    damping: float = 1.0


class Retrieved(NamedTuple):
    """The best documents, one for each entry, and how many entries match."""

    total: int
    found: tuple[Found, ...]


def add_document(connection: Connection, document: int) -> None:
    """Index a stored document."""
    values = _analyzed(connection, document)
    connection.execute(
        f"INSERT INTO document_fts (rowid, {_COLUMNS}) VALUES (?, {_MARKS})", (document, *values)
    )
    forward.put(connection, document, values)


def remove_document(connection: Connection, document: int) -> None:
    """Take a document out of the index; it must still be stored as it was indexed."""
    values = _analyzed(connection, document)
    connection.execute(
        f"INSERT INTO document_fts (document_fts, rowid, {_COLUMNS}) "
        f"VALUES ('delete', ?, {_MARKS})",
        (document, *values),
    )
    forward.remove(connection, document)


def rebuild(connection: Connection, progress: Progress = silent) -> int:
    """Make the index anew from the stored texts; return the number of documents."""
    progress(0, 0)
    connection.execute("INSERT INTO document_fts (document_fts) VALUES ('delete-all')")
    forward.clear(connection)
    rows = [row[0] for row in connection.execute("SELECT id FROM document ORDER BY id")]
    for done, document in enumerate(rows, 1):
        add_document(connection, document)
        progress(done, len(rows))
    put_meta(connection, FINGERPRINT_KEY, FINGERPRINT)
    return len(rows)


def retrieve(
    connection: Connection,
    expression: str,
    condition: Condition,
    ranking: Ranking,
    limit: int,
    offset: int = 0,
) -> Retrieved:
    """Rank the documents that match an FTS5 expression by BM25, the best of each entry.

    The score is Okapi BM25 as FTS5
    computes it (k1 = 1.2, b = 0.75, https://sqlite.org/fts5.html#the_bm25_function),
    turned so that higher is better.
    """
    narrowed, values = to_sql(condition)
    factors = ", ".join(str(float(weight)) for weight in ranking.weights)
    languages = ", ".join("?" * len(ranking.damped))
    sql = f"""
        WITH scored AS MATERIALIZED (
            SELECT d.id AS id, d.entry AS entry, d.lang AS lang,
                   bm25(document_fts, {factors})
                   * CASE WHEN d.lang IN ({languages}) THEN ? ELSE 1.0 END AS score
            FROM document_fts JOIN document d ON d.id = document_fts.rowid
                 JOIN entry e ON e.id = d.entry
            WHERE document_fts MATCH ? AND ({narrowed})
        )
        SELECT id, entry, lang, min(score) AS score, count(*) OVER () AS total
        FROM scored GROUP BY entry ORDER BY score, id LIMIT ? OFFSET ?
    """
    asked = (*ranking.damped, ranking.damping, expression, *values, limit, offset)
    rows = connection.execute(sql, asked).fetchall()
    found = tuple(Found(row["id"], row["entry"], row["lang"], -row["score"]) for row in rows)
    if not rows and (offset or not limit):
        return Retrieved(retrieve(connection, expression, condition, ranking, 1).total, ())
    return Retrieved(rows[0]["total"] if rows else 0, found)


def matching(
    connection: Connection,
    found: Sequence[Found],
    expression: str,
    condition: Condition,
    lang: str,
) -> dict[str, Found]:
    """Return of each found entry the text that matches, if any does.

    That is the one in ``lang`` if it matches, else the one that was found if that does.
    """
    narrowed, values = to_sql(condition)
    # The entries' few documents come first, and the index is asked of each of them alone.
    sql = (
        "SELECT d.id, d.entry, d.lang FROM json_each(?) AS asked "
        "JOIN document d ON d.entry = asked.value JOIN entry e ON e.id = d.entry "
        "CROSS JOIN document_fts ON document_fts.rowid = d.id "
        f"WHERE document_fts MATCH ? AND ({narrowed})"
    )
    entries = json.dumps([each.entry for each in found])
    best = {each.entry: each for each in found}
    matched: dict[str, list[Found]] = {}
    for row in connection.execute(sql, (entries, expression, *values)):
        this = best[row["entry"]]._replace(document=row["id"], lang=row["lang"])
        matched.setdefault(this.entry, []).append(this)
    return {
        entry: min(
            of, key=lambda each: (each.lang != lang, each != best[each.entry], each.document)
        )
        for entry, of in matched.items()
    }


def count(connection: Connection, expression: str) -> int:
    """Return how many documents match an expression."""
    sql = "SELECT count(*) FROM document_fts WHERE document_fts MATCH ?"
    return int(connection.execute(sql, (expression,)).fetchone()[0])


def size(connection: Connection) -> int:
    """Return about how many documents there are: the highest number that one has."""
    return connection.execute("SELECT max(id) FROM document").fetchone()[0] or 0


def first(
    connection: Connection, expression: str, condition: Condition, limit: int
) -> tuple[Found, ...]:
    """Return texts that match, at once and in no order of merit, one for each entry."""
    narrowed, values = to_sql(condition)
    sql = (
        "SELECT d.id, d.entry, d.lang FROM document_fts "
        "JOIN document d ON d.id = document_fts.rowid JOIN entry e ON e.id = d.entry "
        f"WHERE document_fts MATCH ? AND ({narrowed}) LIMIT ?"
    )
    rows = connection.execute(sql, (expression, *values, 2 * limit)).fetchall()
    found = {row["entry"]: Found(row["id"], row["entry"], row["lang"], 0.0) for row in rows}
    return tuple(found.values())[:limit]


def deadline(connection: Connection, cancelled: Callable[[], bool] = lambda: False) -> Deadline:
    """Return what stops statements that are cancelled, or take longer than a reader waits."""
    seconds = min(_MOST_SECONDS, max(_LEAST_SECONDS, size(connection) * _SECONDS_A_DOCUMENT))
    return Deadline(connection, seconds, cancelled)


def languages(connection: Connection) -> tuple[str, ...]:
    """Return the languages that documents are stored in."""
    sql = """
        WITH RECURSIVE langs(lang) AS (
            SELECT min(lang) FROM document
            UNION ALL SELECT (SELECT min(lang) FROM document WHERE document.lang > langs.lang)
            FROM langs WHERE langs.lang IS NOT NULL
        ) SELECT lang FROM langs WHERE lang IS NOT NULL
    """
    return tuple(row[0] for row in connection.execute(sql))


def damaged(connection: Connection) -> list[int]:
    """Return the documents whose index entries are not what their stored texts give.

    SQLite's own integrity check compares the index with the stored text, which is not
    what was indexed, so this one compares with a second index made from the texts.
    """
    Vocabulary(connection)
    indexed: dict[int, dict[tuple[str, str], int]] = {}
    for term, document, column in connection.execute("SELECT term, doc, col FROM temp.places"):
        bag = indexed.setdefault(document, {})
        bag[term, column] = bag.get((term, column), 0) + 1
    stored = [row[0] for row in connection.execute("SELECT id FROM document ORDER BY id")]
    wrong = [d for d in stored if not _is_whole(connection, d, indexed.pop(d, {}))]
    return wrong + sorted(indexed)


def _is_whole(connection: Connection, document: int, indexed: dict[tuple[str, str], int]) -> bool:
    """Say whether both indexes hold of a document what its stored texts give."""
    bag: dict[tuple[str, str], int] = {}
    texts = _analyzed(connection, document)
    for column, text in zip(INDEXED, texts, strict=True):
        for term in text.split():
            bag[term, column] = bag.get((term, column), 0) + 1
    return bag == indexed and forward.is_stored(connection, document, texts)


def _analyzed(connection: Connection, document: int) -> tuple[str, ...]:
    row = connection.execute(
        f"SELECT lang, {_COLUMNS} FROM document WHERE id = ?", (document,)
    ).fetchone()
    return tuple(_terms(row[column], row["lang"]) for column in INDEXED)


def _terms(text: str | None, lang: str) -> str:
    return index_text(text, lang) if text else ""
