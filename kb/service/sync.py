"""Exchanges with other copies, through a file or a hub, and decisions about what was exchanged."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, HubError, Message, NotFound, Untrusted, UsageError, nearest, shown
from kb.evidence.trust import is_synced, remember_synced
from kb.foreign import decoded, opened, raw_lines, read_bytes
from kb.formats.delivery import Drafting, deliver
from kb.model.entry import digest
from kb.model.json import dumps, loads
from kb.model.reports import Dropped
from kb.model.results import Progress, paced, silent
from kb.service.base import Base, Service, clean, collection_name, one_of, path_of, visible
from kb.service.files import FILE, REVIEWS
from kb.service.merging import STEP, Merging
from kb.service.study_log import MARK, SETTINGS, StudyLog, StudySettings
from kb.service.write import who
from kb.store.sqlite.files import refuse_database
from kb.store.sqlite.syncs import GOOD, PROPOSAL, UNKNOWN, Space
from kb.sync.hub import ROLES, Hub, HubRow, Position, UnknownPosition, connected
from kb.sync.rows import read_row
from kb.work import undisturbed

_HUB = "hub"
_PROPOSAL = "danesh_proposal"
_ASKED = 100
"""Rows by which a course is recognised."""


def _remember(place: str) -> None:
    with suppress(OSError):  # then it must be named the next time, too
        remember_synced(place)


class Sync(Service):
    """Exchanges of changes with other copies."""

    def sync_file(
        self,
        path: str | os.PathLike[str],
        *,
        reviews: bool = False,
        progress: Progress | None = None,
    ) -> Synced:
        """Exchange all changes of content with a file, which is created if it does not exist.

        With ``reviews`` the study log is exchanged, too. What is read is stored in short steps
        and then merged. If that is interrupted, the next sync continues. Raises `BadData` for a
        file of another kind: nothing is then changed.
        """
        place, tell = path_of("a file", path), paced(progress)
        refuse_database(os.fspath(place), self._base.path)
        _remember(os.path.abspath(place))
        with self._base.store.working("kb sync"):
            space = self._base.store.syncs.space("", "") or Space("", me=who())
            run = Exchange(self._base, space, tell)
            run.derive()
            known = FileExchange(run, place, reviews=reviews)
            if place.exists():
                known.read()
            run.apply()
            run.tally.sent = known.write()
            return run.result()

    def sync_hub(
        self,
        address: str,
        course: str | None = None,
        *,
        only: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> Synced:
        """Exchange changes with a course on a hub.

        ``course`` is the collection that is shared; without it, the one that was synced with this
        hub before. ``only`` names the collections of it that are read from now on (the course
        itself means all of it); what came before stays. Raises `HubError` if the hub cannot be
        used, and `NotFound` for an unknown collection: everything stays as it is.
        """
        tell, place = paced(progress), clean("an address", address)
        chosen = self._course(place, course)
        _remember(place)
        with connected(place) as server, self._base.store.working("kb sync"):
            position = server.open(chosen)
            known = self._space(server, place, chosen)
            if only:
                chosen_parts = _parts_of(chosen, only, server.collections(chosen))
                known = known._replace(only=chosen_parts, seq=0, chain="")
            run = Exchange(self._base, known._replace(me=position.name, role=position.role), tell)
            run.derive()
            hub = CourseExchange(run, server, position)
            hub.pull()
            hub.push()
            run.apply()
            hub.push()
            return run.result()

    def _space(self, server: Hub, address: str, course: str) -> Space:
        """Return what is known of a course on a hub, which may have had another address.

        So a copy of somebody's file, and a hub that moved, continue where they were.
        """
        found = self._base.store.syncs.space(address, course)
        if found is not None:
            return found
        for each in self.courses():
            if each.course == course and self._is_at(each, server):
                with self._base.store.transaction():
                    return self._base.store.syncs.move(each, address)
        return Space(address, course)

    def _is_at(self, space: Space, server: Hub) -> bool:
        """Return whether a hub has the course of a space: it must show rows of it.

        One that names an author suffices, so that a replica may lack the last rows. A first row
        without an author is the same in every copy, so the last position must be there, too.
        """
        ids = self._base.store.syncs.first_sent(space, _ASKED)
        bodies = server.bodies(space.course, ids)
        rows = [read_row(body, space.course) for body in bodies if digest(body) in ids]
        return any(row.author for row in rows) or (
            bool(rows) and server.has(space.course, space.seq, space.chain)
        )

    def sync_known(
        self, course: str | None = None, *, progress: Progress | None = None
    ) -> Sequence[Synced]:
        """Exchange changes with the last file and the courses that were synced with before.

        ``course`` names a course instead. Raises `NotFound` if the file is not there, unless
        there are courses, and `Untrusted` if the reader never named a place: a database from
        elsewhere does not decide where changes go.
        """
        done: list[Synced] = []
        courses = [each for each in self.courses() if course in (None, each.course)]
        file = self._base.store.meta.get(FILE) if course is None else None
        for place in filter(None, [file, *(each.target for each in courses)]):
            if not is_synced(place):
                raise Untrusted(
                    "this database was synced with {target}, but not by you on this machine",
                    Message("If you know that place, run 'kb sync {target}'.", target=place),
                    target=place,
                )
        if file is not None:
            if os.path.exists(file):
                reviews = self._base.store.meta.get(REVIEWS) == file
                done.append(self.sync_file(file, reviews=reviews, progress=progress))
            elif not courses:
                raise NotFound("there is no such file", place=file)
        done += [self.sync_hub(each.target, each.course, progress=progress) for each in courses]
        return done

    def save_proposals(self, path: str | os.PathLike[str]) -> int:
        """Write one's own proposals to a file, for a reviewer; return the number of changes."""
        place = path_of("a file", path)
        refuse_database(os.fspath(place), self._base.path)
        (space,) = self._with_role("reader")
        run = Exchange(self._base, space, silent)
        run.derive()
        texts = self._base.store.syncs.own_proposals(run.space)
        body = "".join(f"{text}\n" for text in texts)
        said = {_PROPOSAL: FORMAT, "course": space.course, "sha256": digest(body)}
        whole = f"{dumps(said, indent=None)}\n{body}".encode()
        deliver(place, Drafting(lambda out: out.write(whole), database=self._base.path))
        return len(texts)

    def load_proposals(self, path: str | os.PathLike[str]) -> Synced:
        """Add the proposals of a file, to be reviewed. They do not prove who wrote them.

        Raises `BadData` for a file that is none, or was changed.
        """
        place = path_of("a file", path)
        data = read_bytes(place, limits.RECORD)
        line, _, body = data.partition(b"\n")
        said = header_of(line.decode("utf-8", "replace"), _PROPOSAL, str(place))
        if said.get("sha256") != hashlib.sha256(body).hexdigest():
            raise BadData("the proposals were changed, or are not complete", place=place)
        (space,) = self._with_role("reviewer", "owner", course=said.get("course"))
        run = Exchange(self._base, space, silent)
        run.derive()
        texts = {digest(text): text for text in decoded(body, str(place)).split("\n") if text}
        missing = self._base.store.syncs.missing(run.space, texts)
        with self._base.store.transaction():
            rows = [(text, UNKNOWN, PROPOSAL) for id, text in texts.items() if id in missing]
            run.merging.keep(rows, sent=True, place=str(place))
        run.apply()
        return run.result()

    def _with_role(self, *roles: str, course: Any = None) -> Sequence[Space]:
        """Return the only course in which the reader has one of these roles."""
        found = [e for e in self.courses() if e.role in roles and course in (None, e.course)]
        if len(found) != 1:
            raise UsageError(
                "this needs one course in which you are {role}", role=" / ".join(roles)
            )
        return found

    def courses(self) -> Sequence[Space]:
        """Return the courses that were synced before."""
        return [each for each in self._base.store.syncs.spaces() if each.course]

    def hub_init(self, address: str) -> None:
        """Create a hub in a database, or upgrade it, and remember it for what follows."""
        place = clean("an address", address)
        with connected(place) as server:
            server.init()
        with self._base.store.transaction():
            self._base.store.meta.put(_HUB, place)

    def hub_add(
        self, name: str, role: str, course: str, *, address: str = "", password: str | None = None
    ) -> bool:
        """Give somebody a role in a course; return whether they are new to the server."""
        member, chosen = visible("a name", name), one_of("role", role, ROLES)
        with connected(self._hub(address)) as server:
            return server.add(collection_name(course), member, chosen, password)

    def hub_remove(self, name: str, course: str, *, address: str = "") -> None:
        """Take somebody's role in a course away."""
        with connected(self._hub(address)) as server:
            server.remove(collection_name(course), visible("a name", name))

    def hub_members(self, course: str, *, address: str = "") -> Sequence[tuple[str, str]]:
        """Return the members of a course with their roles."""
        with connected(self._hub(address)) as server:
            return server.members(collection_name(course))

    def _hub(self, address: str) -> str:
        known = address or self._base.store.meta.get(_HUB)
        if not known:
            raise UsageError("name the hub with --hub")
        return clean("an address", known)

    def _course(self, address: str, course: str | None) -> str:
        if course is not None:
            return collection_name(course)
        known = [each.course for each in self.courses() if each.target == address]
        if len(known) != 1:
            raise UsageError("name the course with --course")
        return known[0]


