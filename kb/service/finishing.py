"""What an import leaves to be done once it is shown or undone, in short steps.

Showing a layer, or hiding it, is one step whatever its size, and new entries come and go
with it. Entries that were there change one by one after it; where that is interrupted, the
next who opens the file goes on.
"""

from __future__ import annotations

import time
from typing import Any

from kb.model import Entry, Progress
from kb.model.changes import Record, Version
from kb.model.entry_json import content_digest, entry_of, fields_of
from kb.service.base import Base
from kb.service.write import packed, remove_entry, with_additions, write_entry

_ALIVE = 60.0
"""Seconds after which an import that gave no sign of life counts as interrupted."""

STEP = 100
"""So many entries are changed in one transaction."""


def settle(base: Base, progress: Progress) -> None:
    """Bring every version that a layer holds to where the layer is: shown, or undone."""
    for layer, shown in base.store.layers.unsettled():
        done, total = 0, len(base.store.layers.changed(layer))
        while True:
            with base.store.transaction():
                versions = base.store.layers.versions(layer, not shown, STEP)
                for version in versions:
                    base.store.layers.put_version(layer, _swapped(base, version, shown))
                if not versions:
                    base.store.layers.settle(layer)
                    break
            done += len(versions)
            progress(min(done, total), total)


def purge_dropped(base: Base, progress: Progress) -> None:
    """Remove what imports brought that were undone and cannot be redone any more."""
    for layer in base.store.layers.dropped():
        purge(base, layer, progress)


def sweep(base: Base, tell: Progress, keep: str = "") -> None:
    """Remove what interrupted imports have left, but for the work to be taken up again."""
    now = time.time()
    for layer, work, beat in base.store.layers.staged():
        if work != keep and now - beat > _ALIVE:
            purge(base, layer, tell)


def purge(base: Base, layer: int, progress: Progress) -> None:
    """Remove a layer that is not shown, and all its entries."""
    while True:
        with base.store.transaction():
            entries = base.store.layers.entries(layer, STEP)
            for entry in entries:
                remove_entry(base, entry)
            if not entries:
                base.store.collections.leave_layer(layer)
                base.store.layers.forget(layer)
                base.store.ledger.drop_unused_paths()
                base.store.media.drop_unused()
                return
        progress(0, 0)


def drop_undone(base: Base, progress: Progress) -> bool:
    """Give up what was undone, as any new change does; say whether an import was among it."""
    with base.store.transaction():
        undone = base.store.journal.undone()
        base.store.journal.mark([change.id for change in undone], "dropped")
    purge_dropped(base, progress)
    return any(change.layer is not None for change in undone)


def version_of(record: Record, entry: Entry | None, found: Entry | None) -> Version:
    """Return what is to become of an entry and of its record.

    ``entry`` takes the place of ``found``, or without that comes back where it was removed;
    where it is nothing, the record alone changes.
    """
    state: dict[str, Any] = {"record": record._asdict()}
    if entry is not None:
        state["entry"] = fields_of(entry)
    if entry is not None and found is not None and entry.collection != found.collection:
        state["moved"] = True
    seen = "" if found is None else content_digest(found)
    return Version(record.entry, state, seen, settled=False)


def _swapped(base: Base, version: Version, shown: bool) -> Version:
    """Put a version in the place of what is there, and return that in its place."""
    found = base.store.entries.get([version.entry]).get(version.entry)
    record = base.store.ledger.of_entries([version.entry]).get(version.entry)
    wanted = version.state["record"]
    kept: dict[str, Any] = {"record": None if record is None else record._asdict()}
    if "entry" in version.state:
        if shown and version.seen != ("" if found is None else content_digest(found)):
            # Somebody changed it since the import compared: now both have.
            wanted = _contested(version, found, record)
        else:
            kept |= _kept(base, version.entry, found)
            kept |= {key: True for key in ("moved",) if key in version.state}
            _replace(base, version, found)
    if wanted is None:
        base.store.ledger.remove(version.entry)
    else:
        base.store.ledger.put(Record(**wanted))
    return version._replace(state=kept, settled=shown)


def _kept(base: Base, id: str, found: Entry | None) -> dict[str, Any]:
    """Return what a version keeps of an entry that it takes the place of."""
    state = base.store.entries.state(id)
    if found is None or state is None:
        return {"entry": None}
    return {"entry": fields_of(found), "place": [state.position, state.layer]}


def _replace(base: Base, version: Version, found: Entry | None) -> None:
    """Let an entry be as a version says: another, there again, or not there."""
    id, given = version.entry, version.state["entry"]
    if given is None:
        if found is not None:
            remove_entry(base, id)
            base.store.entries.retire([id])
        return
    if found is None:
        position, layer = version.state.get("place", (None, 0))
        base.store.entries.recall(id)
        write_entry(base, entry_of(given, id), "user", position, layer)
        return
    state = base.store.entries.state(id)
    assert state is not None
    place = {} if version.state.get("moved") else {"collection": found.collection}
    entry = entry_of({**given, **place}, id)
    write_entry(base, with_additions(entry, found), state.owner, state.position)


def _contested(version: Version, found: Entry | None, record: Record | None) -> dict[str, Any]:
    """Return the record of an entry that was changed here while its file was taken."""
    wanted: dict[str, Any] = version.state["record"]
    if found is None:
        return wanted
    known = {**wanted, "digest": ""} if record is None else record._asdict()
    theirs = packed(entry_of(version.state["entry"], version.entry))
    return {**known, "base": known["base"] or packed(found), "theirs": theirs}
