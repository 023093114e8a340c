"""What an import would do, file by file, decided as it is asked for: texts are never all held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kb.errors import BadData, Message
from kb.exchange.book import Batch
from kb.records import Entry, Progress
from kb.records.changes import Record
from kb.service.base import Base
from kb.service.importing.checking import check_batch
from kb.service.importing.comparing import Decision, decide, moved
from kb.service.importing.fitness import fit
from kb.service.importing.linking import Targets
from kb.service.importing.materials import Material
from kb.service.importing.placing import Placed, foreign_record, own_record


@dataclass(slots=True)
class Tally:
    """What is to be done with the entries of a file, in numbers, as far as they were looked at.

    ``collections`` are those that its entries stand in, ``news`` those of new and moved ones;
    ``moved`` says that a record stands elsewhere in the file than it is remembered.
    """

    counts: Counter[str] = field(default_factory=Counter)
    collections: dict[str, None] = field(default_factory=dict)
    news: dict[str, None] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    moved: bool = False

    def count(self, decision: Decision, entry: Entry, known: Record | None) -> None:
        """Count what is to be done with an entry."""
        outcome, record = decision.outcome, decision.record
        self.counts[outcome] += 1
        self.collections[entry.collection] = None
        found, now = decision.found, decision.entry
        if outcome == "added" or (found and now and found.collection != now.collection):
            self.news[entry.collection] = None
        elif outcome == "conflict":
            self.conflicts.append(record.entry)
        if known is not None and (known.line, known.place) != (record.line, record.place):
            self.moved = True


class Plan:
    """What is to be done with a file: a decision for each entry, and the records gone from it."""

    def __init__(self, base: Base, placed: Placed, targets: Targets) -> None:
        self.placed = placed
        self.tally = Tally()
        """What was decided, the last time that one went through the decisions."""
        self._base = base
        self._targets = targets

    def __len__(self) -> int:
        return len(self.placed) + len(self.placed.gone)

    def decisions(self, progress: Progress) -> Iterator[Decision]:
        """Yield what is to be done with each entry, and with the records that are gone."""
        self.tally = Tally()
        for numbers in self.placed.parts():
            yield from self._some(numbers, progress)
        for record in self.placed.gone:
            yield Decision("unchanged", record._replace(gone=True), remembers=not record.gone)

    def _some(self, numbers: slice, progress: Progress) -> Iterator[Decision]:
        pairs = self._linked(self.placed.some(numbers))
        found, records, known = self._known(pairs)
        for (_, entry), record in zip(pairs, records, strict=True):
            progress(0, 0)
            was = known.get(entry.id)
            decision = decide(entry, record, found.get(entry.id))
            decision = moved(decision, self.placed.before, entry.collection)
            if was is not None and _comparable(was) == _comparable(decision.record):
                decision = decision._replace(remembers=False)
            self.tally.count(decision, entry, was)
            yield decision

    def _linked(self, pairs: Sequence[tuple[Entry, Entry]]) -> Sequence[tuple[Entry, Entry]]:
        """Return entries with those that their texts point to as related ones."""
        links, linked = self.placed.batch.links, self._targets.linked
        if not links:
            return pairs
        return [(was, linked(e, links.get(was.id, ()), self.placed)) for was, e in pairs]

    def _known(
        self, pairs: Sequence[tuple[Entry, Entry]]
    ) -> tuple[dict[str, Entry], list[Record], dict[str, Record]]:
        """Return the entries that are there, the record of each, and those that are remembered."""
        placed, store = self.placed, self._base.store
        if placed.fresh:
            return {}, [foreign_record(placed, e, was.id, None) for was, e in pairs], {}
        ids = [entry.id for _, entry in pairs]
        known = store.ledger.of_entries(ids)
        states = store.entries.states(ids)
        found = store.entries.get([id for id in ids if id in states])
        if placed.batch.own:
            ours = {id for id, state in states.items() if state.owner == "bundled"}
            records = [own_record(placed, e, known.get(e.id), e.id in ours) for _, e in pairs]
        else:
            records = [foreign_record(placed, e, was.id, known.get(e.id)) for was, e in pairs]
        return found, records, known


def read(material: Material, *, skip_bad: bool, progress: Progress) -> Batch:
    """Return what a file holds. Raises `BadData` for what cannot be read."""
    batch = fit(material.read(progress), material.name)
    if batch.bad and not skip_bad:
        said = Message(batch.bad[0].reason)
        if more := len(batch.bad) - 1:
            said = Message("{reason} (and {more} more lines)", reason=said, more=more)
        raise BadData(said, "--skip-bad sets such lines aside in a file.")
    check_batch(batch, material.name)
    return batch


def is_step(decision: Decision) -> bool:
    """Say whether a decision changes anything."""
    return decision.entry is not None or decision.remembers


def _comparable(record: Record) -> Record:
    """Return a record without its place in the file, which is remembered on the way."""
    return record._replace(line=None, place="")
