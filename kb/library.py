"""The one door: what the command line, the terminal app and other programs call.

Every method raises a `KbError` or nothing, whatever it is given. A library may be used
from several threads; each has its own connection.
"""

from __future__ import annotations

import builtins
import functools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO

from kb.errors import Conflict, NotFound, UsageError, nearest
from kb.records.progress import paced
from kb.service.guard import (
    clean,
    clean_filters,
    door,
    only_our_errors,
    same_file,
    within,
    within_reason,
)
from kb.store.sqlite.database import Database

if TYPE_CHECKING:
    from kb.exchange.book import Batch
    from kb.records import (
        Check,
        Entry,
        Filters,
        GlossaryReport,
        ImportReport,
        Outcome,
        Progress,
        Results,
        Snippet,
        Verification,
    )
    from kb.service.notes import Own


class Library:
    """A knowledge base that is open. Use it as a context manager, or `close` it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def path(self) -> str:
        """The database file."""
        return self._database.path

    @functools.cached_property
    def own(self) -> Own:
        """What a reader adds to entries: notes, annotations, programs."""
        from kb.service.notes import Own

        return Own(self._database)

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections of all threads."""
        self._database.close()

    @door
    def search(
        self,
        query: str,
        *,
        limit: int | None = 10,
        offset: int = 0,
        filters: Filters | None = None,
        explain: bool = False,
        typing: bool = False,
    ) -> Results:
        """Find the entries a query asks for, best first.

        Bare words match as many as possible. ``typing`` reads the last word as one that
        may not be finished. Any text is a query. Raises `UsageError` for a limit or an
        offset below zero.
        """
        from kb.records import Page
        from kb.service import find as engine

        page = Page(within("limit", limit), within("offset", offset) or 0)
        wanted = clean_filters(filters)
        return engine.search(
            self._database, clean(query), wanted, page, explain=explain, typing=typing
        )

    def search_typed(
        self,
        query: str,
        *,
        limit: int | None = 10,
        filters: Filters | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[Results]:
        """Yield what a query that is being typed finds: first what is there at once, then ranked.

        ``cancelled`` is asked while it works; once it says yes nothing more is yielded.
        The first tier is unranked and left out where it finds nothing.
        """
        from kb.records import Page
        from kb.service import find as engine

        with only_our_errors(self.path):
            page = Page(within("limit", limit))
            wanted = clean_filters(filters)
            yield from engine.as_typed(self._database, clean(query), wanted, page, cancelled)

    @door
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        filters: Filters | None = None,
    ) -> Results:
        """Return the entries that pass the filters, in the order of their collections."""
        from kb.records import Page
        from kb.service.listing import list_entries

        page = Page(within("limit", limit), within("offset", offset) or 0)
        return list_entries(self._database, clean_filters(filters), page)

    @door
    def show(self, entry: str) -> Entry:
        """Return an entry with everything that belongs to it. Raises `NotFound`."""
        from kb.store.sqlite import entries

        with self._database.errors():
            found = entries.get_entry(self._database.connection, clean(entry))
            if found is None:
                raise self._not_found("entry", entry)
            return found

    @door
    def marks(self, text: str, lang: str, query: str) -> tuple[tuple[int, int], ...]:
        """Return the places in a text that a query matches."""
        from kb.service import find as engine

        return engine.mark(self._database, text, lang, clean(query))

    @door
    def collections(self) -> dict[str, dict[str, str]]:
        """Return the collections in order, each with its title by language."""
        from kb.store.sqlite import queries

        with self._database.errors():
            return queries.get_collections(self._database.connection)

    @door
    def facets(self) -> dict[str, builtins.list[str]]:
        """Return the values that filters can have, by field: lang, collection, level, verdict."""
        from kb.store.sqlite import queries

        with self._database.errors():
            return queries.facets(self._database.connection)

    @door
    def snippet(self, name: str) -> Snippet:
        """Return a snippet, or the main snippet of an entry. Raises `NotFound`."""
        from kb.store.sqlite import entries

        with self._database.errors():
            connection = self._database.connection
            wanted = clean(name).removesuffix(".py")
            found = entries.get_snippet(connection, wanted)
            if found is None:
                entry = entries.get_entry(connection, clean(name))
                found = entry.main_snippet() if entry else None
                if entry and not found:
                    raise NotFound(f"{name}: this entry has no snippet")
            if found is None:
                raise self._not_found("snippet or entry", name)
            return found

    @door
    def run(
        self,
        name: str,
        *,
        timeout: float = 10.0,
        memory: int = 1024,
        trust: bool = False,
        on_output: Callable[[str, str], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run a snippet, or the main snippet of an entry, in a process of its own.

        ``timeout`` in seconds, ``memory`` in MiB. Raises `Untrusted` for code that did not
        come with danesh unless ``trust``; `NotFound` where there is no such snippet.
        """
        from kb.evidence import Consent, Limits, check_trust, run_snippet

        snippet = self.snippet(name)
        check_trust(snippet, Consent(self._trusted(), trust))
        return run_snippet(snippet, Limits(*within_reason(timeout, memory)), on_output, stop)

    @door
    def run_code(
        self,
        code: str,
        *,
        name: str = "code",
        timeout: float = 10.0,
        memory: int = 1024,
        on_output: Callable[[str, str], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run code that the reader typed, as `run` does; the caller vouches for it.

        ``name`` is what the outcome calls it.
        """
        from kb.evidence import Limits, run_snippet
        from kb.records import Snippet

        snippet = Snippet(clean(name), {}, clean(code))
        return run_snippet(snippet, Limits(*within_reason(timeout, memory)), on_output, stop)

    @door
    def verify(
        self,
        ids: Iterable[str] = (),
        *,
        accept: bool = False,
        trust: bool = False,
        timeout: float = 30.0,
        memory: int = 1024,
        progress: Progress | None = None,
    ) -> Sequence[Verification]:
        """Run the evidence behind annotations, of these entries or annotations or of all.

        ``accept`` first renews the hashes of what is stale, here and in the bundled
        content where that is a checkout. Code that did not come with danesh is run only with
        ``trust``; without it what needs it is ``cannot-run``. Raises `NotFound` for an id that
        does not exist. Where ``progress`` raises `Cancelled`, what runs is stopped, and what
        was verified is kept.
        """
        from kb.content.folder import accept_evidence
        from kb.content.location import bundled_folder
        from kb.evidence import Consent, Limits
        from kb.service.verify import accept as renew
        from kb.service.verify import verify, with_evidence
        from kb.store.sqlite import queries

        chosen = self._chosen(tuple(ids))
        if accept:
            annotations = with_evidence(chosen)
            digests = renew(self._database, annotations)
            bundled = queries.owned(self._database.connection, "bundled")
            ours = with_evidence(entry for entry in chosen if entry.id in bundled)
            accept_evidence(bundled_folder(), ours, digests)
            chosen = [self.show(entry.id) for entry in chosen]
        limits = Limits(*within_reason(timeout, memory))
        runnable = Consent(self._trusted(), trust)
        return verify(self._database, chosen, runnable, limits, paced(progress))

    @door
    def import_file(
        self,
        path: str | os.PathLike[str],
        *,
        collection: str | None = None,
        format: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Add the entries of a file: all of them, or none and a `BadData` that names the line.

        The collection is named after the file unless ``collection`` says otherwise. A folder
        of the form of ``data/`` names its collections itself, and has no ``format``. Where
        ``progress`` raises `Cancelled`, nothing is added.
        """
        from kb.exchange import read_file
        from kb.service.storage import store

        file, tell = Path(path), paced(progress)
        if file.is_dir():
            if collection is not None or format is not None:
                raise UsageError(f"{file}: a folder names its own collections and has one format")
            batch = _read_folder(file, tell)
        else:
            batch = read_file(file, format, tell)
        name = clean(collection or file.stem).strip()
        if not name:
            raise UsageError("a collection needs a name")
        return store(self._database, batch, name, dry_run=dry_run, progress=tell)

    @door
    def export(
        self,
        format: str,
        target: str | os.PathLike[str] | BinaryIO,
        *,
        filters: Filters | None = None,
        ids: Iterable[str] | None = None,
    ) -> int:
        """Write the knowledge base, or what passes the filters; return the number of entries.

        ``ids`` narrows it to these entries. Raises `UsageError` for an unknown format.
        ``target`` is a path, which is replaced whole or not at all, or a binary file.
        """
        from kb.service.output import write_book, write_copy
        from kb.service.storage import collect
        from kb.store.sqlite.conditions import Condition, Every, Named, from_filters

        condition: Condition = from_filters(clean_filters(filters))
        if ids is not None:
            condition = Every((condition, Named(tuple(map(clean, ids)))))
        if isinstance(target, str | os.PathLike) and same_file(target, self.path):
            raise Conflict(f"{os.fspath(target)}: this is the database itself")
        if format == "sqlite":
            return write_copy(self._database, condition, target)
        book = collect(self._database, condition)
        write_book(format, book, target)
        return len(book.entries)

    @door
    def add_glossary(
        self, path: str | os.PathLike[str], *, languages: tuple[str, str] = ("en", "fa")
    ) -> GlossaryReport:
        """Use a reader's own dictionary for searching across languages.

        The file is a table with tabs whose first two columns are words of these languages.
        It is known by its file name: adding it again replaces what it gave before.
        """
        from kb.content.dictionary import read_dictionary
        from kb.records import GlossaryReport
        from kb.store.sqlite import glossary

        file = Path(path)
        concepts = read_dictionary(file, languages)
        name = clean(f"user/{file.stem}")
        with self._database.writing() as connection:
            glossary.put_names(connection, glossary.rows_of(concepts), name)
        return GlossaryReport(file.stem, len(concepts))

    @door
    def translate(self, text: str) -> dict[str, builtins.list[str]]:
        """Return the names of a term in other languages, by language, the best first."""
        from kb.query.translation import translations

        with self._database.errors():
            return translations(self._database.connection, clean(text))

    @door
    def export_formats(self) -> dict[str, str]:
        """Return the formats an export can have, each with a line about it."""
        from kb.exchange import EXPORTERS

        return {name: known.summary for name, known in EXPORTERS.items()}

    @door
    def import_endings(self) -> tuple[str, ...]:
        """Return how the names of files end that can be imported."""
        from kb.exchange import IMPORTERS

        return tuple(ending for known in IMPORTERS.values() for ending in known.suffixes)

    @door
    def rebuild(self, progress: Progress | None = None) -> int:
        """Make the index anew from the stored texts; return the number of documents.

        Where ``progress`` raises `Cancelled`, the index stays as it was.
        """
        from kb.index.fts5 import index

        with self._database.writing() as connection:
            return index.rebuild(connection, paced(progress))

    @door
    def info(self) -> dict[str, object]:
        """Return paths, versions, counts and the state of the index."""
        from kb.service.diagnose import info

        return info(self._database)

    @door
    def doctor(self) -> Sequence[Check]:
        """Return for each check its name, whether all is well, what was found, what mends it."""
        from kb.service.diagnose import examine

        return examine(self._database)

    def _trusted(self) -> frozenset[str]:
        from kb.content.location import bundled_folder
        from kb.content.snippets import trusted_digests
        from kb.evidence.trust import trusted_by_reader

        return trusted_digests(bundled_folder() / "snippets") | trusted_by_reader()

    def _chosen(self, ids: Sequence[str]) -> Sequence[Entry]:
        """Return the entries of these ids (or of annotations of these ids), or all with any."""
        from kb.store.sqlite import queries
        from kb.store.sqlite.conditions import Every

        with self._database.errors():
            connection = self._database.connection
            _, every = queries.select(connection, Every())
            owners = queries.annotation_owners(connection)
            if not ids:
                annotated = set(owners.values())
                return [self.show(entry) for entry, _ in every if entry in annotated]
            known = {entry for entry, _ in every}
        chosen = dict.fromkeys(owners.get(name, name) for name in map(clean, ids))
        for name in chosen:
            if name not in known:
                raise self._not_found("entry or annotation", name)
        return [self.show(name) for name in chosen]

    def _not_found(self, kind: str, name: str) -> NotFound:
        from kb.store.sqlite import queries

        known = queries.known_ids(self._database.connection)
        return NotFound(f"there is no {kind} '{clean(name)}'", nearest(clean(name), known))


def _read_folder(folder: Path, progress: Progress) -> Batch:
    from kb.content.folder import read_content
    from kb.exchange.book import Batch, Book

    content = read_content(folder, progress=progress)
    return Batch(Book(content.entries, content.sources, content.collections), own=True)
