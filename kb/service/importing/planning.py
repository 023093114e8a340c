"""The decisions of an import, made file by file, so that texts are never all in memory."""

from __future__ import annotations

import dataclasses
import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, NamedTuple
from urllib.parse import unquote

from kb.foreign import folded
from kb.formats.media import Paths
from kb.formats.notes.matter import page_name
from kb.model.changes import Record
from kb.model.entry import Entry
from kb.model.entry_json import content_digest, entry_of, fields_of, merge
from kb.model.results import Progress
from kb.service.base import Base
from kb.service.importing.placing import Placed, foreign_record, own_record
from kb.service.write import packed, record_of, unpacked, with_additions


@dataclass(slots=True)
class Tally:
    """Counts of the decisions for a file, as far as they were made.

    ``collections`` are those of its entries, ``news`` those of new and moved ones; ``moved``
    means that a record has another place in the file than stored.
    """

    counts: Counter[str] = field(default_factory=Counter)
    collections: dict[str, None] = field(default_factory=dict)
    news: dict[str, None] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    moved: bool = False

    def count(self, decision: Decision, entry: Entry, known: Record | None) -> None:
        """Count a decision."""
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
    """The plan for a file: a decision for each entry, and the removed records."""

    def __init__(self, base: Base, placed: Placed, targets: Targets) -> None:
        self.placed = placed
        self.tally = Tally()
        """The counts of the last pass through the decisions."""
        self._base = base
        self._targets = targets

    def __len__(self) -> int:
        return len(self.placed) + len(self.placed.gone)

    def decisions(self, progress: Progress) -> Iterator[Decision]:
        """Yield the decisions for each entry, and for removed records."""
        self.tally = Tally()
        for numbers in self.placed.parts():
            yield from self._some(numbers, progress)
        for record in self.placed.gone:
            yield Decision("unchanged", record._replace(gone=True), remembers=not record.gone)

    def _some(self, numbers: slice, progress: Progress) -> Iterator[Decision]:
        pairs, links = self.placed.some(numbers), self.placed.batch.links
        if links:  # their targets become related entries
            linked = self._targets.linked
            pairs = [(was, linked(e, links.get(was.id, ()), self.placed)) for was, e in pairs]
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

    def _known(
        self, pairs: Sequence[tuple[Entry, Entry]]
    ) -> tuple[dict[str, Entry], list[Record], dict[str, Record]]:
        """Return the existing entries, their records, and those with a record."""
        placed, store = self.placed, self._base.store
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


def is_step(decision: Decision) -> bool:
    """Return whether a decision changes anything."""
    return decision.entry is not None or decision.remembers


def _comparable(record: Record) -> Record:
    """Return a record without its place in the file, which is updated separately."""
    return record._replace(line=None, place="")


# What an import makes of one record: a comparison of three, and no winner in silence.


Outcome = Literal["added", "updated", "unchanged", "conflict"]
"""The outcome for a record; ``conflict`` if it was changed here and in its file."""


class Decision(NamedTuple):
    """The decision about one record.

    ``entry`` is to be stored, or nothing to keep the current one; ``found`` is the current one;
    ``record`` is the new record, to be stored if ``remembers`` is set.
    """

    outcome: Outcome
    record: Record
    entry: Entry | None = None
    found: Entry | None = None
    remembers: bool = True


def decide(entry: Entry, record: Record, found: Entry | None) -> Decision:
    """Compare the file's current version with its previous one and the reader's.

    ``record`` is the previous record, with its current place in the file.
    """
    now = record_of(entry, record)
    if found is None:
        return Decision("added", now._replace(gone=False, base=None, theirs=None), entry)
    now = now._replace(gone=False)
    said, fresh = now.digest, now._replace(digest=record.digest)
    if said == content_digest(found):
        elsewhere = None if entry.collection == found.collection else packed(entry)
        settled = fresh._replace(digest=said, base=elsewhere, theirs=None)
        whole = with_additions(found, entry)  # what a reader added to the same entry elsewhere
        return Decision("unchanged", settled, None if whole == found else whole, found)
    if said == record.digest:
        return Decision("unchanged", fresh._replace(theirs=None), None, found)
    if record.digest and record.base is None:
        return Decision("updated", fresh._replace(digest=said, theirs=None), entry, found)
    if not record.digest or record.base is None:
        base = record.base or packed(found)
        return Decision("conflict", fresh._replace(base=base, theirs=packed(entry)), None, found)
    return _merged(entry, fresh, record.base, found)


