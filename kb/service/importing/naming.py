"""What a file's entries are called: its collection, and ids that nobody else has."""

from __future__ import annotations

from collections.abc import Iterator
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

    def id_of(self, wanted: str) -> str:
        """Return an id that no entry has or had: the wanted one, or with a number behind it."""
        taken = self._base.store.journal.taken
        found = unused(wanted, lambda name: name in self._ids or taken(name))
        self._ids.add(found)
        return found

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
