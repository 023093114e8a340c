"""The names of concepts in several languages, each found by its stems.

Rows of the owner ``bundled`` follow the glossary that comes with the program; those of
a dictionary a reader added have its name and nothing else touches them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kb.records import Concept
from kb.store.sqlite.driver import Connection
from kb.text.analyzer import stems

BUNDLED = "bundled"


class Name(NamedTuple):
    """A name of a concept, and the best one of its language where ``place`` is 0."""

    name: str
    lang: str
    place: int
    concept: int


class Row(NamedTuple):
    """A name as it is stored: of which concept of its owner, and by which stems it is found."""

    concept: int
    place: int
    lang: str
    name: str
    stems: str


def rows_of(concepts: Iterable[Concept]) -> list[Row]:
    """Return the rows of concepts, numbered from 0; names without a word are left out."""
    return [
        Row(number, place, lang, name, key)
        for number, concept in enumerate(concepts)
        for lang, names in concept.names.items()
        for place, name in enumerate(names)
        if (key := " ".join(stems(name, lang)))
    ]


def put_names(connection: Connection, rows: Iterable[Row], owner: str) -> None:
    """Store an owner's names in place of those it had."""
    connection.execute("DELETE FROM name WHERE owner = ?", (owner,))
    connection.executemany(
        "INSERT INTO name (owner, concept, place, lang, name, stems) VALUES (?, ?, ?, ?, ?, ?)",
        ((owner, *row) for row in rows),
    )


def renew_stems(connection: Connection) -> None:
    """Analyse all names anew."""
    names = connection.execute("SELECT id, name, lang FROM name").fetchall()
    connection.executemany(
        "UPDATE name SET stems = ? WHERE id = ?",
        ((" ".join(stems(row[1], row[2])), row[0]) for row in names),
    )


def translations(connection: Connection, key: str, lang: str) -> list[Name]:
    """Return the names in other languages of what has these stems in ``lang``, best first."""
    found = connection.execute(
        "SELECT DISTINCT other.name, other.lang, other.place, other.concept FROM name "
        "JOIN name other ON other.owner = name.owner AND other.concept = name.concept "
        "AND other.lang <> name.lang WHERE name.stems = ? AND name.lang = ? "
        "ORDER BY name.owner <> 'bundled', name.place, other.place, other.id",
        (key, lang),
    )
    return [Name(*row) for row in found]


def languages(connection: Connection) -> list[str]:
    """Return the languages that names are in."""
    found: list[str] = []
    after = ""
    while True:  # a step for each language, not for each name
        sql = "SELECT min(lang) FROM name WHERE lang > ?"
        after = connection.execute(sql, (after,)).fetchone()[0]
        if after is None:
            return found
        found.append(after)
