"""Entries written: what changed is renewed, in the store and in the index alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kb.errors import Conflict
from kb.records import Entry
from kb.records.document import Document
from kb.service.base import Base
from kb.store.port import Owner

Change = Literal["added", "updated", "unchanged"]


def put_entry(base: Base, entry: Entry, owner: Owner, position: int | None = None) -> Change:
    """Store an entry with what a reader added to it elsewhere, or renew it where it changed.

    Raises `Conflict` when a stored entry or snippet of that name is another owner's. The
    caller holds the transaction.
    """
    stored = base.store.entries.state(entry.id)
    if stored is not None and stored.digest == entry.digest:
        if position is not None:
            base.store.entries.move(entry.id, position)
        if entry.given != entry:
            with base.renewing(entry.id):
                put_additions(base, entry)
        return "unchanged"
    if stored is not None and (
        stored.owner != owner or (owner == "user" and stored.collection != entry.collection)
    ):
        raise Conflict(
            f"{entry.id}: another entry of that name is already stored",
            "Change the id, or import into an empty database ('kb init --empty').",
        )
    if stored is not None:
        base.index.remove(base.store.entries.documents([entry.id]))
    base.store.entries.put(entry, owner, position)
    put_additions(base, entry)
    base.index.add(_documents(base, entry))
    return "added" if stored is None else "updated"


def _documents(base: Base, entry: Entry) -> Sequence[Document]:
    """Store what is searched of an entry, with all that a reader added to it."""
    documents = base.store.entries.put_documents(entry.given)
    if base.store.additions.holds(entry.id):
        (whole,) = base.store.entries.get([entry.id]).values()
        documents = base.store.entries.put_documents(whole)
    return documents


def put_additions(base: Base, entry: Entry) -> None:
    """Store what a reader added to an entry elsewhere. Raises `Conflict`."""
    for annotation in entry.annotations:
        if annotation.own:
            base.store.additions.put_annotation(entry.id, annotation)
    for snippet in entry.snippets:
        if snippet.own:
            base.store.additions.put_snippet(entry.id, snippet)
