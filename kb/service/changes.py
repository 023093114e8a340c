"""The change log for readers: undo, redo, history, compaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from kb.errors import Conflict, Message, NotFound, UsageError, shown
from kb.i18n.names import ACTIONS
from kb.model.changes import Change, FieldChange, State
from kb.model.entry import Entry
from kb.model.entry_json import difference, entry_of, fields_of
from kb.model.results import Progress, paced
from kb.search.index import fts5
from kb.service.base import Base, Service, clean, count_of
from kb.service.collections import apply_collection
from kb.service.finishing import purge_dropped, settle, sweep
from kb.service.write import (
    ADDED,
    HIDDEN,
    LAYER,
    OWNER,
    POSITION,
    RECORD,
    Edited,
    append,
    hide_entry,
    keep_origin,
    remove_entry,
    stand,
    write_entry,
)


class Trimmed(NamedTuple):
    """What `Changes.compact` deleted: changes, and bytes of the file."""

    changes: int
    bytes: int


class Changes(Service):
    """Undo, redo and the change log.

    A library distinguishes its own changes from those of other processes: its own are those it
    made, undid or redid last.
    """

    def undo(
        self,
        count: int = 1,
        *,
        own: bool = False,
        change: str | None = None,
        progress: Progress | None = None,
    ) -> Edited:
        """Undo the newest changes, newest first, or the ``change`` with this id.

        They are those of the whole knowledge base, or only this library's ``own``. Updates of
        bundled content are skipped. Raises `NotFound` if there is nothing to undo, and `Conflict`
        if a later change affects the same field of the same entry: that change and earlier ones
        are then kept.
        """
        chosen = self._chosen("done", own, change)
        return self._replayed(count, chosen, forward=False, tell=paced(progress))

    def redo(
        self,
        count: int = 1,
        *,
        own: bool = False,
        change: str | None = None,
        progress: Progress | None = None,
    ) -> Edited:
        """Redo what was undone last; arguments and errors are those of `undo`.

        Any new change clears what can be redone.
        """
        chosen = self._chosen("undone", own, change)
        return self._replayed(count, chosen, forward=True, tell=paced(progress))

    def next_undo(self) -> Change:
        """Return the newest change of anybody: time and author of its last step.

        Raises `NotFound` if there is nothing to undo.
        """
        return self._next(forward=False)

    def next_redo(self) -> Change:
        """Return the last undone change of anybody, and when. Raises `NotFound`."""
        return self._next(forward=True)

    def log(self, *, limit: int | None = 20, offset: int = 0) -> Sequence[Change]:
        """Return the changes with their fields, newest first."""
        wanted = count_of("limit", limit)
        return tuple(self._base.store.journal.changes(wanted, count_of("offset", offset) or 0))

    def history(self, entry: str) -> Sequence[Change]:
        """Return the changes of an entry with their fields, oldest first.

        Raises `NotFound`.
        """
        name = clean("an entry", entry)
        found = tuple(self._base.store.journal.of_entry(name))
        if not found:
            self._base.entry(name)
        return told_in_full(self._base, name, found)

    def older(self, *, days: float = 90) -> int:
        """Return the number of changes older than this many days, which `compact` would delete."""
        return len(self._base.store.journal.older(_moment(days)))

    def compact(self, *, days: float = 90, progress: Progress | None = None) -> Trimmed:
        """Delete changes older than this many days, and free their space.

        Deleted changes can no longer be undone; entries do not change.
        """
        moment = _moment(days)
        store, tell = self._base.store, paced(progress)
        before = store.size()
        with store.working("kb compact"):
            old = self._forget_older(moment, tell)
            self._base.index.tidy(tell)
            store.compact()
        return Trimmed(old, max(0, before - store.size()))

    def _forget_older(self, moment: str, tell: Progress) -> int:
        store = self._base.store
        with store.transaction():
            old = store.journal.older(moment)
            store.journal.mark([c.id for c in old if c.state == "undone"], "dropped")
            for change in old:
                if change.layer is not None:
                    store.layers.forget_versions(change.layer)
            store.journal.forget([change.id for change in old])
        purge_dropped(self._base, tell)
        sweep(self._base, tell)
        return len(old)

    def _chosen(self, state: State, own: bool, change: str | None) -> Callable[[], Change | None]:
        """Return the function that chooses a change; raise `NotFound` for an unknown id."""
        journal = self._base.store.journal
        if change is None:
            session = self._base.session if own else None
            return lambda: journal.last(state, session)
        name = clean("a change", change)
        found = journal.get(name)
        if found is None or found.what not in ("write", "import"):
            raise NotFound(
                "there is no change '{name}' in the change log", "See 'kb log'.", name=shown(name)
            )
        return lambda: journal.get(name)

    def _replayed(
        self, count: int, chosen: Callable[[], Change | None], *, forward: bool, tell: Progress
    ) -> Edited:
        wanted = count_of("a number of changes", count)
        if not wanted:
            raise UsageError("name at least one change")
        ids: dict[str, None] = {}
        actions: list[str] = []
        made = None
        for done in range(wanted):
            tell(done, wanted)
            with self._base.store.working(f"kb {'redo' if forward else 'undo'}"):
                replayed = replay(self._base, chosen, forward=forward)
                if replayed is None:
                    break
                settle(self._base, tell)
                fts5.update(self._base.store, tell)
            change, touched, made = replayed
            ids.update(dict.fromkeys(touched))
            actions.append(change.action)
        if made is None:
            raise _nothing(forward)
        return Edited(tuple(ids), made, actions=tuple(actions))

    def _next(self, *, forward: bool) -> Change:
        found = self._base.store.journal.last("undone" if forward else "done")
        if found is None:
            raise _nothing(forward)
        return found


def _moment(days: float) -> str:
    """Return the time this many days ago. Raises `UsageError`."""
    if not isinstance(days, int | float) or not 0 <= days <= 36500:
        raise UsageError("days must be a number from 0 to 36500")
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")


def _nothing(forward: bool) -> NotFound:
    if forward:
        return NotFound(
            "there is nothing to redo", "What was undone can be redone until the next change."
        )
    return NotFound("there is nothing to undo")


def told_in_full(base: Base, id: str, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the changes of an entry, including the fields that imports changed.

    The change log names what an import changed and stores the previous value; later values are
    reconstructed from the current entry backwards.
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
        elif change.what in ("write", "sync"):
            state = _before(state, change.fields)
        told.append(change)
    return tuple(reversed(told))


def _before(state: Mapping[str, Any], changes: Iterable[FieldChange]) -> dict[str, Any]:
    """Return the fields of an entry before a change."""
    fields = dict(state)
    for change in changes:
        if change.field is None:
            return dict(change.before or {})
        fields[change.field] = change.before
    return {name: value for name, value in fields.items() if value is not None}


# A change undone or redone: every field from its one value to its other.


def replay(
    base: Base, choose: Callable[[], Change | None], *, forward: bool
) -> tuple[Change, list[str], str] | None:
    """Undo or redo a chosen change; return it, its entries, and the new change.

    It is chosen within the transaction; the result is nothing if there is none. Raises `Conflict`
    if it is already undone or redone, or a later change affects the same field.
    """
    store = base.store
    with store.transaction():
        change = choose()
        if change is None:
            return None
        if change.state != ("undone" if forward else "done"):
            raise Conflict("another program changed it first; nothing was changed", "See 'kb log'.")
        if met := store.journal.meeting(change):
            raise _met(*met, forward=forward)
        touched = _apply(base, change.fields, forward=forward)
        if change.layer is not None:
            touched = [*store.layers.entries(change.layer), *store.layers.changed(change.layer)]
            base.show(change.layer, forward)
        store.journal.mark([change.id], "done" if forward else "undone")
        made = append(base, change.action, "redo" if forward else "undo", of=change.id)
    return change, touched, made


def _met(later: Change, name: str, *, forward: bool) -> Conflict:
    """Return the error for a later change of the same field: which, when, by whom."""
    when = later.at[:16].replace("T", " ")
    action = Message(ACTIONS.get(later.action, later.action))
    told = {"name": name, "action": action, "when": when, "who": later.who}
    said = Message("cannot undo: {name} was changed later ({action}, {when}, {who})", **told)
    if forward:
        said = Message(
            "cannot redo: {name} was changed later (undo of {action}, {when}, {who})", **told
        )
    return Conflict(said, "See 'kb log'.")


def _apply(base: Base, fields: Iterable[FieldChange], *, forward: bool) -> list[str]:
    """Set entries and collections to their state before or after these changes."""
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
            base.store.entries.retire([id])
            return
        _, owner = wanted.pop(OWNER, (None, "user"))
        _, position = wanted.pop(POSITION, (None, None))
        _, layer = wanted.pop(LAYER, (None, None))
        entry = entry_of(then, id)
        stand(base, entry.collection)
        write_entry(base, entry, owner, position, layer or 0)
    told = {name: wanted.pop(name) for name in [*wanted] if name and name.startswith(RECORD)}
    if HIDDEN in wanted:
        _, hidden = wanted.pop(HIDDEN)
        hide_entry(base, id, bool(hidden))
    _, order = wanted.pop(ADDED, (None, None))
    if wanted:
        _rewrite(base, id, found, wanted)
    base.store.additions.arrange(id, order or ())
    if told and (record := base.store.ledger.of_entries([id]).get(id)) is not None:
        origin = {name.removeprefix(RECORD): then for name, (_, then) in told.items()}
        base.store.ledger.put(record._replace(**origin))


def _rewrite(base: Base, id: str, found: Entry | None, wanted: dict[Any, tuple[Any, Any]]) -> None:
    """Set fields of an entry to their other values, if they have those of the change."""
    if found is None:
        raise _changed(id)
    state = base.store.entries.states([id])[id]
    _, position = wanted.pop(POSITION, (None, state.position))
    fields = fields_of(found)
    for name, (now, then) in wanted.items():
        _expect(id, fields.get(name), now)
        if then is None:
            fields.pop(name, None)
        else:
            fields[name] = then
    entry = entry_of(fields, id)
    stand(base, entry.collection)
    keep_origin(base, found, entry)
    write_entry(base, entry, state.owner, position)


def _expect(id: str, found: Any, wanted: Any) -> None:
    if isinstance(found, dict) and isinstance(wanted, dict):
        if difference(found, wanted):
            raise _changed(id)
    elif found != wanted:
        raise _changed(id)


def _changed(id: str) -> Conflict:
    return Conflict(
        "{id} was changed again later, so nothing was changed",
        Message("'kb history {id}' shows its changes.", id=id),
        id=id,
    )
