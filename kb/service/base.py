"""An open knowledge base: its store, the index over it, and what keeps the two together."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from kb.errors import Message

if TYPE_CHECKING:
    from kb.errors import NotFound
    from kb.index.port import Index
    from kb.records import Entry, Progress
    from kb.store.sqlite.store import Store


class Base:
    """What every service works on. A service begins the transactions of what it does.

    The index is made by ``index_of`` when it is first asked: to open a file needs none.
    """

    def __init__(self, store: Store, index_of: Callable[[], Index]) -> None:
        self.store = store
        self.session = os.urandom(8).hex()
        """What tells the changes made through this object from those of any other."""
        self._index_of = index_of

    @functools.cached_property
    def index(self) -> Index:
        """The index over the store's documents."""
        return self._index_of()

    @property
    def path(self) -> str:
        """Where it is kept."""
        return self.store.path

    def entry(self, id: str) -> Entry:
        """Return an entry. Raises `NotFound`."""
        from kb.service.guard import clean

        name = clean("an entry", id)
        found = self.store.entries.get([name])
        if name not in found:
            raise self.not_found(Message("entry"), name)
        return found[name]

    def not_found(self, kind: Message, name: str) -> NotFound:
        """Return the error that there is none of this name, with the nearest there is."""
        from kb.errors import NotFound, nearest, shown

        known = self.store.catalog.similar_names(name)
        return NotFound(
            "there is no {kind} '{name}'", nearest(name, known), kind=kind, name=shown(name)
        )

    def tidy(self, progress: Progress) -> None:
        """Bring what was added in parts into the form that is asked fastest, and smallest.

        SQLite's own index follows first; what ``progress`` keeps it from is done another time.
        """
        from kb.errors import Cancelled
        from kb.index import fts5

        with suppress(Cancelled):
            fts5.update(self.store, progress)
        self.index.tidy(progress)
        self.store.give_back()

    def show(self, layer: int, shown: bool) -> None:
        """Let the entries of a layer be there or not; the caller holds the transaction."""
        from kb.index import fts5

        self.store.layers.show(layer, shown)
        fts5.follow(self.store, layer, shown=shown)

    @contextmanager
    def renewing(self, id: str) -> Iterator[None]:
        """Let searches find an entry by what is stored of it at the end of a change."""
        self.index.remove(self.store.entries.documents([id]))
        yield
        for entry in self.store.entries.get([id]).values():
            self.store.entries.put_documents(entry)
        self.index.add(self.store.entries.documents([id]))
