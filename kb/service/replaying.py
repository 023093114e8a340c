"""A change undone or redone: every field from its one value to its other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kb.contract.entry import difference, entry_of, fields_of
from kb.errors import Conflict, Message
from kb.records import Entry
from kb.records.changes import Change, FieldChange
from kb.service.base import Base
from kb.service.collections import apply_collection
from kb.service.origins import keep_origin
from kb.service.recording import ADDED, HIDDEN, LAYER, OWNER, POSITION, RECORD, append
from kb.service.write import hide_entry, remove_entry, write_entry


def replay(
    base: Base, choose: Callable[[], Change | None], *, forward: bool
) -> tuple[Change, list[str], str] | None:
    """Undo or redo the change that is chosen; return it, the entries it touched, the new change.

    It is chosen within the transaction; nothing is returned where none is. Raises `Conflict`
    where it is undone or redone already, and where a later change changed the same.
    """
    store = base.store
    with store.transaction():
        change = choose()
        if change is None:
            return None
        if change.state != ("undone" if forward else "done"):
            raise Conflict("another program was faster; nothing was changed", "Look at 'kb log'.")
        if met := store.journal.meeting(change):
            raise _met(*met, forward=forward)
        touched = _apply(base, change.fields, forward=forward)
        if change.layer is not None:
            touched = [*store.layers.entries(change.layer), *store.layers.changed(change.layer)]
            base.show(change.layer, forward)
            if forward:
                store.collections.raise_layer(change.layer)
        store.journal.mark([change.id], "done" if forward else "undone")
        made = append(base, change.deed, "redo" if forward else "undo", of=change.id)
    return change, touched, made


def _met(later: Change, name: str, *, forward: bool) -> Conflict:
    """Return the error that a later change changed the same: which, of what, when, by whom."""
    when = later.at[:16].replace("T", " ")
    told = {"name": name, "deed": later.deed, "when": when, "who": later.who}
    said = Message("cannot undo: {name} was changed later ({deed}, {when}, {who})", **told)
    if forward:
        said = Message(
            "cannot redo: {name} was changed later (undo of {deed}, {when}, {who})", **told
        )
    return Conflict(said, "Look at 'kb log'.")


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
        _, layer = wanted.pop(LAYER, (None, None))
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
        "{id} has changed again since; nothing was changed",
        Message("'kb history {id}' shows what became of it.", id=id),
        id=id,
    )