def _parts_of(course: str, only: Sequence[str], known: Sequence[str]) -> str:
    """Return the collections that are to be read, as `Space` has them. Raises `NotFound`."""
    chosen = [collection_name(each) for each in only]
    for name in chosen:
        if name != course and not any(f"{each}/".startswith(f"{name}/") for each in known):
            raise NotFound(
                "the course has no collection '{name}'", nearest(name, known), name=shown(name)
            )
    return "" if course in chosen else "\n".join(dict.fromkeys(chosen))


# One exchange of rows with a file or a hub, in steps that can be continued.


FORMAT = 1
"""The version of files of rows and of proposals."""

_HEADER = "danesh_sync"
_SHA256 = re.compile('"sha256":"([0-9a-f]{64})"')
_MEDIUM = re.compile('"media": ?"([0-9a-f]{64})"}$')
_ROWS = 1000
"""Rows stored in one transaction, or sent at once."""

_SENT = 16 << 20
"""Bytes of rows that are sent or merged at once, except a single one."""

_MERGED = 4000
"""Entries merged in one transaction: each makes a segment of the index."""


class Synced(NamedTuple):
    """The result of a sync: rows out and in, changed entries, and what was set aside.

    ``disputed`` is the number of entries with conflicts, and ``unsent`` that of rows that the hub
    does not have. ``only`` names the collections of the course that are read, or nothing for all.
    ``settings`` names the settings of studying that were changed here.
    """

    sent: int
    received: int
    entries: tuple[str, ...]
    disputed: int
    aside: tuple[Dropped, ...]
    unsent: int = 0
    only: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


