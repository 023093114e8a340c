"""Assigns the ids of a file's entries: their previous ones, or new ones."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from kb.formats.book import Batch, Book, Shelf
from kb.model.changes import BUNDLED, Record
from kb.model.entry import Answer, Entry
from kb.model.reports import ImportedEntry
from kb.model.values import LAYERS
from kb.service.base import Base
from kb.service.importing.claims import Claims
from kb.service.importing.materials import UNDER, Material, Materials, Names
from kb.service.write import answer_digest, heading_digest

T = TypeVar("T")
SOME = 1000
"""Entries examined in one step."""


class Place(NamedTuple):
    """The place of an entry's record in its file."""

    line: int | None
    place: str
    entry: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A file that was read, and the ids of its entries.

    These are the ids from the file, below its collection if it has one; ``named`` has those of
    other entries by number. ``before`` is its previous collection, if different. ``gone`` are
    records that it no longer has.
    """

    material: Material
    batch: Batch
    collection: str
    named: Mapping[int, str] = field(default_factory=dict)
    before: str | None = None
    gone: tuple[Record, ...] = ()

    def __len__(self) -> int:
        return len(self.batch.book.entries)

    def entries(self) -> Iterator[Entry]:
        """Yield the entries as they will be stored."""
        for _, entry in self.pairs():
            yield entry

    def pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Yield the entries as in the file, and as they will be stored."""
        for some in self.parts():
            yield from self.some(some)

    def parts(self) -> Iterator[slice]:
        """Yield the numbers of entries for each step."""
        entries = self.batch.book.entries
        if isinstance(entries, Shelf):
            return entries.parts()
        return (slice(start, start + SOME) for start in range(0, len(entries), SOME))

    def some(self, numbers: slice) -> list[tuple[Entry, Entry]]:
        """Return some of the pairs."""
        given = self.batch.book.entries[numbers]
        return [(e, self._placed(number, e)) for number, e in enumerate(given, numbers.start)]

    def places(self) -> Iterator[Place]:
        """Yield the places of the entries' records in the file."""
        for number, id in enumerate(_given_ids(self.batch)):
            yield Place(self.batch.lines.get(id), id, self._id(number, id))

    @property
    def above(self) -> str:
        """The prefix of its entries' ids: its collection without spaces."""
        return _above(self.collection, self.batch)

    @property
    def note(self) -> str | None:
        """The id of the note that the file is, if any; links to the file lead there."""
        return self._id(0, self.batch.book.entries[0].id) if self.batch.is_note else None

    def _placed(self, number: int, entry: Entry) -> Entry:
        if self.batch.own:
            return entry
        id = self._id(number, entry.id)
        below = f"{self.collection}/{entry.collection}" if entry.collection else self.collection
        note, file = self.note, entry.file
        within, related = entry.within, entry.related
        if note is not None and within is not None:
            within, related = note, (*related, note)
        if file is not None:
            file = file._replace(path=self.material.path)
        return dataclasses.replace(
            entry, id=id, collection=below, related=related, within=within, file=file
        )

    def _id(self, number: int, given: str) -> str:
        if self.batch.own:
            return given
        return self.named.get(number) or f"{self.above}/{given}"


def place(base: Base, material: Material, batch: Batch, names: Names, claims: Claims) -> Placed:
    """Assign ids to the entries of a file: those of matching records, or new ones.

    Only accepted claims of the file are kept.
    """
    known = claims.examined(batch, material.name)
    return _own(base, material, known) if known.own else _foreign(base, material, known, names)


def vanished(base: Base, materials: Materials, renamed: Collection[str]) -> Iterator[Placed]:
    """Yield the files that were removed from a folder, with all their records as gone."""
    folder = materials.folder
    for file in () if folder is None else _absent(base, materials, folder + os.sep):
        if file not in renamed:
            gone = _there(base, base.store.ledger.of_file(file))
            material = Material(file, file, "", lambda tell: Batch(Book(())))
            yield Placed(material, Batch(Book(())), "", gone=gone)


