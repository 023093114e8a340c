"""The part of the store's port that remembers: changes, origins, and what imports bring in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from kb.records.changes import Change, Record, State, Version


class Journal(Protocol):
    """Every change of content, field by field."""

    def append(self, change: Change) -> None:
        """Add a change with its fields."""

    def last_id(self) -> str:
        """Return the id that sorts last, or nothing."""

    def last(self, state: State, session: str | None = None) -> Change | None:
        """Return the change of a reader's that came into this state last, by this session.

        When it did so, and who brought it there, stand in it.
        """

    def meeting(self, change: Change) -> tuple[Change, str] | None:
        """Return the last later change of the same, in the same state, and what both changed.

        That is an entry, or a collection.
        """

    def get(self, id: str) -> Change | None:
        """Return a change with its fields, or nothing."""

    def changes(self, limit: int | None, offset: int = 0) -> Iterable[Change]:
        """Return the changes with their fields, the last first."""

    def of_entry(self, entry: str) -> Iterable[Change]:
        """Return the changes that speak of an entry, the first first, each with its fields."""

    def changed(self, entries: Sequence[str]) -> dict[str, int]:
        """Return when those of these entries that any change touched last were, from 1970 on."""

    def mark(self, ids: Sequence[str], state: State) -> None:
        """Give changes another state."""

    def undone(self) -> list[Change]:
        """Return the changes that are undone and can be redone, without their fields."""

    def size(self) -> tuple[int, int]:
        """Return how many changes there are, and about how many bytes they take."""

    def older(self, at: str) -> list[Change]:
        """Return the changes before the first of a time or later, without their fields."""

    def forget(self, ids: Sequence[str]) -> None:
        """Remove changes."""

    def retire(self, ids: Sequence[str]) -> None:
        """Let ids never be given again."""

    def recall(self, id: str) -> None:
        """Let an id be used again by the entry that had it."""

    def taken(self, id: str) -> bool:
        """Say whether an id is, or was, an entry's."""

    def taken_of(self, ids: Sequence[str]) -> set[str]:
        """Return those of these ids that are, or were, an entry's."""


class Ledger(Protocol):
    """Where entries came from: the records of files, and the collections that files made."""

    def knows(self, file: str) -> bool:
        """Say whether there is a record of a file, known, staged or taken back."""

    def of_file(self, file: str, staged: int | None = None) -> Iterable[Record]:
        """Return the records of a file, in the order of their lines.

        They are those that are known, and those that are ``staged`` in a layer.
        """

    def of_entries(self, entries: Iterable[str], staged: int | None = None) -> dict[str, Record]:
        """Return the record of each of these entries that came from one.

        They are those that are known, and those that are ``staged`` in a layer.
        """

    def gone(self) -> list[str]:
        """Return the entries whose records are gone from their files."""

    def contested(self) -> list[str]:
        """Return the entries that were changed here and in their files."""

    def put(self, *records: Record) -> None:
        """Store records, or renew them."""

    def put_places(self, places: Iterable[tuple[int | None, str, str]]) -> None:
        """Remember where records stand in their files: line, name there, and entry of each."""

    def remove(self, entry: str) -> None:
        """Forget where an entry came from."""

    def drop_unused_paths(self) -> None:
        """Forget the paths that no record names."""

    def files_below(self, folder: str) -> list[str]:
        """Return the known files whose paths begin with that of a folder."""

    def collection_of(self, file: str) -> str | None:
        """Return the collection that a file was taken into, if it was."""

    def put_file(self, file: str, collection: str, layer: int) -> None:
        """Remember into which collection a file was taken."""

    def files_in(self, collection: str) -> list[str]:
        """Return the files that are taken into a collection, or into one below it."""

    def rename(self, old: str, new: str, files: Iterable[str]) -> None:
        """Let these files be taken into a collection by its new name."""

    def makers(self, collection: str) -> list[str]:
        """Return the files that were taken into a collection."""

    def unremembered(self, collection: str) -> bool:
        """Say whether all entries of a collection were imported from files not remembered."""


class Layers(Protocol):
    """What imports bring in, shown or hidden in one step whatever its size."""

    def begin(self, work: str) -> int:
        """Return a new layer, not shown, for a piece of work."""

    def staged(self) -> list[tuple[int, str, float]]:
        """Return the layers that are not finished: each with its work and its last sign of life."""

    def beat(self, layer: int) -> None:
        """Give a sign of life."""

    def show(self, layer: int, shown: bool) -> None:
        """Let the entries of a layer be there or not; its versions are then to be settled."""

    def unsettled(self) -> list[tuple[int, bool]]:
        """Return the layers whose versions are to be settled, and whether they are shown."""

    def settle(self, layer: int) -> None:
        """Remember that all versions of a layer are settled."""

    def put_version(self, layer: int, version: Version) -> None:
        """Store what a layer makes of an entry, or what it was before."""

    def versions(self, layer: int, settled: bool, limit: int) -> list[Version]:
        """Return some versions of a layer that are settled, or that are not."""

    def version(self, layer: int, entry: str) -> Version | None:
        """Return what a layer makes of an entry, or what it was before."""

    def changed(self, layer: int) -> list[str]:
        """Return the entries that a layer makes other versions of."""

    def documents(self, layer: int) -> Iterable[int]:
        """Return the numbers of the documents of entries that a layer brought."""

    def entries(self, layer: int, limit: int | None = None) -> list[str]:
        """Return entries that a layer brought."""

    def forget(self, layer: int) -> None:
        """Remove a layer that holds no entry, and what was kept of it."""

    def forget_versions(self, layer: int) -> None:
        """Remove what was kept of a layer to take it back; its entries stay."""

    def dropped(self) -> list[int]:
        """Return the layers that were taken back for good."""
