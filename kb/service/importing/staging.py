"""Stores an import: hidden, in short steps, then shown in one step.

Others can write in between. If it is interrupted before it is shown, the same import resumes it,
and another one deletes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING

from kb.errors import Cancelled, Conflict
from kb.formats.book import Batch, Book, Shelf
from kb.model.changes import FieldChange, Record
from kb.model.documents import Document
from kb.model.entry import Entry, digest
from kb.model.results import Progress, silent
from kb.service.base import Base
from kb.service.finishing import purge, settle, sweep, unstopped, version_of
from kb.service.importing.materials import Material
from kb.service.importing.planning import Decision, Plan, is_step
from kb.service.write import COLLECTION, append, is_plain, put_entry, unpacked
from kb.work import undisturbed

if TYPE_CHECKING:
    from kb.search.index.bulk import Bulk

_PLACES = 5000

_AT_ONCE = 500
"""Entries of a transaction. It usually takes less than half a second: others can write, and no
waiting writer is notified twice.
"""

_LONG = 2 << 20
"""Characters of answers in one transaction, which are in memory at once."""


class Work:
    """An import in progress; ``name`` identifies it.

    ``summary`` returns the data for the change log, after all decisions.
    """

    def __init__(
        self, base: Base, plans: Sequence[Plan], name: str, summary: Callable[[], FieldChange]
    ) -> None:
        self._base = base
        self._plans = plans
        self._name = name
        self._summary = summary
        self._media = [plan.placed.batch.book.media for plan in plans]
        self._total = sum(map(len, plans))
        self._done = 0
        self._layer: int | None = None

    def store(self, tell: Progress) -> str | None:
        """Store what the plans say and show it; return the change, or nothing.

        Raises `Conflict` if another owner has a name in it; nothing is then stored.
        """
        change = self._staged(tell)
        if change is not None:
            settle(self._base, unstopped(tell))
        self._keep_reviews()
        self._remember_places()
        return change

    def _staged(self, tell: Progress) -> str | None:
        """Store entries in steps."""
        sweep(self._base, tell, self._name)
        decisions = self._decisions(tell)
        try:
            with self._base.index.bulk() as indexing:
                while some := _taken(decisions):
                    with undisturbed():
                        self._step(some, indexing)
                    tell(self._done, self._total)
                indexing.finish()
            if self._layer is None:
                return None
            self._index_left(self._layer)
            with self._base.store.transaction():
                return self._show()
        except Cancelled:
            raise  # what is staged saves the same import its way
        except Exception:
            if self._layer is not None:
                purge(self._base, self._layer, silent)
            raise

    def _step(self, some: Sequence[Decision], indexing: Bulk) -> None:
        """Stage some decisions in a transaction, unless nothing is to be stored so far."""
        if self._layer is None and not any(map(is_step, some)):
            self._done += len(some)
            return
        with self._base.store.transaction():
            self._base.store.layers.beat(self._open_layer())
            documents = self._stage(some)
        if documents:
            indexing.take(documents)

    def _decisions(self, tell: Progress) -> Iterator[Decision]:
        def looked_at(done: int, total: int) -> None:
            tell(self._done, self._total)

        return (decision for plan in self._plans for decision in plan.decisions(looked_at))

    def _open_layer(self) -> int:
        """Return the layer of this work: the interrupted one, or a new one."""
        if self._layer is None:
            layers, layer = self._base.store.layers, staged_layer(self._base, self._name)
            if layer is not None:
                layers.forget_versions(layer)  # what they were compared with may have changed
            layer = layers.begin(self._name) if layer is None else layer
            for placed in (plan.placed for plan in self._plans):
                _put_sources(self._base, placed.batch.book, placed.material.name)
                known = self._base.store.ledger.collection_of(placed.material.file)
                if placed.collection and placed.collection != known:
                    file = placed.material.file
                    self._base.store.ledger.put_file(file, placed.collection, layer)
            self._layer = layer
        return self._layer

    def _stage(self, decisions: Sequence[Decision]) -> list[Document]:
        """Store new entries hidden, new versions of existing ones, and their media.

        Returns the documents of text-only entries, which are to be indexed.
        """
        base, layer = self._base, self._open_layer()
        steps = [*filter(is_step, decisions)]
        named = {name for step in steps for name in _shown_media(step)}
        for sha256 in base.store.media.missing(named) if named else ():
            data = next(media[sha256] for media in self._media if sha256 in media)
            base.store.media.put(sha256, data)
        new = []
        for step in steps:
            if step.outcome == "added" and step.entry is not None:
                new.append((step.entry, step.record))
            else:
                version = version_of(step.record, step.entry, step.found)
                base.store.layers.put_version(layer, version)
        self._done += len(decisions)
        return _stage_new(base, new, layer)

    def _keep_reviews(self) -> None:
        """Store the reviews of entries under their ids here, and the packages of their cards."""
        for each in (plan.placed for plan in self._plans if plan.placed.batch.package):
            with self._base.store.transaction():
                self._base.store.media.put_package(each.material.file, each.batch.package)
        for placed in (plan.placed for plan in self._plans if plan.placed.batch.book.reviews):
            reviews = placed.batch.book.reviews
            pairs = ((was.id, entry.id) for was, entry in placed.pairs() if was.id in reviews)
            while some := list(islice(pairs, _PLACES)):
                with self._base.store.transaction():
                    self._base.store.reviews.put({id: reviews[was] for was, id in some})

    def _index_left(self, layer: int) -> None:
        """Index what was staged before an interruption."""
        store, index = self._base.store, self._base.index
        left = iter(index.unknown(store.layers.documents(layer)))
        while some := list(islice(left, _PLACES)):
            with store.transaction():
                # Somebody may have rebuilt the whole index since.
                entries = store.entries.holding(index.unknown(some))
                index.add(store.entries.documents(entries))

    def _show(self) -> str:
        """Show the staged entries with their collections."""
        base, layer = self._base, self._open_layer()
        titles: dict[str, Mapping[str, str]] = {}
        for plan in self._plans:
            titles |= plan.placed.batch.book.collections
            titles |= {name: {} for name in plan.tally.news if name not in titles}
        renamed = [told for name in titles for told in _shown(base, name, titles[name], layer)]
        base.show(layer, True)
        return append(base, "import", "import", (self._summary(), *renamed), layer=layer)

    def _remember_places(self) -> None:
        """Store the current places of a file's records."""
        moved = (plan.placed for plan in self._plans if plan.tally.moved)
        places = (place for placed in moved for place in placed.places())
        while some := list(islice(places, _PLACES)):
            with self._base.store.transaction():
                self._base.store.ledger.put_places(some)