def renamed(
    base: Base, materials: Materials, files: Sequence[tuple[Material, Batch]]
) -> list[tuple[Material, Batch]]:
    """Return files with their previous identity: that of the removed one whose texts are alike."""
    ledger = base.store.ledger
    new = {e.file for e, batch in files if not (batch.own or ledger.knows(e.file))}
    gone: dict[str, set[object]] = {}
    for file in _absent(base, materials, "") if new else ():
        gone[file] = _known_by((e.heading, e.answer) for e in ledger.of_file(file) if not e.gone)
    holders: dict[object, list[str]] = defaultdict(list)
    for file, keys in gone.items():
        for key in keys:
            holders[key].append(file)
    found: list[tuple[Material, Batch]] = []
    for material, batch in files:
        looked = batch.book.entries if gone and material.file in new else ()
        keys = _known_by((heading_digest(each), answer_digest(each)) for each in looked)
        held = (holders[key] for key in keys if len(holders.get(key, ())) <= _TELLING)
        shared = Counter(file for files in held for file in files if file in gone)
        likeness = {f: 2 * n / (len(keys) + len(gone[f])) for f, n in shared.items()}
        most = max(likeness.values(), default=0.0)
        alike = [file for file, each in likeness.items() if each == most >= _ALIKE]
        was = alike[0] if len(alike) == 1 else None
        gone.pop(was or "", None)
        found.append((material._replace(was=was), batch))
    return found


_ALIKE, _TELLING = 0.5, 10
"""The least likeness of a renamed file, and the most files in which a text tells anything."""


def _known_by(digests: Iterable[tuple[str, str]]) -> set[object]:
    """Return what a file is known by: its headings with answers, and its answers."""
    whole = set(digests)
    return {*whole, *(answer for _, answer in whole if answer)}


def _absent(base: Base, materials: Materials, folder: str) -> Sequence[str]:
    """Return the known files that were removed from a folder, or from any."""
    there = {material.file for material in materials.files}
    known = base.store.ledger.files_below(folder)
    return [f for f in known if f not in there and _is_gone(f.partition(UNDER)[0])]


def own_record(placed: Placed, entry: Entry, known: Record | None, bundled: bool) -> Record:
    """Return the record of an entry in our own formats, which may have another origin."""
    file, line = placed.material.file, placed.batch.lines.get(entry.id)
    if known is not None:
        return known._replace(line=line) if known.file == file else known
    if bundled:
        return Record(entry.id, BUNDLED, entry.id, given=True)
    return Record(entry.id, file, entry.id, given=True, line=line)


def foreign_record(placed: Placed, entry: Entry, given: str, known: Record | None) -> Record:
    """Return the record of an entry in foreign formats, as now in its file."""
    file, batch = placed.material.file, placed.batch
    line, named = batch.lines.get(given), given in batch.given
    if known is None:
        return Record(entry.id, file, given, given=named, line=line)
    return known._replace(file=file, place=given, given=named, line=line)


def _above(collection: str, batch: Batch) -> str:
    return collection if batch.reading is None else "-".join(collection.split())


def _is_gone(file: str) -> bool:
    """Return whether a file does not exist; a stream or an unreadable folder does not count."""
    try:
        os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return os.path.isabs(file)
    except OSError:
        return False
    return False


def _given_ids(batch: Batch) -> Mapping[str, int] | Iterable[str]:
    """Return the ids of a file's entries in order, with their lines if stored together."""
    if batch.plain:
        return batch.lines
    return (entry.id for entry in batch.book.entries)


def _there(base: Base, records: Iterable[Record]) -> tuple[Record, ...]:
    """Return the records with existing entries."""
    asked = list(records)
    known = base.store.entries.states([record.entry for record in asked])
    return tuple(r for r in asked if r.entry in known and known[r.entry].shown)


def _own(base: Base, material: Material, batch: Batch) -> Placed:
    """Assign places in our own formats, which keep their ids and collections."""
    if batch.partial:
        entries = batch.book.entries
        there = base.store.entries.get([entry.id for entry in entries])
        whole = tuple(_completed(entry, there.get(entry.id)) for entry in entries)
        batch = dataclasses.replace(batch, book=dataclasses.replace(batch.book, entries=whole))
    gone: tuple[Record, ...] = ()
    if not batch.unread and base.store.ledger.knows(material.file):
        held = set(_given_ids(batch))
        records = base.store.ledger.of_file(material.file)
        gone = _there(base, (record for record in records if record.entry not in held))
    return Placed(material, batch, "", gone=gone)


