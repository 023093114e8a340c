"""Documents as the store knows them: their entries and languages, and the other way round."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from kb.index.ranked.searching import Found, Numbered
from kb.records.clauses import Candidate
from kb.store.sqlite.connection import Connection


class OrdinalsOf:
    """The ordinals of the documents of entries."""

    def __init__(self, connection: Connection, part: Numbered) -> None:
        self._connection = connection
        self._part = part

    def __call__(self, entries: tuple[str, ...]) -> Iterable[int]:
        """Return the ordinals of those that are there."""
        sql = (
            "SELECT d.id FROM json_each(?) AS asked JOIN entry e ON e.id = asked.value "
            "JOIN document d ON d.entry = e.key"
        )
        rows = self._connection.rows(sql, (json.dumps(entries),))
        return self._part.held([row[0] for row in rows]).values()


def ranked(connection: Connection, found: Iterable[tuple[Numbered, Found]]) -> list[Candidate]:
    """Return what was found in all parts, best first; of equals the lower id of the entry."""
    scores = {part.documents[each.ordinal]: each.score for part, each in found}
    told = [Candidate(*row, scores[row[0]]) for row in _told(connection, list(scores))]
    return sorted(told, key=lambda each: (-each.score, each.entry))


def candidates_of(connection: Connection, documents: Sequence[int]) -> list[Candidate]:
    """Return documents with their entries and languages, in the order given."""
    known = {row[0]: Candidate(*row) for row in _told(connection, documents)}
    return [known[document] for document in documents if document in known]


def _told(connection: Connection, documents: Sequence[int]) -> list[tuple[int, str, str]]:
    """Return the numbers of documents, their entries and their languages."""
    sql = (
        "SELECT d.id, e.id, d.lang FROM json_each(?) j JOIN document d ON d.id = j.value "
        "JOIN entry e ON e.key = d.entry"
    )
    return connection.rows(sql, (json.dumps(list(documents)),))
