"""The files of an import (one file, a folder, a course, a stream), and the names they get."""

from __future__ import annotations

import itertools
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from kb import limits
from kb.errors import BadData, Message, UsageError
from kb.foreign import kind_of, leads_out, opened, pieces, size
from kb.formats.book import Batch, Book, unused
from kb.formats.media import Neighbours, shows
from kb.formats.registry import (
    IMPORTERS,
    NO_OPTIONS,
    Options,
    format_of,
    importer,
    read_file,
    sniffed,
)
from kb.model.reports import Dropped
from kb.model.results import Progress
from kb.model.values import NOTES
from kb.service.base import Base, clean

if TYPE_CHECKING:
    from kb.formats.vault.files import Said

STREAM = "-"
_IN_MEMORY = 16 << 20  # bytes of a stream that are not put into a file
_BEGINNING = 1 << 16

UNDER = "\n"
"""Separates a file's path from its collection, if that is not the first one."""


class Material(NamedTuple):
    """A file to import.

    ``file`` is its identity, ``name`` is for messages, and ``stem`` is its path ``below`` the
    named folder, if any, which names its collection. ``was`` is its identity before it was
    renamed.
    """

    file: str
    name: str
    stem: str
    read: Callable[[Progress], Batch]
    below: bool = False
    was: str | None = None

    @property
    def known(self) -> str:
        """Its identity at the last import."""
        return self.was or self.file

    @property
    def path(self) -> str:
        """Its path below the named folder, or its name."""
        return f"{self.stem}{PurePath(self.name).suffix}"


class Materials(NamedTuple):
    """The files to import, those of unknown format, and their folder.

    After reading, ``is_shown`` tells whether a note shows a media file.
    """

    files: tuple[Material, ...]
    unread: tuple[Dropped, ...] = ()
    folder: str | None = None
    is_shown: Callable[[str], bool] = lambda file: False

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The files that have no format and are shown by no note."""
        return tuple(each for each in self.unread if not self.is_shown(each.file))


def materials_of(
    path: Path,
    named: str | None,
    format: str | None,
    stream: BinaryIO | None = None,
    options: Options = NO_OPTIONS,
) -> Materials:
    """Return the files to import at a path, in a collection if one is ``named``.

    Raises `NotFound`, `UsageError`, and `BadData` for a folder without readable files.
    """
    if str(path) == STREAM:
        return Materials((_streamed(stream, format, options),))
    if not is_text(os.path.realpath(path)):
        raise BadData("its name is not UTF-8", "Rename it.", place=clean("a file", str(path)))
    if not path.is_dir():
        alone = Neighbours(path.parent, walked=False).of(path)
        read = partial(read_file, path, format, options=options, attachments=alone)
        return Materials((Material(os.path.realpath(path), str(path), path.stem, read),))
    from kb.content.folder import is_course

    if is_course(path):
        if named is not None or format is not None:
            raise UsageError("a course folder must name its collections", place=path)
        return Materials((_course(path),))
    return _folder(path, format, options)


def _streamed(stream: BinaryIO | None, format: str | None, options: Options) -> Material:
    if stream is None:
        raise UsageError("'-' is standard input, which is closed here")
    name = "standard input"
    kept = _spooled(stream, name)

    def read(tell: Progress) -> Batch:
        with kept:
            chosen = format or sniffed(kept.read(_BEGINNING))
            kept.seek(0)
            return importer(chosen, Path(name), options)(kept, name, tell)

    return Material(STREAM, name, "stdin", read)


def _spooled(stream: BinaryIO, name: str) -> BinaryIO:
    """Return a stream's content, in memory or, if large, in an anonymous file."""
    kept = cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - given away
    try:
        for piece in pieces(stream, name, limits.STREAM):
            kept.write(piece)
    except BaseException:
        kept.close()
        raise
    kept.seek(0)
    return kept


def _course(folder: Path) -> Material:
    from kb.content.folder import read_content

    def read(tell: Progress) -> Batch:
        content = read_content(folder, progress=tell)
        return Batch(Book(content.entries, content.sources, content.collections), own=True)

    return Material(os.path.realpath(folder), str(folder), folder.name, read)


