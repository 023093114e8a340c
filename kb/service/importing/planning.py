"""What an import would do, file by file, before anything of it is stored."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.records import Entry, Progress
from kb.records.changes import BUNDLED, Record
from kb.service.base import Base
from kb.service.importing.checking import check_batch
from kb.service.importing.comparing import Decision, decide
from kb.service.importing.completing import completed
from kb.service.importing.matching import match
from kb.service.importing.materials import Material, Materials
from kb.service.importing.naming import UNDER, Names


@dataclass(frozen=True, slots=True)
class Placed:
    """A file that was read: its entries under the ids they will have, and their records.

    ``gone`` are the records that it no more holds.
    """

    material: Material
    batch: Batch
    collection: str
    entries: tuple[Entry, ...]
    records: tuple[Record, ...]
    gone: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done with a file: a decision for each entry, and the records gone from it."""

    placed: Placed
    decisions: tuple[Decision, ...]
    gone: tuple[Record, ...]


def read(material: Material, *, skip_bad: bool, progress: Progress) -> Batch:
    """Return what a file holds. Raises `BadData` for what cannot be read."""
    batch = material.read(progress)
    if batch.bad and not skip_bad:
        more = f" (and {len(batch.bad) - 1} more lines)" if len(batch.bad) > 1 else ""
        raise BadData(batch.bad[0].reason + more, "--skip-bad sets such lines aside in a file.")
    check_batch(batch, material.name)
    return batch


def place(base: Base, material: Material, batch: Batch, names: Names) -> Placed:
    """Give the entries of a file their ids: those of records that are known again, or new ones."""
    if batch.own:
        return _own(base, material, batch)
    return _foreign(base, material, batch, names)


def plans_of(base: Base, placed: Sequence[Placed], progress: Progress) -> Iterator[Plan]:
    """Yield what is to be done with each file, its links to the others among them resolved."""
    targets = _Targets(placed)
    for each in placed:
        given = (entry.id for entry in each.batch.book.entries)
        links = [each.batch.links.get(id, ()) for id in given]
        entries = [
            targets.linked(entry, pointing, each)
            for entry, pointing in zip(each.entries, links, strict=True)
        ]
        ids = [entry.id for entry in entries]
        found, known = base.store.entries.get(ids), base.store.ledger.of_entries(ids)
        decisions = []
        for entry, record in zip(entries, each.records, strict=True):
            progress(0, 0)
            decision = decide(entry, record, found.get(entry.id))
            news = _comparable(decision.record) != _comparable(known.get(entry.id))
            decisions.append(decision._replace(remembers=news))
        there = base.store.entries.get([record.entry for record in each.gone])
        gone = tuple(record for record in each.gone if record.entry in there)
        yield Plan(each, tuple(decisions), gone)


def vanished(base: Base, materials: Materials) -> Iterator[Plan]:
    """Yield what is gone with files that are in a folder no more."""
    if materials.folder is None:
        return
    there = {material.file for material in materials.files}
    for file in base.store.ledger.files_below(materials.folder + os.sep):
        if file not in there and not os.path.exists(file.partition(UNDER)[0]):
            records = base.store.ledger.of_file(file)
            known = base.store.entries.get([record.entry for record in records])
            gone = tuple(record for record in records if record.entry in known)
            material = Material(file, file, "", lambda tell: Batch(Book(())))
            yield Plan(Placed(material, Batch(Book(())), "", (), ()), (), gone)


def _comparable(record: Record | None) -> Record | None:
    """Return a record without its place in the file, which is remembered on the way."""
    return record and record._replace(line=None, place="")


def _own(base: Base, material: Material, batch: Batch) -> Placed:
    """Place entries of our own formats, which keep their ids and collections."""
    entries = batch.book.entries
    if batch.partial:
        there = base.store.entries.get([entry.id for entry in entries])
        entries = tuple(completed(entry, there.get(entry.id)) for entry in entries)
    known = base.store.ledger.of_entries([entry.id for entry in entries])
    records = tuple(
        _own_record(base, material, batch, entry, known.get(entry.id)) for entry in entries
    )
    held = {entry.id for entry in entries}
    gone = (r for r in base.store.ledger.of_file(material.file) if r.entry not in held)
    return Placed(material, batch, "", entries, records, tuple(gone))


def _own_record(
    base: Base, material: Material, batch: Batch, entry: Entry, known: Record | None
) -> Record:
    line = batch.lines.get(entry.id)
    if known is not None:
        return known._replace(line=line) if known.file == material.file else known
    state = base.store.entries.state(entry.id)
    bundled = state is not None and state.owner == "bundled"
    file = BUNDLED if bundled else material.file
    return Record(entry.id, file, entry.id, given=True, line=None if bundled else line)


def _foreign(base: Base, material: Material, batch: Batch, names: Names) -> Placed:
    """Place entries of other people's formats: under a collection, known again or new."""
    collection = names.collection_of(material)
    given = batch.book.entries
    known_records = base.store.ledger.of_file(material.file, names.staged)
    found, left = match(given, batch.given, known_records)
    adopted = _unremembered(base, collection, given)
    records, entries = [], []
    for number, entry in enumerate(given):
        known = found.get(number) or adopted.get(entry.id)
        id = known.entry if known else names.id_of(f"{collection}/{entry.id}")
        known = known or Record(id, material.file, entry.id)
        records.append(
            known._replace(
                file=material.file,
                place=entry.id,
                given=entry.id in batch.given,
                line=batch.lines.get(entry.id),
            )
        )
        entries.append(dataclasses.replace(entry, id=id, collection=collection))
    return Placed(material, batch, collection, tuple(entries), tuple(records), tuple(left))


def _unremembered(base: Base, collection: str, entries: Iterable[Entry]) -> Mapping[str, Record]:
    """Return the records, by their names, that were imported when files were not remembered."""
    wanted = {f"{collection}/{entry.id}": entry.id for entry in entries}
    known = base.store.ledger.of_entries(wanted)
    here = base.store.entries.get([e for e, record in known.items() if not record.file])
    return {wanted[id]: known[id] for id, entry in here.items() if entry.collection == collection}


class _Targets:
    """The entries of all files of an import, by what links call their files."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self._by_name: dict[str, list[Placed]] = {}
        for each in placed:
            path = PurePosixPath(each.material.stem)
            for name in {each.material.stem, path.name}:
                self._by_name.setdefault(name.casefold(), []).append(each)

    def linked(self, entry: Entry, links: Sequence[str], placed: Placed) -> Entry:
        """Return an entry with those that its text points to as related ones."""
        found = [id for link in links for id in self._entries(link, placed) if id != entry.id]
        if not found:
            return entry
        related = tuple(dict.fromkeys((*entry.related, *found)))
        return dataclasses.replace(entry, related=related)

    def _entries(self, link: str, placed: Placed) -> Sequence[str]:
        """Return the entry that a link means; none where that is not certain."""
        target, _, heading = link.partition("#")
        named = target.removesuffix(".md").removesuffix(".markdown")
        folder = PurePosixPath(placed.material.stem).parent
        path = os.path.normpath((folder / named).as_posix()) if named else placed.material.stem
        for name in (path, named):
            files = self._by_name.get(name.casefold(), ())
            if len(files) == 1:
                return _meant(files[0], heading)
        return ()


def _meant(placed: Placed, heading: str) -> Sequence[str]:
    wanted = " ".join(heading.casefold().split())
    if wanted:
        return [
            entry.id
            for entry in placed.entries
            for text in entry.question.values()
            if " ".join(text.casefold().split()) == wanted
        ][:1]
    return [placed.entries[0].id] if len(placed.entries) == 1 else ()
