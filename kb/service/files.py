"""Differences between entries and the files they came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.errors import NotFound, UsageError
from kb.service.base import Service, clean_names, door
from kb.service.disputes import Side, disputes, settle

if TYPE_CHECKING:
    from kb.service.recording import Edited
    from kb.service.write import Contested

THEIRS, BASE, DIGEST = "theirs", "base", "digest"


class Gone(NamedTuple):
    """An entry that is no longer in its file; ``kept`` is why pruning keeps it."""

    entry: str
    file: str
    kept: str = ""


class Files(Service):
    """Entries removed from files, and conflicts."""

    @door
    def contested(self, ids: Iterable[str] = ()) -> Sequence[Contested]:
        """Return the fields changed on both sides, of these entries or all."""
        ledger = self._base.store.ledger
        names = clean_names("ids", ids)
        return (*self._contested(names or ledger.contested()), *disputes(self._base, names))

    def _contested(self, wanted: Sequence[str]) -> Sequence[Contested]:
        ledger = self._base.store.ledger
        records = {n: r for n, r in ledger.of_entries(wanted).items() if r.theirs is not None}
        if not records:
            return ()
        from kb.service.write import contested_in

        entries = self._base.store.entries.get(list(records)).values()
        return [each for entry in entries for each in contested_in(entry, records[entry.id])]

    @door
    def resolve(self, ids: Iterable[str], side: Side) -> Edited:
        """Resolve conflicts in favour of one side. Raises `NotFound`."""
        from kb.service.recording import RECORD, Edited, recording
        from kb.service.write import accepted, taken, write_entry

        if side not in ("mine", "theirs"):
            raise UsageError("a side is 'mine' or 'theirs', not '{side}'", side=side)
        names = clean_names("ids", ids)
        with recording(self._base, "resolve") as recorder:
            records = self._base.store.ledger.of_entries(names)
            merged = settle(self._base, recorder, names, side)
            for name in names:
                if name in merged and (name not in records or records[name].theirs is None):
                    continue
                entry, record = self._base.entry(name), records.get(name)
                if record is None or record.theirs is None:
                    raise NotFound("{name} has no conflict", name=name)
                after = entry if side == "mine" else taken(entry, record)
                state = self._base.store.entries.state(name)
                assert state is not None
                if after != entry:
                    recorder.entry(entry, after)
                    write_entry(self._base, after, state.owner, state.position)
                renewed = accepted(after, record)
                for field in (THEIRS, BASE, DIGEST):
                    before, now = getattr(record, field), getattr(renewed, field)
                    if before != now:
                        recorder.field(name, RECORD + field, before, now)
                self._base.store.ledger.put(renewed)
        return Edited(names, recorder.id)

    @door
    def gone(self) -> Sequence[Gone]:
        """Return the entries that are no longer in their files."""
        from kb.service.write import kept_for

        names = self._base.store.ledger.gone()
        entries = self._base.store.entries.get(names)
        records = self._base.store.ledger.of_entries(names)
        return [
            Gone(name, records[name].file, kept_for(entries[name], records[name]))
            for name in names
            if name in entries
        ]

    @door
    def prune(self) -> Edited:
        """Delete entries that are no longer in their files, except changed or annotated ones."""
        from kb.service.edit import Edit
        from kb.service.recording import Edited

        names = [each.entry for each in self.gone() if not each.kept]
        if not names:
            return Edited((), None)
        return Edit(self._base).remove(names, action="prune")
