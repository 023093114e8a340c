"""What a file's entries are called: its collection, and ids that nobody else has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath

from kb.service.base import Base
from kb.service.importing.materials import Material
from kb.text.slug import unused

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

    def collection_of(self, material: Material) -> str:
        """Return the collection of a file: the one it has, the one named, or one of its own.

        As much of its path is put before its name as tells it from other files'.
        """
        if self._named is not None:
            return _under(material, self._named)
        known = self._base.store.ledger.collection_of(material.file)
        if known is not None:
            return known
        for name in _candidates(material):
            if self._makers.get(name, material.file) == material.file and self._free(
                name, material.file
            ):
                self._makers[name] = material.file
                return name
        raise AssertionError("the candidates have no end")

    def ids_of(self, wanted: Sequence[str], earlier: Callable[[str, str], bool]) -> list[str]:
        """Return ids that no entry has or had: the wanted ones, or with numbers behind them.

        ``earlier`` says whether the first of two names was wanted before the second.
        """
        journal = self._base.store.journal
        taken = journal.taken_of(wanted)
        found = list(wanted)
        for number, name in enumerate(wanted):
            if name in taken or self._is_given(name):

                def is_taken(other: str, name: str = name) -> bool:
                    return self._is_given(other) or earlier(other, name) or journal.taken(other)

                found[number] = unused(name, is_taken)
                self._ids.add(found[number])
        return found

    def give(self, is_wanted: Callable[[str], bool]) -> None:
        """Let no other file have the names that one wanted."""
        self._given.append(is_wanted)

    def _is_given(self, name: str) -> bool:
        return name in self._ids or any(is_wanted(name) for is_wanted in self._given)

    def _free(self, name: str, file: str) -> bool:
        """Say whether a collection is not there, or holds what only this file can have brought."""
        store = self._base.store
        if name not in store.collections.named(name):
            return True
        return store.ledger.makers(name) == [file] or store.ledger.unremembered(name)


def known_file(base: Base, material: Material, named: str | None) -> Material:
    """Return a file under what it is known by: one of its own for each collection ``named``."""
    if named is None:
        return material
    taken = base.store.ledger.collection_of(material.file)
    if taken in (None, _under(material, named)):
        return material
    return material._replace(file=f"{material.file}{UNDER}{named}")


def _under(material: Material, named: str) -> str:
    """Return the place of a file of a folder below a named collection, or that itself."""
    return f"{named}/{material.stem}" if material.below else named


def _candidates(material: Material) -> Iterator[str]:
    """Yield names for a file's collection, each with more of its path before it; then numbers."""
    stem = material.stem.strip() or "notes"
    yield stem
    folders = PurePath(material.file).parts[1:-1]
    depth = material.stem.count("/")
    above = folders[: len(folders) - depth]
    name = stem
    for folder in reversed(above):
        name = f"{folder}/{name}"
        yield name
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1
