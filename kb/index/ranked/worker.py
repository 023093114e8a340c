"""Documents analysed in another process, so that analysing and storing go on side by side.

The process is this program's own interpreter with this module; what passes between the two
are records, pickled, over its standard streams.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO, Protocol

from kb.index.ranked.building import Built, Gathering
from kb.records.document import Document
from kb.work import undisturbed

_AHEAD = 2
"""So many batches may wait to be analysed before a worker is busy."""


class Worker(Protocol):
    """What analyses documents, and makes segments of them."""

    def is_busy(self) -> bool:
        """Say whether what it took last will wait for long."""

    def take(self, documents: Sequence[Document]) -> None:
        """Analyse documents; those of one entry are taken together."""

    def built(self) -> Future[Built | None]:
        """Make a segment of what was taken since the last; nothing where it was lost."""


class Here:
    """A worker in this process."""

    def __init__(self) -> None:
        self._gathering = Gathering()

    def is_busy(self) -> bool:
        """Say that it is not: what it takes is analysed at once."""
        return False

    def take(self, documents: Sequence[Document]) -> None:
        """Analyse documents."""
        self._gathering.take(documents)

    def built(self) -> Future[Built | None]:
        """Make a segment of what was taken since the last."""
        made: Future[Built | None] = Future()
        made.set_result(self._gathering.built())
        return made


class There:
    """A worker in another process, which lives as long as this. Where it ends, all is lost."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, "kb-index")
        self._sent: deque[Future[None]] = deque()
        self._lost = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        if self._process is not None and kind is not None:
            self._process.kill()
        self._thread.shutdown(cancel_futures=True)
        if self._process is None:
            return
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # it may have ended with something still to be read
                assert stream is not None
                stream.close()
        self._process.wait()

    def is_busy(self) -> bool:
        """Say whether others are still to be analysed before what it would take."""
        while self._sent and self._sent[0].done():
            self._sent.popleft()
        return len(self._sent) >= _AHEAD

    def take(self, documents: Sequence[Document]) -> None:
        """Have documents analysed."""
        self._sent.append(self._thread.submit(self._send, documents))

    def built(self) -> Future[Built | None]:
        """Have a segment made of what was taken since the last."""
        return self._thread.submit(self._received)

    def _send(self, message: Sequence[Document] | None) -> None:
        if self._lost:
            return
        try:
            if self._process is None:
                self._process = _started()
            assert self._process.stdin is not None
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except (OSError, ValueError):
            self._lost = True

    def _received(self) -> Built | None:
        self._send(None)
        if self._lost:
            return None
        assert self._process is not None and self._process.stdout is not None
        try:
            made: Built = pickle.load(self._process.stdout)  # noqa: S301  # it is ours
        except (OSError, EOFError, pickle.UnpicklingError, ValueError):
            self._lost = True
            return None
        return made


def can_start() -> bool:
    """Say whether a process of our own is to be had, and a core for it."""
    return (os.cpu_count() or 1) > 1 and bool(sys.executable)


def _started() -> subprocess.Popen[bytes]:
    # -P: what lies in the working folder is not imported in place of ours.
    command = [sys.executable, "-P", "-m", __name__]
    path = os.pathsep.join(filter(None, [_package_folder(), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )


def _package_folder() -> str:
    """Return the folder that our package is imported from."""
    return os.path.dirname(os.path.abspath(__import__("kb").__path__[0]))


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Analyse each list of documents that comes in; at nothing, tell the segment of them."""
    gathering = Gathering()
    while True:
        try:
            documents = pickle.load(asked)  # noqa: S301  # it is ours
        except EOFError:
            return
        with undisturbed():
            if documents is not None:
                gathering.take(documents)
                continue
            pickle.dump(gathering.built(), told, pickle.HIGHEST_PROTOCOL)
        told.flush()


if __name__ == "__main__":
    serve(open(0, "rb"), open(1, "wb"))  # noqa: SIM115  # both last as long as the process
