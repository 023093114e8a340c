"""Completes an import after it is shown or undone, in short steps.

Showing or hiding a layer is one step, whatever its size, and includes its new entries. Existing
entries change one by one afterwards; after an interruption, the next program that opens the file
continues.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

from kb.errors import Cancelled
from kb.model.changes import Record, Version
from kb.model.entry import Entry
from kb.model.entry_json import content_digest, entry_of, fields_of
from kb.model.results import Progress
from kb.service.base import Base
from kb.service.write import packed, remove_entry, with_additions, write_entry

_ALIVE = 60.0
"""Seconds without a sign of life after which an import counts as interrupted."""

STEP = 100
"""Entries changed in one transaction."""


def settle(base: Base, progress: Progress) -> None:
    """Apply or revert every version of a layer, depending on whether it is shown."""
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


def unstopped(progress: Progress) -> Progress:
    """Return progress that cannot stop the work: what is shown already is completed."""

    def tell(done: int, total: int) -> None:
        with contextlib.suppress(Cancelled):
            progress(done, total)

    return tell


def purge_dropped(base: Base, progress: Progress) -> None:
    """Delete what undone imports brought that can no longer be redone."""
    for layer in base.store.layers.dropped():
        purge(base, layer, progress)


def sweep(base: Base, tell: Progress, keep: str = "") -> None:
    """Delete what interrupted imports left, except work that can be resumed."""
    now = time.time()
    for layer, work, beat in base.store.layers.staged():
        if work != keep and now - beat > _ALIVE:
            purge(base, layer, tell)


def purge(base: Base, layer: int, progress: Progress) -> None:
    """Delete a hidden layer and all its entries."""
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


def drop_undone(base: Base, progress: Progress) -> None:
    """Clear what can be redone, as any new change does."""
    with base.store.transaction():
        undone = base.store.journal.undone()
        base.store.journal.mark([change.id for change in undone], "dropped")
    purge_dropped(base, progress)


def version_of(record: Record, entry: Entry | None, found: Entry | None) -> Version:
    """Return the new version of an entry and its record.

    ``entry`` replaces ``found``, or restores it if it was deleted; if it is nothing, only the
    record changes.
    """
    state: dict[str, Any] = {"record": record._asdict()}
    if entry is not None:
        state["entry"] = fields_of(entry)
    if entry is not None and found is not None and entry.collection != found.collection:
        state["moved"] = True
    seen = "" if found is None else content_digest(found)
    return Version(record.entry, state, seen, settled=False)


def _swapped(base: Base, version: Version, shown: bool) -> Version:
    """Swap a version with the current entry, and return the previous one."""
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
    """Return the version that stores a replaced entry."""
    state = base.store.entries.state(id)
    if found is None or state is None:
        return {"entry": None}
    return {"entry": fields_of(found), "place": [state.position, state.layer]}


def _replace(base: Base, version: Version, found: Entry | None) -> None:
    """Set an entry to its version: changed, restored or deleted."""
    id, given = version.entry, version.state["entry"]
    if given is None:
        if found is not None:
            remove_entry(base, id)
            base.store.entries.retire([id])
        return
    if found is None:
        position, layer = version.state.get("place", (None, 0))
        write_entry(base, entry_of(given, id), "user", position, layer)
        return
    state = base.store.entries.states([id])[id]
    place = {} if version.state.get("moved") else {"collection": found.collection}
    entry = entry_of({**given, **place}, id)
    write_entry(base, with_additions(entry, found), state.owner, state.position)


def _contested(version: Version, found: Entry | None, record: Record | None) -> dict[str, Any]:
    """Return the record of an entry that was changed during the import of its file."""
    wanted: dict[str, Any] = version.state["record"]
    if found is None:
        return wanted
    known = {**wanted, "digest": ""} if record is None else record._asdict()
    theirs = packed(entry_of(version.state["entry"], version.entry))
    return {**known, "base": known["base"] or packed(found), "theirs": theirs}