class Exchange:
    """One exchange: changes here become rows, then rows from elsewhere are merged."""

    def __init__(self, base: Base, space: Space, tell: Progress) -> None:
        self.base = base
        self.tell = tell
        syncs, self.space = self.base.store.syncs, space
        if syncs.space(space.target, space.course) != space:
            with self.base.store.transaction():
                self.space = syncs.put_space(space)
        self.merging = Merging(self.base, self.space)
        self.tally = self.merging.tally

    def derive(self) -> None:
        """Make rows of what changed here since the last sync."""
        syncs, last = self.base.store.syncs, self.base.store.syncs.last_change()
        if last == self.space.seen:
            return
        ids = syncs.touched(self.space.seen)
        for some in _parts(ids, STEP):
            self.tell(0, len(ids))
            self.merging.derive(some)
        self._seen(last)

    def apply(self) -> None:
        """Merge the rows that were not applied yet, in short steps."""
        entries = self.base.store.syncs.unapplied(self.space)
        if not entries:
            return
        done = 0
        for some in _steps(entries):
            with undisturbed():
                before, change = self.merging.apply(some)
            if change is not None and before == self.space.seen:  # nobody else wrote since
                self._seen(change)
            done += len(some)
            self.tell(done, len(entries))
        self.base.tidy(self.tell)

    def _seen(self, change: str) -> None:
        with self.base.store.transaction():
            self.keep(seen=change)

    def keep(self, **values: Any) -> None:
        """Store a new state of the space. The caller holds the transaction."""
        self.space = self.space._replace(**values)
        self.base.store.syncs.put_space(self.space)

    def result(self) -> Synced:
        """Return what was done."""
        syncs, tally = self.base.store.syncs, self.tally
        disputed = len(syncs.disputed(self.space))
        aside = tuple(dict.fromkeys(tally.aside))
        unsent, only = syncs.count_unsent(self.space), tuple(self.space.only.splitlines())
        entries = tuple(tally.changed)
        return Synced(
            tally.sent, tally.received, entries, disputed, aside, unsent, only, tally.settings
        )


