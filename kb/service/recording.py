"""Records changes: each is one transaction, including its rows of the change log."""

from __future__ import annotations

import contextlib
import getpass
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from kb.errors import Message
from kb.model.changes import Change, FieldChange, What
from kb.model.entry import Entry
from kb.model.entry_json import difference, fields_of
from kb.service.base import Base

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

    def store(self, base: Base, action: str, what: What) -> None:
        """Add what was recorded to the change log, if anything was."""
        if self.fields:
            self.id = append(base, action, what, tuple(self.fields))


class Edited(NamedTuple):
    """The entries of an action and its change; none if nothing changed.

    ``hidden`` are bundled ones among them, which are only hidden. ``not_back`` is why an edit
    cannot go back into the kept Anki package of its entry, if that is so.
    """

    ids: tuple[str, ...]
    change: str | None
    hidden: tuple[str, ...] = ()
    not_back: Message | None = None


@contextmanager
def recording(base: Base, action: str, what: What = "write") -> Iterator[Recorder]:
    """Provide a recorder for a change, within its transaction.

    ``action`` is the command. At the end it becomes one change, unless nothing changed. That
    change clears the redo history.
    """
    recorder = Recorder()
    with base.store.transaction():
        yield recorder
        recorder.store(base, action, what)


@contextmanager
def recorded(base: Base, action: str, ids: Sequence[str]) -> Iterator[Recorder]:
    """Record what a block changes in these entries, and update the index."""
    with recording(base, action) as recorder, contextlib.ExitStack() as renewals:
        before = base.store.entries.get(ids)
        for id in ids:
            renewals.enter_context(base.renewing(id))
        yield recorder
        for id, after in base.store.entries.get(ids).items():
            recorder.entry(before.get(id), after)


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

    number = time.time_ns() // 1_000_000 << 80 | int.from_bytes(os.urandom(10))
    fresh = str(UUID(int=number & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62))
    # A clock that was set back, or one that stands still, gives no earlier id.
    return fresh if fresh > last else str(UUID(int=UUID(last).int + 1))


def who() -> str:
    """Return the name of the user of this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "reader"