def staged_layer(base: Base, work: str) -> int | None:
    """Return the layer in which this work was interrupted, if any."""
    return next((n for n, known, _ in base.store.layers.staged() if known == work), None)


def _shown_media(step: Decision) -> Iterator[str]:
    """Yield the digests of media that a decision's entry shows, or its file's version."""
    if step.entry is not None:
        yield from (each.sha256 for each in step.entry.media)
    if step.record.theirs is not None:
        theirs = unpacked(step.record.theirs, step.record.entry)
        yield from (each["sha256"] for each in theirs.get("media", ()))


def work_of(named: str | None, files: Iterable[tuple[Material, Batch]]) -> str:
    """Return the identity of an import: its files and their content."""
    said = (f"{material.file} {_said(batch)}" for material, batch in files)
    return digest("\n".join((named or "", *said)))


def _said(batch: Batch) -> str:
    entries = batch.book.entries
    if isinstance(entries, Shelf):
        return entries.digest
    return digest("\n".join(f"{entry.id} {entry.digest}" for entry in entries))


def _taken(decisions: Iterator[Decision]) -> list[Decision]:
    """Return the next decisions, limited by number and length of texts."""
    some, length = [], 0
    for decision in decisions:
        some.append(decision)
        answers = () if decision.entry is None else decision.entry.answers
        length += sum([len(answer.text) for answer in answers])
        if len(some) == _AT_ONCE or length > _LONG:
            break
    return some


def _stage_new(base: Base, new: Sequence[tuple[Entry, Record]], layer: int) -> list[Document]:
    """Store new entries hidden; a deleted one is restored as a change.

    Returns the documents of text-only entries.
    """
    ids = [entry.id for entry, _ in new]
    states, taken = base.store.entries.states(ids), base.store.entries.taken_of(ids)
    fresh = []
    for name in dict.fromkeys(entry.collection for entry, _ in new):
        base.store.collections.put(name, {}, layer)
    for entry, record in new:
        state = states.get(entry.id)
        if state is not None:
            if state.shown or state.layer != layer:
                raise Conflict(
                    "another program has just used this name", "Import it again.", place=entry.id
                )
            continue  # it was staged before the interruption
        if entry.id in taken:
            base.store.layers.put_version(layer, version_of(record, entry, None))
        else:
            fresh.append((entry, record))
    documents = _put_new(base, fresh, layer)
    base.store.ledger.put(*(record._replace(layer=layer) for _, record in fresh))
    return documents


def _put_new(base: Base, fresh: Sequence[tuple[Entry, Record]], layer: int) -> list[Document]:
    """Store entries in order; return the documents of text-only ones, stored together."""
    documents: list[Document] = []
    for plain, some in groupby(fresh, key=lambda each: is_plain(each[0])):
        if plain:
            entries = [entry for entry, _ in some]
            documents += base.store.entries.put_new(entries, "user", layer)
            continue
        for entry, record in some:
            try:
                put_entry(base, entry, "user", layer=layer)
            except Conflict as error:
                place = record.file if record.line is None else f"{record.file}:{record.line}"
                raise Conflict(error.message, error.hint, place=place) from error
    return documents


def _put_sources(base: Base, book: Book, name: str) -> None:
    entries = base.store.entries
    known = {source.file: source.sha256 for source in entries.sources()}
    for source in book.sources:
        if known.get(source.file, source.sha256) != source.sha256:
            raise Conflict(
                "{file}: another source document of that name exists", place=name, file=source.file
            )
    entries.put_sources(s for s in book.sources if s.file not in known)


def _shown(base: Base, name: str, title: Mapping[str, str], layer: int) -> Iterator[FieldChange]:
    """Show a collection with a layer, or set its new title, and report it."""
    store = base.store.collections
    known = store.get(name) if store.there(name) else None
    if known is None:
        store.put(name, title, layer)
        store.light(name, title, layer)
    elif title and known.title != title:
        store.retitle(name, title)
        yield FieldChange(None, COLLECTION + name, known.title, dict(title))
