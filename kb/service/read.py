"""Reading: an entry whole, a program, and what there is to choose from."""

from __future__ import annotations

from kb.errors import NotFound
from kb.present.anchors import anchored
from kb.present.claims import proof_of
from kb.records import Entry, Snippet
from kb.service.base import Base
from kb.service.guard import clean, door


class Read:
    """What a reader reads."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def show(self, entry: str) -> Entry:
        """Return an entry with everything that belongs to it. Raises `NotFound`."""
        return anchored(self._base.entry(entry))

    @door
    def snippet(self, name: str) -> Snippet:
        """Return a snippet, the main one of an entry, or the one that proves an annotation.

        Raises `NotFound`.
        """
        asked = clean("a snippet", name)
        wanted = asked.removesuffix(".py")
        found = self._base.store.snippets.get([wanted]).get(wanted)
        if found is None:
            entry = self._base.store.entries.get([asked]).get(asked)
            found = entry.main_snippet() if entry else None
            if entry and not found:
                raise NotFound(f"{asked}: this entry has no snippet")
        if found is None:
            found = self._proof(asked)
        if found is None:
            raise self._base.not_found("snippet or entry", asked)
        return found

    def _proof(self, annotation: str) -> Snippet | None:
        """Return the program that measures what an annotation rests on, if it has any."""
        for entry in self._base.store.evidences.owners([annotation]).values():
            return proof_of(self._base.entry(entry), annotation)
        return None

    @door
    def collections(self) -> dict[str, dict[str, str]]:
        """Return the collections in order, each with its title by language."""
        return self._base.store.catalog.collections()

    @door
    def facets(self) -> dict[str, list[str]]:
        """Return the values that filters can have, by field: lang, collection, level, verdict."""
        return self._base.store.catalog.facets()
