"""The index engine over posting lists in the database file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kb.model.clauses import (
    Candidate,
    Candidates,
    Clause,
    Occurrences,
    Phrase,
    Predicate,
    Scoring,
    weights_of,
)
from kb.model.documents import COLUMNS, Document
from kb.model.results import Progress
from kb.search.index import fts5, segments
from kb.search.index.building import fact
from kb.search.index.postings import Cache, Postings
from kb.search.index.segments import Part, Snapshot, Snapshots
from kb.store.sqlite.driver import Connection

if TYPE_CHECKING:
    from kb.search.index.bulk import Bulk
    from kb.search.index.evaluation import Searcher
    from kb.search.index.writing import Writer
    from kb.store.sqlite.store import Store

_KEPT = 88 << 20
"""Bytes of cached data, read or computed."""

_EVEN = dict.fromkeys(COLUMNS, 1.0)


class View(NamedTuple):
    """A snapshot of the index for one query, with its searcher."""

    connection: Connection
    snapshot: Snapshot
    postings: Postings
    searchers: tuple[Searcher, ...]


class RankedIndex:
    """An index over the documents of a store: posting lists in segments, evaluated exactly.

    It finds documents by terms from `kb.text`, and knows neither languages nor queries. Methods
    that change it are called within a transaction of the store. See `kb.search.index`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snapshots = Snapshots()
        self._cache = Cache(_KEPT)
        self._weights: Mapping[str, float] = _EVEN

    @cached_property
    def _writer(self) -> Writer:
        from kb.search.index.writing import Writer  # not needed to search

        return Writer(lambda: self._store.connection, self._snapshots)

    def candidates(
        self, clauses: Sequence[Clause], predicate: Predicate, scoring: Scoring, limit: int | None
    ) -> Candidates:
        """Rank the documents that match any clause and the predicate; the best per entry.

        The score is Okapi BM25 (k1 = 1.2, b = 0.75) over all columns, each with its factor from
        ``scoring``; ties are broken by entry id. A ``limit`` of 0 only counts.
        """
        from kb.search.index.evaluation import Damped, Norm, Wanted, idf, meeting, terms

        phrases = weights_of(clauses)
        with self._view(scoring.weights) as view:
            languages = {fact("lang", lang) for lang in scoring.damped}
            view.postings.fetch(terms(phrases))
            held = (sum(s.count(phrase) for s in view.searchers) for phrase in phrases)
            documents, norm = view.snapshot.documents, Norm(view.snapshot.average)
            wanted = [
                Wanted(phrase, idf(documents, count) * weight)
                for (phrase, weight), count in zip(phrases.items(), held, strict=True)
                if count
            ]
            total, scores = 0, dict[int, float]()
            for searcher in view.searchers if wanted else ():
                damped = Damped(searcher.with_facts(languages), scoring.damping)
                among = meeting(searcher, predicate)
                most = None if limit is None else max(limit, 1)
                count, best = searcher.best(
                    wanted, norm, among, damped if languages else None, most
                )
                total += count
                scores |= {searcher.segment.documents[each.ordinal]: each.score for each in best}
            found = candidates_of(view.connection, scores)
            found.sort(key=lambda each: (-each.score, each.entry))
            return Candidates(total, tuple(found[:limit]))

    def documents_of(
        self, entries: Sequence[str], clauses: Sequence[Clause], predicate: Predicate
    ) -> list[Candidate]:
        """Return all documents of these entries that match any clause and the predicate."""
        from kb.search.index.evaluation import meeting

        phrases = [phrase for clause in clauses for phrase in clause.phrases]
        documents: list[int] = []
        with self._view() as view:
            for searcher in view.searchers:
                if here := searcher.named(entries):
                    met = searcher.chosen(here) & searcher.holding(phrases)
                    narrowed = meeting(searcher, predicate)
                    met = met if narrowed is None else met & narrowed
                    documents += [searcher.segment.documents[o] for o in searcher.listed(met)]
            return candidates_of(view.connection, dict.fromkeys(sorted(documents), 0.0))

    def documents_with(self, clause: Clause) -> list[int]:
        """Return the numbers of all documents that match a clause."""
        with self._view() as view:
            return [
                searcher.segment.documents[ordinal]
                for searcher in view.searchers
                for ordinal in searcher.listed(searcher.holding(clause.phrases))
            ]

    def frequency(self, clause: Clause) -> int:
        """Return the document frequency of a clause.

        For a phrase of several terms it is an upper bound: that of the rarest term.
        """
        from kb.search.index.evaluation import terms

        with self._view() as view:
            view.postings.fetch(terms(clause.phrases))
            return max((_document_frequency(view, each) for each in clause.phrases), default=0)

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return the document frequency of each of these terms; 0 if it is missing."""
        asked = list(dict.fromkeys(terms))
        with self._view() as view:
            view.postings.fetch(asked)
            return {term: _document_frequency(view, Phrase((term,))) for term in asked}

    def next_terms(self, text: str, most: int) -> list[str]:
        """Return the first terms not before a text, by code point.

        The result has at most this number of terms, and at least one unless there are no more.
        Terms of deleted documents may be included: their frequency is 0.
        """
        with self._view() as view:
            return view.postings.following(text, most)

    def terms_like(self, keys: Sequence[str], most: int) -> list[str]:
        """Return about this many terms with any of these consonant keys (`kb.text.consonants`).

        Terms of deleted documents may be included: their frequency is 0.
        """
        with self._view() as view:
            return view.postings.like(keys, most)

    def size(self) -> int:
        """Return the approximate number of documents."""
        with self._view() as view:
            return view.snapshot.documents

    def occurrences(
        self, documents: Sequence[int], terms: Sequence[str]
    ) -> list[Mapping[str, Occurrences]]:
        """Return the positions of the given terms in each of these documents.

        They are by column, only for occurring terms; nothing for a document that is not indexed.
        """
        found: dict[int, Mapping[str, Occurrences]] = {}
        with self._view() as view:
            view.postings.fetch(terms)
            for searcher in view.searchers:
                if here := searcher.part.held(documents):
                    read = searcher.occurrences(terms, list(here.values()))
                    found |= zip(here, read, strict=True)
        return [found.get(document, {}) for document in documents]

    def lengths(self, documents: Sequence[int]) -> list[int]:
        """Return the number of terms in each of these documents; 0 if it is not indexed.

        It counts the terms and inflected forms of all columns.
        """
        found: dict[int, int] = {}
        with self._view() as view:
            for part in view.snapshot.parts:
                lengths = part.segment.lengths
                found |= {each: lengths[o] for each, o in part.held(documents).items()}
        return [found.get(document, 0) for document in documents]

    def add(self, documents: Iterable[Document]) -> None:
        """Index documents; those of one entry must be passed together."""
        added = list(documents)
        self._writer.add(added)
        fts5.add(self._store, added)

    def bulk(self) -> AbstractContextManager[Bulk]:
        """Index many stored documents, in parallel if possible.

        It starts its own transactions, and the documents should be hidden. Documents that were
        passed but not finished may be missing.
        """
        from kb.search.index.bulk import bulk

        return bulk(self._store.transaction, self._writer.put)

    def unknown(self, documents: Iterable[int]) -> list[int]:
        """Return those of these documents that were never indexed."""
        return self._writer.unknown(documents)

    def remove(self, documents: Iterable[Document]) -> None:
        """Remove documents; their texts must be those that were added."""
        removed = list(documents)
        self._writer.remove([document.id for document in removed])
        fts5.remove(self._store, removed)

    def rename_collection(self, old: str, new: str) -> None:
        """Update the collection name of its documents and of those below it."""
        self._writer.rename(fact("collection", old), fact("collection", new))

    def tidy(self, progress: Progress) -> None:
        """Merge segments into the form that is fastest to search.

        It starts its own transactions, and ends early if others change the same segments.
        """
        from kb.search.index.merging import compact

        compact(self._store, progress)

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        """Index exactly these documents; return their number."""
        return self._writer.rebuild(documents, total, progress)

    def check(self, documents: Iterable[Document]) -> list[int]:
        """Return the numbers of documents that are not indexed as these texts say."""
        from kb.search.index.writing import damaged_documents

        connection = self._store.connection
        with connection.snapshot():
            return damaged_documents(connection, documents)

    @contextmanager
    def _view(self, weights: Mapping[str, float] | None = None) -> Iterator[View]:
        """Return a consistent view of the index, whatever changes meanwhile.

        If weights do not matter, the last ones are used, to keep the cache valid.
        """
        self._weights = weights = self._weights if weights is None else weights
        connection = self._store.connection
        with connection.snapshot():
            moment = self._snapshots.at_this_moment(connection)
            postings = Postings(connection, self._cache, moment.parts)
            searchers = tuple(_searcher(each, postings, weights) for each in moment.parts)
            yield View(connection, moment, postings, searchers)


def _searcher(part: Part, postings: Postings, weights: Mapping[str, float]) -> Searcher:
    """Return the evaluator: numpy loads slowly, so it is used only for large segments."""
    if part.segment.size <= segments.FEW:
        from kb.search.index.evaluation import Searcher

        return Searcher(part, postings, weights)
    from kb.search.index.vector import VectorSearcher

    return VectorSearcher(part, postings, weights)


def _document_frequency(view: View, phrase: Phrase) -> int:
    """Return an upper bound of a phrase's document frequency: that of its rarest term."""
    each = [phrase] if phrase.open else [Phrase((term,)) for term in phrase.terms]
    return min(sum(s.count(one) for s in view.searchers) for one in each)


def candidates_of(connection: Connection, scores: Mapping[int, float]) -> list[Candidate]:
    """Return documents with entries, languages and scores, in the given order."""
    sql = (
        "SELECT d.id, e.id, d.lang FROM json_each(?) j JOIN document d ON d.id = j.value "
        "JOIN entry e ON e.key = d.entry"
    )
    rows = connection.rows(sql, (json.dumps(list(scores)),))
    known = {row[0]: Candidate(row[0], row[1], row[2], scores[row[0]]) for row in rows}
    return [known[document] for document in scores if document in known]
