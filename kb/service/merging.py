"""Between entries and rows: what changed here becomes rows, and merged rows become entries.

Each entry is compared with the merged state of the rows that were applied to it. So a change is
found however it was made: by hand, by an import, by undo or redo.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from kb.errors import BadData, Conflict, Message
from kb.model.changes import Side
from kb.model.documents import Document
from kb.model.entry import Entry
from kb.model.entry_json import Fields, bounded, difference, entry_of, fields_of
from kb.model.reports import Dropped
from kb.model.values import NOTE
from kb.service.base import Base
from kb.service.write import (
    Index,
    Recorder,
    change_entry,
    delete_entry,
    hide_entry,
    is_plain,
    recording,
    stand,
    unpacked,
    write_entry,
)
from kb.store.sqlite.rows import EntryState
from kb.store.sqlite.syncs import BAD, GOOD, PROPOSAL, Space, StoredRow
from kb.sync.merge import Dispute, State, merged
from kb.sync.rows import EXISTS, Review, Row, check_fields, make_row, parsed, read_row

STEP = 200
"""Entries in one transaction."""


@dataclass(slots=True)
class Tally:
    """What a sync did: rows out and in, changed entries and settings, and what was set aside."""

    sent: int = 0
    received: int = 0
    changed: dict[str, None] = field(default_factory=dict)
    aside: list[Dropped] = field(default_factory=list)
    settings: tuple[str, ...] = ()


class _Here(NamedTuple):
    """An entry as it is here, and its rows."""

    entry: Entry | None
    state: EntryState | None
    rows: Sequence[StoredRow]

    @property
    def is_bundled(self) -> bool:
        return self.state is not None and self.state.owner == "bundled"


class Merging:
    """The entries of one space."""

    def __init__(self, base: Base, space: Space) -> None:
        self._base = base
        self._space = space
        self._syncs = base.store.syncs
        self.tally = Tally()
        self._unsettled: list[str] = []

    def keep(self, texts: Iterable[tuple[str, str, int]], *, sent: bool, place: str) -> set[str]:
        """Store rows from elsewhere: text, sender and standing of each. Return their ids.

        What is no row is set aside by name. So is a row that breaks our rules, which is passed
        on without effect. The caller holds the transaction.
        """
        rows = []
        for text, author, standing in texts:
            try:
                row = read_row(text, place)
            except BadData as error:
                self._set_aside(place, error, text[:200])
                continue
            try:
                check_fields(row, f"{place}: {row.entry[:80]}")
                collection = row.fields.get("collection")
                if collection is not None and not self._contains(collection):
                    raise BadData("a course changes only its own collection")
            except BadData as error:
                self._set_aside(place, error, row.entry)
                standing = BAD
            rows.append((row.id, row.entry, text, author or row.author, standing))
        ids = {row[0] for row in rows}
        self.tally.received += len(self._syncs.missing(self._space, ids))
        self._syncs.add(self._space, rows, made_here=False, sent=sent)
        return ids

    def _contains(self, collection: str) -> bool:
        """Return whether a collection belongs to the course; by files, everything does."""
        return f"{collection}/".startswith(f"{self._space.course}/" if self._space.course else "")

    def underived(self, ids: Sequence[str]) -> int:
        """Return the number of rows that `derive` would store."""
        return sum(len([*self._derived(*each, False)]) for each in self._here(ids).items())

    def derive(self, ids: Sequence[str]) -> None:
        """Store rows for what changed here, in one transaction."""
        with recording(self._base, "sync", "sync") as recorder:
            self._derive(self._here(ids), rooted=False)
            # A change of one version of a dispute may show the other one.
            if self._unsettled:
                self._store_merged(recorder, self._here(self._unsettled))

    def _derive(self, known: Mapping[str, _Here], *, rooted: bool) -> int:
        """Store rows for what changed here; return their number.

        If ``rooted``, bundled entries get a first row even if unchanged.
        """
        self._unsettled = []
        found = [row for each in known.items() for row in self._derived(*each, rooted)]
        if found:
            me = self._space.me
            rows = [(row.id, row.entry, row.text, row.author or me, GOOD) for row in found]
            self._syncs.add(self._space, rows, made_here=True, sent=False)
        return len(found)

    def _here(self, ids: Sequence[str]) -> Mapping[str, _Here]:
        states = self._base.store.entries.states(ids)
        there = [id for id in ids if id in states and states[id].shown]
        entries = self._base.store.entries.get(there)
        rows = self._syncs.rows(self._space, ids)
        return {
            id: _Here(entries.get(id), states[id] if id in entries else None, rows.get(id, ()))
            for id in ids
        }

    def _derived(self, id: str, here: _Here, rooted: bool) -> Iterable[Row]:
        applied = [each for each in here.rows if each.applied]
        if not applied and (here.entry is None or not self._contains(here.entry.collection)):
            return
        now = None if here.entry is None else self._shared(fields_of(here.entry))
        roots = [self._root(here.entry)] if here.entry and here.is_bundled and not applied else []
        state = state_of(applied, self._space.me) if applied else merged(roots)
        made = list(self._differences(id, state, now))
        if made or rooted:
            yield from roots
        yield from made

    def _root(self, entry: Entry) -> Row:
        """Return the row of a bundled entry, which is the same in every copy."""
        id = entry.id
        record = self._base.store.ledger.of_entries([id]).get(id)
        if record is not None and record.base is not None:
            given = unpacked(record.base, id)
        else:
            given = fields_of(entry.given)
        return make_row(id, (), "", "", {EXISTS: True, **self._shared(given)})

    def _differences(self, id: str, state: State, now: Fields | None) -> Iterable[Row]:
        me, at = self._space.me, datetime.now(UTC).isoformat(timespec="milliseconds")
        if not self._space.seen and not state.heads:  # the same row in every copy of one file
            me = at = ""
        if now is None:
            if state.fields is not None:
                yield make_row(id, state.heads, me, at, {EXISTS: False})
            return
        if state.fields is None:
            yield make_row(id, state.heads, me, at, {EXISTS: True, **now})
            return
        before = self._shared(normal(state.fields, id))
        changed = {name: after for name, (_, after) in difference(before, now).items()}
        if "collection" not in now:  # it is elsewhere only here
            changed.pop("collection", None)
        apart = {name for name in changed if name in state.disputes}
        if rest := {name: value for name, value in changed.items() if name not in apart}:
            yield make_row(id, state.heads, me, at, rest)
        if apart:
            self._unsettled.append(id)
        for name in sorted(apart):  # this continues one version, and ends no dispute
            version, _ = state.disputes[name].versions[0]
            yield make_row(id, (version,), me, at, {name: changed[name]})

    def _shared(self, fields: Fields) -> Fields:
        """Return the fields that travel; a course gets no private notes and programs."""
        private = self._private(fields)
        shared = {n: v for n, v in fields.items() if n not in private and n != "id"}
        for name, value in shared.items():
            if isinstance(value, dict) and "own" in value:
                shared[name] = {key: each for key, each in value.items() if key != "own"}
        if not self._contains(shared.get("collection", self._space.course)):
            del shared["collection"]
        return shared

    def _private(self, fields: Fields) -> set[str]:
        if not self._space.course:
            return set()
        own = {n: v for n, v in fields.items() if isinstance(v, dict) and v.get("own")}
        private = {n for n, v in own.items() if v.get("verdict") == NOTE}
        named = {
            f"snippets.{each['snippet']}"
            for name, value in fields.items()
            if isinstance(value, dict) and name not in private
            for each in value.get("evidence") or ()
        }
        return private | {n for n in own if n.startswith("snippets.") and n not in named}

    def apply(self, ids: Sequence[str]) -> tuple[str, str | None]:
        """Merge the rows of entries and store the result, in one transaction.

        What cannot be stored is set aside, and tried again at the next sync. Returns the last
        change before it, and its own.
        """
        with recording(self._base, "sync", "sync") as recorder:
            before = self._syncs.last_change()
            self.apply_rows(recorder, ids)
        return before, recorder.id

    def resolve(self, recorder: Recorder, ids: Sequence[str], side: Side) -> None:
        """Resolve the disputes of entries in favour of one side, by a row for each entry.

        The caller holds the transaction.
        """
        self._derive(self._here(ids), rooted=False)
        me, at = self._space.me, datetime.now(UTC).isoformat(timespec="milliseconds")
        for id, stored in self._syncs.rows(self._space, ids).items():
            state = state_of(stored, me)
            chosen = {n: sides(d, stored, me)[side == "theirs"] for n, d in state.disputes.items()}
            row = make_row(id, state.heads, me, at, chosen)
            made = (row.id, id, row.text, row.author, GOOD)
            self._syncs.add(self._space, [made], made_here=True, sent=False)
        self._store_merged(recorder, self._here(ids))

    def apply_rows(self, recorder: Recorder, ids: Sequence[str]) -> None:
        """Merge the rows of entries and store the result. The caller holds the transaction."""
        known = self._here(ids)
        if self._derive(known, rooted=True):
            known = self._here(ids)
        self._store_merged(recorder, known)

    def _store_merged(self, recorder: Recorder, known: Mapping[str, _Here]) -> None:
        new, disputed = list[Entry](), dict[str, bool]()
        documents: list[Document] = []
        for id, here in known.items():
            # A reader's own entry elsewhere may have the name of one in the course.
            in_course = here.entry is None or self._contains(here.entry.collection)
            if not in_course and not any(each.applied for each in here.rows):
                said = Message("your own entry has the name of one of the course")
                self._set_aside(self._space.course, said, id)
                continue
            state = state_of(here.rows, self._space.me)
            try:
                entry = self._wanted(here, state, id)
                if here.entry is None and entry is not None and is_plain(entry):
                    new.append(entry)
                else:
                    with self._base.store.connection.savepoint():
                        self._store(recorder, here, id, entry, documents.extend)
            except (BadData, Conflict) as error:
                self._set_aside(self._space.course, error, id)
                continue
            disputed[id] = bool(state.disputes)
        documents += self._store_new(recorder, new)
        if documents:
            self._base.index.add(documents)
        self._syncs.put_disputes(self._space, disputed)
        self._syncs.mark_applied(self._space, disputed)

    def _wanted(self, here: _Here, state: State, id: str) -> Entry | None:
        """Return the merged entry with what is private here, or nothing if it is deleted."""
        if state.fields is None:
            return None
        mine = {} if here.entry is None else fields_of(here.entry)
        own = {n for n, v in mine.items() if isinstance(v, dict) and v.get("own")}
        fields = {n: {**v, "own": True} if n in own else v for n, v in state.fields.items()}
        kept = {name: mine[name] for name in self._private(mine)}
        if mine and not self._contains(mine["collection"]):
            kept["collection"] = mine["collection"]
        return bounded(entry_of({**fields, **kept, "id": id}, id), id)

    def _store(
        self, recorder: Recorder, here: _Here, id: str, entry: Entry | None, index: Index
    ) -> None:
        found, state, base = here.entry, here.state, self._base
        if entry is None:
            if found is None or state is None:
                return
            if here.is_bundled:
                hide_entry(base, id, True, recorder)
                return
            delete_entry(base, recorder, found, state)
        elif found is None or state is None:
            stand(base, entry.collection)
            write_entry(base, entry, "user", index=index)
            recorder.field(id, None, None, None)
        elif difference(fields_of(found), fields_of(entry)):
            stand(base, entry.collection)
            change_entry(base, recorder, found, entry, state, index=index)
        else:
            return
        self.tally.changed[id] = None

    def _store_new(self, recorder: Recorder, new: Sequence[Entry]) -> Sequence[Document]:
        """Store new entries that have only texts, together; return their documents."""
        for collection in dict.fromkeys(entry.collection for entry in new):
            stand(self._base, collection)
        for entry in new:
            recorder.field(entry.id, None, None, None)
            self.tally.changed[entry.id] = None
        return self._base.store.entries.put_new(new, "user", 0)

    def _set_aside(self, place: str, error: BadData | Conflict | Message, name: str) -> None:
        reason = error if isinstance(error, Message) else error.message
        self.tally.aside.append(Dropped(place, None, reason, name))


def state_of(stored: Iterable[StoredRow], me: str) -> State:
    """Return the merged state of the rows of an entry."""
    rows = list(stored)
    return merged((parsed(each.id, each.body) for each in rows), without(rows, me))


def sides(dispute: Dispute, stored: Iterable[StoredRow], me: str) -> tuple[Any, Any]:
    """Return the reader's version, or else the one that is shown, and the first other one.

    The reader's is the one made in this copy: on another computer they may have the same name.
    """
    order = {each.id: (not each.made_here, each.author != me) for each in stored}
    versions = sorted(dispute.versions, key=lambda each: order.get(each[0], (True, True)))
    (_, mine), *others = versions
    return mine, next((value for _, value in others if value != mine), others[0][1])


def without(stored: Sequence[StoredRow], me: str | None) -> set[str]:
    """Return the rows of an entry that do not count: bad ones, and proposals that wait.

    One's own proposals count until they are refused. Who accepts one accepts the steps to it.
    """
    passed_over = {each.id for each in stored if each.standing == BAD}
    pending = {each.id: each.author for each in stored if each.standing == PROPOSAL}
    if pending:
        decided = decisions(stored)
        accepted = {id for id, decision in decided.items() if decision.accepted}
        rows = [parsed(each.id, each.body) for each in stored]
        mine = {id for id, author in pending.items() if author == me and id not in decided}
        passed_over |= pending.keys() - mine - ancestors(rows, accepted)
    return passed_over


def ancestors(rows: Iterable[Row], ids: Collection[str]) -> set[str]:
    """Return rows with all that they know."""
    by_id, found, left = {row.id: row for row in rows}, set(), list(ids)
    while left:
        id = left.pop()
        if id in by_id and id not in found:
            found.add(id)
            left += by_id[id].parents
    return found


def decisions(stored: Iterable[StoredRow]) -> Mapping[str, Review]:
    """Return the decisions about proposals; one acceptance outweighs refusals."""
    found: dict[str, Review] = {}
    for each in stored:
        review = parsed(each.id, each.body).review if each.standing == GOOD else None
        if review is not None:
            found[review.row] = max(review, found.get(review.row, review))
    return found


def normal(fields: Mapping[str, Any], id: str) -> Fields:
    """Return the fields of an entry as they are read from a stored one."""
    with contextlib.suppress(BadData):
        return fields_of(entry_of({**fields, "id": id}, id))
    return dict(fields)
