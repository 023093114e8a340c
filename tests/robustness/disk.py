"""A disk as it may be found after the power failed, from the calls that a command made.

What was synced is there. Of what was written to a file since, each write is there, is not, or
is torn: of its sectors some are there. What was done in folders, names given, changed and
taken away, is there in one of two ways: as POSIX has it, only once the folder was synced, and
before that any part of it (``strict``); or as ext4 has it, in order, up to some moment that is
not before the last sync of anything (``ordered``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
_TORN = 0.25
MODELS = ("strict", "ordered")


class Write(NamedTuple):
    """Bytes put at an offset of a file; without an offset the file's size is set."""

    file: int
    offset: int | None
    data: bytes = b""
    size: int = 0


class Naming(NamedTuple):
    """What happened to names of a folder: ``to`` names a file, or nothing; ``gone`` no more.

    A folder that is made is named without a file.
    """

    to: str
    file: int | None
    gone: str = ""


class Sync(NamedTuple):
    """A file, or a folder, of which all is on the disk from here on."""

    file: int | None
    folder: str = ""


class Said(NamedTuple):
    """The command told its reader that all is done."""


Event = Write | Naming | Sync | Said
Image = Mapping[str, bytes | None]
"""Files by their names, each with its bytes; a folder has none."""


@dataclass
class Recording:
    """What lay on the disk before a command, by name and by number, and what then happened."""

    names: dict[str, int | None] = field(default_factory=dict)
    files: dict[int, bytes] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    @classmethod
    def of(cls, place: Path) -> Recording:
        """Begin with what is in a place, which all is on the disk."""
        made = cls()
        for number, path in enumerate(sorted(place.rglob("*"))):
            name = str(path.relative_to(place))
            made.names[name] = None if path.is_dir() else number
            if not path.is_dir():
                made.files[number] = path.read_bytes()
        return made

    def told_at(self) -> int:
        """Return after how many events the reader knew that all is done."""
        told = [n for n, event in enumerate(self.events, 1) if isinstance(event, Said)]
        return told[-1] if told else len(self.events)


def image(recording: Recording, end: int, model: str, chance: random.Random) -> Image:
    """Return what may be on the disk where the power fails after so many events."""
    past = recording.events[:end]
    names = _names(recording, past, model, chance)
    keep = chance.choice((0.0, 0.5, 0.5, 0.9, 1.0))
    found: dict[str, bytes | None] = {}
    made: dict[int, bytes] = {}
    for name, file in names.items():
        if file is not None and file not in made:
            made[file] = _content(recording.files.get(file, b""), file, past, keep, chance)
        found[name] = None if file is None else made[file]
    return found


def _names(
    recording: Recording, past: Sequence[Event], model: str, chance: random.Random
) -> dict[str, int | None]:
    names = dict(recording.names)
    for naming in _kept(past, model, chance):
        if naming.gone:
            names.pop(naming.gone, None)
        if naming.to:
            names[naming.to] = naming.file
    folders = {name for name, file in names.items() if file is None} | {"."}
    return {
        name: file
        for name, file in names.items()
        if all(str(parent) in folders for parent in Path(name).parents)
    }


def _kept(past: Sequence[Event], model: str, chance: random.Random) -> Iterator[Naming]:
    """Yield what happened to names as far as it reached the disk."""
    if model == "ordered":
        last = max((n for n, event in enumerate(past) if isinstance(event, Sync)), default=0)
        until = chance.randint(last, len(past))
        yield from (event for event in past[:until] if isinstance(event, Naming))
        return
    synced: dict[str, int] = {}
    for n, event in enumerate(past):
        if isinstance(event, Sync) and event.file is None:
            synced[event.folder] = n
    keep = chance.random()
    for n, event in enumerate(past):
        if isinstance(event, Naming):
            folders = {str(Path(name).parent) for name in (event.to, event.gone) if name}
            safe = any(n < synced.get(folder, -1) for folder in folders)
            if safe or chance.random() < keep:
                yield event


def _content(
    before: bytes, file: int, past: Sequence[Event], keep: float, chance: random.Random
) -> bytes:
    own = [
        (n, event)
        for n, event in enumerate(past)
        if isinstance(event, Write | Sync) and event.file == file
    ]
    synced = max((n for n, event in own if isinstance(event, Sync)), default=-1)
    data = bytearray(before)
    for n, event in own:
        if isinstance(event, Write):
            if n < synced:
                _put(data, event)
            elif chance.random() < keep:
                for part in _torn(event, chance) if chance.random() < _TORN else (event,):
                    _put(data, part)
    return bytes(data)


def _put(data: bytearray, write: Write) -> None:
    if write.offset is None:
        del data[write.size :]
        data.extend(bytes(write.size - len(data)))
        return
    data.extend(bytes(max(0, write.offset - len(data))))
    data[write.offset : write.offset + len(write.data)] = write.data


def _torn(write: Write, chance: random.Random) -> Iterator[Write]:
    """Yield those sectors of a write that reached the disk."""
    if write.offset is None:
        yield write
        return
    for start in range(0, len(write.data), SECTOR):
        if chance.random() < 0.5:
            part = write.data[start : start + SECTOR]
            yield write._replace(offset=write.offset + start, data=part)