def _folder(folder: Path, format: str | None, options: Options) -> Materials:
    """Return the files of a folder and its subfolders."""
    files: list[Material] = []
    dropped: list[Dropped] = []
    shown, unread = Neighbours(folder, walked=True), dict[str, Path]()
    endings = {ending for known in IMPORTERS.values() for ending in known.suffixes}
    walked = [*walk(folder)]
    sidecars = _sidecars(folder, [each.place for each in walked])
    for place, reason, course in walked:
        if place in sidecars:
            continue
        name = clean("a file", str(place))
        stem = place.relative_to(folder).with_suffix("").as_posix()
        if reason:
            dropped.append(Dropped(name, None, reason, ""))
        elif course:
            files.append(_course(place))
        elif format is not None or place.suffix.lower() in endings:
            known = IMPORTERS.get(format_of(format, place))
            told = {k: v for k, v in options.items() if known is not None and k in known.options}
            read = partial(
                read_file, place, format, within=folder, options=told, attachments=shown.of(place)
            )
            file = Material(os.path.realpath(place), name, stem, read, below=True)
            files.append(_tolerant(_with_sidecar(file, sidecars)))
        else:
            shown.add(place)
            unread[name] = place
            suffix = place.suffix or place.name
            said = Message("no format is known for a '{suffix}' file", suffix=suffix)
            said = Message("no note shows it") if shows(name) else said
            dropped.append(Dropped(name, None, said, ""))
    paths = {file.path for file in files}
    dropped += (
        Dropped(str(place), None, "data of a note that is missing", path)
        for place, notes in sidecars.items()
        for path in sorted(notes.keys() - paths)
    )
    if not files:
        raise BadData(
            "this folder contains no file of a known format",
            Message("Known: {known}.", known=", ".join(sorted(endings))),
            place=folder,
        )

    def is_shown(name: str) -> bool:
        return name in unread and shown.was_read(unread[name])

    return Materials(tuple(files), tuple(dropped), os.path.realpath(folder), is_shown)


def _sidecars(folder: Path, places: Sequence[Path]) -> Mapping[Path, Mapping[str, Said]]:
    """Return the data that vaults store beside their notes, by note path."""
    from kb.formats.vault.files import SIDECAR, read_sidecar

    found = {}
    for place in (each for each in places if each.name == SIDECAR):
        with opened(place, limits.FILE, folder) as stream:
            notes = read_sidecar(stream, str(place))
        if notes is not None:
            above = place.parent.relative_to(folder)
            found[place] = {(above / path).as_posix(): said for path, said in notes.items()}
    return found


def _with_sidecar(material: Material, sidecars: Mapping[Path, Mapping[str, Said]]) -> Material:
    """Return a note with the data stored beside it."""
    said = [notes[material.path] for notes in sidecars.values() if material.path in notes]
    if not said:
        return material
    from kb.formats.vault.files import with_sidecar

    def read(tell: Progress) -> Batch:
        return with_sidecar(material.read(tell), said[-1], material.name)

    return material._replace(read=read)


def _tolerant(material: Material) -> Material:
    """Return a file that is reported as skipped if it cannot be read, so that others continue."""

    def read(tell: Progress) -> Batch:
        try:
            return material.read(tell)
        except BadData as error:
            place = f"{error.message.place}:".removeprefix(f"{material.name}:").strip(": ")
            line = int(place) if place.isdecimal() else None
            said = Message(error.message.without_place(), place="" if line else place)
            return Batch(Book(()), dropped=(Dropped(material.name, line, said, ""),), unread=True)

    return material._replace(read=read)


# The files below a folder, and what of it cannot be read.


class Found(NamedTuple):
    """A file or a whole course; ``reason`` says why it cannot be read."""

    place: Path
    reason: str = ""
    course: bool = False


def walk(folder: Path) -> Iterator[Found]:
    """Yield the files below a folder in order, without names that begin with a dot.

    Each folder is visited once, even with links. Raises `BadData` for a folder with too many
    files or bytes.
    """
    from kb.content.folder import is_course

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
                        place, Message("is more than {most} folders deep", most=limits.DEPTH)
                    )
                elif is_course(place):
                    yield Found(place, course=True)
                else:
                    below.append((place, depth + 1))
            _check(folder, count, total)
        waiting.extend(reversed(below))


_BACKUPS = ("logseq", "bak")
"""The folder of a graph in which Logseq keeps earlier versions of its pages."""


def _names(folder: Path) -> list[str | Found]:
    try:
        own = (each for each in os.listdir(folder) if not each.startswith("."))
        names = sorted(each for each in own if (folder.name, each) != _BACKUPS)
    except OSError as error:
        return [Found(folder, Message("cannot be read ({error})", error=error.strerror))]
    return [*names]


