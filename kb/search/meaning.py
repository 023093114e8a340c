"""Search by meaning: the vectors of passages, and the documents closest to a query.

A vector is stored as 384 numbers of 8 bits. Up to `EXACT` passages, a query is compared with all
of them. In a larger base it is first compared with the signs of the numbers, 48 bytes a passage,
and the best `SHORTLIST` are then scored exactly.

The vectors of texts in one language are closer together than those of texts in two. So the mean
of its language is subtracted from each before it is compared, as in Mu and Viswanath,
"All-but-the-Top" (ICLR 2018).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb.search.encoder import Floats
from kb.store.sqlite.vectors import DIMENSIONS, Stored

EXACT = 20_000
"""The number of passages up to which each is compared with the query."""

SHORTLIST = 2_000

_BLOCK = 4_096
_SHARE = 20
"""The passages that the mean of all languages counts as in the mean of one."""
Numbers = NDArray[np.int64]


def packed(vectors: Floats) -> bytes:
    """Return vectors in stored form: each scaled so that its largest number is 127."""
    scaled = vectors * (127 / np.abs(vectors).max(axis=-1, keepdims=True))
    return bytes(np.rint(scaled).astype(np.int8).tobytes())


class _Table(NamedTuple):
    """Passages: their documents, their languages by number, and their vectors."""

    documents: Numbers
    langs: Numbers
    numbers: NDArray[np.int8]


class Vectors:
    """The vectors of a base in memory: all of them if they are few, else their signs.

    ``read`` returns the stored vectors of documents, by document.
    """

    def __init__(
        self,
        stored: Iterable[Stored],
        few: bool,
        read: Callable[[Sequence[int]], Sequence[Stored]],
    ) -> None:
        self._read = read
        self._langs: dict[str, int] = {}
        self._tables: list[_Table] = []
        self._center: Floats | None = None
        sums: defaultdict[int, Floats] = defaultdict(lambda: np.zeros(DIMENSIONS, np.float32))
        counts, owners, signs = Counter[int](), [], []
        rows = iter(stored)
        while block := list(islice(rows, _BLOCK)):
            table = self._table(block)
            vectors = _of_length_one(table.numbers)
            for lang in np.unique(table.langs).tolist():
                sums[lang] += vectors[table.langs == lang].sum(axis=0)
                counts[lang] += int((table.langs == lang).sum())
            if few:
                self._tables.append(table)
                continue
            if self._center is None:
                self._center = vectors.mean(axis=0)
            owners.append(table.documents)
            signs.append(np.packbits(vectors > self._center, axis=1).view(np.uint64))
        common = np.sum(list(sums.values()), axis=0) / max(1, counts.total())
        self._means: dict[int, Floats] = {
            lang: np.float32(1 / (counts[lang] + _SHARE)) * (sums[lang] + _SHARE * common)
            for lang in counts
        }
        if signs:
            self._owners = np.concatenate(owners)
            self._signs = np.ascontiguousarray(np.concatenate(signs).T)

    def closest(self, query: Floats, also: Sequence[int] = ()) -> list[tuple[int, float]]:
        """Return documents with their closeness to a query, best first.

        They are all documents, or in a large base the shortlist and ``also`` these.
        """
        tables = self._tables
        if self._center is not None:
            rows = self._read(sorted({*self._shortlist(query, self._center), *also}))
            tables = [self._table(rows)] if rows else []
        if not tables:
            return []
        found = [self._closeness(query, table) for table in tables]
        documents, scores = (np.concatenate(part) for part in zip(*found, strict=True))
        order = np.lexsort((documents, -scores))
        return list(zip(documents[order].tolist(), scores[order].tolist(), strict=True))

    def direction(self, row: Stored) -> Floats:
        """Return a query for what is like a document."""
        table = self._table([row])
        centered = _of_length_one(table.numbers) - self._means[int(table.langs[0])]
        total: Floats = centered.sum(axis=0)
        return total / max(float(np.linalg.norm(total)), 1e-9)

    def _table(self, rows: Sequence[Stored]) -> _Table:
        counts = [len(row.data) // DIMENSIONS for row in rows]
        langs = [self._langs.setdefault(row.lang, len(self._langs)) for row in rows]
        numbers = np.frombuffer(b"".join(row.data for row in rows), np.int8)
        documents = np.repeat([row.document for row in rows], counts)
        return _Table(documents, np.repeat(langs, counts), numbers.reshape(-1, DIMENSIONS))

    def _closeness(self, query: Floats, table: _Table) -> tuple[Numbers, Floats]:
        """Return documents, and the cosine of the best passage of each, less that of the mean."""
        scores: Floats = _of_length_one(table.numbers) @ query
        for lang in np.unique(table.langs).tolist():
            scores[table.langs == lang] -= self._means[lang] @ query
        firsts = np.flatnonzero(np.diff(table.documents, prepend=-1))
        return table.documents[firsts], np.maximum.reduceat(scores, firsts)

    def _shortlist(self, query: Floats, center: Floats) -> set[int]:
        """Return the documents of the passages whose signs differ least from the query's."""
        asked = np.packbits(query > center).view(np.uint64)
        differing = np.zeros(len(self._owners), np.uint16)
        for mine, theirs in zip(self._signs, asked, strict=True):
            differing += np.bitwise_count(mine ^ theirs)
        most = min(SHORTLIST, len(differing))
        return set(self._owners[np.argpartition(differing, most - 1)[:most]].tolist())


def _of_length_one(numbers: NDArray[np.int8]) -> Floats:
    vectors = numbers.astype(np.float32)
    vectors /= np.maximum(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), 1)[:, None]
    return vectors
