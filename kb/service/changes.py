"""The journal as a reader uses it: taken back, done again, read, trimmed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from kb.contract.fields import difference, entry_of, fields_of
from kb.errors import Conflict, NotFound, UsageError
from kb.records import Entry, Progress
from kb.records.changes import Change, FieldChange
from kb.records.progress import paced
from kb.service.base import Base
from kb.service.collections import apply_collection
from kb.service.guard import clean, count_of, door
from kb.service.origins import keep_origin
from kb.service.recording import ADDED, HIDDEN, LAYER, OWNER, POSITION, RECORD, append
from kb.service.settling import purge_dropped, settle, sweep
from kb.service.write import hide_entry, remove_entry, write_entry


class Taken(NamedTuple):
    """What an undo or a redo did: the entries it touched, and its own change in the journal."""

    ids: tuple[str, ...]
    change: str | None
    deeds: tuple[str, ...] = ()


class Trimmed(NamedTuple):
    """What `Changes.compact` removed: changes of the journal, and bytes of the file."""

    changes: int
    bytes: int


class Changes:
    """What was changed, and the way back."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def undo(self, count: int = 1, *, progress: Progress | None = None) -> Taken:
        """Take back the last changes of the reader's, the last first.

        New versions of what came with danesh are stepped over. Raises `NotFound` where there
        is nothing to take back, and `Conflict` where an entry has changed again since: then
        that change and those before it stay.
        """
        return self._replayed(count, forward=False, tell=paced(progress))

    @door
    def redo(self, count: int = 1, *, progress: Progress | None = None) -> Taken:
        """Do again what was taken back last. Raises as `undo` does."""
        return self._replayed(count, forward=True, tell=paced(progress))

    @door
    def log(self, *, limit: int | None = 20, offset: int = 0) -> Sequence[Change]:
        """Return the changes, the last first, each with its fields."""
        wanted = count_of("limit", limit)
        return tuple(self._base.store.journal.changes(wanted, count_of("offset", offset) or 0))

    @door
    def history(self, entry: str) -> Sequence[Change]:
        """Return the changes of an entry, the first first, each with what it changed of it.

        Raises `NotFound`.
        """
        name = clean("an entry", entry)
        found = tuple(self._base.store.journal.of_entry(name))
        if not found:
            self._base.entry(name)
        return told_in_full(self._base, name, found)

    @door
    def compact(self, *, days: float = 90, progress: Progress | None = None) -> Trimmed:
        """Forget changes that are older than so many days, and give back the room.

        What is forgotten can be taken back no more; the entries stay as they are.
        """
        if not isinstance(days, int | float) or not 0 <= days <= 36500:
            raise UsageError("days must be a number from 0 to 36500")
        store, tell = self._base.store, paced(progress)
        before = store.size()
        with store.transaction():
            moment = datetime.now(UTC) - timedelta(days=days)
            old = store.journal.older(moment.isoformat(timespec="milliseconds"))
            store.journal.mark([c.id for c in old if c.state == "undone"], "dropped")
            for change in old:
                if change.layer is not None and change.state == "done":
                    store.layers.forget_versions(change.layer)
            store.journal.forget([change.id for change in old])
        purge_dropped(self._base, tell)
        sweep(self._base, tell)
        store.compact()
        return Trimmed(len(old), max(0, before - store.size()))

    def _replayed(self, count: int, *, forward: bool, tell: Progress) -> Taken:
        wanted = count_of("a number of changes", count)
        if not wanted:
            raise UsageError("at least one change must be named")
        ids: dict[str, None] = {}
        deeds: list[str] = []
        made = None
        for done in range(wanted):
            tell(done, wanted)
            change = self._next(forward)
            if change is None:
                break
            touched, made = replay(self._base, change, forward=forward)
            settle(self._base, tell)
            ids.update(dict.fromkeys(touched))
            deeds.append(change.deed)
        if made is None:
            raise NotFound(f"there is nothing to {'do again' if forward else 'take back'}")
        return Taken(tuple(ids), made, tuple(deeds))

    def _next(self, forward: bool) -> Change | None:
        journal = self._base.store.journal
        return journal.last("undone", first=True) if forward else journal.last("done")


