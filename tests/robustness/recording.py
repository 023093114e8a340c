"""The calls of a command, as events on a disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.robustness.commands import Done
from tests.robustness.disk import Event, Naming, Recording, Said, Sync, Write
from tests.robustness.tracing import OPENING, WRITING, Call, paths_in, traced
from tests.robustness.works import Stage

_HEX = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_NAMES = (*OPENING, *WRITING, "lseek", "mmap", "close", "dup", "dup2", "fcntl")


class Open(NamedTuple):
    """A file, or folder, that a command has open, and where in it it writes next."""

    path: str
    file: int | None
    offset: int


class Recorder:
    """Turns calls into events; what it cannot follow it refuses with `NotImplementedError`."""

    def __init__(self, place: Path) -> None:
        self.recording = Recording.of(place)
        self._place = place
        self._names = {**self.recording.names, ".": None}
        self._next = len(self._names) + 1
        self._open: dict[int, Open] = {}

    def take(self, call: Call) -> None:
        """Follow a call."""
        if call.value < 0:
            return
        self.recording.events.extend(_HANDLERS[call.name](self, call))

    def opened(self, call: Call) -> Iterator[Event]:
        """Follow a file that is opened, and perhaps made or emptied."""
        (path, *_) = paths_in(call, str(self._place))
        name = self._name(path)
        if name is None:
            self._open.pop(call.value, None)
            return
        if "O_TMPFILE" in call.arguments:
            raise NotImplementedError("a file without a name is not followed")
        if name not in self._names:
            self._names[name] = self._next
            yield Naming(name, self._next)
            self._next += 1
        file = self._names[name]
        if "O_TRUNC" in call.arguments and file is not None:
            yield Write(file, None, size=0)
        self._open[call.value] = Open(name, file, 0)

    def written(self, call: Call) -> Iterator[Event]:
        """Follow bytes that are written, where the file stands or where the call says."""
        number, (path, *_) = _number(call), paths_in(call, str(self._place)) or [""]
        if number in (1, 2) and self._name(path) is None:
            yield Said()
        known = self._open.get(number)
        if known is None or known.file is None or self._name(path) is None:
            return
        data = bytes.fromhex(_HEX.search(call.arguments)[1].replace("\\x", ""))[: call.value]  # type: ignore[index]
        if call.name == "pwrite64":
            yield Write(known.file, int(call.arguments.rsplit(", ", 1)[1]), data)
        else:
            yield Write(known.file, known.offset, data)
            self._open[number] = known._replace(offset=known.offset + len(data))

    def sought(self, call: Call) -> Iterator[Event]:
        """Follow where a file is to be written next."""
        if known := self._open.get(_number(call)):
            self._open[_number(call)] = known._replace(offset=call.value)
        yield from ()

    def cut(self, call: Call) -> Iterator[Event]:
        """Follow a file's size."""
        known = self._open.get(_number(call))
        if known is not None and known.file is not None:
            yield Write(known.file, None, size=int(call.arguments.rsplit(", ", 1)[1]))

    def synced(self, call: Call) -> Iterator[Event]:
        """Follow a file or a folder onto the disk."""
        known = self._open.get(_number(call))
        if known is not None:
            yield Sync(known.file, known.path)

    def renamed(self, call: Call) -> Iterator[Event]:
        """Follow a file to another name."""
        old, new = (self._name(path) for path in paths_in(call, str(self._place)))
        if old is None or new is None:
            raise NotImplementedError(f"a file is renamed out of the place, or into it: {call}")
        self._names[new] = self._names.pop(old)
        yield Naming(new, self._names[new], old)

    def linked(self, call: Call) -> Iterator[Event]:
        """Follow a file to one name more."""
        old, new = (self._name(path) for path in paths_in(call, str(self._place)))
        if old is None or new is None:
            raise NotImplementedError(f"a file is linked out of the place, or into it: {call}")
        self._names[new] = self._names[old]
        yield Naming(new, self._names[new])

    def unlinked(self, call: Call) -> Iterator[Event]:
        """Follow a name that goes."""
        name = self._name(paths_in(call, str(self._place))[0])
        if name is not None:
            self._names.pop(name, None)
            yield Naming("", None, name)

    def made(self, call: Call) -> Iterator[Event]:
        """Follow a folder that is made."""
        name = self._name(paths_in(call, str(self._place))[0])
        if name is not None:
            self._names[name] = None
            yield Naming(name, None)

    def mapped(self, call: Call) -> Iterator[Event]:
        """Refuse what is written through memory, but to SQLite's index of the log, which it
        makes anew."""
        writable = "PROT_WRITE" in call.arguments and "MAP_SHARED" in call.arguments
        paths = [p for p in paths_in(call, str(self._place)) if self._name(p) is not None]
        if writable and paths and not paths[0].endswith("-shm"):
            raise NotImplementedError(f"a file is written through memory: {paths[0]}")
        yield from ()

    def passed(self, call: Call) -> Iterator[Event]:
        """Leave what changes no file alone."""
        yield from ()

    def refused(self, call: Call) -> Iterator[Event]:
        """Refuse what this recorder cannot follow, where it is about the place."""
        if any(self._name(path) is not None for path in paths_in(call, str(self._place))):
            raise NotImplementedError(f"this is not followed: {call.name}({call.arguments[:200]})")
        yield from ()

    def closed(self, call: Call) -> Iterator[Event]:
        """Forget a number."""
        self._open.pop(_number(call), None)
        yield from ()

    def _name(self, path: str) -> str | None:
        """Return the name of a path in the place, or nothing for one elsewhere."""
        path = path.removesuffix("(deleted)")
        try:
            return str(Path(path).relative_to(self._place))
        except ValueError:
            return None


def recorded(stage: Stage, place: Path, spoil: str = "") -> tuple[Done, Recording]:
    """Run a work in a place, and return what it did to the disk."""
    stage.copy(place)
    recorder = Recorder(place)
    done, calls = traced(place, stage.arguments, _NAMES, spoil=spoil, whole=True)
    for call in calls:
        recorder.take(call)
    return done, recorder.recording


def _number(call: Call) -> int:
    return int(re.match(r"\d+", call.arguments)[0])  # type: ignore[index]


Handler = Callable[[Recorder, Call], Iterator[Event]]
_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_NAMES, Recorder.refused),
    **dict.fromkeys(OPENING, Recorder.opened),
    **dict.fromkeys(("write", "pwrite64"), Recorder.written),
    **dict.fromkeys(("fsync", "fdatasync"), Recorder.synced),
    **dict.fromkeys(("rename", "renameat", "renameat2"), Recorder.renamed),
    **dict.fromkeys(("link", "linkat"), Recorder.linked),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir"), Recorder.unlinked),
    **dict.fromkeys(("mkdir", "mkdirat"), Recorder.made),
    **dict.fromkeys(("dup", "dup2", "fcntl"), Recorder.passed),
    "ftruncate": Recorder.cut,
    "lseek": Recorder.sought,
    "mmap": Recorder.mapped,
    "close": Recorder.closed,
}
"""What follows each call; one that is not followed is refused."""
