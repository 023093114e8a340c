"""What files say by now of the entries that were taken from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from kb.errors import NotFound, UsageError
from kb.model.entry import Entry
from kb.model.entry_json import content_digest, difference, entry_of, fields_of
from kb.service.base import Service, clean_names, door
from kb.service.write import added_to, packed, unpacked, write_entry

if TYPE_CHECKING:
    from kb.model.changes import Record
    from kb.service.recording import Edited

Side = Literal["mine", "theirs"]
"""Whose words stay: the reader's, or those of the file."""

THEIRS, BASE, DIGEST = "theirs", "base", "digest"


class Contested(NamedTuple):
    """A field that was changed here and in the file: as it was taken, as it is here and there."""

    entry: str
    field: str
    base: object
    mine: object
    theirs: object


class Gone(NamedTuple):
    """An entry whose record is in its file no more; ``kept`` says why pruning leaves it."""

    entry: str
    file: str
    kept: str = ""


class Files(Service):
    """What is gone from files, and what was changed here and there."""

    @door
    def contested(self, ids: Iterable[str] = ()) -> Sequence[Contested]:
        """Return the fields that were changed on both sides, of these entries or of all."""
        ledger = self._base.store.ledger
        wanted = clean_names("ids", ids) or ledger.contested()
        records = ledger.of_entries(wanted)
        entries = self._base.store.entries.get(list(records))
        return [
            each
            for name, record in records.items()
            if name in entries
            for each in _contested(entries[name], record)
        ]

    @door
    def resolve(self, ids: Iterable[str], side: Side) -> Edited:
        """Let one side's words stay where both were changed. Raises `NotFound`."""
        from kb.service.recording import RECORD, Edited, recording

        if side not in ("mine", "theirs"):
            raise UsageError("a side is 'mine' or 'theirs', not '{side}'", side=side)
        names = clean_names("ids", ids)
        with recording(self._base, "resolve") as recorder:
            records = self._base.store.ledger.of_entries(names)
            for name in names:
                entry, record = self._base.entry(name), records.get(name)
                if record is None or record.theirs is None:
                    raise NotFound("{name} was not changed on both sides", name=name)
                after = entry if side == "mine" else _taken(entry, record)
                state = self._base.store.entries.state(name)
                assert state is not None
                if after != entry:
                    recorder.entry(entry, after)
                    write_entry(self._base, after, state.owner, state.position)
                settled = _settled(after, record)
                for field in (THEIRS, BASE, DIGEST):
                    before, now = getattr(record, field), getattr(settled, field)
                    if before != now:
                        recorder.field(name, RECORD + field, before, now)
                self._base.store.ledger.put(settled)
        return Edited(names, recorder.id)

    @door
    def gone(self) -> Sequence[Gone]:
        """Return the entries whose records are gone from their files."""
        names = self._base.store.ledger.gone()
        entries = self._base.store.entries.get(names)
        records = self._base.store.ledger.of_entries(names)
        return [
            Gone(name, records[name].file, _reason(entries[name], records[name]))
            for name in names
            if name in entries
        ]

    @door
    def prune(self) -> Edited:
        """Remove what is gone from its files, but what the reader has changed or noted on."""
        from kb.service.edit import Edit
        from kb.service.recording import Edited

        names = [each.entry for each in self.gone() if not each.kept]
        if not names:
            return Edited((), None)
        return Edit(self._base).remove(names, action="prune")


def _reason(entry: Entry, record: Record) -> str:
    if record.base is not None:
        return "you changed it"
    return "you added notes or programs to it" if added_to(entry) else ""


def _contested(entry: Entry, record: Record) -> Iterable[Contested]:
    if record.theirs is None:
        return
    mine, theirs = fields_of(entry.given), unpacked(record.theirs, entry.id)
    base = unpacked(record.base, entry.id) if record.base else mine
    for name, (here, there) in difference(mine, theirs).items():
        if name != "collection" and base.get(name) != there:
            yield Contested(entry.id, name, base.get(name), here, there)


def _taken(entry: Entry, record: Record) -> Entry:
    """Return an entry as its file has it, where it stands, with what the reader added."""
    assert record.theirs is not None
    place = {"id": entry.id, "collection": entry.collection}
    added = {
        name: value
        for name, value in fields_of(entry).items()
        if isinstance(value, dict) and value.get("own")
    }
    return entry_of({**unpacked(record.theirs, entry.id), **place, **added}, entry.id)


def _settled(entry: Entry, record: Record) -> Record:
    """Return a record that has taken what its file says."""
    assert record.theirs is not None
    said = entry_of(unpacked(record.theirs, entry.id), entry.id)
    same = content_digest(said) == content_digest(entry) and said.collection == entry.collection
    base = None if same else packed(said)
    return record._replace(theirs=None, digest=content_digest(said), base=base)
