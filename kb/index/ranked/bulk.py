"""Much indexed at once: documents gathered over many transactions become one segment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from kb.index.ranked.building import Built, built
from kb.index.ranked.worker import Here, There, Worker, can_start
from kb.records.document import Document

if TYPE_CHECKING:
    from concurrent.futures import Future

_MOST = 1 << 15
"""The documents of a segment: more of them take long to store in one transaction."""

_WORTH = 1_000
"""Fewer documents start no process: that takes longer than to analyse them here."""

_LONG = 32 << 20
"""The characters of a segment's documents: what is made of them is in memory together."""


class _Lane:
    """A worker, and the documents that it was given for the segment that it gathers."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._taken: list[Document] = []
        self._length = 0

    def take(self, documents: Sequence[Document]) -> bool:
        """Give it documents; say whether they are enough for a segment."""
        self.worker.take(documents)
        self._taken += documents
        self._length += sum(len(text or "") for each in documents for text in each.texts.values())
        return len(self._taken) >= _MOST or self._length >= _LONG

    def ended(self) -> list[_Waiting]:
        """End the segment that it gathers, if it was given anything."""
        taken, self._taken, self._length = self._taken, [], 0
        return [_Waiting(taken, self.worker.built())] if taken else []


class _Waiting(NamedTuple):
    """Documents of which a segment is being made; where it is lost it is made here."""

    documents: Sequence[Document]
    made: Future[Built | None]

    def built(self) -> Built:
        return self.made.result() or built(self.documents)


class Bulk:
    """Has documents analysed, and stores segments of them with ``put``, each in a transaction.

    Documents go to the first of the ``workers`` that is not busy; the first of them to the last
    worker, for which nothing has to be started.
    """

    def __init__(
        self,
        workers: Sequence[Worker],
        transaction: Callable[[], AbstractContextManager[None]],
        put: Callable[[Built], None],
    ) -> None:
        self._lanes = list(map(_Lane, workers))
        self._transaction = transaction
        self._put = put
        self._seen = 0
        self._waiting: list[_Waiting] = []

    def take(self, documents: Sequence[Document]) -> None:
        """Have documents analysed, and index some of those before them."""
        self._seen += len(documents)
        free = (each for each in self._lanes if not each.worker.is_busy())
        lane = self._lanes[-1] if self._seen < _WORTH else next(free)
        if lane.take(documents):
            self._waiting += lane.ended()
        for each in [waiting for waiting in self._waiting if waiting.made.done()]:
            self._waiting.remove(each)
            self._store(each)

    def finish(self) -> None:
        """Index what was taken and is not yet."""
        for lane in self._lanes:
            self._waiting += lane.ended()
        while self._waiting:
            self._store(self._waiting.pop())

    def _store(self, waiting: _Waiting) -> None:
        made = waiting.built()
        with self._transaction():
            self._put(made)


@contextmanager
def bulk(
    transaction: Callable[[], AbstractContextManager[None]], put: Callable[[Built], None]
) -> Iterator[Bulk]:
    """Index much: on two cores where there are, and what one leaves undone the other does."""
    if not can_start():
        yield Bulk([Here()], transaction, put)
        return
    with There() as worker:
        yield Bulk([worker, Here()], transaction, put)
