"""The files below a folder, and what of it cannot be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kb import limits
from kb.content.folder import is_course
from kb.errors import BadData, Message
from kb.foreign import kind_of, leads_out, size


class Found(NamedTuple):
    """A file, or a course as a whole; ``reason`` says why one cannot be read."""

    place: Path
    reason: str = ""
    course: bool = False


def walk(folder: Path) -> Iterator[Found]:
    """Yield the files below a folder, in order; what begins with a dot is passed over.

    Each folder is looked into once, wherever links lead. Raises `BadData` for a folder that
    holds too many files, or too much in them.
    """
    seen = {os.path.realpath(folder)}
    waiting = [(folder, 0)]
    count = total = 0
    while waiting:
        here, depth = waiting.pop()
        below = []
        for name in _names(here):
            count += 1
            if isinstance(name, Found):
                yield name
                continue
            place = here / name
            found = _looked_at(place, folder)
            if isinstance(found, Found):
                yield found
            elif stat.S_ISREG(found.st_mode):
                total += found.st_size
                yield Found(place)
            elif os.path.realpath(place) not in seen:
                seen.add(os.path.realpath(place))
                if depth >= limits.DEPTH:
                    yield Found(
                        place, Message("lies more than {most} folders deep", most=limits.DEPTH)
                    )
                elif is_course(place):
                    yield Found(place, course=True)
                else:
                    below.append((place, depth + 1))
            _check(folder, count, total)
        waiting.extend(reversed(below))


def _names(folder: Path) -> list[str | Found]:
    try:
        names = sorted(each for each in os.listdir(folder) if not each.startswith("."))
    except OSError as error:
        return [Found(folder, Message("cannot be read ({error})", error=error.strerror))]
    return [*names]


def _looked_at(place: Path, folder: Path) -> os.stat_result | Found:
    """Return what a place is, a file or a folder, or why it cannot be read."""
    if not is_text(str(place)):
        return Found(place, "its name is not UTF-8")
    try:
        found = os.stat(place)
    except OSError as error:
        return Found(place, Message("cannot be read ({error})", error=error.strerror))
    if leads_out(place, folder):
        return Found(place, "is a link that leads out of the folder")
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return Found(place, Message("is {kind}, not a regular file", kind=kind_of(found)))
    return found


def _check(folder: Path, count: int, total: int) -> None:
    if count > limits.FILES:
        raise BadData(
            "holds more than {most:,} files", "Import its parts.", place=folder, most=limits.FILES
        )
    if total > limits.FILE:
        raise BadData(
            "its files have more than {most}",
            "Import its parts.",
            place=folder,
            most=size(limits.FILE),
        )


def is_text(name: str) -> bool:
    """Say whether a name of the file system is text; it may be any bytes."""
    return not any("\ud800" <= char <= "\udfff" for char in name)
