"""Where an export goes: a file, replaced whole or not at all, or a stream."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from kb.errors import BadData

Target = str | os.PathLike[str] | BinaryIO
"""A path, or a binary file that is open."""


def deliver(target: Target, make: Callable[[Any], object], *, by_name: bool = False) -> None:
    """Let ``make`` write what is exported, and put it where it goes once it is whole.

    ``make`` gets a binary stream, or where ``by_name`` the path of a file to write. Raises
    `BadData` where a file cannot be written.
    """
    if not isinstance(target, str | os.PathLike):
        with _drafted(None, make, by_name) as draft, draft.open("rb") as made:
            shutil.copyfileobj(made, target)
        target.flush()
        return
    place = Path(os.path.realpath(target))
    try:
        if place.exists() and not place.is_file() and not place.is_dir():
            with place.open("wb") as stream:  # a device or a pipe is written to, not replaced
                deliver(stream, make, by_name=by_name)
            return
        with _drafted(place.parent, make, by_name) as draft:
            if place.exists():
                shutil.copymode(place, draft)
            os.replace(draft, place)
    except OSError as error:
        raise BadData(f"{place}: cannot be written ({error.strerror})") from error


@contextmanager
def _drafted(parent: Path | None, make: Callable[[Any], object], by_name: bool) -> Iterator[Path]:
    """Give a file that was made whole in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix=".danesh-", dir=parent) as folder:
        draft = Path(folder) / "new"
        if by_name:
            make(draft)
        else:
            with draft.open("wb") as out:
                make(out)
        yield draft
