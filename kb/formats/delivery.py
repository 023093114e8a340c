"""The target of an export: a file, replaced atomically, or a stream."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kb.disk import SCRATCH, making_in, scratch_of, scratch_prefix, sweep, sync_file, sync_folder
from kb.errors import BadData, Conflict, KbError, Message, UsageError

Target = str | os.PathLike[str] | BinaryIO
"""A path or an open binary file."""


class Drafting(NamedTuple):
    """How an export is written: ``make`` writes to a stream, or to a path if ``by_name``.

    For a ``folder`` it fills that folder.

    What a killed process leaves is removed by the next user of ``database``.
    """

    make: Callable[[Any], object]
    by_name: bool = False
    folder: bool = False
    database: str | None = None


def deliver(target: Target, drafting: Drafting) -> None:
    """Run an export, and put it in place when it is complete and on disk.

    Raises `BadData` with the name of the file that cannot be written.
    """
    if not isinstance(target, str | os.PathLike):
        if drafting.folder:
            raise UsageError("this format is a folder", "Name one with -o.")
        scratch = Path(tempfile.gettempdir())
        with (
            told_of(scratch),
            _drafted(scratch, drafting, scratch) as draft,
            draft.open("rb") as made,
            told_of("the output"),
        ):
            shutil.copyfileobj(made, target)
            target.flush()
        return
    place = Path(os.path.realpath(target))
    with told_of(place):
        # No file of anybody's is replaced by a folder.
        if drafting.folder and place.exists() and not (place.is_dir() and not any(place.iterdir())):
            raise Conflict(
                "exists and is not empty", "Name a new folder, or empty this one.", place=place
            )
        named = Path(target)  # what /dev/stdout leads to may have no path of its own
        if named.exists() and not named.is_dir() and not place.is_file():
            with named.open("wb") as stream:  # a device, pipe or deleted file is written to
                deliver(stream, drafting)
            return
        with _drafted(place.parent, drafting, place) as draft:
            for folder, _, files in os.walk(draft):
                for file in files:
                    sync_file(Path(folder) / file)
                sync_folder(Path(folder))
            if not drafting.folder:
                sync_file(draft)
                if place.exists():
                    shutil.copymode(place, draft)
            os.replace(draft, place)
            sync_folder(place.parent)


@contextmanager
def told_of(place: Path | str) -> Iterator[None]:
    """Convert an `OSError` to a message that names the file being written."""
    try:
        yield
    except BrokenPipeError:  # the caller's own stream
        raise
    except OSError as error:
        raise BadData(
            "cannot be written ({error})", place=place, error=error.strerror or error
        ) from error


@contextmanager
def _drafted(parent: Path, drafting: Drafting, place: Path) -> Iterator[Path]:
    """Write a temporary file in a folder of its own; remove those of dead processes.

    An error that names the temporary file names ``place`` instead.
    """
    sweep(parent, scratch_of(SCRATCH))
    with (
        making_in(parent, drafting.database),
        tempfile.TemporaryDirectory(
            prefix=scratch_prefix(SCRATCH), dir=parent, ignore_cleanup_errors=True
        ) as folder,
    ):
        draft = Path(folder) / "new"
        if drafting.folder:
            draft.mkdir()
        try:
            if drafting.folder or drafting.by_name:
                drafting.make(draft)
            else:
                with draft.open("wb") as out:
                    drafting.make(out)
        except KbError as error:
            said = error.message
            named = said.place.replace(str(draft), str(place))
            error.message = Message(said.template, place=named, **said.arguments)
            raise
        yield draft