class CourseExchange:
    """A course on a hub: its new rows come here, and rows that it lacks go there."""

    def __init__(self, run: Exchange, server: Hub, position: Position) -> None:
        self._run = run
        self._store = run.base.store
        self._server = server
        self._position = position
        self._course = run.space.course
        self._only = run.space.only.splitlines()

    def pull(self) -> None:
        """Store the rows that are new on the hub, step by step."""
        try:
            self._read()
        except UnknownPosition:  # it was restored from a backup: what it lacks is sent again
            with self._store.transaction():
                self._store.syncs.mark_all_sent(self._run.space, False)
                self._run.keep(seq=0, chain="")
            self._read()

    def _read(self) -> None:
        position, run = self._position, self._run
        whole = 0 if run.space.seq else position.seq  # a first reading brings all before it
        while (run.space.seq, run.space.chain) != (position.seq, position.chain):
            run.tell(run.space.seq, position.seq)
            rows = self._server.read(self._course, run.space.seq, run.space.chain, self._only)
            if any(row.seq <= run.space.seq for row in rows):
                raise HubError("the hub's answer is malformed")
            if not rows:  # what follows belongs to other collections
                with self._store.transaction():
                    run.keep(seq=position.seq, chain=position.chain)
                break
            self._complete([row.body for row in rows if row.seq > whole])
            with undisturbed():
                self._keep(rows, seq=rows[-1].seq, chain=rows[-1].chain)
            if rows[-1].seq > position.seq:
                break

    def _complete(self, bodies: Iterable[str]) -> None:
        """Store all rows of the entries that some rows bring into the part that is read.

        Others may have changed such an entry before, in ways that these rows do not know.
        """
        parts = tuple(f"{name}/" for name in self._only)
        entries: dict[str, None] = {}
        for body in bodies if parts else ():
            with suppress(BadData):  # `_keep` names it
                row = read_row(body, self._course)
                if f"{row.fields.get('collection')}/".startswith(parts):
                    entries[row.entry] = None
        for rows in self._server.history(self._course, list(entries)):
            self._keep(rows)

    def _keep(self, rows: Sequence[HubRow], **position: Any) -> None:
        """Store rows with their media, and the position behind them."""
        run = self._run
        named = {name for row in rows for name in _SHA256.findall(row.body)}
        media = {}
        for name in self._store.media.missing(named) if named else ():
            data = self._server.medium(self._course, name)
            if data is not None and hashlib.sha256(data).hexdigest() == name:
                media[name] = data
        with self._store.transaction():
            texts = [(row.body, row.author, row.standing) for row in rows]
            run.merging.keep(texts, sent=True, place=self._course)
            for name, data in media.items():
                self._store.media.put(name, data)
            if position:
                run.keep(**position)

    def push(self) -> None:
        """Send the rows that the hub lacks, step by step.

        A row counts as sent when everything before it is known here, so that a hub that is
        restored later can be compared. If others wrote meanwhile, that is read first.
        """
        run, syncs = self._run, self._store.syncs
        last: Sequence[tuple[str, str]] = ()
        while rows := syncs.unsent(run.space, _ROWS):
            rows = rows[: len(next(_steps([(id, len(body.encode())) for id, body in rows])))]
            if rows == last:
                raise HubError("the hub's answer is malformed")
            run.tell(0, 0)
            bodies = [body for _, body in rows]
            named = sorted({name for body in bodies for name in _SHA256.findall(body)})
            self._server.put_media(self._course, named, self._store.media.get)
            pushed = self._server.push(self._course, bodies)
            if pushed.before == run.space.seq:
                self._complete(bodies)
                with self._store.transaction():
                    syncs.mark_sent(run.space, [id for id, _ in rows], pushed.standing or None)
                    run.keep(seq=pushed.seq, chain=pushed.chain)
            else:
                last, self._position = rows, self._server.open(self._course)
                self.pull()
            run.tally.sent += len(rows)


