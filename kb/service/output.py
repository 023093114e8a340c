"""Exports to where they go: a file, replaced whole or not at all, or a stream."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kb.errors import BadData
from kb.exchange.book import Book
from kb.exchange.registry import exporter
from kb.store.sqlite import entries, queries
from kb.store.sqlite.conditions import Condition, Every
from kb.store.sqlite.database import CONTENT_KEY, NO_CONTENT, Database, put_meta

Target = str | os.PathLike[str] | BinaryIO


def write_book(format: str, book: Book, target: Target) -> None:
    """Write a book in a text format, as UTF-8."""
    data = exporter(format)(book).encode("utf-8")
    _deliver(target, lambda draft: draft.write_bytes(data))


def write_copy(database: Database, condition: Condition, target: Target) -> int:
    """Write a copy of the database that holds what meets the condition; return how much."""
    with database.errors():
        total, chosen = queries.select(database.connection, condition)

    def copy(draft: Path) -> None:
        database.copy_to(str(draft))
        if condition != Every():
            _keep_only(str(draft), {entry for entry, _ in chosen})

    _deliver(target, copy)
    return total


def _keep_only(path: str, chosen: set[str]) -> None:
    part = Database.open(path, lambda new: None)
    try:
        with part.writing() as connection:
            _, every = queries.select(connection, Every())
            for entry, _ in every:
                if entry not in chosen:
                    entries.remove_entry(connection, entry)
            entries.drop_unused(connection)
            put_meta(connection, CONTENT_KEY, NO_CONTENT)  # a part stays a part
        with part.errors():
            part.connection.execute("VACUUM")
    finally:
        part.close()


def _deliver(target: Target, make: Callable[[Path], object]) -> None:
    """Make the file under another name and then give it its own, or send it down a stream."""
    if isinstance(target, str | os.PathLike):
        place = Path(os.path.realpath(target))
        try:
            if place.exists() and not place.is_file() and not place.is_dir():
                with place.open("wb") as stream:  # a device or a pipe is written to, not replaced
                    _deliver(stream, make)
                return
            with _scratch(place.parent) as folder:
                make(folder / "new")
                if place.exists():
                    shutil.copymode(place, folder / "new")
                os.replace(folder / "new", place)
        except OSError as error:
            raise BadData(f"{place}: cannot be written ({error.strerror})") from error
        return
    with _scratch(None) as folder:
        make(folder / "new")
        with (folder / "new").open("rb") as made:
            shutil.copyfileobj(made, target)
    target.flush()


@contextmanager
def _scratch(parent: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=".danesh-", dir=parent) as folder:
        yield Path(folder)
