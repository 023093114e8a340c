"""What a file's entries are called: its collection, and ids that nobody else has."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from pathlib import PurePath

from kb.formats.book import Batch
from kb.model import Entry
from kb.model.changes import Record
from kb.service.base import Base
from kb.service.importing.materials import Material
from kb.service.write import answer_digest, heading_digest
from kb.text.slug import unused

_ALONE = "notes"
"""The collection of notes that are named alone."""

UNDER = "\n"
"""Parts a file's path from the collection it was put under, where that is not its first one."""


class Names:
    """The names that one import gives: each once, whatever is stored and however many files.

    ``staged`` is the layer in which the same import was interrupted: its names are taken up.
    """

    def __init__(self, base: Base, collection: str | None, staged: int | None = None) -> None:
        self._base = base
        self.staged = staged
        self._named = collection
        self._makers: dict[str, str] = {}
        self._ids: set[str] = set()
        self._given: list[Callable[[str], bool]] = []

    def collection_of(self, material: Material, batch: Batch) -> str:
        """Return the collection of a file: the one it has, the one named, or a new one.

        A note goes into the collection of its folder, or into ``notes`` where it is named alone;
        any other file has a collection of its own. As much of the path is put before the name as
        tells it from those that others made.
        """
        if self._named is not None:
            return _under(material, self._named, note=batch.is_note)
        known = self._base.store.ledger.collection_of(material.file)
        if known is not None and not (batch.is_note and _is_named_after(known, material)):
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
        """Return ids that no entry has or had: the wanted ones, or with numbers behind them.

        ``earlier`` says whether the first of two names was wanted before the second.
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
        """Let no other file have the names that one wanted."""
        self._given.append(is_wanted)

    def _is_given(self, name: str) -> bool:
        return name in self._ids or any(is_wanted(name) for is_wanted in self._given)

    def _free(self, name: str, maker: str) -> bool:
        """Say whether a collection is not there, or holds only what this file or folder brought."""
        store = self._base.store
        if name not in store.collections.named(name):
            return True
        files = [file.partition(UNDER)[0] for file in store.ledger.makers(name)]
        made = bool(files) and all(maker in (file, os.path.dirname(file)) for file in files)
        return made or store.ledger.unremembered(name)


def known_file(base: Base, material: Material, batch: Batch, named: str | None) -> Material:
    """Return a file under what it is known by: one of its own for each collection ``named``."""
    if named is None:
        return material
    taken = base.store.ledger.collection_of(material.file)
    if taken in (None, _under(material, named, note=batch.is_note)):
        return material
    return material._replace(file=f"{material.file}{UNDER}{named}")


def _under(material: Material, named: str, *, note: bool) -> str:
    """Return the place of a file of a folder below a named collection, or that itself."""
    below = material.stem if material.below else ""
    if note:
        below = below.rpartition("/")[0]
    return f"{named}/{below}" if below else named


def _is_named_after(collection: str, material: Material) -> bool:
    """Say whether a collection is one that was called after a file, as those of notes once were."""
    return f"/{collection}".endswith(f"/{material.stem}")


def _candidates(material: Material, *, note: bool) -> Iterator[str]:
    """Yield names for a collection, each with more of the file's path before it; then numbers."""
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
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1


# Which entries of a file are records that were taken from it before.


def match(
    entries: Sequence[Entry],
    numbers: Sequence[int],
    given: Collection[str],
    known: Sequence[Record],
) -> tuple[dict[int, Record], list[Record]]:
    """Return the records that some entries were, by their numbers, and the records left over.

    A record is known again by the id that the file gives it, else by its heading, else by its
    answer; where headings repeat, by heading and answer before that. Of two that
    the file gives different ids, neither is the other.
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
        (
            lambda n: ids[n] if ids[n] in given else None,
            lambda r: r.place if r.given else None,
        ),
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
            chosen = next((r for r in same if _may_be(ids[number], given, r)), None)
            if chosen is not None:
                same.remove(chosen)
                found[number] = chosen
        taken = {record.entry for record in found.values()}
        left = [record for record in left if record.entry not in taken]
    return found, left


def _may_be(id: str, given: Collection[str], record: Record) -> bool:
    """Say whether the file does not itself tell an entry from a record by their ids."""
    return not (record.given and id in given and id != record.place)
