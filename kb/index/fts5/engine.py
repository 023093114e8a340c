"""The index of the port, by FTS5.

What is stored in ``document`` is the readable text, what is indexed are its terms. SQLite
cannot take a row out of such an index without the terms that were put in, so they are made
again from the text that was stored; the file therefore remembers the analyzer's fingerprint.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from kb.index.fts5 import positions
from kb.index.fts5.expressions import all_of, any_of, expression
from kb.index.fts5.integrity import damaged, indexed_texts
from kb.index.fts5.vocabulary import Vocabulary
from kb.records import Progress
from kb.records.clauses import Candidate, Candidates, Clause, Phrase, Scoring
from kb.records.document import COLUMNS, Document
from kb.records.predicates import Predicate, demands
from kb.store.sqlite.connection import Connection
from kb.text.coding import CodedText

_COLUMNS = ", ".join(COLUMNS)
_MARKS = ", ".join("?" * len(COLUMNS))


class InFile(Protocol):
    """What the index needs of the store whose file it lies in."""

    @property
    def to_sql(self) -> Callable[[Predicate], tuple[str, list[str]]]:
        """What says a predicate in SQL over documents ``d`` and entries ``e``."""

    def connection(self) -> Connection:
        """Return this thread's connection."""


class Fts5Index:
    """The full-text index in a store's file."""

    def __init__(self, store: InFile) -> None:
        self._connection = store.connection
        self._to_sql = store.to_sql
        self._vocabulary = Vocabulary(store.connection)

    def candidates(
        self, clauses: Sequence[Clause], predicate: Predicate, scoring: Scoring, limit: int | None
    ) -> Candidates:
        """Rank the documents that meet any clause, and the predicate; the best of each entry.

        FTS5 computes the score (https://sqlite.org/fts5.html#the_bm25_function); here higher
        is better.
        """
        demanded, others = demands(predicate)
        whole = _each_once(demanded) and set(_phrases(demanded)) == set(_phrases(clauses))
        expressed = all_of(demanded) if whole else any_of(clauses)
        narrowed, values = self._to_sql(others if whole else predicate)
        factors = ", ".join(str(float(scoring.weights[column])) for column in COLUMNS)
        languages = ", ".join("?" * len(scoring.damped))
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
            FROM scored GROUP BY entry ORDER BY score, id LIMIT ?
        """
        asked = (
            *scoring.damped,
            scoring.damping,
            expressed,
            *values,
            -1 if limit is None else max(1, limit),
        )
        rows = self._connection().rows(sql, asked)
        found = (Candidate(row["id"], row["entry"], row["lang"], -row["score"]) for row in rows)
        return Candidates(rows[0]["total"] if rows else 0, tuple(found)[:limit])

    def holding(
        self, clauses: Sequence[Clause], predicate: Predicate, limit: int
    ) -> tuple[Candidate, ...]:
        """Return some documents that meet all clauses, one of each entry, in no order of merit."""
        demanded, others = demands(predicate)
        narrowed, values = self._to_sql(others)
        sql = (
            "SELECT d.id, d.entry, d.lang FROM document_fts "
            "JOIN document d ON d.id = document_fts.rowid JOIN entry e ON e.id = d.entry "
            f"WHERE document_fts MATCH ? AND ({narrowed}) LIMIT ?"
        )
        asked = (all_of([*clauses, *demanded]), *values, 2 * limit)
        rows = self._connection().rows(sql, asked)
        return tuple({row["entry"]: Candidate(*row) for row in rows}.values())[:limit]

    def documents_of(
        self, entries: Sequence[str], clauses: Sequence[Clause], predicate: Predicate
    ) -> list[Candidate]:
        """Return every document of these entries that meets any clause, and the predicate."""
        demanded, others = demands(predicate)
        narrowed, values = self._to_sql(others)
        # The index is read once: to ask it of each document begins at every clause anew.
        sql = (
            "WITH asked AS MATERIALIZED (SELECT d.id, d.entry, d.lang FROM json_each(?) AS given "
            "JOIN document d ON d.entry = given.value JOIN entry e ON e.id = d.entry "
            f"WHERE {narrowed}) "
            "SELECT id, entry, lang FROM asked WHERE id IN (SELECT rowid FROM document_fts "
            "WHERE document_fts MATCH ? AND +rowid IN (SELECT id FROM asked))"
        )
        asked = (json.dumps(list(entries)), *values, any_of(clauses, all_of(demanded)))
        return [Candidate(*row) for row in self._connection().rows(sql, asked)]

    def frequencies(self, clauses: Sequence[Clause]) -> list[int]:
        """Return in how many documents each clause is met, at most; beginnings are counted."""
        whole = [phrase.terms for clause in clauses for phrase in clause.phrases if not phrase.open]
        known = self.term_frequencies(term for terms in whole for term in terms)
        return [max((self._met(p, known) for p in c.phrases), default=0) for c in clauses]

    def _met(self, phrase: Phrase, known: Mapping[str, int]) -> int:
        if not phrase.open:
            return min(known[term] for term in phrase.terms)
        sql = "SELECT count(*) FROM document_fts WHERE document_fts MATCH ?"
        return int(self._connection().value(sql, (expression(Clause((phrase,))),)))

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many documents each of these terms stands; 0 for one nowhere."""
        return self._vocabulary.frequencies(terms)

    def next_terms(self, text: str, most: int) -> list[str]:
        """Return the first terms that do not sort before a text, in order of code points."""
        return self._vocabulary.following(text, most)

    def size(self) -> int:
        """Return about how many documents there are: the highest number that one has."""
        return self._connection().value("SELECT max(id) FROM document") or 0

    def positions(self, documents: Sequence[int]) -> list[Mapping[str, CodedText]]:
        """Return the terms of documents in order, by column; nothing of one not indexed."""
        return positions.read(self._connection(), documents)

    def add(self, documents: Iterable[Document]) -> None:
        """Index documents."""
        rows = [(document.id, indexed_texts(document)) for document in documents]
        self._connection().run_many(
            f"INSERT INTO document_fts (rowid, {_COLUMNS}) VALUES (?, {_MARKS})",
            ((id, *texts) for id, texts in rows),
        )
        positions.put(self._connection(), rows)

    def remove(self, documents: Iterable[Document]) -> None:
        """Take documents out; their texts are those that were added."""
        rows = [(document.id, indexed_texts(document)) for document in documents]
        self._connection().run_many(
            f"INSERT INTO document_fts (document_fts, rowid, {_COLUMNS}) "
            f"VALUES ('delete', ?, {_MARKS})",
            ((id, *texts) for id, texts in rows),
        )
        positions.remove(self._connection(), (id for id, _ in rows))

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        """Index these documents and nothing else; return how many they are."""
        progress(0, 0)
        self._connection().run("INSERT INTO document_fts (document_fts) VALUES ('delete-all')")
        self._connection().run("DELETE FROM forward")
        done = 0
        for done, document in enumerate(documents, 1):
            self.add([document])
            progress(done, total)
        return done

    def check(self, documents: Iterable[Document]) -> list[int]:
        """Return the numbers of documents that are not indexed as these texts say."""
        return damaged(self._connection(), self._vocabulary, documents)


def _phrases(clauses: Sequence[Clause]) -> list[Phrase]:
    return [phrase for clause in clauses for phrase in clause.phrases]


def _each_once(clauses: Sequence[Clause]) -> bool:
    """Say whether no phrase is in two clauses: its score would be counted twice."""
    phrases = _phrases(clauses)
    return bool(phrases) and len(phrases) == len(set(phrases))