class FileExchange:
    """A file that copies exchange: a header, rows, the media that they name, and a study log."""

    def __init__(self, run: Exchange, path: Path, *, reviews: bool) -> None:
        self._run = run
        self._store = run.base.store
        self._path = path
        self._log = StudyLog(run.base.store) if reviews else None
        self._settings = ""
        """The line of settings for the file."""
        self._held: set[str] = set()
        """The rows that are both in the file and here."""

    def read(self) -> None:
        """Store the rows and media that are missing here. Raises `BadData`.

        What is known here is not parsed again: the digest of a row is its id.
        """
        name, counting = str(self._path), self._store.syncs.counting(self._run.space)
        with opened(self._path, limits.FILE) as stream:
            lines = self._lines(stream)
            header_of(next(lines, ""), _HEADER, name)
            lines = (line for line in lines if not line.startswith((MARK, SETTINGS)))
            for some in _steps((line, len(line)) for line in lines):
                self._run.tell(0, 0)
                media = {
                    text: found[1] if (found := _MEDIUM.search(text)) else ""
                    for text in some
                    if text.startswith('{"data":')
                }
                missing = self._store.media.missing(media.values()) if media else ()
                new = [line for line, medium in media.items() if medium in missing]
                texts = {digest(t): t for t in some if not t.startswith('{"data":')}
                self._held |= texts.keys() & counting
                rows = [(text, "", GOOD) for id, text in texts.items() if id not in counting]
                if rows or new:
                    with self._store.transaction():
                        self._held |= self._run.merging.keep(rows, sent=False, place=name)
                        for line in new:
                            self._keep_medium(line)

    def _lines(self, stream: BinaryIO) -> Iterator[str]:
        name = str(self._path)
        for line, whole in raw_lines(stream, name, limits.FILE, limits.RECORD):
            try:
                if not whole:
                    raise BadData("a line is too long", place=name)
                yield line.decode("utf-8").rstrip("\n")
            except (UnicodeDecodeError, BadData):
                self._tell_damaged(line.decode("utf-8", "replace"))

    def _tell_damaged(self, line: str) -> None:
        """Set a line aside, by its beginning."""
        said = Message("a line is damaged")
        self._run.tally.aside.append(Dropped(str(self._path), None, said, line[:200]))

    def _keep_medium(self, line: str) -> None:
        try:
            said: Any = loads(line, str(self._path))
            data = base64.b64decode(said["data"], validate=True)
            sha256 = hashlib.sha256(data).hexdigest()
            if len(data) <= limits.MEDIUM and sha256 == said["media"]:
                self._store.media.put(sha256, data)
                return
        except (BadData, KeyError, TypeError, ValueError, binascii.Error):
            pass
        self._tell_damaged(line)

    def _study_lines(self) -> Iterator[str]:
        """Yield the lines of the study log and its settings in the file."""
        if self._path.exists():
            with opened(self._path, limits.FILE) as stream:
                lines = self._lines(stream)
                yield from (line for line in lines if line.startswith((MARK, SETTINGS)))

    def _exchange_log(self) -> int:
        """Store the rows of the study log that are missing here; return how many the file lacks."""
        if self._log is None:
            return 0
        settings: list[str] = []

        def log() -> Iterator[str]:
            for line in self._study_lines():
                if line.startswith(SETTINGS):
                    settings.append(line)
                else:
                    yield line

        stored, damaged, lacking = self._log.add(log(), str(self._path))
        self._run.tally.received += stored
        for line in damaged:
            self._tell_damaged(line)
        return lacking + self._exchange_settings(settings)

    def _exchange_settings(self, lines: Sequence[str]) -> bool:
        """Take settings of studying that were changed later; return whether the file lacks some."""
        with self._store.transaction():
            here = StudySettings(self._store, time.time_ns() // 1_000_000)
            for line in lines if here.usable else ():
                try:
                    self._run.tally.settings += here.take(line, str(self._path))
                except BadData:
                    self._tell_damaged(line)
            here.keep()
        self._settings = here.line if here.usable else "\n".join(lines)
        return [self._settings] != list(lines) and bool(self._settings)

    def write(self) -> int:
        """Write the file if it lacks rows that are known here; return their number."""
        syncs, space = self._store.syncs, self._run.space
        lacks = syncs.count(space) - len(self._held) + self._exchange_log()
        if lacks or not self._path.exists():
            deliver(self._path, Drafting(self._write, database=self._run.base.path))
        named = os.path.abspath(self._path)
        if syncs.count_unsent(space) or self._store.meta.get(FILE) != named:
            with self._store.transaction():
                syncs.mark_all_sent(space, True)
                self._store.meta.put(FILE, named)
        if self._log is not None and self._store.meta.get(REVIEWS) != named:
            with self._store.transaction():
                self._store.meta.put(REVIEWS, named)
        return lacks

    def _write(self, out: BinaryIO) -> None:
        out.write(f"{dumps({_HEADER: FORMAT}, indent=None)}\n".encode())
        named: dict[str, None] = {}
        for text in self._store.syncs.bodies(self._run.space):
            out.write(f"{text}\n".encode())
            named.update(dict.fromkeys(_SHA256.findall(text)))
        for sha256 in named:
            data = self._store.media.get(sha256)
            if data is not None:
                line = {"data": base64.b64encode(data).decode(), "media": sha256}
                out.write(f"{dumps(line, indent=None)}\n".encode())
        private = self._study_lines()
        if self._log is not None:
            private = chain([self._settings], (text for text, _ in self._log.lines()))
        for text in filter(None, private):
            out.write(f"{text}\n".encode())


def header_of(line: str, key: str, place: str) -> dict[str, Any]:
    """Return the first line of a file. Raises `BadData` for another or a newer one."""
    try:
        said = loads(line, place)
    except BadData:
        said = None
    if not isinstance(said, dict) or not isinstance(said.get(key), int):
        raise BadData(
            "this is not a file of 'kb sync'", "'kb import' reads other files.", place=place
        )
    if said[key] > FORMAT:
        raise BadData("this file is from a newer danesh", "Upgrade danesh.", place=place)
    return said


def _steps(entries: Iterable[tuple[str, int]]) -> Iterator[Sequence[str]]:
    """Yield the ids of entries or rows in groups of limited number and length."""
    some: list[str] = []
    total = 0
    for id, length in entries:
        if some and (len(some) == _MERGED or total + length > _SENT):
            yield some
            some, total = [], 0
        some.append(id)
        total += length
    yield some


def _parts(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