def _foreign(base: Base, material: Material, batch: Batch, names: Names) -> Placed:
    """Assign places in foreign formats: in a collection, matched or new."""
    collection = names.collection_of(material, batch)
    seen, old = (base.store.ledger.knows(file) for file in (material.known, ""))
    before = base.store.ledger.collection_of(material.known)
    known, order = bytearray(len(batch.book.entries)), _Order(_above(collection, batch), batch)
    placed = Placed(material, batch, collection)
    named, left = _known_again(base, placed, known, names.staged) if seen else ({}, ())
    for numbers, ids in _in_steps(placed, known):
        adopted = set[str]()
        if old:  # what was imported before files were recorded
            unknown = [e for e, r in base.store.ledger.of_entries(ids).items() if not r.file]
            here = base.store.entries.states(unknown)
            adopted = {id for id, e in here.items() if e.shown and e.collection == collection}
        wanted = [n for n, id in enumerate(ids) if id not in adopted]
        new = names.ids_of([ids[n] for n in wanted], order.earlier)
        named |= {numbers[n]: id for n, id in zip(wanted, new, strict=True) if id != ids[n]}
    names.give(order.holds)
    gone = () if batch.unread else _there(base, left)
    before = before if before != collection else None
    return dataclasses.replace(placed, named=named, before=before, gone=gone)


class _Order:
    """The wanted names of a file's entries in its collection, in order."""

    def __init__(self, above: str, batch: Batch) -> None:
        self._above = f"{above}/"
        ids = _given_ids(batch)
        self._places = ids if isinstance(ids, Mapping) else {id: n for n, id in enumerate(ids)}

    def holds(self, name: str) -> bool:
        """Return whether an entry would have a name."""
        return name.startswith(self._above) and name.removeprefix(self._above) in self._places

    def earlier(self, name: str, than: str) -> bool:
        """Return whether an earlier entry would have a name."""
        if not self.holds(name):
            return False
        places, above = self._places, self._above
        return places[name.removeprefix(above)] < places[than.removeprefix(above)]


def _in_steps(placed: Placed, known: bytearray) -> Iterator[tuple[list[int], list[str]]]:
    """Yield the new entries: their numbers and wanted names."""
    numbers: list[int] = []
    ids: list[str] = []
    for number, given in enumerate(_given_ids(placed.batch)):
        if not known[number]:
            numbers.append(number)
            ids.append(f"{placed.above}/{given}")
        if len(numbers) == SOME:
            yield numbers, ids
            numbers, ids = [], []
    yield numbers, ids


def _known_again(
    base: Base, placed: Placed, known: bytearray, staged: int | None
) -> tuple[dict[int, str], Sequence[Record]]:
    """Mark the entries that match records; return their ids, and the remaining records.

    Most match by the file's ids and have them below its collection; only the others need
    comparison.
    """
    ledger, batch = base.store.ledger, placed.batch
    file, above = placed.material.known, placed.above

    def plain(record: Record) -> bool:
        named = record.given and record.place in batch.given
        return named and record.file == file and record.entry == f"{above}/{record.place}"

    for numbers, ids in _in_steps(placed, known):
        found = ledger.of_entries(ids, staged)
        for number, id in zip(numbers, ids, strict=True):
            known[number] = id in found and plain(found[id])
    left = [record for record in ledger.of_file(file, staged) if not plain(record)]
    if not left:
        return {}, ()
    numbers = [number for number, is_known in enumerate(known) if not is_known]
    matched, left = match(batch.book.entries, numbers, batch.given, left)
    if batch.is_note and not known[0] and 0 not in matched:  # renamed and edited
        stored = base.store.entries.get([record.entry for record in left])
        notes = [r for r in left if r.entry in stored and stored[r.entry].kind == "note"]
        if len(notes) == 1:
            matched[0] = notes[0]
            left.remove(notes[0])
    for number in matched:
        known[number] = True
    return {number: record.entry for number, record in matched.items()}, left


