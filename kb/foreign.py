"""Opening and reading foreign files: regular files only, and never more than a limit.

Every file that danesh did not make is opened here. Other kinds of files are not safe: a named
pipe waits for its writer, a device has no end, and a link may lead to files outside the folder.
"""

from __future__ import annotations

import codecs
import io
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from kb.errors import BadData, Message, NotFound

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
)
_KINDS = {
    stat.S_IFIFO: Message("a named pipe"),
    stat.S_IFSOCK: Message("a socket"),
    stat.S_IFCHR: Message("a device"),
    stat.S_IFBLK: Message("a device"),
    stat.S_IFDIR: Message("a folder"),
}
_PIECE = 1 << 20
_PASSED_OVER = 64 << 20
"""Bytes of a line that are skipped; a longer line means that the file has another format."""


@contextmanager
def opened(file: Path, limit: int, within: Path | None = None) -> Iterator[BinaryIO]:
    """Open a regular file of at most ``limit`` bytes as a stream of bytes.

    If it is part of a folder, it must be ``within`` it after links are resolved. Raises
    `NotFound` if it does not exist, and `BadData` if it is of another kind, too large, outside
    its folder, or gone from it. A file may grow while it is read: `drawn` and `raw_lines` enforce
    their own limits.
    """
    with _found(file, within) as stream:
        found = os.fstat(stream.fileno())
        _check_kind(file, found)
        # The open file must be the one below the folder, with links resolved.
        if within is not None and (
            leads_out(file, within) or not os.path.samestat(found, os.stat(os.path.realpath(file)))
        ):
            raise BadData("a link points outside the folder {within}", place=file, within=within)
        if found.st_size > limit:
            raise BadData(
                "has {size}, more than {most}",
                place=file,
                size=size(found.st_size),
                most=size(limit),
            )
        try:
            yield stream
        except BrokenPipeError:
            raise
        except OSError as error:  # where it names no file, it is about what is read
            if error.filename is not None:
                raise
            raise BadData(
                "cannot be read ({error})", place=file, error=error.strerror or error
            ) from error


def read_bytes(file: Path, limit: int, within: Path | None = None) -> bytes:
    """Return the bytes of a file: `opened` and `drawn`."""
    with opened(file, limit, within) as stream:
        return drawn(stream, str(file), limit)


def read_text(file: Path, limit: int, within: Path | None = None) -> str:
    """Return the UTF-8 text of a file, without a byte order mark: `opened` and `decoded`."""
    return decoded(read_bytes(file, limit, within), str(file))


def drawn(stream: BinaryIO, name: str, limit: int) -> bytes:
    """Return the rest of a stream. Raises `BadData` above ``limit`` bytes."""
    return b"".join(pieces(stream, name, limit))


def pieces(stream: BinaryIO, name: str, limit: int) -> Iterator[bytes]:
    """Yield the rest of a stream, 1 MiB at a time; raises `BadData` above ``limit`` bytes.

    Nothing is read of a file that is known to be larger.
    """
    taken = 0
    if _bytes_left(stream) > limit:
        raise BadData("contains more than {most}", place=name, most=size(limit))
    while piece := _asked(lambda: stream.read(_PIECE), name):
        taken += len(piece)
        if taken > limit:
            raise BadData("contains more than {most}", place=name, most=size(limit))
        yield piece


