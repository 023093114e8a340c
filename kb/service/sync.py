"""Exchanges with other copies, through a file or a hub, and decisions about what was exchanged."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import opened, raw_lines
from kb.formats.delivery import Drafting, deliver
from kb.model import Dropped, Progress
from kb.model.json import dumps, loads
from kb.model.results import paced
from kb.search.index import fts5
from kb.service.base import Service, door, path_of
from kb.service.merging import STEP, Merging, Tally
from kb.service.recording import who
from kb.store.sqlite.syncs import GOOD, Space

_FORMAT = 1
_HEADER = "danesh_sync"
_SHA256 = re.compile('"sha256":"([0-9a-f]{64})"')
_ROWS = 1000
"""Rows stored in one transaction, or asked for at once."""


class Synced(NamedTuple):
    """The result of a sync: rows out and in, changed entries, and what was set aside.

    ``disputed`` is the number of entries with conflicts, and ``unsent`` that of rows that the hub
    does not have.
    """

    sent: int
    received: int
    entries: tuple[str, ...]
    disputed: int
    aside: tuple[Dropped, ...]
    unsent: int = 0


class Sync(Service):
    """Exchanges of changes with other copies."""

    @door
    def sync_file(
        self, path: str | os.PathLike[str], *, progress: Progress | None = None
    ) -> Synced:
        """Exchange all changes of content with a file, which is created if it does not exist.

        What is read is stored in short steps and then merged. If that is interrupted, the next
        sync continues. Raises `BadData` for a file of another kind: nothing is then changed.
        """
        place, tell = path_of("a file", path), paced(progress)
        self._base.store.refuse_target(os.fspath(place))
        with self._base.store.working("kb sync"):
            space = self._space("", "") or Space("", me=who())
            run = _Run(self, space, tell)
            run.derive()
            known = _File(run, place)
            if place.exists():
                known.read()
            run.apply()
            run.tally.sent = known.write()
            return run.result()

    def _space(self, target: str, course: str) -> Space | None:
        return self._base.store.syncs.space(target, course)


class _Run:
    """One exchange: changes here become rows, then rows from elsewhere are merged."""

    def __init__(self, service: Service, space: Space, tell: Progress) -> None:
        self.base = service._base  # noqa: SLF001
        self.tally = Tally()
        self.tell = tell
        with self.base.store.transaction():
            self.space = self.base.store.syncs.put_space(space)
        self.merging = Merging(self.base, self.space, self.tally)

    def derive(self) -> None:
        """Make rows of what changed here since the last sync."""
        syncs, last = self.base.store.syncs, self.base.store.syncs.last_change()
        if last == self.space.seen and last:
            return
        ids = syncs.touched(self.space.seen)
        for some in _parts(ids, STEP):
            self.tell(0, len(ids))
            with self.base.store.transaction():
                self.merging.derive(some)
        self._seen(last)

    def apply(self) -> None:
        """Merge the rows that were not applied yet, in short steps."""
        syncs = self.base.store.syncs
        ids = syncs.unapplied(self.space)
        if not ids:
            return
        done = 0
        for some in _parts(ids, STEP):
            before, change = self.merging.apply(some)
            if change is not None and before == self.space.seen:  # nobody else wrote since
                self._seen(change)
            done += len(some)
            self.tell(done, len(ids))
        fts5.update(self.base.store, self.tell)
        self.base.tidy(self.tell)

    def _seen(self, change: str) -> None:
        self.keep(seen=change)

    def keep(self, **values: Any) -> None:
        """Store a new state of the space."""
        self.space = self.space._replace(**values)
        with self.base.store.transaction():
            self.base.store.syncs.put_space(self.space)

    def result(self) -> Synced:
        """Return what was done."""
        syncs, tally = self.base.store.syncs, self.tally
        disputed = len(syncs.disputed(self.space))
        aside = tuple(dict.fromkeys(tally.aside))
        return Synced(tally.sent, tally.received, tuple(tally.changed), disputed, aside)


class _File:
    """A file that copies exchange: a header, rows, and the media that they name."""

    def __init__(self, run: _Run, path: Path) -> None:
        self._run = run
        self._store = run.base.store
        self._path = path
        self._rows: set[str] = set()
        self._media: set[str] = set()

    def read(self) -> None:
        """Store the rows and media that are missing here. Raises `BadData`."""
        name = str(self._path)
        with opened(self._path, limits.FILE) as stream:
            lines = self._lines(stream)
            self._check_header(next(lines, ""))
            while some := list(islice(lines, _ROWS)):
                self._run.tell(0, 0)
                media = [each for each in some if each.startswith('{"data":')]
                rows = [(text, "", GOOD) for text in some if not text.startswith('{"data":')]
                self._rows |= {hashlib.sha256(text.encode()).hexdigest() for text, _, _ in rows}
                with self._store.transaction():
                    self._run.merging.keep(rows, sent=False, place=name)
                    for line in media:
                        self._keep_medium(line)

    def _lines(self, stream: BinaryIO) -> Iterator[str]:
        name = str(self._path)
        for line, whole in raw_lines(stream, name, limits.FILE, limits.RECORD):
            try:
                if not whole:
                    raise BadData("a line is too long", place=name)
                yield line.decode("utf-8").rstrip("\n")
            except (UnicodeDecodeError, BadData):
                said = Message("a line is damaged")
                self._run.tally.aside.append(Dropped(name, None, said, ""))

    def _check_header(self, line: str) -> None:
        name = str(self._path)
        try:
            said = loads(line, name)
        except BadData:
            said = None
        if not isinstance(said, dict) or not isinstance(said.get(_HEADER), int):
            raise BadData(
                "this is not a file of 'kb sync'", "'kb import' reads other files.", place=name
            )
        if said[_HEADER] > _FORMAT:
            raise BadData("this file is from a newer danesh", "Upgrade danesh.", place=name)

    def _keep_medium(self, line: str) -> None:
        said: Any = None
        try:
            said = loads(line, str(self._path))
            data = base64.b64decode(said["data"], validate=True)
            sha256 = hashlib.sha256(data).hexdigest()
            if len(data) <= limits.MEDIUM and sha256 == said["media"]:
                self._media.add(sha256)
                if self._store.media.missing([sha256]):
                    self._store.media.put(sha256, data)
                return
        except (BadData, KeyError, TypeError, ValueError, binascii.Error):
            pass
        said = Message("a line is damaged")
        self._run.tally.aside.append(Dropped(str(self._path), None, said, ""))

    def write(self) -> int:
        """Write the file if it lacks rows that are known here; return their number."""
        space, syncs = self._run.space, self._store.syncs
        lacks = syncs.count(space) - len(self._rows & self._known())
        if lacks or not self._path.exists():
            deliver(self._path, Drafting(self._write, database=self._run.base.path))
        return lacks

    def _known(self) -> set[str]:
        missing = self._store.syncs.missing(self._run.space, self._rows)
        return self._rows - missing

    def _write(self, out: BinaryIO) -> None:
        out.write(f"{dumps({_HEADER: _FORMAT}, indent=None)}\n".encode())
        named: dict[str, None] = {}
        for text in self._store.syncs.bodies(self._run.space):
            out.write(f"{text}\n".encode())
            named.update(dict.fromkeys(_SHA256.findall(text)))
        for sha256 in named:
            data = self._store.media.get(sha256)
            if data is not None:
                line = {"data": base64.b64encode(data).decode(), "media": sha256}
                out.write(f"{dumps(line, indent=None)}\n".encode())


def _parts(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