def match(
    entries: Sequence[Entry],
    numbers: Sequence[int],
    given: Collection[str],
    known: Sequence[Record],
) -> tuple[dict[int, Record], list[Record]]:
    """Return the records that match some entries by number, and the remaining records.

    A record is matched by the id in the file, else by heading, else by answer; repeated headings
    are matched by heading and answer first. Two with different ids in the file never match.
    """
    ids: dict[int, str] = {}
    headings: dict[int, str] = {}
    answers: dict[int, str] = {}
    for number in numbers:
        entry = entries[number]
        ids[number] = entry.id
        headings[number], answers[number] = heading_digest(entry), answer_digest(entry)
    found: dict[int, Record] = {}
    left = list(known)
    keys: list[tuple[Callable[[int], Hashable], Callable[[Record], Hashable]]] = [
        (lambda n: ids[n] if ids[n] in given else None, lambda r: r.place if r.given else None),
        (lambda n: (headings[n], answers[n]), lambda r: (r.heading, r.answer)),
        (lambda n: headings[n], lambda r: r.heading or None),
        (lambda n: answers[n] or None, lambda r: r.answer or None),
    ]
    for key_of, key_of_record in keys:
        waiting: dict[Hashable, list[Record]] = defaultdict(list)
        for record in left:
            key = key_of_record(record)
            if key is not None:
                waiting[key].append(record)
        for number in numbers:
            same = waiting.get(key_of(number), []) if number not in found else []
            # Two that differ by their ids in the file are not the same.
            said = ids[number] if ids[number] in given else None
            chosen = next((r for r in same if not said or not r.given or r.place == said), None)
            if chosen is not None:
                same.remove(chosen)
                found[number] = chosen
        taken = {record.entry for record in found.values()}
        left = [record for record in left if record.entry not in taken]
    return found, left


# Entries of a file that holds facts and texts alone, completed by what is stored beside them.


def _completed(entry: Entry, stored: Entry | None) -> Entry:
    """Return an entry with stored parts that its file cannot hold: programs, notes, origins."""
    if stored is None:
        return entry
    langs = entry.languages
    # A table may have none of them, as older ones do not.
    layers: Any = {
        name: {**_in(getattr(stored, name), langs), **getattr(entry, name)} for name in LAYERS
    }
    return dataclasses.replace(
        stored,
        question=entry.question,
        wording=entry.wording,
        answers=_answers(entry.answers, stored.answers),
        **layers,
        origins=_in(stored.origins, langs),
        restored=_in(stored.restored, langs),
        kind=entry.kind,
        collection=entry.collection,
        number=entry.number,
        level=entry.level,
        topic=entry.topic,
        tags=entry.tags,
    )


def _answers(told: Iterable[Answer], stored: Iterable[Answer]) -> tuple[Answer, ...]:
    """Return the answers in stored order; answers with equal text are the same."""
    left = {(answer.role, answer.lang): answer for answer in told}
    kept = []
    for answer in stored:
        new = left.pop((answer.role, answer.lang), None)
        if new is not None:
            same = new.text == answer.text
            kept.append(answer if same else new._replace(evidence=answer.evidence))
    return (*kept, *left.values())


def _in(by_language: Mapping[str, T], langs: Iterable[str]) -> Mapping[str, T]:
    return {lang: by_language[lang] for lang in langs if lang in by_language}


# What an import tells of the entries it took: read again where it is asked for.


class TakenIn(Sequence[ImportedEntry]):
    """The entries of some files in order, with their questions and lines."""

    def __init__(self, files: Sequence[Placed]) -> None:
        self._files = files

    def __len__(self) -> int:
        return sum(map(len, self._files))

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(self)[number]
        return next(islice(self, range(len(self))[number], None))

    def __iter__(self) -> Iterator[ImportedEntry]:
        for file in self._files:
            for was, entry in file.pairs():
                line = file.batch.lines.get(was.id)
                yield ImportedEntry(entry.id, entry.question, line)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)
