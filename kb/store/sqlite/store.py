"""A knowledge base as it is kept: one SQLite file, its parts in modules beside this one.

It is used from several threads at once. What it changes is changed within a `Store.transaction`
of the calling thread, and a service alone begins one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from kb.errors import BadDatabase
from kb.store.sqlite.database import Database
from kb.store.sqlite.driver import INCREMENTAL, Part
from kb.store.sqlite.files import refuse_database

if TYPE_CHECKING:
    from kb.errors import KbError
    from kb.model.results import OnWait
    from kb.store.sqlite.catalog import Catalog
    from kb.store.sqlite.collections import Collections
    from kb.store.sqlite.entries import Additions, Entries
    from kb.store.sqlite.journal import Journal
    from kb.store.sqlite.layers import Layers
    from kb.store.sqlite.ledger import Evidences, Glossary, Ledger, MediaFiles, Reviews, Snippets
    from kb.store.sqlite.rows import Engine, Matching
    from kb.store.sqlite.studies import Studies
    from kb.work import Budget

_MOST_FREE = 0.05
"""The share of the file that may be free: changes to come fill it."""

_PAGES = 2000
"""So many pages are given back in one transaction."""


class Store(Database):
    """A knowledge base in a file.

    Its parts are loaded when they are asked for: to open a file takes hardly any of them.
    """

    matching: Matching
    """Gives what meets a clause, by an index; whoever has one says so."""

    @cached_property
    def catalog(self) -> Catalog:
        """What is there: lists, hits, names, counts."""
        from kb.store.sqlite.catalog import Catalog
        from kb.store.sqlite.rows import to_sql

        return Catalog(
            self.connected, partial(to_sql, matching=lambda clause: self.matching(clause))
        )

    @cached_property
    def entries(self) -> Entries:
        """Entries with what belongs to them."""
        from kb.store.sqlite.entries import Entries

        return Entries(self.connected)

    @cached_property
    def collections(self) -> Collections:
        """The collections entries stand in."""
        from kb.store.sqlite.collections import Collections

        return Collections(self.connected)

    @cached_property
    def journal(self) -> Journal:
        """Every change of content."""
        from kb.store.sqlite.journal import Journal

        return Journal(self.connected)

    @cached_property
    def ledger(self) -> Ledger:
        """Where entries came from."""
        from kb.store.sqlite.ledger import Ledger

        return Ledger(self.connected)

    @cached_property
    def layers(self) -> Layers:
        """What imports bring in."""
        from kb.store.sqlite.layers import Layers

        return Layers(self.connected)

    @cached_property
    def snippets(self) -> Snippets:
        """Programs by their names."""
        from kb.store.sqlite.ledger import Snippets

        return Snippets(self.connected)

    @cached_property
    def evidences(self) -> Evidences:
        """The evidence behind annotations."""
        from kb.store.sqlite.ledger import Evidences

        return Evidences(self.connected)

    @cached_property
    def additions(self) -> Additions:
        """What a reader added to entries."""
        from kb.store.sqlite.entries import Additions

        return Additions(self.connected)

    @cached_property
    def glossary(self) -> Glossary:
        """The names of concepts in several languages."""
        from kb.store.sqlite.ledger import Glossary

        return Glossary(self.connected)

    @cached_property
    def media(self) -> MediaFiles:
        """The bytes of media."""
        from kb.store.sqlite.ledger import MediaFiles

        return MediaFiles(self.connected)

    @cached_property
    def reviews(self) -> Reviews:
        """How entries were studied."""
        from kb.store.sqlite.ledger import Reviews

        return Reviews(self.connected)

    @cached_property
    def studies(self) -> Studies:
        """The log of studying, and what is remembered from it."""
        from kb.store.sqlite.studies import Studies

        return Studies(self.connected)

    @cached_property
    def meta(self) -> Meta:
        """What the file remembers of itself."""
        return Meta(self.connected)

    def transaction(self) -> AbstractContextManager[None]:
        """Change all that follows, or nothing. Raises `Conflict` where another keeps the lock."""
        return self.connection.transaction()

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Tell other writers what this thread does for long, and let them write in between."""
        with self.write_lock.working(what), self.connection.roomy():
            yield

    def when_waiting(self, tell: OnWait) -> None:
        """Let somebody know whom a transaction waits for, and since when."""
        self.write_lock.on_wait = tell

    def limit(self) -> KbError | None:
        """Return why nothing can be written, if so."""
        return self.connection.limit

    def snapshot(self) -> AbstractContextManager[None]:
        """Read within what is there at one moment, whoever writes meanwhile."""
        return self.connection.snapshot()

    def savepoint(self) -> AbstractContextManager[None]:
        """Within a transaction, change all that follows or nothing of it."""
        return self.connection.savepoint()

    def within(self, budget: Budget) -> AbstractContextManager[None]:
        """Stop what this thread asks within once the budget says so."""
        return self.connection.within(budget)

    def refuse_target(self, target: str | int) -> None:
        """Refuse a path to write, or an open file by its number, that a database needs.

        That is this one, and what lies beside this or any other one. Raises `Conflict`.
        """
        refuse_database(target, self.path)

    def keep_only(
        self, entries: Iterable[str], collections: Iterable[str], sources: Iterable[str]
    ) -> None:
        """Remove all but these entries, collections and source documents, and what is private.

        That is the journal, where entries came from, how they were studied, and dictionaries that
        did not come with danesh. The index does not follow. The caller holds the transaction.
        """
        from kb.store.sqlite.copies import keep_only

        keep_only(self.connection, entries, collections, sources)
        self.media.drop_unused()

    def compact(self) -> None:
        """Give back the room of what was removed, and store an entry's rows side by side."""
        connection = self.connection
        connection.run(INCREMENTAL)
        connection.run("VACUUM")

    def give_back(self) -> None:
        """Give back the room of what was removed, where it is much; others write in between."""
        value = self.connection.value
        while value("PRAGMA freelist_count") > _MOST_FREE * value("PRAGMA page_count"):
            before = value("PRAGMA page_count")
            with self.transaction():
                self.connection.rows(f"PRAGMA incremental_vacuum({_PAGES})")
            if value("PRAGMA page_count") == before:
                return  # a file that was made without it

    def size(self) -> int:
        """Return how many bytes it takes."""
        value = self.connection.value
        return int(value("PRAGMA page_count")) * int(value("PRAGMA page_size"))

    def check(self) -> str:
        """Return ``ok``, or what is wrong with the file."""
        try:
            return str(self.connection.value("PRAGMA integrity_check(1)"))
        except BadDatabase as error:
            return error.message.without_place(self.path)

    def orphans(self) -> dict[str, int]:
        """Return how many rows speak of others that are missing, by their tables."""
        from kb.store.sqlite.salvage import orphans

        return orphans(self.connection)

    def mend_orphans(self) -> None:
        """Let no row speak of one that is missing; the caller holds the transaction.

        An entry gets its collection back; of what belongs to nothing any more the row goes.
        """
        from kb.store.sqlite.salvage import mend_orphans

        mend_orphans(self.connection)

    def engine(self) -> Engine:
        """Return which SQLite keeps it."""
        from kb.store.sqlite.driver import journal_mode, sqlite3
        from kb.store.sqlite.rows import Engine

        return Engine(sqlite3.sqlite_version, journal_mode())


class Meta(Part):
    """What a file remembers of itself."""

    def get(self, key: str) -> str | None:
        """Return what is remembered under a key."""
        found = self._connection.value("SELECT value FROM meta WHERE key = ?", (key,))
        return None if found is None else str(found)

    def drop(self, key: str) -> None:
        """Forget what is remembered under a key."""
        self._connection.run("DELETE FROM meta WHERE key = ?", (key,))

    def put(self, key: str, value: str) -> None:
        """Remember a value under a key."""
        self._connection.upsert("meta", {"key": key, "value": value}, ("key",))
