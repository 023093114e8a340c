"""Writes entries and records changes: store, index and change log in one transaction."""

from __future__ import annotations

import dataclasses
import getpass
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from kb.errors import Conflict, Message
from kb.model.changes import BUNDLED, Change, FieldChange, Record, What
from kb.model.documents import Document
from kb.model.entry import Entry, short_digest
from kb.model.entry_json import Fields, content_digest, difference, entry_of, fields_of
from kb.model.json import dumps, loads
from kb.service.base import Base
from kb.store.sqlite.rows import EntryState, Owner

HIDDEN = "hidden"
"""The field for hidden entries."""

RECORD = "record."
"""The prefix of fields about an entry's origin."""

OWNER, POSITION, LAYER = "owner", "position", "layer"
"""Fields of an entry outside its content: its owner, its position in its collection, and the layer
of its import."""

ADDED = "added"
"""The field for the order of a reader's notes and programs in an entry."""

COLLECTION = "collection."
"""The prefix of fields about a collection's title."""

PLACE = "place."
"""The prefix of fields about a collection's position and layer."""

RENAMED, FILES = "renamed", "files"
"""The fields for a collection's name before and after, and for the files imported into it."""


class Recorder:
    """Collects the field changes of an action, in order."""

    def __init__(self) -> None:
        self.fields: list[FieldChange] = []
        self.id: str | None = None
        """The id of the recorded change; none if nothing changed."""

    def entry(self, before: Entry | None, after: Entry | None) -> None:
        """Record the change of an entry: creation, deletion, or changed fields."""
        known = before or after
        assert known is not None
        if before is None or after is None:
            old, new = (None if e is None else fields_of(e) for e in (before, after))
            self.field(known.id, None, old, new)
            return
        for name, (old_value, value) in difference(fields_of(before), fields_of(after)).items():
            self.field(known.id, name, old_value, value)

    def field(self, entry: str | None, name: str | None, before: Any, after: Any) -> None:
        """Record the change of one field."""
        self.fields.append(FieldChange(entry, name, before, after))


class Edited(NamedTuple):
    """The entries of an action and its change; none if nothing changed.

    ``hidden`` are bundled ones among them, which are only hidden. ``not_back`` is why an edit
    cannot go back into the kept Anki package of its entry, if that is so. ``actions`` are those
    that an undo or redo replayed.
    """

    ids: tuple[str, ...]
    change: str | None
    hidden: tuple[str, ...] = ()
    not_back: Message | None = None
    actions: tuple[str, ...] = ()


@contextmanager
def recording(base: Base, action: str, what: What = "write") -> Iterator[Recorder]:
    """Provide a recorder for a change, within its transaction.

    ``action`` is the command. At the end it becomes one change, unless nothing changed. That
    change clears the redo history.
    """
    recorder = Recorder()
    with base.store.transaction():
        yield recorder
        if recorder.fields:
            recorder.id = append(base, action, what, tuple(recorder.fields))


@contextmanager
def recorded(base: Base, action: str, ids: Sequence[str]) -> Iterator[Recorder]:
    """Record what a block changes in these entries, and update the index."""
    entries = base.store.entries
    with recording(base, action) as recorder:
        before = entries.get(ids)
        base.index.remove(entries.documents(ids))
        yield recorder
        for id, after in entries.get(ids).items():
            recorder.entry(before.get(id), after)
            base.index.add(entries.put_documents(after))


def append(
    base: Base,
    action: str,
    what: What,
    fields: tuple[FieldChange, ...] = (),
    *,
    layer: int | None = None,
    of: str | None = None,
) -> str:
    """Add a change to the change log and return its id. The caller holds the transaction."""
    journal = base.store.journal
    if what in ("write", "import"):
        journal.mark([change.id for change in journal.undone()], "dropped")
    last = journal.last_id()
    numbered = []
    for field in fields:
        last = later_id(last)
        numbered.append(field._replace(id=last))
    id = numbered[0].id if numbered else later_id(last)
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    change = Change(id, at, who(), what, action, layer=layer, of=of, session=base.session)
    journal.append(change._replace(fields=tuple(numbered)))
    return id


