"""Connections belong to their thread, and a question costs a handful of statements."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kb import Library, open_library
from tests.behind import raw


@contextmanager
def statements(library: Library) -> Iterator[list[str]]:
    """Yield what is asked of the database of this thread.

    What begins as a comment SQLite's own tables ask of themselves.
    """
    asked: list[str] = []
    raw(library).set_trace_callback(lambda sql: None if sql[:2] == "--" else asked.append(sql))
    try:
        yield asked
    finally:
        raw(library).set_trace_callback(None)


@pytest.mark.long
def test_a_connection_ends_with_its_thread(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        for _ in range(150):
            thread = threading.Thread(target=library.search, args=("gradient",))
            thread.start()
            thread.join()
        held = Path("/proc/self/fd")
        if not held.is_dir():
            pytest.skip("this system does not list what is open")
        files = [file for file in held.iterdir() if file.exists() and file.samefile(bundled_path)]
        assert 1 <= len(files) <= 4


@pytest.mark.long
@pytest.mark.parametrize("query", ["vanishing gradient", "شبکه عصبی", "what is a kernel trick"])
def test_a_question_and_its_page_cost_a_handful_of_statements(
    bundled: Library, tmp_path: Path, query: str
) -> None:
    many = tmp_path / "many.md"
    topics = ("vanishing gradient", "kernel trick", "شبکه عصبی", "loss")
    many.write_text("".join(f"**What of {topics[n % 4]} {n}?**\nThis {n}.\n\n" for n in range(400)))
    bundled.import_file(many)
    bundled.search(query)
    with statements(bundled) as asked:
        assert len(bundled.search(query, limit=10).hits) == 10
    assert 3 <= len(asked) <= 25
