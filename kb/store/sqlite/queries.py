"""What is asked of the stored entries without changing them: lists, hits, names, counts."""

from __future__ import annotations

import json

from kb.records import Hit, Source
from kb.store.sqlite import rows
from kb.store.sqlite.conditions import Condition, to_sql
from kb.store.sqlite.driver import Connection
from kb.store.sqlite.entries import Owner
from kb.store.sqlite.schema import INDEXED


def select(
    connection: Connection, condition: Condition, limit: int | None = None, offset: int = 0
) -> tuple[int, list[tuple[str, str]]]:
    """Return how many entries meet the condition, and those asked for: id and first language."""
    sql, values = to_sql(condition)
    matching = f"FROM document d WHERE d.entry = e.id AND ({sql})"
    total = connection.execute(
        f"SELECT count(*) FROM entry e WHERE EXISTS (SELECT 1 {matching})", values
    ).fetchone()[0]
    # Collection by collection the index gives the order, so that nothing behind a page is read.
    found = connection.execute(
        f"SELECT e.id AS id, (SELECT d.lang {matching} ORDER BY d.id LIMIT 1) AS lang "
        "FROM collection c CROSS JOIN entry e ON e.collection = c.id "
        f"WHERE EXISTS (SELECT 1 {matching}) ORDER BY c.position, e.position, e.id "
        "LIMIT ? OFFSET ?",
        (*values, *values, -1 if limit is None else limit, offset),
    )
    return total, [(row["id"], row["lang"]) for row in found]


def known_ids(connection: Connection) -> list[str]:
    """Return the ids of all entries and snippets, to name the nearest to a misspelt one."""
    sql = "SELECT id FROM entry UNION SELECT id FROM snippet"
    return [row[0] for row in connection.execute(sql)]


def annotation_owners(connection: Connection) -> dict[str, str]:
    """Return the entry of each annotation."""
    return {row[0]: row[1] for row in connection.execute("SELECT id, entry FROM annotation")}


def get_hit(connection: Connection, entry: str, lang: str) -> Hit:
    """Return an entry as a line of a list, spoken of in ``lang``."""
    row = connection.execute("SELECT * FROM entry WHERE id = ?", (entry,)).fetchone()
    questions = connection.execute(
        "SELECT lang, question FROM document WHERE entry = ? AND question <> '' ORDER BY id",
        (entry,),
    )
    verdicts = connection.execute(
        "SELECT verdict, count(*) AS n FROM annotation WHERE entry = ? GROUP BY 1 ORDER BY 1",
        (entry,),
    )
    snippets = connection.execute(
        "SELECT snippet FROM entry_snippet WHERE entry = ? ORDER BY position", (entry,)
    )
    return Hit(
        id=row["id"],
        kind=row["kind"],
        collection=row["collection"],
        number=row["number"],
        level=row["level"],
        lang=lang,
        question={q["lang"]: q["question"] for q in questions},
        verdicts={v["verdict"]: v["n"] for v in verdicts},
        snippets=tuple(s["snippet"] for s in snippets),
    )


def get_document(connection: Connection, entry: str, lang: str) -> dict[str, str | None]:
    """Return the searched texts of an entry in one language, by column."""
    columns = ", ".join(INDEXED)
    row = connection.execute(
        f"SELECT {columns} FROM document WHERE entry = ? AND lang = ?", (entry, lang)
    ).fetchone()
    return {} if row is None else dict(row)


def counts(connection: Connection) -> dict[str, int]:
    """Return how much of everything is stored."""
    tables = ("entry", "document", "snippet", "annotation", "evidence", "source", "collection")
    return {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables
    }


def get_sources(connection: Connection) -> list[Source]:
    """Return the source documents, by file name."""
    return [rows.read_source(row) for row in connection.execute("SELECT * FROM source ORDER BY 1")]


def get_collections(connection: Connection) -> dict[str, dict[str, str]]:
    """Return the collections in order, each with its title by language."""
    found = connection.execute("SELECT id, title FROM collection ORDER BY position")
    return {row["id"]: json.loads(row["title"]) for row in found}


def owned(connection: Connection, owner: Owner) -> set[str]:
    """Return the ids of an owner's entries."""
    sql = "SELECT id FROM entry WHERE owner = ?"
    return {row[0] for row in connection.execute(sql, (owner,))}


def facets(connection: Connection) -> dict[str, list[str]]:
    """Return the values that entries can be narrowed to, by field, in the order they are met."""
    sql = {
        "lang": "SELECT DISTINCT lang FROM document ORDER BY lang",
        "collection": "SELECT id FROM collection ORDER BY position",
        "level": "SELECT DISTINCT level FROM entry WHERE level <> '' ORDER BY level",
        "verdict": "SELECT verdict FROM annotation GROUP BY verdict ORDER BY count(*) DESC",
    }
    return {field: [row[0] for row in connection.execute(each)] for field, each in sql.items()}