def _looked_at(place: Path, folder: Path) -> os.stat_result | Found:
    """Return whether a path is a file or folder, or why it cannot be read."""
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
            "contains more than {most:,} files",
            "Import its parts.",
            place=folder,
            most=limits.FILES,
        )
    if total > limits.FILE:
        raise BadData(
            "its files have more than {most}",
            "Import its parts.",
            place=folder,
            most=size(limits.FILE),
        )


def is_text(name: str) -> bool:
    """Return whether a file name is text; it may be any bytes."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


# The names of a file's entries: their collection, and unique ids.


class Names:
    """The names given by one import, each unique.

    ``staged`` is the layer of an interrupted import of the same files, whose names are reused.
    """

    def __init__(self, base: Base, collection: str | None, staged: int | None = None) -> None:
        self._base = base
        self.staged = staged
        self._named = collection
        self._makers: dict[str, str] = {}
        self._ids: set[str] = set()
        self._given: list[Callable[[str], bool]] = []

    def collection_of(self, material: Material, batch: Batch) -> str:
        """Return the collection of a file: its earlier one, the named one, or a new one.

        A note goes into the collection of its folder, or into ``notes`` if it is imported alone;
        any other file has its own collection. The name includes as much of the path as it needs
        to be unique.
        """
        if self._named is not None:
            return _under(material, self._named, note=batch.is_note)
        known = self._base.store.ledger.collection_of(material.file)
        # Collections of notes were once named after their file.
        old = batch.is_note and f"/{known}".endswith(f"/{material.stem}")
        if known is not None and not old:
            return known
        if batch.is_note and not material.below:
            return NOTES
        maker = os.path.dirname(material.file) if batch.is_note else material.file
        for name in _candidates(material, note=batch.is_note):
            if self._makers.get(name, maker) == maker and self._free(name, maker):
                self._makers[name] = maker
                return name
        raise AssertionError("the candidates have no end")

    def ids_of(self, wanted: Sequence[str], earlier: Callable[[str, str], bool]) -> list[str]:
        """Return new ids: the wanted ones, or with numbers added.

        ``earlier`` returns whether the first of two names was wanted before the second.
        """
        entries = self._base.store.entries
        taken = entries.taken_of(wanted)
        found = list(wanted)
        for number, name in enumerate(wanted):
            if name in taken or self._is_given(name):

                def is_taken(other: str, name: str = name) -> bool:
                    return self._is_given(other) or earlier(other, name) or entries.taken(other)

                found[number] = unused(name, is_taken)
                self._ids.add(found[number])
        return found

    def give(self, is_wanted: Callable[[str], bool]) -> None:
        """Reserve the names that a file wanted."""
        self._given.append(is_wanted)

    def _is_given(self, name: str) -> bool:
        return name in self._ids or any(is_wanted(name) for is_wanted in self._given)

    def _free(self, name: str, maker: str) -> bool:
        """Return whether a collection is unused, or only used by this file or folder."""
        store = self._base.store
        if name not in store.collections.named(name):
            return True
        files = [file.partition(UNDER)[0] for file in store.ledger.makers(name)]
        made = bool(files) and all(maker in (file, os.path.dirname(file)) for file in files)
        return made or store.ledger.unremembered(name)


def known_file(base: Base, material: Material, batch: Batch, named: str | None) -> Material:
    """Return a file with its identity: a separate one per ``named`` collection."""
    if named is None:
        return material
    taken = base.store.ledger.collection_of(material.file)
    if taken in (None, _under(material, named, note=batch.is_note)):
        return material
    return material._replace(file=f"{material.file}{UNDER}{named}")


def _under(material: Material, named: str, *, note: bool) -> str:
    """Return the path of a file below a named collection, or the collection itself."""
    below = material.stem if material.below else ""
    if note:
        below = below.rpartition("/")[0]
    return f"{named}/{below}" if below else named


def _candidates(material: Material, *, note: bool) -> Iterator[str]:
    """Yield names for a collection, each with more of the path, then with numbers."""
    folders = PurePath(material.file).parts[1:-1]
    depth = material.stem.count("/")
    stem = material.stem.strip() or NOTES
    if note:
        stem = stem.rpartition("/")[0] or "".join(folders[-1:]) or NOTES
        depth = max(depth, 1)
    yield stem
    name = stem
    for folder in reversed(folders[: max(0, len(folders) - depth)]):
        name = f"{folder}/{name}"
        yield name
    yield from (f"{stem}-{number}" for number in itertools.count(2))
