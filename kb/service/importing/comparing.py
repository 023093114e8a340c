"""What an import makes of one record: a comparison of three, and no winner in silence."""

from __future__ import annotations

import dataclasses
from typing import Literal, NamedTuple

from kb.contract.entry import content_digest, entry_of, fields_of
from kb.records import Entry
from kb.records.changes import Record
from kb.service.merging import merge
from kb.service.origins import packed, record_of, unpacked
from kb.service.write import added_to

Outcome = Literal["added", "updated", "unchanged", "conflict"]
"""What becomes of a record: ``conflict`` where it was changed here and in its file."""


class Decision(NamedTuple):
    """What an import does with one record.

    ``entry`` is to be stored, or is nothing where what is there stays; ``found`` is what is
    there; ``record`` is to be remembered, ``remembers`` where that is news.
    """

    outcome: Outcome
    record: Record
    entry: Entry | None = None
    found: Entry | None = None
    remembers: bool = True


def decide(entry: Entry, record: Record, found: Entry | None) -> Decision:
    """Compare what a file says now with what it said before, and with what a reader made of it.

    ``record`` is how the entry was known before, with its place in the file as it is now.
    """
    now = record_of(entry, record)
    if found is None:
        return Decision("added", now._replace(gone=False, base=None, theirs=None), entry)
    now = now._replace(gone=False)
    said, fresh = now.digest, now._replace(digest=record.digest)
    if said == content_digest(found):
        settled = fresh._replace(digest=said, base=_base(entry, found), theirs=None)
        return _with_additions(Decision("unchanged", settled, None, found), entry)
    if said == record.digest:
        return Decision("unchanged", fresh._replace(theirs=None), None, found)
    if record.digest and record.base is None:
        return Decision("updated", fresh._replace(digest=said, theirs=None), entry, found)
    if not record.digest or record.base is None:
        base = record.base or packed(found)
        return Decision("conflict", fresh._replace(base=base, theirs=packed(entry)), None, found)
    return _merged(entry, fresh, record.base, found)


def moved(decision: Decision, before: str | None, collection: str) -> Decision:
    """Return a decision about an entry whose file is now taken into another collection.

    It follows the file, unless the reader has put it elsewhere.
    """
    found = decision.found
    if found is None or before is None or found.collection != before:
        return decision
    if decision.outcome not in ("unchanged", "updated"):
        return decision
    entry = dataclasses.replace(decision.entry or found, collection=collection)
    return decision._replace(outcome="updated", entry=entry)


def _merged(entry: Entry, fresh: Record, base: str, found: Entry) -> Decision:
    """Put together what both changed; where they contradict each other, both are kept."""
    place = {"collection": found.collection}
    theirs = {**fields_of(entry), **place}
    merged = merge({**unpacked(base, entry.id), **place}, fields_of(found), theirs)
    if merged.contested:
        return Decision("conflict", fresh._replace(theirs=packed(entry)), None, found)
    kept = fresh._replace(digest=content_digest(entry), base=packed(entry), theirs=None)
    return Decision("updated", kept, entry_of(merged.fields, entry.id), found)


def _base(entry: Entry, found: Entry) -> str | None:
    """Return what is kept of a file whose entry says the same, but stands elsewhere."""
    return None if entry.collection == found.collection else packed(entry)


def _with_additions(decision: Decision, entry: Entry) -> Decision:
    """Take over what a reader added to the same entry elsewhere."""
    found = decision.found
    assert found is not None
    here = added_to(found)
    notes = tuple(a for a in entry.annotations if a.own and a.id not in here)
    programs = tuple(s for s in entry.snippets if s.own and s.id not in here)
    if not notes and not programs:
        return decision
    whole = dataclasses.replace(
        found,
        annotations=(*found.annotations, *notes),
        snippets=(*found.snippets, *programs),
    )
    return decision._replace(entry=whole)
