"""Changes as they are made: each in one transaction with the rows of the journal on it."""

from __future__ import annotations

import contextlib
import getpass
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from kb.model.changes import Change, FieldChange, What
from kb.model.entry import Entry
from kb.model.entry_json import difference, fields_of
from kb.service.base import Base

HIDDEN = "hidden"
"""The field that says whether a reader has hidden an entry."""

RECORD = "record."
"""How the fields begin that say what is known of an entry's origin."""

OWNER, POSITION, LAYER = "owner", "position", "layer"
"""What is told of an entry beside its own fields: whose it is, where in its collection, and
with which import it is there."""

ADDED = "added"
"""The field that tells in which order a reader's notes and programs of an entry stood."""

COLLECTION = "collection."
"""How the fields begin that tell of a collection: its title before and after."""

PLACE = "place."
"""How the fields begin that tell where a collection stood, and its layer."""

RENAMED, FILES = "renamed", "files"
"""The fields of a collection's change that say its name before and after, and which files are
taken into it."""


class Recorder:
    """What a change does, field by field, in the order in which it does it."""

    def __init__(self) -> None:
        self.fields: list[FieldChange] = []
        self.id: str | None = None
        """The id of the change, once it is recorded; none where nothing changed."""

    def entry(self, before: Entry | None, after: Entry | None) -> None:
        """Tell what became of an entry: made, removed, or which of its fields changed."""
        known = before or after
        assert known is not None
        if before is None or after is None:
            old, new = (None if e is None else fields_of(e) for e in (before, after))
            self.field(known.id, None, old, new)
            return
        for name, (old_value, value) in difference(fields_of(before), fields_of(after)).items():
            self.field(known.id, name, old_value, value)

    def field(self, entry: str | None, name: str | None, before: Any, after: Any) -> None:
        """Tell of one field."""
        self.fields.append(FieldChange(entry, name, before, after))


class Edited(NamedTuple):
    """The entries an action was done to, and its change; none where nothing changed.

    ``hidden`` are those of them that came with danesh and are only hidden.
    """

    ids: tuple[str, ...]
    change: str | None
    hidden: tuple[str, ...] = ()


@contextmanager
def recording(base: Base, action: str, what: What = "write") -> Iterator[Recorder]:
    """Give what is to be told of a change, within the transaction that makes it.

    ``action`` is the command. At the end it becomes one change of the journal, unless nothing
    changed; what was undone before, by whomever, can then be redone no more.
    """
    recorder = Recorder()
    with base.store.transaction():
        yield recorder
        if recorder.fields:
            recorder.id = append(base, action, what, tuple(recorder.fields))


@contextmanager
def recorded(base: Base, action: str, ids: Sequence[str]) -> Iterator[Recorder]:
    """Record what a block does to what these entries consist of, and let searches find it."""
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
    """Add a change to the journal, and return its id. The caller holds the transaction."""
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
    change = Change(id, at, _who(), what, action, layer=layer, of=of, session=base.session)
    journal.append(change._replace(fields=tuple(numbered)))
    return id


def later_id(last: str) -> str:
    """Return a UUID of version 7 (RFC 9562, §5.7) that sorts behind another one.

    >>> later_id("01900000-0000-7000-8000-000000000000") > "01900000-0000-7000-8000-000000000000"
    True
    >>> later_id("ffffffff-ffff-7fff-bfff-fffffffffffd")
    'ffffffff-ffff-7fff-bfff-fffffffffffe'
    """
    number = time.time_ns() // 1_000_000 << 80 | int.from_bytes(os.urandom(10))
    fresh = _uuid(number & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62)
    # A clock that was set back, or one that stands still, gives no earlier id.
    return fresh if fresh > last else _uuid(int(last.replace("-", ""), 16) + 1)


def _uuid(number: int) -> str:
    digits = f"{number:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _who() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "reader"
