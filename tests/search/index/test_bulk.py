"""Segments are built beside this process, in parts of a bounded size, and stored whole."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from kb.model.documents import Document
from kb.search.index import bulk
from kb.search.index.building import Built, built


class Beside:
    """A worker in this process, which loses what it builds where it is ``lost``."""

    def __init__(self, *, lost: bool = False) -> None:
        self.taken: list[list[int]] = []
        self._documents: list[Document] = []
        self._lost = lost

    def take(self, documents: Sequence[Document]) -> None:
        self.taken.append([each.id for each in documents])
        self._documents += documents

    def built(self) -> Future[Built | None]:
        future: Future[Built | None] = Future()
        future.set_result(None if self._lost else built(self._documents))
        self._documents = []
        return future


def documents(first: int, end: int, text: str = "A yak.") -> list[Document]:
    return [Document(n, str(n), "en", {"question": text}, {}) for n in range(first, end)]


def stored(worker: Beside | None, *batches: list[Document]) -> list[int]:
    """Return the number of documents in each stored segment."""
    segments: list[Built] = []
    indexed = bulk.Bulk(worker, nullcontext, segments.append)  # type: ignore[arg-type]
    for batch in batches:
        indexed.take(batch)
    indexed.finish()
    return [len(each.documents) for each in segments]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "_WORTH", 2)
    monkeypatch.setattr(bulk, "_MOST", 5)
    monkeypatch.setattr(bulk, "_LONG", 1_000)


@pytest.mark.parametrize("beside", [False, True])
def test_a_segment_ends_where_it_has_enough_documents(beside: bool) -> None:
    batches = [documents(0, 3), documents(3, 6), documents(6, 8), documents(8, 11)]
    assert stored(Beside() if beside else None, *batches) == [6, 5]


@pytest.mark.parametrize("beside", [False, True])
def test_a_segment_ends_where_its_texts_are_long(beside: bool) -> None:
    long = documents(0, 1, "yak " * 250)
    assert stored(Beside() if beside else None, long, documents(1, 3)) == [1, 2]


def test_each_document_is_sent_once_and_with_enough_others_to_start_a_process() -> None:
    worker = Beside()
    few = [documents(n, n + 1) for n in range(4)]
    assert stored(worker, *few) == [4]
    assert worker.taken == [[0, 1], [2, 3], []]
    worker = Beside()
    assert stored(worker, documents(0, 5), documents(5, 6)) == [5, 1]
    assert worker.taken == [[0, 1, 2, 3, 4], []]
    alone = Beside()
    assert stored(alone, documents(0, 1)) == [1] and alone.taken == []


def test_what_the_worker_has_built_whole_is_not_built_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = Beside()
    monkeypatch.setattr(bulk, "built", None)
    assert stored(worker, documents(0, 3), documents(3, 6)) == [6]


def test_a_segment_is_no_larger_than_what_one_transaction_stores_quickly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(bulk, "built", lambda some: SimpleNamespace(documents=some))
    (one,) = documents(0, 1)
    assert stored(None, [one] * 32_767, [one], [one]) == [32_768, 1]


def test_what_the_worker_loses_is_built_here() -> None:
    assert stored(Beside(lost=True), documents(0, 3), documents(3, 6)) == [6]


@pytest.mark.parametrize(
    ("cores", "python", "started"),
    [(1, "python", False), (None, "python", False), (2, "", False), (2, "python", True)],
)
def test_another_process_builds_only_where_it_has_a_core_and_a_python(
    cores: int | None, python: str, started: bool
) -> None:
    with (
        patch("os.cpu_count", lambda: cores),
        patch("sys.executable", python),
        bulk.bulk(nullcontext, lambda made: None) as indexing,
    ):
        assert (indexing._worker is not None) is started