def raw_lines(
    stream: BinaryIO, name: str, limit: int, longest: int
) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines of a stream, and whether each is complete.

    A line of more than ``longest`` bytes is cut, and its rest is skipped at the next step. Raises
    `BadData` if the total exceeds ``limit`` bytes, or a line is so long that the file has another
    format.
    """
    taken = 0
    while line := _asked(lambda: stream.readline(longest + 1), name):
        taken += len(line)
        whole = len(line) <= longest or line.endswith(b"\n")
        if taken > limit:
            raise BadData("contains more than {most}", place=name, most=size(limit))
        yield line, whole
        if not whole:
            taken += _pass_over_line(stream, name)


def decoded(data: bytes, name: str, *, first: bool = True) -> str:
    """Return bytes as UTF-8 text. Raises `BadData` for other bytes.

    A byte order mark is removed if these are the ``first`` bytes of a file.
    """
    try:
        return (data.removeprefix(codecs.BOM_UTF8) if first else data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadData(
            "this is not UTF-8 text (byte {start})", place=name, start=error.start
        ) from error


def unix(text: str) -> str:
    """Return a text whose lines all end in a newline, as `open` reads one.

    >>> unix("a\\r\\nb\\rc")
    'a\\nb\\nc'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def folded(name: str) -> str:
    """Return a key that is equal for names that a file system may treat as the same.

    >>> folded("É") == folded("e\u0301"), folded("STRASSE") == folded("straße")
    (True, True)
    """
    lowered = unicodedata.normalize("NFD", name).casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", lowered).casefold())


def is_below(name: str) -> bool:
    """Return whether a name in a file means a path below its folder, on every system.

    >>> [is_below(each) for each in ("a/b.txt", "../b.txt", "/b.txt", "C:b.txt", "..\\\\b.txt")]
    [True, False, False, False, False]
    """
    ways = PurePosixPath(name), PureWindowsPath(name)
    return "\0" not in name and not any(each.anchor or ".." in each.parts for each in ways)


def leads_out(place: Path, folder: Path) -> bool:
    """Return whether links lead from a path in a folder to a place outside it."""
    there = os.path.realpath(folder)
    return os.path.commonpath([there, os.path.realpath(place)]) != there


def kind_of(found: os.stat_result) -> Message:
    """Return the kind of a file that is not a regular file."""
    return _KINDS.get(stat.S_IFMT(found.st_mode), Message("something else"))


def size(count: int) -> Message:
    """Return a number of bytes as text for a reader.

    >>> size(8 << 20), size(1500)
    ('8 MiB', '1,500 bytes')
    """
    if count >= 1 << 20:
        return Message("{n:,.0f} MiB", n=count / (1 << 20))
    return Message("{n:,} bytes", n=count)


def _bytes_left(stream: BinaryIO) -> int:
    """Return how many bytes of a file are left, or 0 if unknown."""
    if not isinstance(stream, io.BufferedReader):
        return 0
    found = os.fstat(stream.fileno())
    return found.st_size - stream.tell() if stat.S_ISREG(found.st_mode) else 0


def _pass_over_line(stream: BinaryIO, name: str) -> int:
    """Skip the rest of a line; return its number of bytes."""
    passed = 0
    while rest := _asked(lambda: stream.readline(_PIECE), name):
        passed += len(rest)
        if rest.endswith(b"\n"):
            break
        if passed > _PASSED_OVER:
            raise BadData("a line has more than {most}", place=name, most=size(_PASSED_OVER))
    return passed


def _found(file: Path, within: Path | None) -> BinaryIO:
    try:
        _check_kind(file, os.stat(file))  # opening a device may already do something
        return open(file, "rb", opener=lambda name, flags: os.open(name, _FLAGS))
    except (FileNotFoundError, NotADirectoryError) as error:
        kind = NotFound if within is None else BadData
        raise kind("there is no such file", place=file) from error
    except OSError as error:
        raise BadData(
            "cannot be read ({error})", place=file, error=error.strerror or error
        ) from error
    except ValueError as error:  # a NUL in its name
        raise BadData("is not a file name", place=repr(str(file))) from error


def _check_kind(file: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise BadData("is {kind}, not a regular file", place=file, kind=kind_of(found))


def _asked(read: Callable[[], bytes | None], name: str) -> bytes:
    """Return the data of a stream; raise `BadData` if it cannot be read or would block."""
    try:
        found = read()
    except OSError as error:
        raise BadData(
            "cannot be read ({error})", place=name, error=error.strerror or error
        ) from error
    if found is None:
        raise BadData("cannot be read (no data)", place=name)
    return found
