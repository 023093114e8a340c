"""Which files an import reads: one, a folder of them, a course, or what comes down a stream."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import BinaryIO, NamedTuple, cast

from kb import limits
from kb.content.folder import is_course, read_content
from kb.errors import BadData, Message, UsageError
from kb.exchange.beside import Beside, Neighbours
from kb.exchange.book import Batch, Book
from kb.exchange.registry import (
    IMPORTERS,
    NO_OPTIONS,
    Options,
    format_of,
    read_file,
    read_stream,
    sniffed,
)
from kb.exchange.vault.files import BESIDE, Said, read_beside, with_beside
from kb.foreign import opened, pieces
from kb.records import Dropped, Progress
from kb.service.guard import clean
from kb.service.importing.walking import is_text, walk

STREAM = "-"
_IN_MEMORY = 16 << 20  # bytes of a stream that are not put into a file
_BEGINNING = 1 << 16


class Material(NamedTuple):
    """A file to be imported.

    ``file`` is what it is known by, ``name`` what messages call it, and ``stem`` its place
    ``below`` the folder that was named, if one was, which its collection is called after.
    ``was`` is what it was known by before it was renamed.
    """

    file: str
    name: str
    stem: str
    read: Callable[[Progress], Batch]
    below: bool = False
    was: str | None = None

    @property
    def known(self) -> str:
        """What it was known by, the last time that it was imported."""
        return self.was or self.file

    @property
    def path(self) -> str:
        """Its path below the folder that was named, or its name."""
        return f"{self.stem}{PurePath(self.name).suffix}"


class Materials(NamedTuple):
    """The files to be imported, those that no format reads, and the folder they lie in.

    Of files that notes may show, ``is_shown`` says whether one did, once these are read.
    """

    files: tuple[Material, ...]
    unread: tuple[Dropped, ...] = ()
    folder: str | None = None
    is_shown: Callable[[str], bool] = lambda file: False

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The files that no format reads and no note shows."""
        return tuple(each for each in self.unread if not self.is_shown(each.file))


def materials_of(
    path: Path,
    named: str | None,
    format: str | None,
    stream: BinaryIO | None = None,
    options: Options = NO_OPTIONS,
) -> Materials:
    """Return what there is to import at a path, under a collection where one is ``named``.

    Raises `NotFound`, `UsageError`, and `BadData` for a folder that holds nothing to be read.
    """
    if str(path) == STREAM:
        return Materials((_streamed(stream, format, options),))
    if not is_text(os.path.realpath(path)):
        raise BadData("its name is not UTF-8", "Rename it.", place=clean("a file", str(path)))
    if not path.is_dir():
        name, alone = str(path), Neighbours(path.parent, walked=False)
        file = _file(path, name, path.stem, format, options=options, beside=alone.of(path))
        return Materials((file,))
    if is_course(path):
        if named is not None or format is not None:
            raise UsageError("a course is a folder that names its own collections", place=path)
        return Materials((_course(path),))
    return _folder(path, format, options)


def _file(
    path: Path,
    name: str,
    stem: str,
    format: str | None,
    within: Path | None = None,
    options: Options = NO_OPTIONS,
    beside: Beside | None = None,
) -> Material:
    def read(tell: Progress) -> Batch:
        return read_file(path, format, tell, within, options, beside)

    return Material(os.path.realpath(path), name, stem, read)


def _streamed(stream: BinaryIO | None, format: str | None, options: Options) -> Material:
    if stream is None:
        raise UsageError("'-' is standard input, and there is none here")
    name = "standard input"
    kept = _spooled(stream, name)

    def read(tell: Progress) -> Batch:
        with kept:
            chosen = format or sniffed(kept.read(_BEGINNING))
            kept.seek(0)
            return read_stream(kept, name, chosen, tell, options)

    return Material(STREAM, name, "stdin", read)


def _spooled(stream: BinaryIO, name: str) -> BinaryIO:
    """Return what a stream holds, in memory or where that is much in a file without a name."""
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
    def read(tell: Progress) -> Batch:
        content = read_content(folder, progress=tell)
        return Batch(Book(content.entries, content.sources, content.collections), own=True)

    return Material(os.path.realpath(folder), str(folder), folder.name, read)


def _folder(folder: Path, format: str | None, options: Options) -> Materials:
    """Return the files of a folder and of those in it."""
    files: list[Material] = []
    dropped: list[Dropped] = []
    shown, unread = Neighbours(folder, walked=True), dict[str, Path]()
    endings = {ending for known in IMPORTERS.values() for ending in known.suffixes}
    walked = [*walk(folder)]
    beside = _beside(folder, [each.place for each in walked if each.place.name == BESIDE])
    for place, reason, course in walked:
        if place in beside:
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
            file = _file(place, name, stem, format, folder, told, shown.of(place))
            files.append(_tolerant(_with_beside(file, beside))._replace(below=True))
        else:
            shown.add(place)
            unread[name] = place
            said = Message("no format is known for a '{suffix}' file", suffix=place.suffix)
            dropped.append(Dropped(name, None, said, ""))
    paths = {file.path for file in files}
    dropped += (
        Dropped(str(place), None, "what it says of a note that is not there", path)
        for place, notes in beside.items()
        for path in sorted(notes.keys() - paths)
    )
    if not files:
        raise BadData(
            "this folder holds no file of a known format",
            Message("Known: {known}.", known=", ".join(sorted(endings))),
            place=folder,
        )

    def is_shown(name: str) -> bool:
        return name in unread and shown.was_read(unread[name])

    return Materials(tuple(files), tuple(dropped), os.path.realpath(folder), is_shown)


def _beside(folder: Path, places: Sequence[Path]) -> Mapping[Path, Mapping[str, Said]]:
    """Return what files of vaults say beside their notes, by the paths of these."""
    found = {}
    for place in places:
        with opened(place, limits.FILE, folder) as stream:
            notes = read_beside(stream, str(place))
        if notes is not None:
            above = place.parent.relative_to(folder)
            found[place] = {(above / path).as_posix(): said for path, said in notes.items()}
    return found


def _with_beside(material: Material, beside: Mapping[Path, Mapping[str, Said]]) -> Material:
    """Return a note that is read with what is said beside it."""
    said = [notes[material.path] for notes in beside.values() if material.path in notes]
    if not said:
        return material

    def read(tell: Progress) -> Batch:
        return with_beside(material.read(tell), said[-1], material.name)

    return material._replace(read=read)


def _tolerant(material: Material) -> Material:
    """Return a file that is listed as not taken where it cannot be read: others go on."""

    def read(tell: Progress) -> Batch:
        try:
            return material.read(tell)
        except BadData as error:
            said = error.message.without_place(material.name)
            return Batch(Book(()), dropped=(Dropped(material.name, None, said, ""),), unread=True)

    return material._replace(read=read)
