"""The store of a knowledge base: one SQLite file, with its parts in the other modules.

It can be used from several threads. Changes happen within a `Store.transaction` of the calling
thread, which only a service starts.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kb.errors import BadDatabase
from kb.store.sqlite.database import Database
from kb.store.sqlite.driver import INCREMENTAL, Part

if TYPE_CHECKING:
    from kb.store.sqlite.catalog import Catalog, Matching
    from kb.store.sqlite.collections import Collections
    from kb.store.sqlite.entries import Additions, Entries
    from kb.store.sqlite.journal import Journal, Layers
    from kb.store.sqlite.ledger import Evidences, Glossary, Ledger, MediaFiles, Reviews, Snippets
    from kb.store.sqlite.studies import Studies
    from kb.store.sqlite.syncs import Syncs
    from kb.store.sqlite.vectors import Vectors

FTS5 = "document_fts"
"""The key in ``meta`` of the first document that SQLite's own index may miss; empty if none is."""

VECTORS = "vectors"
"""The key in ``meta`` of the version of all vectors: how often they changed."""

_MOST_FREE = 0.05
"""The share of the file that may be free, for future changes."""

_PAGES = 2000
"""Pages freed in one transaction."""


def _part(module: str, name: str) -> Any:
    """Return a part of the store, which loads on first use: opening a file needs few of them."""

    def load(store: Store) -> Part:
        part: Part = getattr(import_module(f"kb.store.sqlite.{module}"), name)(store)
        return part

    return cached_property(load)


class Store(Database):
    """A knowledge base in a file."""

    matching: Matching
    """Returns the documents that match a clause; the owner of an index sets it."""

    catalog: Catalog = _part("catalog", "Catalog")
    """Lists, hits, names, counts."""

    entries: Entries = _part("entries", "Entries")
    """Entries with their parts."""

    collections: Collections = _part("collections", "Collections")
    """The collections of entries."""

    journal: Journal = _part("journal", "Journal")
    """The change log."""

    ledger: Ledger = _part("ledger", "Ledger")
    """The origins of entries."""

    layers: Layers = _part("journal", "Layers")
    """Import layers."""

    snippets: Snippets = _part("ledger", "Snippets")
    """Programs by name."""

    evidences: Evidences = _part("ledger", "Evidences")
    """The evidence of annotations."""

    additions: Additions = _part("entries", "Additions")
    """A reader's additions."""

    glossary: Glossary = _part("ledger", "Glossary")
    """The names of concepts in several languages."""

    media: MediaFiles = _part("ledger", "MediaFiles")
    """The bytes of media."""

    reviews: Reviews = _part("ledger", "Reviews")
    """Review histories."""

    studies: Studies = _part("studies", "Studies")
    """The study log and memory states."""

    syncs: Syncs = _part("syncs", "Syncs")
    """Exchanges with other copies."""

    vectors: Vectors = _part("vectors", "Vectors")
    """The vectors of texts, for search by meaning."""

    meta: Meta = _part("store", "Meta")
    """The metadata of the file."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make all changes or none; raise `Conflict` if another keeps the lock."""
        return self.connection.transaction()

    def working(self, what: str) -> AbstractContextManager[None]:
        """Announce long work of this thread, and let others write in between."""
        return self.write_lock.working(what)

    def compact(self) -> None:
        """Free the space of deleted data, and store an entry's rows together."""
        connection = self.connection
        connection.run(INCREMENTAL)
        connection.run("VACUUM")

    def give_back(self) -> None:
        """Free the space of deleted data if it is large; others can write in between."""
        value = self.connection.value
        while value("PRAGMA freelist_count") > _MOST_FREE * value("PRAGMA page_count"):
            before = value("PRAGMA page_count")
            with self.transaction():
                self.connection.rows(f"PRAGMA incremental_vacuum({_PAGES})")
            if value("PRAGMA page_count") == before:
                return  # a file that was made without it

    def size(self) -> int:
        """Return its size in bytes."""
        value = self.connection.value
        return int(value("PRAGMA page_count")) * int(value("PRAGMA page_size"))

    def is_interrupted(self) -> bool:
        """Return whether an import has versions of entries that are still to be applied."""
        return bool(self.connection.value("SELECT EXISTS (SELECT 1 FROM layer WHERE settled = 0)"))

    def check(self) -> str:
        """Return ``ok``, or what is wrong with the file."""
        try:
            return str(self.connection.value("PRAGMA integrity_check(1)"))
        except BadDatabase as error:
            return error.message.without_place(self.path)


class Meta(Part):
    """Metadata of a file."""

    def get(self, key: str) -> str | None:
        """Return the value of a key."""
        found = self._db.value("SELECT value FROM meta WHERE key = ?", (key,))
        return None if found is None else str(found)

    def put(self, key: str, value: str) -> None:
        """Store the value of a key."""
        self._db.upsert("meta", {"key": key, "value": value}, ("key",))
