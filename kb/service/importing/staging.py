"""Storing what an import brings: unseen and in short steps, and then shown in one.

Others write in between. What is interrupted before it is shown is taken up again by the same
import, and swept away by another one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kb.errors import Cancelled, Conflict
from kb.exchange.book import Batch, Book
from kb.records import Entry, Progress, digest, silent
from kb.records.changes import FieldChange, Record
from kb.service.base import Base
from kb.service.importing.comparing import Decision
from kb.service.importing.materials import Material
from kb.service.importing.planning import Plan
from kb.service.recording import COLLECTION, append
from kb.service.settling import STEP, purge, settle, sweep, version_of
from kb.service.write import put_entry

_PLACES = 5000

_TURN = 0.15
"""Seconds after which a transaction of many steps ends, so that others may write."""


def store(
    base: Base, plans: Sequence[Plan], work: str, summary: FieldChange, tell: Progress
) -> str | None:
    """Store what plans say, and show it; return the change, or nothing where nothing changes.

    ``work`` tells the import from any other. Raises `Conflict` where a name in it is another's;
    nothing of it is then kept.
    """
    steps = [step for plan in plans for step in steps_of(plan)]
    if not steps:
        _remember_places(base, plans)
        return None
    if len(steps) <= STEP:
        with base.store.transaction():
            layer = _begun(base, work)
            _surroundings(base, plans, layer)
            for done, step in enumerate(steps, 1):
                _stage(base, step, layer)
                tell(done, len(steps))
            change = _show(base, plans, layer, summary)
    else:
        change = _staged(base, plans, steps, work, summary, tell)
    settle(base, tell)
    _remember_places(base, plans)
    return change


def _staged(
    base: Base,
    plans: Sequence[Plan],
    steps: Sequence[Decision],
    work: str,
    summary: FieldChange,
    tell: Progress,
) -> str:
    sweep(base, tell, work)
    with base.store.transaction():
        layer = _begun(base, work)
        _surroundings(base, plans, layer)
    try:
        done = 0
        while done < len(steps):
            with base.store.transaction():
                base.store.layers.beat(layer)
                done = _stage_some(base, steps, done, layer)
            tell(done, len(steps))
        with base.store.transaction():
            return _show(base, plans, layer, summary)
    except Cancelled:
        raise  # what is staged saves the same import its way
    except Exception:
        purge(base, layer, silent)
        raise


def _stage_some(base: Base, steps: Sequence[Decision], done: int, layer: int) -> int:
    """Stage what comes next, for as long as others may be kept waiting; return what is done."""
    end = time.monotonic() + _TURN
    for step in steps[done : done + STEP]:
        _stage(base, step, layer)
        done += 1
        if time.monotonic() > end:
            break
    return done


def _begun(base: Base, work: str) -> int:
    """Return the layer of this work: the one that was interrupted, or a new one."""
    layer = staged_layer(base, work)
    if layer is None:
        return base.store.layers.begin(work)
    base.store.layers.forget_versions(layer)  # what they were compared with may have changed
    return layer


def staged_layer(base: Base, work: str) -> int | None:
    """Return the layer in which this work was interrupted, if it was."""
    return next((n for n, known, _ in base.store.layers.staged() if known == work), None)


def steps_of(plan: Plan) -> Iterator[Decision]:
    """Yield what of a plan changes anything, the records that are gone too."""
    for decision in plan.decisions:
        if decision.entry is not None or decision.remembers:
            yield decision
    for record in plan.gone:
        if not record.gone:
            yield Decision("unchanged", record._replace(gone=True))


def _stage(base: Base, step: Decision, layer: int) -> None:
    """Store a new entry unseen, or what is to become of one that is there."""
    if step.outcome != "added" or step.entry is None:
        version = version_of(step.record, step.entry, step.found)
        base.store.layers.put_version(layer, version)
        return
    state = base.store.entries.state(step.entry.id)
    if state is None:
        _stage_new(base, step.entry, step.record, layer)
    elif state.shown or state.layer != layer:
        raise Conflict(
            f"{step.entry.id}: another program has just taken this name", "Import it once more."
        )  # else it was staged before the interruption


def _stage_new(base: Base, entry: Entry, record: Record, layer: int) -> None:
    """Store an entry that is not there; one that was removed comes back like one that changes."""
    base.store.collections.put(entry.collection, {}, layer)
    if base.store.journal.taken(entry.id):
        base.store.layers.put_version(layer, version_of(record, entry, None))
        return
    put_entry(base, entry, "user", layer=layer)
    base.store.ledger.put(record._replace(layer=layer))


def _surroundings(base: Base, plans: Iterable[Plan], layer: int) -> None:
    """Store the sources, collections and files; a source that is stored with another text stays."""
    for plan in plans:
        placed = plan.placed
        _put_sources(base, placed.batch.book)
        if placed.collection and base.store.ledger.collection_of(placed.material.file) is None:
            base.store.ledger.put_file(placed.material.file, placed.collection, layer)


def _put_sources(base: Base, book: Book) -> None:
    entries = base.store.entries
    known = {source.file: source.sha256 for source in entries.sources()}
    for source in book.sources:
        if known.get(source.file, source.sha256) != source.sha256:
            raise Conflict(f"{source.file}: another source document of that name is stored")
    entries.put_sources(s for s in book.sources if s.file not in known)


def _show(base: Base, plans: Iterable[Plan], layer: int, summary: FieldChange) -> str:
    """Show what is staged, with the collections it stands in."""
    titles: dict[str, Mapping[str, str]] = {}
    for plan in plans:
        titles |= plan.placed.batch.book.collections
        new = (step.entry for step in steps_of(plan) if step.outcome == "added" and step.entry)
        titles |= {e.collection: {} for e in new if e.collection not in titles}
    renamed = [told for name in titles for told in _shown(base, name, titles[name], layer)]
    base.store.layers.show(layer, True)
    return append(base, "import", "import", (summary, *renamed), layer=layer)


def _shown(base: Base, name: str, title: Mapping[str, str], layer: int) -> Iterator[FieldChange]:
    """Let a collection be there with a layer, or with its new title, which is told."""
    store = base.store.collections
    known = store.get(name) if store.there(name) else None
    if known is None:
        store.put(name, title, layer)
        store.light(name, title, layer)
    elif title and known.title != title:
        store.retitle(name, title)
        yield FieldChange(None, COLLECTION + name, known.title, dict(title))


def _remember_places(base: Base, plans: Sequence[Plan]) -> None:
    """Remember where the records of a file stand in it by now."""
    records = [step.record for plan in plans for step in plan.decisions]
    for start in range(0, len(records), _PLACES):
        with base.store.transaction():
            base.store.ledger.put_places(records[start : start + _PLACES])


def work_of(named: str | None, files: Iterable[tuple[Material, Batch]]) -> str:
    """Return what tells an import from any other: its files, and all they say."""
    said = (
        f"{material.file} {entry.id} {entry.digest}"
        for material, batch in files
        for entry in batch.book.entries
    )
    return digest("\n".join((named or "", *said)))
