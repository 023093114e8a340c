"""The Anki packages that an import with reviews kept."""

from __future__ import annotations

from collections.abc import Sequence

from kb.errors import KbError, Message
from kb.formats.book import Package
from kb.model.entry import Entry
from kb.store.sqlite.store import Store

_AT_ONCE = 200


def kept_package(store: Store, ids: Sequence[str]) -> Package | None:
    """Return the package that all of these entries came from, if it was kept."""
    guids, files = {}, set()
    for start in range(0, len(ids), _AT_ONCE):
        for id, record in store.ledger.of_entries(ids[start : start + _AT_ONCE]).items():
            guids[id] = record.place
            files.add(record.file)
    data = store.media.package(*files) if len(files) == 1 and len(guids) == len(ids) else None
    return None if data is None else Package(data, guids)


def why_not_back(store: Store, before: Entry, after: Entry) -> Message | None:
    """Return why an edit cannot go back into the entry's kept package.

    There is nothing to say if no text changed, or if an earlier edit could not go back.
    """
    if (before.question, before.answers) == (after.question, after.answers):
        return None
    package = kept_package(store, [after.id])
    if package is None:
        return None
    from kb.formats.anki.repacking import why_refused

    try:
        return why_refused(package, before, after)
    except KbError:
        return None  # an export tells what is wrong with the package
