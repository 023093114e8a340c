"""Bulk indexing: the documents of many transactions become one segment, built in parallel.

Another process analyzes documents and builds the segment while this one stores them, which halves
the time of an import. It is the same interpreter running this module; pickled records are
exchanged over its standard streams.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import BinaryIO

from kb.model.documents import Document
from kb.search.index.building import Analysed, Built, analysed, built, segment_of
from kb.work import undisturbed

_MOST = 1 << 15
"""The documents of a segment: more would take too long to store in one transaction."""

_WORTH = 1_000
"""Documents that are sent at once; for fewer, to start a process would take longer."""

_LONG = 32 << 20
"""The characters of a segment's documents, which are in memory at once."""


class Bulk:
    """Builds segments of documents and stores each with ``put`` in a transaction."""

    def __init__(
        self,
        worker: Worker | None,
        transaction: Callable[[], AbstractContextManager[None]],
        put: Callable[[Built], None],
    ) -> None:
        self._worker = worker
        self._transaction = transaction
        self._put = put
        self._taken: list[Document] = []
        self._length = self._sent = 0
        self._waiting: tuple[list[Document], Future[Built | None] | None] | None = None

    def take(self, documents: Sequence[Document]) -> None:
        """Index documents, with earlier or later ones."""
        self._taken += documents
        self._length += sum(len(text or "") for each in documents for text in each.texts.values())
        if len(self._taken) - self._sent >= _WORTH:
            self._send()
        if len(self._taken) >= _MOST or self._length >= _LONG:
            self._end_segment()

    def finish(self) -> None:
        """Index the remaining documents."""
        self._end_segment()
        self._store_waiting()

    def _send(self) -> None:
        if self._worker is not None:
            self._worker.take(self._taken[self._sent :])
            self._sent = len(self._taken)

    def _end_segment(self) -> None:
        """Start building a segment, and store the previous one meanwhile."""
        made = None
        if self._sent and self._worker is not None:
            self._send()
            made = self._worker.built()
        self._store_waiting()
        if self._taken:
            self._waiting = self._taken, made
        self._taken, self._length, self._sent = [], 0, 0

    def _store_waiting(self) -> None:
        """Store a segment; if the other process failed, build it here."""
        if self._waiting is None:
            return
        (documents, made), self._waiting = self._waiting, None
        segment = made.result() if made is not None else None
        if segment is None or len(segment.documents) < len(documents):
            with undisturbed():
                segment = built(documents)
        with self._transaction():
            self._put(segment)


@contextmanager
def bulk(
    transaction: Callable[[], AbstractContextManager[None]], put: Callable[[Built], None]
) -> Iterator[Bulk]:
    """Index many documents, on two cores if available; this process completes the rest."""
    if (os.cpu_count() or 1) == 1 or not sys.executable:
        yield Bulk(None, transaction, put)
        return
    with Worker() as worker:
        yield Bulk(worker, transaction, put)


class Worker:
    """Builds segments in another process that lives as long as this one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, "kb-index")

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
        self._thread.shutdown(cancel_futures=True)
        if self._process is not None:
            # It may have ended with something still to be read.
            with suppress(OSError), self._process:
                pass

    def take(self, documents: Sequence[Document]) -> None:
        """Have documents analysed."""
        self._thread.submit(self._send, documents)

    def built(self) -> Future[Built | None]:
        """Build a segment of the documents since the last one; nothing if it was lost."""
        return self._thread.submit(self._received)

    def _send(self, message: Sequence[Document] | None) -> None:
        with suppress(OSError, ValueError):
            if self._process is None:
                self._process = _started()
            assert self._process.stdin is not None
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()

    def _received(self) -> Built | None:
        self._send(None)
        if self._process is None:
            return None
        assert self._process.stdout is not None
        with suppress(OSError, EOFError, pickle.UnpicklingError, ValueError):
            made: Built = pickle.load(self._process.stdout)  # noqa: S301  # it is ours
            return made
        return None


def _started() -> subprocess.Popen[bytes]:
    # -P: what lies in the working folder is not imported in place of ours.
    command = [sys.executable, "-P", "-m", "kb.search.index.bulk"]
    package = os.path.dirname(os.path.abspath(__import__("kb").__path__[0]))
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Analyze each incoming list of documents; at an empty message, return the segment."""
    waiting: list[Analysed] = []
    with suppress(EOFError), undisturbed():
        while True:
            documents = pickle.load(asked)  # noqa: S301  # it is ours
            if documents is not None:
                waiting += map(analysed, documents)
                continue
            pickle.dump(segment_of(waiting), told, pickle.HIGHEST_PROTOCOL)
            told.flush()
            waiting.clear()


if __name__ == "__main__":
    serve(open(0, "rb"), open(1, "wb"))  # noqa: SIM115  # both last as long as the process
