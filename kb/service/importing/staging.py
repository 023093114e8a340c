"""Storing what an import brings: unseen and in short steps, and then shown in one.

Others write in between. What is interrupted before it is shown is taken up again by the same
import, and swept away by another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from kb.contract.fields import content_digest
from kb.errors import Cancelled, Conflict
from kb.exchange.book import Book
from kb.records import Progress, digest, silent
from kb.records.changes import FieldChange, Version
from kb.service.base import Base
from kb.service.importing.comparing import Decision
from kb.service.importing.planning import Plan
from kb.service.recording import append
from kb.service.settling import STEP, purge, settle, sweep, version_state
from kb.service.write import put_entry

_PLACES = 5000


def store(base: Base, plans: Sequence[Plan], summary: FieldChange, tell: Progress) -> str | None:
    """Store what plans say, and show it; return the change, or nothing where nothing changes.

    Raises `Conflict` where a name in it is another's; nothing of it is then kept.
    """
    steps = [step for plan in plans for step in _steps(plan)]
    if not steps:
        _remember_places(base, plans)
        return None
    work = _work(plans)
    if len(steps) <= STEP:
        with base.store.transaction():
            layer = _begun(base, work)
            _surroundings(base, plans, layer)
            for done, step in enumerate(steps, 1):
                _stage(base, step, layer)
                tell(done, len(steps))
            change = _show(base, layer, summary)
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
        for done, some in _chunks(steps):
            with base.store.transaction():
                base.store.layers.beat(layer)
                for step in some:
                    _stage(base, step, layer)
            tell(done, len(steps))
        with base.store.transaction():
            return _show(base, layer, summary)
    except Cancelled:
        raise  # what is staged saves the same import its way
    except Exception:
        purge(base, layer, silent)
        raise


def _chunks(steps: Sequence[Decision]) -> Iterator[tuple[int, list[Decision]]]:
    coming = iter(steps)
    done = 0
    while some := list(islice(coming, STEP)):
        done += len(some)
        yield done, some


def _begun(base: Base, work: str) -> int:
    """Return the layer of this work: the one that was interrupted, or a new one."""
    for layer, known, _ in base.store.layers.staged():
        if known == work:
            return layer
    return base.store.layers.begin(work)


def _steps(plan: Plan) -> Iterator[Decision]:
    """Yield what of a plan changes anything, the records that are gone too."""
    for decision in plan.decisions:
        if decision.entry is not None or decision.remembers:
            yield decision
    for record in plan.gone:
        if not record.gone:
            yield Decision("unchanged", record._replace(gone=True))


def _stage(base: Base, step: Decision, layer: int) -> None:
    """Store a new entry unseen, or what is to become of one that is there."""
    record = step.record
    if step.outcome == "added" and step.entry is not None:
        state = base.store.entries.state(step.entry.id)
        if state is not None and state.layer == layer and not state.shown:
            return  # it was staged before the interruption
        base.store.collections.put(step.entry.collection, {}, layer)
        put_entry(base, step.entry, "user", layer=layer)
        base.store.journal.recall(step.entry.id)
        base.store.ledger.put(record._replace(layer=layer))
        return
    seen = content_digest(step.found) if step.found is not None else ""
    version = Version(record.entry, version_state(step.entry, record), seen, settled=False)
    base.store.layers.put_version(layer, version)


def _surroundings(base: Base, plans: Iterable[Plan], layer: int) -> None:
    """Store the sources, collections and files; a source that is stored with another text stays."""
    for plan in plans:
        placed = plan.placed
        _put_book(base, placed.batch.book, layer)
        if placed.collection and base.store.ledger.collection_of(placed.material.file) is None:
            base.store.ledger.put_file(placed.material.file, placed.collection, layer)


def _put_book(base: Base, book: Book, layer: int) -> None:
    entries = base.store.entries
    known = {source.file: source.sha256 for source in entries.sources()}
    for source in book.sources:
        if known.get(source.file, source.sha256) != source.sha256:
            raise Conflict(f"{source.file}: another source document of that name is stored")
    entries.put_sources(s for s in book.sources if s.file not in known)
    for name, title in book.collections.items():
        base.store.collections.put(name, title, layer)


def _show(base: Base, layer: int, summary: FieldChange) -> str:
    base.store.layers.show(layer, True)
    return append(base, "import", "import", (summary,), layer=layer)


def _remember_places(base: Base, plans: Sequence[Plan]) -> None:
    """Remember where the records of a file stand in it by now."""
    records = [step.record for plan in plans for step in plan.decisions]
    for start in range(0, len(records), _PLACES):
        with base.store.transaction():
            base.store.ledger.put_places(records[start : start + _PLACES])


def _work(plans: Sequence[Plan]) -> str:
    """Return what tells this import from any other: its files, and all they say."""
    return digest(
        "\n".join(
            f"{step.outcome} {step.record.entry} {step.record.digest}"
            for plan in plans
            for step in plan.decisions
        )
    )