def moved(decision: Decision, before: str | None, collection: str) -> Decision:
    """Return a decision about an entry whose file is now imported into another collection.

    It follows the file, unless the reader has moved it.
    """
    found = decision.found
    follows = found is not None and found.collection == before
    if found is None or not follows or decision.outcome not in ("unchanged", "updated"):
        return decision
    entry = dataclasses.replace(decision.entry or found, collection=collection)
    return decision._replace(outcome="updated", entry=entry)


def _merged(entry: Entry, fresh: Record, base: str, found: Entry) -> Decision:
    """Merge changes of both sides; for conflicts both versions are kept."""
    place = {"collection": found.collection}
    theirs = {**fields_of(entry), **place}
    merged = merge({**unpacked(base, entry.id), **place}, fields_of(found), theirs)
    if merged.contested:
        return Decision("conflict", fresh._replace(theirs=packed(entry)), None, found)
    kept = fresh._replace(digest=content_digest(entry), base=packed(entry), theirs=None)
    return Decision("updated", kept, entry_of(merged.fields, entry.id), found)


# What the links in a file's texts mean among the files of an import.


class Targets:
    """The entries of all files of an import, by the targets of links."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self._by_path = {folded(each.material.stem): each for each in placed}
        self._paths = Paths(each.material.stem for each in placed)
        self._called: dict[str, Placed] = {}
        for each in placed:
            for name in _names(each):
                self._called.setdefault(folded(name), each)

    def linked(self, entry: Entry, links: Sequence[str], placed: Placed) -> Entry:
        """Return an entry with the targets of its links as related entries."""
        found = [id for link in links for id in self._entries(link, placed) if id != entry.id]
        if not found:
            return entry
        related = tuple(dict.fromkeys((*entry.related, *found)))
        return dataclasses.replace(entry, related=related)

    def _entries(self, link: str, placed: Placed) -> Sequence[str]:
        """Return the target of a link, as Obsidian finds it.

        That is the file at its path from the note or from the top, or else the nearest one whose
        path ends so: first those in or below the note's folder, then the shortest path.
        """
        target, _, heading = map(unquote, link.partition("#"))
        named = target.removesuffix(".md").removesuffix(".markdown")
        folder = PurePosixPath(placed.material.stem).parent.as_posix()
        if not named:
            return _meant(placed, heading)
        path = folded(posixpath.normpath(posixpath.join(folder, named)))
        end = folded(named.lstrip("./"))
        near = self._by_path.get(path) or self._by_path.get(end)
        near = near or self._by_path.get(self._paths.nearest(end, folder) or "")
        near = near or self._called.get(end)
        return _meant(near, heading) if near else ()


def _names(placed: Placed) -> Iterator[str]:
    """Yield other names by which links mean a file, those of a page of Logseq.

    Its page properties are in its text, where Obsidian has front matter.
    """
    yield page_name(PurePosixPath(placed.material.stem).name)
    if placed.note is not None:
        note = placed.batch.book.entries[0]
        if note.file is not None and not note.file.head:
            yield from (*note.aliases, *note.question.values())


def _meant(placed: Placed, heading: str) -> Sequence[str]:
    if placed.note is not None:
        return (placed.note,)
    wanted = " ".join(heading.casefold().split())
    if wanted:
        return [
            entry.id
            for entry in placed.entries()
            for text in entry.question.values()
            if " ".join(text.casefold().split()) == wanted
        ][:1]
    return [entry.id for entry in placed.entries()] if len(placed) == 1 else ()
