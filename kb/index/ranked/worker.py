"""Segments built in another process, so that analysing and storing go on side by side.

The process is this program's own interpreter with this module; what passes between the two
are records, pickled, over its standard streams.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO

from kb.index.ranked.building import Built, built
from kb.records.document import Document

_WORTH = 1_000
"""Fewer documents are built here: to start a process takes longer."""


class Worker:
    """Builds segments, those of many documents in a process that lives as long as this."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, "kb-index")

    def __enter__(self) -> Callable[[Sequence[Document]], Callable[[], Built]]:
        """Return what begins to build."""
        return self._begin

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
        if self._process is not None:
            assert self._process.stdin is not None and self._process.stdout is not None
            with suppress(OSError):  # it may have ended with something still to be read
                self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()

    def _begin(self, documents: Sequence[Document]) -> Callable[[], Built]:
        if len(documents) < _WORTH or (os.cpu_count() or 1) < 2 or not sys.executable:
            return lambda: built(documents)
        future: Future[Built | None] = self._thread.submit(self._there, documents)
        return lambda: future.result() or built(documents)

    def _there(self, documents: Sequence[Document]) -> Built | None:
        """Build in the process; nothing where that has ended, whatever the reason."""
        try:
            if self._process is None:
                self._process = _started()
            assert self._process.stdin is not None and self._process.stdout is not None
            pickle.dump(documents, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
            made: Built = pickle.load(self._process.stdout)  # noqa: S301  # it is ours
        except (OSError, EOFError, pickle.UnpicklingError, ValueError):
            return None
        return made


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
    """Build a segment of each list of documents that comes in, until none does."""
    while True:
        try:
            documents = pickle.load(asked)  # noqa: S301  # it is ours
        except EOFError:
            return
        pickle.dump(built(documents), told, pickle.HIGHEST_PROTOCOL)
        told.flush()


if __name__ == "__main__":
    serve(open(0, "rb"), open(1, "wb"))  # noqa: SIM115  # both last as long as the process
