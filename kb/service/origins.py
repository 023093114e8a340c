"""What an entry's source last said, kept beside what a reader made of it."""

from __future__ import annotations

from kb.contract.codec import dumps, loads
from kb.contract.entry import Fields, content_digest, fields_of
from kb.records import Entry, short_digest
from kb.records.changes import BUNDLED, Record
from kb.service.base import Base


def keep_origin(base: Base, before: Entry, after: Entry) -> None:
    """Keep what an entry's source said, where a reader now changes it for the first time.

    Where the change leads back to that, nothing more is kept. The caller holds the transaction.
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
    """Return a record by which what its file says of an entry is known again."""
    return known._replace(
        heading=heading_digest(entry),
        answer=answer_digest(entry),
        digest=content_digest(entry),
    )


def heading_digest(entry: Entry) -> str:
    """Return what two records of one heading have in common, whatever their blanks and case."""
    words = (" ".join(text.casefold().split()) for text in entry.question.values())
    return short_digest("\n".join(words))


def answer_digest(entry: Entry) -> str:
    """Return what two records of one answer have in common; nothing where there is none."""
    words = " ".join(" ".join(answer.text.split()) for answer in entry.answers)
    return short_digest(words) if words else ""


def packed(entry: Entry) -> str:
    """Return what a source says of an entry as a text, without what a reader added."""
    return dumps(fields_of(entry.given), indent=None)


def unpacked(said: str, entry: str) -> Fields:
    """Return the fields that `packed` wrote."""
    fields: Fields = loads(said, entry)
    return fields
