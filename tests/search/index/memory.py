"""An index in memory: the methods of `RankedIndex`, right by their shortness."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from kb.model.clauses import (
    K1,
    B,
    Candidate,
    Candidates,
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Named,
    Occurrences,
    Phrase,
    Predicate,
    Scoring,
    Some,
    weights_of,
)
from kb.model.documents import COLUMNS, Document
from kb.model.results import Progress
from kb.text.consonants import consonant_keys as keys_of
from tests.terms import SEPARATOR, index_text

Tokens = Mapping[str, list[str]]


class MemoryIndex:
    """Every document's tokens by column, read through for every question."""

    def __init__(self) -> None:
        self._documents: dict[int, Document] = {}
        self._tokens: dict[int, Tokens] = {}

    def candidates(
        self, clauses: Sequence[Clause], predicate: Predicate, scoring: Scoring, limit: int | None
    ) -> Candidates:
        phrases = weights_of(clauses)
        best: dict[str, Candidate] = {}
        idf = {each: self._idf(each) * weight for each, weight in phrases.items()}
        lengths = dict(zip(self._tokens, self.lengths(list(self._tokens)), strict=True))
        average = sum(lengths.values()) / max(1, len(lengths))
        for met in self._meeting(clauses, predicate, any):
            norm = lengths[met.document] / average
            damping = scoring.damping if met.lang in scoring.damped else 1.0
            parts = (idf[p] * self._part(met.document, p, scoring, norm) for p in phrases)
            score = damping * sum(parts)
            if met.entry not in best or score > best[met.entry].score:
                best[met.entry] = met._replace(score=score)
        ranked = sorted(best.values(), key=lambda each: (-each.score, each.entry))
        return Candidates(len(ranked), tuple(ranked[:limit]))

    def documents_of(
        self, entries: Sequence[str], clauses: Sequence[Clause], predicate: Predicate
    ) -> list[Candidate]:
        return [e for e in self._meeting(clauses, predicate, any) if e.entry in entries]

    def documents_with(self, clause: Clause) -> list[int]:
        return [id for id in self._documents if self._holds(id, clause)]

    def frequency(self, clause: Clause) -> int:
        return max((self._met(p) for p in clause.phrases), default=0)

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        return {term: self._frequency(Phrase((term,))) for term in terms}

    def next_terms(self, text: str, most: int) -> list[str]:
        every = {t for of in self._tokens.values() for column in of.values() for t in column}
        terms = sorted(every - {SEPARATOR})
        start = bisect_left(terms, text)
        return terms[start : start + most]

    def terms_like(self, keys: Sequence[str], most: int) -> list[str]:
        every = self.next_terms("", len(self._documents) << 20)
        return [term for term in every if not keys_of(term).isdisjoint(keys)][:most]

    def size(self) -> int:
        return max(self._documents, default=0)

    def occurrences(
        self, documents: Sequence[int], terms: Sequence[str]
    ) -> list[Mapping[str, Occurrences]]:
        columns = (self._tokens.get(id, {}).items() for id in documents)
        return [
            {name: o for name, of in each if any(o := _occurrences(of, terms))} for each in columns
        ]

    def lengths(self, documents: Sequence[int]) -> list[int]:
        every = ([*of.values()] for of in (self._tokens.get(id, {}) for id in documents))
        return [sum(len(t) - t.count(SEPARATOR) for t in columns) for columns in every]

    @contextmanager
    def bulk(self) -> Iterator[MemoryIndex]:
        yield self

    def take(self, documents: Sequence[Document]) -> None:
        self.add(documents)

    def finish(self) -> None:
        pass

    def unknown(self, documents: Iterable[int]) -> list[int]:
        return [document for document in documents if document not in self._documents]

    def add(self, documents: Iterable[Document]) -> None:
        for document in documents:
            self._documents[document.id] = document
            self._tokens[document.id] = _tokens(document)

    def remove(self, documents: Iterable[Document]) -> None:
        for document in documents:
            del self._documents[document.id], self._tokens[document.id]

    def rename_collection(self, old: str, new: str) -> None:
        for id, document in self._documents.items():
            (name,) = document.facts["collection"]
            if f"{name}/".startswith(f"{old}/"):
                facts = {**document.facts, "collection": (new + name.removeprefix(old),)}
                self._documents[id] = document._replace(facts=facts)

    def tidy(self, progress: Progress) -> None:
        pass

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        self.__init__()
        for done, document in enumerate(documents, 1):
            self.add([document])
            progress(done, total)
        return len(self._documents)

    def check(self, documents: Iterable[Document]) -> list[int]:
        given = {document.id: _tokens(document) for document in documents}
        return sorted(id for id in given | self._tokens if given.get(id) != self._tokens.get(id))

    def _meeting(
        self, clauses: Sequence[Clause], predicate: Predicate, how: Callable[[Iterable[bool]], bool]
    ) -> list[Candidate]:
        return [
            Candidate(id, document.entry, document.lang)
            for id, document in sorted(self._documents.items())
            if how(self._holds(id, c) for c in clauses) and self._meets(id, predicate)
        ]

    def _meets(self, id: int, predicate: Predicate) -> bool:
        document = self._documents[id]
        match predicate:
            case Matches(clause):
                return self._holds(id, clause)
            case Has(field, value):
                return value.casefold() in map(str.casefold, document.facts[field])
            case Named(ids):
                return document.entry in ids
            case Every(of):
                return all(self._meets(id, part) for part in of)
            case Some(of):
                return any(self._meets(id, part) for part in of)
            case Lacks(inner):
                others = (n for n, d in self._documents.items() if d.entry == document.entry)
                return not any(self._meets(n, inner) for n in others)

    def _holds(self, id: int, clause: Clause) -> bool:
        return any(
            _count(tokens, p) for p in clause.phrases for tokens in self._tokens[id].values()
        )

    def _frequency(self, phrase: Phrase) -> int:
        return sum(self._holds(id, Clause((phrase,))) for id in self._documents)

    def _met(self, phrase: Phrase) -> int:
        parts = [phrase] if phrase.open else [Phrase((term,)) for term in phrase.terms]
        return min(map(self._frequency, parts))

    def _idf(self, phrase: Phrase) -> float:
        """Return what a phrase tells (https://sqlite.org/fts5.html#the_bm25_function)."""
        count, holding = len(self._documents), self._frequency(phrase)
        return max(math.log((count - holding + 0.5) / (holding + 0.5)), 1e-6)

    def _part(self, id: int, phrase: Phrase, scoring: Scoring, norm: float) -> float:
        """Return what a phrase counts for in a document, but for what it tells (Okapi BM25)."""
        tokens = self._tokens[id]
        often = sum(scoring.weights[name] * _count(tokens[name], phrase) for name in COLUMNS)
        return often * (K1 + 1) / (often + K1 * (1 - B + B * norm))


def _tokens(document: Document) -> Tokens:
    texts = {name: document.texts.get(name) or "" for name in COLUMNS}
    return {name: index_text(text, document.lang).split() for name, text in texts.items()}


def _occurrences(tokens: list[str], terms: Sequence[str]) -> Occurrences:
    end = tokens.index(SEPARATOR) if SEPARATOR in tokens else len(tokens)
    stems, forms = tokens[:end], tokens[end:]
    return Occurrences(
        {term: [at for at, t in enumerate(stems) if t == term] for term in terms if term in stems},
        {term: forms.count(term) for term in terms if term in forms},
    )


def _count(tokens: Sequence[str], phrase: Phrase) -> int:
    *whole, last = phrase.terms
    runs = (tokens[at : at + len(whole) + 1] for at in range(len(tokens) - len(whole)))
    ends = str.startswith if phrase.open else str.__eq__
    return sum(list(run[:-1]) == whole and ends(run[-1], last) for run in runs)
