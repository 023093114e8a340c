"""The file before SQLite looks at it: what SQLite only finds out later, or says badly."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kb.errors import BadDatabase
from kb.store.sqlite.driver import damaged

_HEADER = 100


def check_place(path: str) -> None:
    """Refuse a file that cannot be a whole database. Raises `BadDatabase`."""
    if "\0" in path:
        raise BadDatabase(f"{path!r}: this is not a file name")
    place = Path(path)
    try:
        if place.is_dir():
            raise BadDatabase(f"{path}: this is a folder, not a database", "Name a file with --db.")
        if not place.exists():
            return
        if not place.is_file():
            raise BadDatabase(f"{path}: this is not a file", "Name a file with --db.")
        with place.open("rb") as file:
            header = file.read(_HEADER)
        size = place.stat().st_size
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadDatabase(f"{path}: the database cannot be read ({reason})") from error
    _check_header(path, header, size)


def _check_header(path: str, header: bytes, size: int) -> None:
    if not size:
        hint = "Remove it, or name another file with --db."
        raise BadDatabase(f"{path}: the file is empty", hint)
    if not header.startswith(b"SQLite format 3\0"):
        raise damaged(path)
    # What is missing may lie in a journal beside the file, which SQLite reads by itself.
    journal = any(Path(path + end).exists() for end in ("-wal", "-journal"))
    if not journal and (len(header) < _HEADER or size < _bytes_promised(header)):
        raise damaged(path)


def _bytes_promised(header: bytes) -> int:
    """Return the size the header speaks of: page size (offset 16) by pages (offset 28)."""
    page = int.from_bytes(header[16:18], "big")
    return (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")


@contextmanager
def drafted(path: str) -> Iterator[str]:
    """Give the name of a draft; at the end it is linked to its place whole, unless one is there.

    Nobody ever sees half of a file, and of two programs that make it at once one wins.
    """
    draft = f"{path}.{os.getpid()}-{threading.get_ident()}.new"
    try:
        Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
        yield draft
        with contextlib.suppress(FileExistsError):
            _link(draft, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadDatabase(
            f"{path}: the database cannot be made there ({reason})",
            "Name a file in a folder you may write to with --db.",
        ) from error
    finally:
        for left in (draft, f"{draft}-wal", f"{draft}-shm", f"{draft}-journal"):
            with contextlib.suppress(OSError):
                os.unlink(left)


def _link(draft: str, path: str) -> None:
    """Give the finished file its name, unless another program was first."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if not Path(path).exists():
            os.rename(draft, path)


Copy = Callable[[str], None]


def put_copy_beside(path: str, name: str, most: int, copy: Copy) -> str:
    """Put a copy of a file beside it and return its path; of such copies the last few are kept.

    ``copy`` writes it whole under the name it is given.
    """
    place = Path(f"{path}.{name}")
    number = 1
    while place.exists():
        number += 1
        place = Path(f"{path}.{name}-{number}")
    with drafted(str(place)) as draft:
        copy(draft)
    family = name.split("-")[0]
    copies = sorted(place.parent.glob(f"{Path(path).name}.{family}-*"), key=_age)
    for old in copies[:-most]:
        with contextlib.suppress(OSError):
            old.unlink()
    return str(place)


def _age(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
