"""Exchanges with other copies, through a file or a hub, and decisions about what was exchanged."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from kb import limits
from kb.errors import BadData, Message, NotFound, Untrusted, UsageError, nearest, shown
from kb.evidence.trust import is_synced, remember_synced
from kb.foreign import decoded, read_bytes
from kb.model import Progress
from kb.model.json import dumps
from kb.model.results import paced, silent
from kb.service.base import Service, clean, collection_name, one_of, path_of, visible
from kb.service.exchange import (
    FORMAT,
    CourseExchange,
    Exchange,
    FileExchange,
    Synced,
    deliver_file,
    digest,
    header_of,
)
from kb.service.files import FILE, REVIEWS
from kb.service.recording import who
from kb.store.sqlite.syncs import PROPOSAL, UNKNOWN, Space
from kb.sync.hub import ROLES, Hub, connected
from kb.sync.rows import read_row

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
        self._base.store.refuse_target(os.fspath(place))
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
        bodies = [row.body for row in server.rows(space.course, ids)]
        rows = [read_row(body, space.course) for body in bodies if digest(body.encode()) in ids]
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
        self._base.store.refuse_target(os.fspath(place))
        (space,) = self._with_role("reader")
        run = Exchange(self._base, space, silent)
        run.derive()
        texts = self._base.store.syncs.own_proposals(run.space)
        body = "".join(f"{text}\n" for text in texts).encode()
        said = {_PROPOSAL: FORMAT, "course": space.course, "sha256": digest(body)}
        header = f"{dumps(said, indent=None)}\n".encode()
        deliver_file(place, lambda out: out.write(header + body), self._base)
        return len(texts)

    def load_proposals(self, path: str | os.PathLike[str]) -> Synced:
        """Add the proposals of a file, to be reviewed. They do not prove who wrote them.

        Raises `BadData` for a file that is none, or was changed.
        """
        place = path_of("a file", path)
        data = read_bytes(place, limits.RECORD)
        line, _, body = data.partition(b"\n")
        said = header_of(line.decode("utf-8", "replace"), _PROPOSAL, str(place))
        if said.get("sha256") != digest(body):
            raise BadData("the proposals were changed, or are not complete", place=place)
        (space,) = self._with_role("reviewer", "owner", course=said.get("course"))
        run = Exchange(self._base, space, silent)
        run.derive()
        texts = {digest(text.encode()): text for text in decoded(body, str(place)).splitlines()}
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
