"""The names of a file's entries: their collection, and unique ids."""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from pathlib import PurePath

from kb.formats.book import Batch, unused
from kb.model import Entry
from kb.model.changes import Record
from kb.service.base import Base
from kb.service.importing.materials import Material
from kb.service.write import answer_digest, heading_digest

_ALONE = "notes"
"""The collection of notes that are imported alone."""

UNDER = "\n"
"""Separates a file's path from its collection, if that is not the first one."""


class Names:
    """The names given by one import, each unique.

    ``staged`` is the layer of an interrupted import of the same files, whose names are reused.
    """

    def __init__(self, base: Base, collection: str | None, staged: int | None = None) -> None:
        self._base = base
        self.staged = staged
        self._named = collection
        self._makers: dict[str, str] = {}
        self._ids: set[str] = set()
        self._given: list[Callable[[str], bool]] = []

    def collection_of(self, material: Material, batch: Batch) -> str:
        """Return the collection of a file: its earlier one, the named one, or a new one.

        A note goes into the collection of its folder, or into ``notes`` if it is imported alone;
        any other file has its own collection. The name includes as much of the path as it needs
        to be unique.
        """
        if self._named is not None:
            return _under(material, self._named, note=batch.is_note)
        known = self._base.store.ledger.collection_of(material.file)
        # Collections of notes were once named after their file.
        old = batch.is_note and f"/{known}".endswith(f"/{material.stem}")
        if known is not None and not old:
            return known
        if batch.is_note and not material.below:
            return _ALONE
        maker = os.path.dirname(material.file) if batch.is_note else material.file
        for name in _candidates(material, note=batch.is_note):
            if self._makers.get(name, maker) == maker and self._free(name, maker):
                self._makers[name] = maker
                return name
        raise AssertionError("the candidates have no end")

    def ids_of(self, wanted: Sequence[str], earlier: Callable[[str, str], bool]) -> list[str]:
        """Return new ids: the wanted ones, or with numbers added.

        ``earlier`` returns whether the first of two names was wanted before the second.
        """
        entries = self._base.store.entries
        taken = entries.taken_of(wanted)
        found = list(wanted)
        for number, name in enumerate(wanted):
            if name in taken or self._is_given(name):

                def is_taken(other: str, name: str = name) -> bool:
                    return self._is_given(other) or earlier(other, name) or entries.taken(other)

                found[number] = unused(name, is_taken)
                self._ids.add(found[number])
        return found

    def give(self, is_wanted: Callable[[str], bool]) -> None:
        """Reserve the names that a file wanted."""
        self._given.append(is_wanted)

    def _is_given(self, name: str) -> bool:
        return name in self._ids or any(is_wanted(name) for is_wanted in self._given)

    def _free(self, name: str, maker: str) -> bool:
        """Return whether a collection is unused, or only used by this file or folder."""
        store = self._base.store
        if name not in store.collections.named(name):
            return True
        files = [file.partition(UNDER)[0] for file in store.ledger.makers(name)]
        made = bool(files) and all(maker in (file, os.path.dirname(file)) for file in files)
        return made or store.ledger.unremembered(name)


def known_file(base: Base, material: Material, batch: Batch, named: str | None) -> Material:
    """Return a file with its identity: a separate one per ``named`` collection."""
    if named is None:
        return material
    taken = base.store.ledger.collection_of(material.file)
    if taken in (None, _under(material, named, note=batch.is_note)):
        return material
    return material._replace(file=f"{material.file}{UNDER}{named}")


def _under(material: Material, named: str, *, note: bool) -> str:
    """Return the path of a file below a named collection, or the collection itself."""
    below = material.stem if material.below else ""
    if note:
        below = below.rpartition("/")[0]
    return f"{named}/{below}" if below else named


def _candidates(material: Material, *, note: bool) -> Iterator[str]:
    """Yield names for a collection, each with more of the path, then with numbers."""
    folders = PurePath(material.file).parts[1:-1]
    depth = material.stem.count("/")
    stem = material.stem.strip() or _ALONE
    if note:
        stem = stem.rpartition("/")[0] or "".join(folders[-1:]) or _ALONE
        depth = max(depth, 1)
    yield stem
    name = stem
    for folder in reversed(folders[: max(0, len(folders) - depth)]):
        name = f"{folder}/{name}"
        yield name
    yield from (f"{stem}-{number}" for number in itertools.count(2))


# Which entries of a file are records that were taken from it before.


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
