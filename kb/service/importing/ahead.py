"""What the index makes of new entries while those before them are stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kb.index.port import Prepare
from kb.records import Entry
from kb.records.document import Document, facts, searched_texts
from kb.service.importing.comparing import Decision


def is_plain(entry: Entry) -> bool:
    """Say whether an entry is of texts alone."""
    return not entry.snippets and not entry.annotations


class Ahead:
    """The new entries of texts alone among decisions, on their way through the index."""

    def __init__(self, decisions: Sequence[Decision], prepare: Prepare) -> None:
        new = (each.entry for each in decisions if each.outcome == "added")
        self._entries = [entry for entry in new if entry is not None and is_plain(entry)]
        self._ready: Callable[[], object] | None = None
        self.prepared: object | None = None
        """What the index has made of them, once that was waited for."""
        if self._entries:
            self._ready = prepare([each for entry in self._entries for each in _documents(entry)])

    def wait(self) -> None:
        """Wait until the index has made what it makes of them."""
        if self._ready is not None:
            self.prepared, self._ready = self._ready(), None

    def is_of(self, entries: Sequence[Entry]) -> bool:
        """Say whether these entries and no others are prepared."""
        return len(entries) == len(self._entries) and all(
            one is other for one, other in zip(entries, self._entries, strict=True)
        )


def _documents(entry: Entry) -> list[Document]:
    """Return the documents of an entry, before they have numbers."""
    return [
        Document(0, entry.id, lang, searched_texts(entry, lang), facts(entry, lang))
        for lang in entry.languages
    ]