def told_in_full(base: Base, id: str, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the changes of an entry with the fields that imports changed of it.

    The journal names what an import changed, and keeps of it what was before: what came of it
    is found by going back from what is there.
    """
    found = base.store.entries.get([id]).get(id)
    state = fields_of(found) if found else {}
    told = []
    for change in reversed(changes):
        if change.layer is not None and change.state == "done":
            version = base.store.layers.version(change.layer, id)
            before = (version.state.get("entry") if version and version.settled else None) or state
            fields = (
                FieldChange(id, name, *pair) for name, pair in difference(before, state).items()
            )
            change, state = change._replace(fields=(*change.fields, *fields)), before
        elif change.what == "write" and change.state == "done":
            state = _before(state, change.fields)
        told.append(change)
    return tuple(reversed(told))


def _before(state: Mapping[str, Any], changes: Iterable[FieldChange]) -> dict[str, Any]:
    """Return the fields of an entry as they were before a change."""
    fields = dict(state)
    for change in changes:
        if change.field is None:
            return dict(change.before or {})
        fields[change.field] = change.before
    return {name: value for name, value in fields.items() if value is not None}


def replay(base: Base, change: Change, *, forward: bool) -> tuple[list[str], str]:
    """Do a change again, or take it back; return the entries it touched, and the new change."""
    store = base.store
    with store.transaction():
        known = store.journal.get(change.id)
        if known is None or known.state != change.state:
            raise Conflict("another program was faster; nothing was changed", "Look at 'kb log'.")
        touched = _apply(base, change.fields, forward=forward)
        if change.layer is not None:
            touched = [*store.layers.entries(change.layer), *store.layers.changed(change.layer)]
            store.layers.show(change.layer, forward)
            if forward:
                store.collections.raise_layer(change.layer)
        store.journal.mark([change.id], "done" if forward else "undone")
        made = append(base, change.deed, "redo" if forward else "undo", of=change.id)
    return touched, made


def _apply(base: Base, fields: Iterable[FieldChange], *, forward: bool) -> list[str]:
    """Bring entries and collections to what they were before, or after, these changes."""
    by_entry: dict[str, list[FieldChange]] = defaultdict(list)
    others = []
    for field in fields:
        if field.entry is None:
            others.append(field)
        else:
            by_entry[field.entry].append(field)
    for field in others if forward else ():
        apply_collection(base, field, forward=True)
    for entry, changes in by_entry.items():
        _apply_entry(base, entry, changes, forward=forward)
    for field in () if forward else reversed(others):
        apply_collection(base, field, forward=False)
    return list(by_entry)


def _apply_entry(base: Base, id: str, changes: Sequence[FieldChange], *, forward: bool) -> None:
    wanted = {c.field: (c.before, c.after) if forward else (c.after, c.before) for c in changes}
    found = base.store.entries.get([id]).get(id)
    if None in wanted:
        now, then = wanted.pop(None)
        _expect(id, None if found is None else fields_of(found), now)
        if then is None:
            remove_entry(base, id)
            base.store.journal.retire([id])
            return
        base.store.journal.recall(id)
        _, owner = wanted.pop(OWNER, (None, "user"))
        _, position = wanted.pop(POSITION, (None, None))
        _, layer = wanted.pop(LAYER, (None, 0))
        entry = entry_of(then, id)
        _stand(base, entry.collection)
        write_entry(base, entry, owner, position, layer or 0)
    told = {name: wanted.pop(name) for name in [*wanted] if name and name.startswith(RECORD)}
    if HIDDEN in wanted:
        _, hidden = wanted.pop(HIDDEN)
        hide_entry(base, id, bool(hidden))
    _, order = wanted.pop(ADDED, (None, None))
    if wanted:
        _rewrite(base, id, found, wanted)
    base.store.additions.arrange(id, order or ())
    _apply_record(base, id, {name.removeprefix(RECORD): then for name, (_, then) in told.items()})


def _apply_record(base: Base, id: str, told: dict[str, Any]) -> None:
    """Let what is known of an entry's origin be what it was."""
    record = base.store.ledger.of_entries([id]).get(id)
    if told and record is not None:
        base.store.ledger.put(record._replace(**told))


def _rewrite(base: Base, id: str, found: Entry | None, wanted: dict[Any, tuple[Any, Any]]) -> None:
    """Give fields of an entry their other values, where they have those of the change."""
    if found is None:
        raise _changed(id)
    state = base.store.entries.state(id)
    assert state is not None
    _, position = wanted.pop(POSITION, (None, state.position))
    fields = fields_of(found)
    for name, (now, then) in wanted.items():
        _expect(id, fields.get(name), now)
        if then is None:
            fields.pop(name, None)
        else:
            fields[name] = then
    entry = entry_of(fields, id)
    _stand(base, entry.collection)
    keep_origin(base, found, entry)
    write_entry(base, entry, state.owner, position)


def _stand(base: Base, collection: str) -> None:
    """Let a collection be there, should it be gone by now."""
    if not base.store.collections.there(collection):
        base.store.collections.put(collection, {})


def _expect(id: str, found: Any, wanted: Any) -> None:
    if isinstance(found, dict) and isinstance(wanted, dict):
        if difference(found, wanted):
            raise _changed(id)
    elif found != wanted:
        raise _changed(id)


def _changed(id: str) -> Conflict:
    return Conflict(
        f"{id} has changed again since; nothing was changed",
        f"'kb history {id}' shows what became of it.",
    )
