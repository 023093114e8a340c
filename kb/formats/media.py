"""Pictures and sounds in the folder of a note, found by the names that notes use.

Nothing outside the folder is found, even through links: a note may come from anybody, and its
media are stored and shared with it.
"""

from __future__ import annotations

import bisect
import hashlib
import os
import posixpath
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, cast
from urllib.parse import unquote

from kb import limits
from kb.errors import BadData
from kb.foreign import folded, is_below, read_bytes, size
from kb.model.entry import Media, plain_name

_PICTURES = (
    *(".png", ".jpg", ".jpeg", ".jfif", ".apng", ".gif", ".svg", ".webp", ".bmp", ".avif"),
    *(".tif", ".tiff", ".ico"),
)
_OTHERS = (
    *(".mp3", ".wav", ".ogg", ".oga", ".opus", ".m4a", ".flac", ".3gp"),
    *(".webm", ".mp4", ".m4v", ".mov", ".mkv", ".ogv", ".pdf"),
)
_IN_MEMORY = 1 << 20  # bytes of media that are not put into a file
_PARTS = 6  # of a path, at most, that a link names
HIDDEN = ".bin"
"""The suffix in our vaults of files that are neither pictures nor sounds."""


class Attachments(NamedTuple):
    """The media a note can show: ``find`` takes the note's name, ``media`` has the bytes.

    ``find`` returns nothing if no file or several files match, and raises `BadData` for one that
    is too large or unreadable.
    """

    find: Callable[[str], Media | None]
    media: Mapping[str, bytes]


class Neighbours:
    """The files of a folder that its notes may show, each read once.

    In a folder that was walked, files are registered with ``add``. Otherwise a file is only
    looked up at the path that a note names.
    """

    def __init__(self, folder: Path, *, walked: bool) -> None:
        self._folder = folder
        self._walked = walked
        self._places: dict[str, str] = {}
        self._named = Paths()
        self._read: dict[str, Media] = {}
        self._blobs = Blobs()

    def add(self, file: Path) -> None:
        """Register a file of the folder."""
        if _can_come(file.name):
            place = file.relative_to(self._folder).as_posix()
            self._places.setdefault(folded(place), place)
            self._named.add(place)

    def of(self, note: Path) -> Attachments:
        """Return the media that a note of the folder can show."""
        above = PurePosixPath(note.relative_to(self._folder).as_posix()).parent.as_posix()
        return Attachments(lambda target: self._found(target, above), self._blobs)

    def was_read(self, file: Path) -> bool:
        """Return whether a note has shown a file of the folder."""
        return file.relative_to(self._folder).as_posix() in self._read

    def _found(self, target: str, above: str) -> Media | None:
        place = self._place(target, above)
        if place is not None and place not in self._read:
            data = read_bytes(self._folder / place, limits.MEDIUM, self._folder)
            self._read[place] = self._blobs.add(plain_name(PurePosixPath(place).name), data)
        return None if place is None else self._read[place]

    def _place(self, target: str, above: str) -> str | None:
        """Return the file that a note in the folder ``above`` means: of several, the nearest."""
        for named in dict.fromkeys((target, unquote(target))):
            if not _can_come(named) or "\0" in named:
                continue
            for start in (above, ""):
                place = posixpath.normpath(posixpath.join(start, named.lstrip("/")))
                hidden = any(part.startswith(".") for part in PurePosixPath(place).parts)
                if not is_below(place):
                    continue
                if self._walked and folded(place) in self._places:
                    return self._places[folded(place)]
                if not (self._walked or hidden) and os.path.isfile(self._folder / place):
                    return place
            end = named.lstrip("./")
            for name in (end, posixpath.basename(end)):
                if near := self._named.nearest(name, above):
                    return self._places[near]
        return None


class Paths:
    """Paths by what they end in, as links of Obsidian name files.

    >>> paths = Paths(["z.md", "a/b/z.md", "a/z.md"])
    >>> paths.nearest("z.md", "a"), paths.nearest("B/z.md", ""), paths.nearest("c/z.md", "a")
    ('a/z.md', 'a/b/z.md', None)
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._ending: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        for path in paths:
            self.add(path)

    def add(self, path: str) -> None:
        """Add a path, by its last parts."""
        parts = folded(path).split("/")
        for count in range(1, min(len(parts), _PARTS) + 1):
            bisect.insort(self._ending.setdefault("/".join(parts[-count:]), []), "/".join(parts))

    def nearest(self, end: str, folder: str) -> str | None:
        """Return the nearest path with such an end, folded: in or below the folder, or shortest."""
        key = (folded(end), folded(folder).strip("."))
        if key not in self._found:
            paths = self._ending.get(key[0], [])
            below = slice(*(bisect.bisect_left(paths, f"{key[1]}{sign}") for sign in "/0"))
            inside = paths[below] if key[1] else paths
            self._found[key] = min(inside, key=len, default=None) or self._shortest(key[0])
        return self._found[key]

    def _shortest(self, end: str) -> str | None:
        if (end, "/") not in self._found:
            self._found[end, "/"] = min(self._ending.get(end, ()), key=len, default=None)
        return self._found[end, "/"]


def shows(name: str) -> bool:
    """Return whether a name is that of a picture, a sound, or another displayable file.

    >>> shows("img/Loss.PNG"), shows("notes.md"), shows("https://example.org/a.png")
    (True, False, False)
    """
    return "://" not in name and _ending(name) in (*_PICTURES, *_OTHERS)


def is_picture(name: str) -> bool:
    """Return whether a name is that of a picture.

    >>> is_picture("img/Loss.PNG"), is_picture("hello.mp3")
    (True, False)
    """
    return _ending(name) in _PICTURES


def _can_come(name: str) -> bool:
    """Return whether a file can be stored with an entry; our vaults have others as `HIDDEN`."""
    return shows(name) or _ending(name) == HIDDEN


def _ending(name: str) -> str:
    return posixpath.splitext(name)[1].lower()


# Media put aside while what shows them is read: their bytes in one file without a name.


class Blobs(Mapping[str, bytes]):
    """Bytes by digest; only their positions are kept in memory.

    >>> blobs = Blobs()
    >>> made = blobs.add("a.png", b"bytes")
    >>> made.size, blobs[made.sha256]
    (5, b'bytes')
    """

    def __init__(self) -> None:
        self._file = cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - closed below
        weakref.finalize(self, self._file.close)
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def add(self, name: str, data: bytes) -> Media:
        """Store bytes temporarily; raise `BadData` above the limit of one file or of all."""
        if len(data) > limits.MEDIUM:
            raise BadData("has more than {most}", place=name, most=size(limits.MEDIUM))
        key = hashlib.sha256(data).hexdigest()
        if key not in self._places:
            if self._end + len(data) > limits.MEDIA:
                raise BadData(
                    "with this file, all media are larger than {most}",
                    place=name,
                    most=size(limits.MEDIA),
                )
            self._file.seek(self._end)
            self._file.write(data)
            self._places[key] = (self._end, len(data))
            self._end += len(data)
        return Media(name, key, len(data))

    def __getitem__(self, key: str) -> bytes:
        start, length = self._places[key]
        self._file.seek(start)
        return self._file.read(length)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
