"""Differences between entries and where else they are: the files they came from, other copies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.errors import NotFound, UsageError
from kb.service.base import Service, clean_names

if TYPE_CHECKING:
    from kb.model.changes import Side
    from kb.service.write import Contested, Edited, Recorder
    from kb.store.sqlite.syncs import Space

THEIRS, BASE, DIGEST = "theirs", "base", "digest"

FILE = "sync_file"
"""Metadata: the path of the file that was last synced with."""

REVIEWS = "sync_reviews"
"""Metadata: that path, if the study log was exchanged, too."""


class Gone(NamedTuple):
    """An entry that is no longer in its file; ``kept`` is why pruning keeps it."""

    entry: str
    file: str
    kept: str = ""


class Unsynced(NamedTuple):
    """The number of changes that are not sent yet, and of entries with conflicts."""

    unsent: int
    conflicts: int


class Files(Service):
    """Entries removed from files, and conflicts."""

    def contested(self, ids: Iterable[str] = ()) -> Sequence[Contested]:
        """Return the fields changed on both sides, of these entries or all."""
        store, names = self._base.store, clean_names("ids", ids)
        known = store.ledger.of_entries(names or store.ledger.contested())
        records = {name: record for name, record in known.items() if record.theirs is not None}
        found: list[Contested] = []
        if records:
            from kb.service.write import contested_in

            for entry in store.entries.get(list(records)).values():
                found += contested_in(entry, records[entry.id])
        for space in store.syncs.spaces():
            disputed = store.syncs.disputed(space)
            if wanted := [id for id in disputed if id in names] if names else disputed:
                found += self._disputed(space, wanted)
        return tuple(found)

    def _disputed(self, space: Space, ids: Sequence[str]) -> Iterator[Contested]:
        """Yield the fields of entries in dispute with other copies."""
        from kb.service.merging import sides, state_of
        from kb.service.write import Contested
        from kb.sync.rows import EXISTS

        for id, stored in self._base.store.syncs.rows(space, ids).items():
            state = state_of(stored, space.me)
            for name, dispute in state.disputes.items():
                mine, theirs = sides(dispute, stored, space.me)
                values = (dispute.base, mine, theirs)
                if name == EXISTS:  # the title of an entry that is kept, or nothing
                    texts = (v for k, v in (state.fields or {}).items() if "question." in k)
                    title = next(texts, id)
                    values = (title, title if mine else None, title if theirs else None)
                yield Contested(id, name, *values)

    def _settle(self, recorder: Recorder, ids: Sequence[str], side: Side) -> set[str]:
        """Resolve the disputes of entries by a row, and return those that had some.

        The caller holds the transaction.
        """
        found: set[str] = set()
        for space in self._base.store.syncs.spaces():
            if some := [id for id in self._base.store.syncs.disputed(space) if id in ids]:
                from kb.service.merging import Merging

                Merging(self._base, space).resolve(recorder, some, side)
                found.update(some)
        return found

    def resolve(self, ids: Iterable[str], side: Side) -> Edited:
        """Resolve conflicts in favour of one side. Raises `NotFound`."""
        from kb.service.write import RECORD, Edited, accepted, recording, taken, write_entry

        if side not in ("mine", "theirs"):
            raise UsageError("a side is 'mine' or 'theirs', not '{side}'", side=side)
        names = clean_names("ids", ids)
        with recording(self._base, "resolve") as recorder:
            records = self._base.store.ledger.of_entries(names)
            merged = self._settle(recorder, names, side)
            for name in names:
                if name in merged and (name not in records or records[name].theirs is None):
                    continue
                entry, record = self._base.entry(name), records.get(name)
                if record is None or record.theirs is None:
                    raise NotFound("{name} has no conflict", name=name)
                after = entry if side == "mine" else taken(entry, record)
                state = self._base.store.entries.states([name])[name]
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

    def unsynced(self) -> Unsynced:
        """Return how much the places that were synced with do not have, or differ in."""
        if not self._base.store.syncs.spaces():
            return Unsynced(0, 0)
        with self._base.store.connection.snapshot():  # or a sync at work would be counted in part
            return self._unsynced()

    def _unsynced(self) -> Unsynced:
        base, syncs = self._base, self._base.store.syncs
        unsent = conflicts = 0
        for space in syncs.spaces():
            if not space.course and base.store.meta.get(FILE) is None:
                continue
            unsent += syncs.count_unsent(space)
            conflicts += len(syncs.disputed(space))
            if syncs.last_change() != space.seen:
                from kb.service.merging import STEP, Merging

                ids = syncs.touched(space.seen)
                # More are counted without a look at what is changed.
                some = len(ids) <= STEP
                unsent += Merging(base, space).underived(ids) if some else len(ids)
        return Unsynced(unsent, conflicts)

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

    def prune(self) -> Edited:
        """Delete entries that are no longer in their files, except changed or annotated ones."""
        from kb.service.edit import Edit
        from kb.service.write import Edited

        names = [each.entry for each in self.gone() if not each.kept]
        if not names:
            return Edited((), None)
        return Edit(self._base).remove(names, action="prune")
