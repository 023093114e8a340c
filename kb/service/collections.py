"""Collections as a reader shapes them; slashes in their names make a tree of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from kb.errors import Conflict, NotFound, UsageError, nearest
from kb.records.changes import Collection, FieldChange
from kb.service.base import Base
from kb.service.guard import clean, door
from kb.service.recording import Recorder, recording
from kb.text.languages import guess_language

RENAMED = "renamed"
"""The field of a collection's change that says its name before and after."""

_PREFIX = "collection."
_LONGEST = 1000


class Collections:
    """What a reader does with collections."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def tree(self) -> Sequence[Collection]:
        """Return all collections in order, those above others too, with the entries they hold."""
        return self._base.store.collections.tree()

    @door
    def new(self, name: str, *, title: str = "") -> str | None:
        """Make a collection, and return the change. Raises `Conflict` where it is there."""
        said = visible("a title", title)
        wanted = collection_name(name)
        if self._base.store.collections.named(wanted):
            raise Conflict(f"the collection '{wanted}' is there already")
        with recording(self._base, "collection new") as recorder:
            make_collection(
                self._base, recorder, wanted, {guess_language(said): said} if said else None
            )
        return recorder.id

    @door
    def rename(self, old: str, new: str) -> str | None:
        """Give a collection and all below it another name; the ids of entries stay.

        Raises `NotFound`, and `Conflict` for a name that is taken, one within itself, and a
        collection that came with danesh.
        """
        former, wanted = collection_name(old), collection_name(new)
        store = self._base.store
        with recording(self._base, "collection rename") as recorder:
            self._known(former)
            if former == wanted:
                return None
            if f"{wanted}/".startswith(f"{former}/"):
                raise Conflict(f"'{former}' cannot be moved into itself")
            if store.collections.named(wanted):
                raise Conflict(f"the collection '{wanted}' is there already",
                               "'kb mv' moves entries into it.")  # fmt: skip
            owned = store.entries.owned("bundled")
            if owned.intersection(store.collections.entries_in(former)):
                raise Conflict(f"'{former}' holds entries that came with danesh",
                               "'kb mv' moves entries elsewhere.")  # fmt: skip
            _rename(self._base, former, wanted)
            recorder.field(None, RENAMED, former, wanted)
        return recorder.id

    @door
    def remove(self, name: str) -> str | None:
        """Remove a collection that holds nothing. Raises `NotFound` and `Conflict`."""
        wanted = collection_name(name)
        store = self._base.store.collections
        with recording(self._base, "collection rm") as recorder:
            self._known(wanted)
            if store.entries_in(wanted):
                raise Conflict(f"the collection '{wanted}' holds entries",
                               "Move or remove them first ('kb mv', 'kb rm').")  # fmt: skip
            for each in reversed(store.named(wanted)):
                known = store.get(each)
                recorder.field(None, _PREFIX + each, known.title if known else {}, None)
                _remove(self._base, each)
        return recorder.id

    def _known(self, name: str) -> None:
        known = [each.id for each in self._base.store.collections.tree()]
        if name not in known:
            raise NotFound(f"there is no collection '{name}'", nearest(name, known))


def collection_name(name: str) -> str:
    """Return the name of a collection, its parts parted by one slash each.

    Control characters are replaced. Raises `UsageError` for an empty one, and an endless one.
    """
    said = "".join(_seen(char) for char in clean("a collection's name", name))
    parts = [part.strip() for part in said.split("/")]
    if not all(parts):
        raise UsageError("a collection needs a name, and so has each of its parts")
    if len(name) > _LONGEST:
        raise UsageError(f"a collection's name has at most {_LONGEST} characters")
    return "/".join(parts)


def _seen(char: str) -> str:
    return "\ufffd" if unicodedata.category(char) == "Cc" else char


def visible(what: str, text: str) -> str:
    """Return a text without blanks around it. Raises `UsageError` for control characters in it."""
    said = clean(what, text).strip()
    if any(unicodedata.category(c) == "Cc" for c in said):
        raise UsageError(f"{what} has no control characters in it")
    return said


def make_collection(
    base: Base, recorder: Recorder, name: str, title: Mapping[str, str] | None = None
) -> None:
    """Make a collection where there is none, and tell of it."""
    if name not in base.store.collections.named(name):
        base.store.collections.put(name, title or {})
        recorder.field(None, _PREFIX + name, None, dict(title or {}))


def apply_collection(base: Base, change: FieldChange, *, forward: bool) -> None:
    """Do again, or take back, what was done to a collection."""
    before, after = change.before, change.after
    now, then = (before, after) if forward else (after, before)
    if change.field == RENAMED:
        if base.store.collections.named(then):
            raise Conflict(f"there is another collection '{then}' by now; nothing was changed")
        _rename(base, now, then)
        return
    name = str(change.field).removeprefix(_PREFIX)
    if then is None:
        if base.store.collections.entries_in(name):
            raise Conflict(f"the collection '{name}' holds entries by now; nothing was changed")
        _remove(base, name)
    else:
        base.store.collections.put(name, then)
        base.store.collections.retitle(name, then)


def _rename(base: Base, old: str, new: str) -> None:
    base.store.collections.rename(old, new)
    base.store.ledger.rename(old, new)


def _remove(base: Base, name: str) -> None:
    base.store.collections.remove(name)
