"""Exports the knowledge base, or a part of it, to a file or stream."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

from kb.content.release import released
from kb.formats.book import Book
from kb.formats.delivery import Drafting, Target, deliver
from kb.formats.registry import EXPORTERS, exporter
from kb.model.clauses import Every, Named, Predicate, from_filters
from kb.model.entry import Entry
from kb.model.results import Filters, Page, silent
from kb.present.annotated import anchored
from kb.search.index import fts5
from kb.service.base import Service, checked_target, clean, clean_filters, clean_names
from kb.service.find import Find
from kb.service.opening import CONTENT, MEMORY, NO_CONTENT
from kb.service.packages import kept_package
from kb.service.study import Studied
from kb.store.sqlite.copies import fill_from, keep_only
from kb.store.sqlite.rows import Ref
from kb.store.sqlite.store import Store

SQLITE = "sqlite"
_AT_ONCE = 200


class Export(Service):
    """The export of entries."""

    def export(
        self,
        format: str,
        target: str | os.PathLike[str] | BinaryIO,
        *,
        filters: Filters | None = None,
        ids: Iterable[str] | None = None,
        query: str = "",
        raw_cells: bool = False,
        reviews: bool = False,
    ) -> int:
        """Write the knowledge base, or what matches the filters; return the number of entries.

        Some formats cannot hold every entry: a note is not a card.

        ``ids`` limits it to these entries, and ``query`` to its results. Table cells that a
        spreadsheet would compute get an apostrophe, which an import removes, unless ``raw_cells``
        is set. How entries were studied is written only with ``reviews``, in formats that hold
        it. Raises `UsageError` for an unknown format. ``target`` is a path, which is replaced
        atomically, or a binary file; a folder must be new or empty, else `Conflict` is raised.
        """
        predicate: Predicate = from_filters(clean_filters(filters))
        if clean("a query", query).strip():
            ids = Find(self._base).ids(query, filters=filters)
        if ids is not None:
            predicate = Every((predicate, Named(clean_names("ids", ids))))
        place = checked_target(target, self._base.path)
        if format == SQLITE and not raw_cells:
            return self._write_copy(predicate, place)
        write = exporter(format, raw_cells=raw_cells)
        counts: list[int] = []

        def make(out: BinaryIO | Path) -> None:
            with self._base.store.connection.snapshot():
                chosen = _chosen(self._base.store, predicate)
                book = _collect(self._base.store, predicate, chosen)
                if reviews:
                    kept = kept_package(self._base.store, chosen.ids)
                    book = replace(book, reviews=Studied(self._base), package=kept)
                written = write(book, out)
                counts.append(len(book.entries) if written is None else written)

        folder = EXPORTERS[format].folder
        deliver(place, Drafting(make, folder=folder, database=self._file()))
        return counts[-1]

    def formats(self) -> dict[str, str]:
        """Return the export formats with descriptions."""
        return {name: known.summary for name, known in EXPORTERS.items()}

    def endings(self) -> dict[str, str]:
        """Return the file suffixes of export formats; folders have none."""
        return {
            name: "" if known.folder else next(iter(known.suffixes), f".{name}")
            for name, known in EXPORTERS.items()
        }

    def _file(self) -> str | None:
        return None if self._base.path == MEMORY else self._base.path

    def _write_copy(self, predicate: Predicate, target: Target) -> int:
        """Write a database with the matching entries; return their number."""
        called = str(target) if isinstance(target, str | os.PathLike) else "the output"
        counts: list[int] = []

        def copy(draft: Path) -> None:
            fill_from(self._base.store.connection, str(draft), called)
            counts.append(_reduce(str(draft), predicate))

        deliver(target, Drafting(copy, by_name=True, database=self._file()))
        return counts[-1]


def _collect(store: Store, predicate: Predicate, chosen: _Chosen) -> Book:
    """Return the matching entries, with the sources they refer to."""
    stored = store.entries.sources()
    files = {file for entry in chosen for file in _files(entry)} if stored else set()
    names = {
        name
        for each in chosen.collections()
        for name in accumulate(each.split("/"), "{}/{}".format)
    }
    titles = store.catalog.collections()
    if predicate == Every():
        names |= titles.keys()  # the empty ones, too
    changed = cache(lambda: store.journal.changed(chosen.ids))
    return Book(
        chosen,
        tuple(source for source in stored if source.file in files),
        {name: title for name, title in titles.items() if name in names},
        store.media,
        {},
        lambda entry: changed().get(entry, 0),
        store.glossary.concept_names(),
    )


class _Chosen(Sequence[Entry]):
    """Entries of a store by id, read some at a time."""

    def __init__(self, store: Store, refs: Iterable[Ref]) -> None:
        self._entries = store.entries
        self.ids = [ref.entry for ref in refs]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(map(_told, self._entries.get(self.ids[number]).values()))
        (found,) = self._entries.get([self.ids[number]]).values()
        return _told(found)

    def __iter__(self) -> Iterator[Entry]:
        for start in range(0, len(self), _AT_ONCE):
            yield from self[start : start + _AT_ONCE]

    def collections(self) -> set[str]:
        """Return the collections of the entries."""
        ids, states = self.ids, self._entries.states
        found = (states(ids[n : n + _AT_ONCE]) for n in range(0, len(ids), _AT_ONCE))
        return {state.collection for some in found for state in some.values()}


def _told(entry: Entry) -> Entry:
    return released(anchored(entry))


def _chosen(store: Store, predicate: Predicate) -> _Chosen:
    """Return the listed entries that match a predicate."""
    return _Chosen(store, store.catalog.select(predicate, Page(None))[1])


def _reduce(path: str, predicate: Predicate) -> int:
    """Reduce a copy to matching entries without private data; return their number."""
    from kb.service.opening import open_base

    with open_base(path) as part:
        chosen = _chosen(part.store, predicate)
        book = _collect(part.store, predicate, chosen)
        with part.store.transaction():
            files = [source.file for source in book.sources]
            keep_only(part.store.connection, chosen.ids, book.collections, files)
            part.store.media.drop_unused()
            part.store.meta.put(CONTENT, NO_CONTENT)
            total = part.store.catalog.counts()["document"]
            # Its parts hold the words of what was changed or removed, too.
            part.index.rebuild(part.store.entries.documents(), total, silent)
            fts5.complete(part.store)
        part.store.compact()
    return len(chosen)


def _files(entry: Entry) -> Sequence[str]:
    answers = [answer.origin.file for answer in entry.answers if answer.origin]
    origins = [span.file for spans in entry.origins.values() for span in spans]
    return [*origins, *answers, *(a.target.file for a in entry.annotations)]