def later_id(last: str) -> str:
    """Return a UUID of version 7 (RFC 9562, §5.7) that sorts after another one.

    >>> later_id("01900000-0000-7000-8000-000000000000") > "01900000-0000-7000-8000-000000000000"
    True
    >>> later_id("ffffffff-ffff-7fff-bfff-fffffffffffd")
    'ffffffff-ffff-7fff-bfff-fffffffffffe'
    """
    from uuid import UUID

    number = max(0, time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    fresh = str(UUID(int=number & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62))
    # A clock that was set back, even before 1970, or one that stands still gives no earlier id.
    return fresh if fresh > last else str(UUID(int=UUID(last).int + 1))


def who() -> str:
    """Return the name of the user of this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "reader"


# Changes are applied to store and index together.


Outcome = Literal["added", "updated", "unchanged"]
"""The outcome of writing an entry."""

Index = Callable[[Sequence[Document]], None]
"""Indexes documents, at once or later in the same transaction."""


def put_entry(
    base: Base,
    entry: Entry,
    owner: Owner,
    position: int | None = None,
    layer: int = 0,
    *,
    indexed: bool = True,
) -> Outcome:
    """Store or update an entry, keeping what a reader added to it.

    Callers that pass ``indexed`` as false rebuild the index afterwards. Raises `Conflict` if
    another owner has an entry or program of that name. The caller holds the transaction.
    """
    stored = base.store.entries.state(entry.id)
    if stored is not None and stored.digest == entry.digest:
        if position is not None:
            base.store.entries.move(entry.id, position)
        return "unchanged"
    if stored is not None and stored.owner != owner:
        raise Conflict(
            "another entry of that name is already stored",
            "Change the id, or import into an empty database ('kb init --empty').",
            place=entry.id,
        )
    if stored is not None:
        base.index.remove(base.store.entries.documents([entry.id]))
    base.store.entries.put(entry, owner, position, layer)
    put_additions(base, entry)
    documents = _put_documents(base, entry)
    if indexed:
        base.index.add(documents)
    return "added" if stored is None else "updated"


def write_entry(
    base: Base,
    entry: Entry,
    owner: Owner,
    position: int | None = None,
    layer: int = 0,
    *,
    index: Index | None = None,
) -> None:
    """Store an entry with exactly the reader's additions in it; a new one in a ``layer``.

    Its documents are indexed at once, or passed to ``index``. Raises `Conflict` if another owner
    has a name in it. The caller holds the transaction.
    """
    stored = base.store.entries.get([entry.id]).get(entry.id)
    base.index.remove(base.store.entries.documents([entry.id]))
    measured = entry if stored is None else _with_measured(entry, stored)
    base.store.entries.put(measured, owner, position, layer)
    for name in {*added_to(stored)}.difference(added_to(entry)) if stored else ():
        base.store.additions.remove(name)
    put_additions(base, entry)
    (index or base.index.add)(_put_documents(base, entry))


def _with_measured(entry: Entry, stored: Entry) -> Entry:
    """Return an entry with the measurements of its unchanged claims."""
    known = {each.id: each for each in stored.claims}
    return entry.with_claims(
        known[each.id]
        if dataclasses.replace(known.get(each.id, each), status=each.status) == each
        and each.id in known
        else each
        for each in entry.claims
    )


def _put_documents(base: Base, entry: Entry) -> Sequence[Document]:
    """Store the searchable texts of an entry, with the reader's additions, and return them."""
    documents = base.store.entries.put_documents(entry.given)
    if base.store.additions.holds(entry.id):
        # What is staged has only what came with it.
        whole = base.store.entries.get([entry.id]).get(entry.id, entry)
        documents = base.store.entries.put_documents(whole)
    return documents


def stand(
    base: Base,
    collection: str,
    recorder: Recorder | None = None,
    title: Mapping[str, str] | None = None,
) -> None:
    """Create a collection unless it exists, and record it."""
    if not base.store.collections.there(collection):
        base.store.collections.put(collection, title or {})
        if recorder is not None:
            recorder.field(None, COLLECTION + collection, None, dict(title or {}))


def is_plain(entry: Entry) -> bool:
    """Return whether an entry has only texts."""
    return not entry.snippets and not entry.claims


def remove_entry(base: Base, id: str) -> None:
    """Delete an entry and its additions from store and index."""
    base.index.remove(base.store.entries.documents([id]))
    base.store.entries.remove(id)


def delete_entry(base: Base, recorder: Recorder, entry: Entry, state: EntryState) -> None:
    """Delete an entry for a reader, and record what it was."""
    recorder.entry(entry, None)
    for name, value in ((OWNER, state.owner), (POSITION, state.position), (LAYER, state.layer)):
        recorder.field(entry.id, name, value, None)
    remove_entry(base, entry.id)
    base.store.entries.retire([entry.id])


def change_entry(
    base: Base,
    recorder: Recorder,
    before: Entry,
    after: Entry,
    state: EntryState,
    *,
    index: Index | None = None,
) -> None:
    """Store a changed entry, at the end of its collection if that is another, and record it.

    Its documents are indexed at once, or passed to ``index``.
    """
    position = state.position
    if after.collection != before.collection:
        position = base.store.entries.next_position(after.collection)
        recorder.field(before.id, POSITION, state.position, position)
    recorder.entry(before, after)
    keep_origin(base, before, after)
    write_entry(base, after, state.owner, position, index=index)


def hide_entry(base: Base, id: str, hidden: bool, recorder: Recorder | None = None) -> None:
    """Show or hide an entry in lists and search, and record it."""
    entries = base.store.entries
    state = entries.state(id)
    if state is None or state.hidden == hidden:
        return
    base.index.remove(entries.documents([id]))  # none that is hidden
    entries.hide(id, hidden)
    base.index.add(entries.documents([id]))
    if recorder is not None:
        recorder.field(id, HIDDEN, state.hidden, hidden)


def added_to(entry: Entry) -> list[str]:
    """Return the names of a reader's additions to an entry: programs, then notes."""
    programs = [each.id for each in entry.snippets if each.own]
    return programs + [each.id for each in entry.annotations if each.own]


def with_additions(entry: Entry, other: Entry) -> Entry:
    """Return an entry with a reader's additions to another version of it."""
    here = added_to(entry)
    notes = (a for a in other.annotations if a.own and a.id not in here)
    programs = (s for s in other.snippets if s.own and s.id not in here)
    return dataclasses.replace(
        entry, annotations=(*entry.annotations, *notes), snippets=(*entry.snippets, *programs)
    )


def put_additions(base: Base, entry: Entry) -> None:
    """Store a reader's additions to another version of an entry. Raises `Conflict`."""
    for snippet in entry.snippets:
        if snippet.own:
            base.store.additions.put_snippet(entry.id, snippet)
    for annotation in entry.annotations:
        if annotation.own:
            base.store.additions.put_annotation(entry.id, annotation)


# What an entry's source last said, kept beside what a reader made of it.


def keep_origin(base: Base, before: Entry, after: Entry) -> None:
    """Store the source's version of an entry at the reader's first change.

    If a change restores that version, it is no longer stored. The caller holds the transaction.
    """
    record = base.store.ledger.of_entries([before.id]).get(before.id)
    if record is None:
        state = base.store.entries.state(before.id)
        if state is None or state.owner != "bundled":
            return
        record = record_of(before, Record(before.id, BUNDLED, before.id, given=True))
    said = record.base or packed(before)
    same = record.digest == content_digest(after)
    same = same and loads(said, before.id)["collection"] == after.collection
    base.store.ledger.put(record._replace(base=None if same else said))


def record_of(entry: Entry, known: Record) -> Record:
    """Return a record that identifies an entry in its file."""
    return known._replace(
        heading=heading_digest(entry), answer=answer_digest(entry), digest=content_digest(entry)
    )


def heading_digest(entry: Entry) -> str:
    """Return a digest of a heading that ignores spaces and case."""
    words = (" ".join(text.casefold().split()) for text in entry.question.values())
    return short_digest("\n".join(words))


def answer_digest(entry: Entry) -> str:
    """Return a digest of an answer that ignores spaces and case; nothing without one."""
    words = " ".join(" ".join(answer.text.split()) for answer in entry.answers)
    return short_digest(words) if words else ""


def packed(entry: Entry) -> str:
    """Return the source's version of an entry as text, without a reader's additions."""
    return dumps(fields_of(entry.given), indent=None)


def unpacked(said: str, entry: str) -> Fields:
    """Return the fields that `packed` wrote."""
    fields: Fields = loads(said, entry)
    return fields


# What was changed here and in a file, and what is gone from one.


class Contested(NamedTuple):
    """A field in conflict: its imported value, and the values here and in the file."""

    entry: str
    field: str
    base: object
    mine: object
    theirs: object


def kept_for(entry: Entry, record: Record) -> str:
    """Return why an entry that is no longer in its file is kept, or nothing."""
    if record.base is not None:
        return "you changed it"
    return "you added notes or programs to it" if added_to(entry) else ""


def contested_in(entry: Entry, record: Record) -> Iterator[Contested]:
    """Yield the fields of an entry in conflict."""
    assert record.theirs is not None
    mine, theirs = fields_of(entry.given), unpacked(record.theirs, entry.id)
    base = unpacked(record.base, entry.id) if record.base else mine
    for name, (here, there) in difference(mine, theirs).items():
        if name != "collection" and base.get(name) != there:
            yield Contested(entry.id, name, base.get(name), here, there)


def taken(entry: Entry, record: Record) -> Entry:
    """Return an entry in the file's version, at its place, with the reader's additions."""
    assert record.theirs is not None
    place = {"id": entry.id, "collection": entry.collection}
    added = {
        name: value
        for name, value in fields_of(entry).items()
        if isinstance(value, dict) and value.get("own")
    }
    return entry_of({**unpacked(record.theirs, entry.id), **place, **added}, entry.id)


def accepted(entry: Entry, record: Record) -> Record:
    """Return a record that has accepted the file's version."""
    assert record.theirs is not None
    said = entry_of(unpacked(record.theirs, entry.id), entry.id)
    same = content_digest(said) == content_digest(entry) and said.collection == entry.collection
    base = None if same else packed(said)
    return record._replace(theirs=None, digest=content_digest(said), base=base)
