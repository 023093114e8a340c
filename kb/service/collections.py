"""Operations on collections; slashes in their names make a tree."""

from __future__ import annotations

from collections.abc import Sequence

from kb.errors import Conflict, NotFound, nearest, shown
from kb.model.changes import Collection, FieldChange
from kb.service.base import Base, Service, collection_name, visible
from kb.service.write import COLLECTION, FILES, PLACE, RENAMED, recording, stand
from kb.text.languages import guess_language

_ASIDE = "\n"


class Collections(Service):
    """The operations on collections."""

    def tree(self) -> Sequence[Collection]:
        """Return all collections in order, including parents, with their entry counts."""
        return self._base.store.collections.tree()

    def new(self, name: str, *, title: str = "") -> str | None:
        """Create a collection and return the change. Raises `Conflict` if it exists."""
        said = visible("a title", title)
        wanted = collection_name(name)
        with recording(self._base, "collection new") as recorder:
            if _stands(self._base, wanted):
                raise Conflict("the collection '{name}' already exists", name=wanted)
            titles = {guess_language(said): said} if said else None
            stand(self._base, wanted, recorder, titles)
        return recorder.id

    def rename(self, old: str, new: str) -> str | None:
        """Rename a collection and all below it; entry ids stay.

        Raises `NotFound`, and `Conflict` for a name that is taken, for a move into itself, and
        for a bundled collection.
        """
        former, wanted = collection_name(old), collection_name(new)
        store = self._base.store
        with recording(self._base, "collection rename") as recorder:
            self._known(former)
            if former == wanted:
                return None
            if f"{wanted}/".startswith(f"{former}/"):
                raise Conflict("'{name}' cannot be moved into itself", name=former)
            if _stands(self._base, wanted):
                raise Conflict(
                    "the collection '{name}' already exists",
                    "'kb mv' moves entries into it.",
                    name=wanted,
                )
            owned = store.entries.owned("bundled")
            if owned.intersection(store.collections.entries_in(former)):
                raise Conflict(
                    "'{name}' contains bundled entries",
                    "'kb mv' moves entries elsewhere.",
                    name=former,
                )
            files = store.ledger.files_in(former)
            _rename(self._base, former, wanted)
            store.ledger.rename(former, wanted, files)
            recorder.field(None, RENAMED, former, wanted)
            recorder.field(None, FILES, [former, files], [wanted, files])
        return recorder.id

    def remove(self, name: str) -> str | None:
        """Delete an empty collection. Raises `NotFound` and `Conflict`."""
        wanted = collection_name(name)
        store = self._base.store.collections
        with recording(self._base, "collection rm") as recorder:
            self._known(wanted)
            if store.entries_in(wanted):
                raise Conflict(
                    "the collection '{name}' contains entries",
                    "Move or remove them first ('kb mv', 'kb rm').",
                    name=wanted,
                )
            for each in reversed([name for name in store.named(wanted) if store.there(name)]):
                known = store.get(each)
                recorder.field(None, PLACE + each, store.place(each), None)
                recorder.field(None, COLLECTION + each, known.title if known else {}, None)
                store.remove(each)
        return recorder.id

    def _known(self, name: str) -> None:
        known = [each.id for each in self._base.store.collections.tree()]
        if name not in known:
            raise NotFound(
                "there is no collection '{name}'", nearest(name, known), name=shown(name)
            )


def apply_collection(base: Base, change: FieldChange, *, forward: bool) -> None:
    """Redo or undo a change of a collection."""
    before, after = change.before, change.after
    now, then = (before, after) if forward else (after, before)
    store, field = base.store.collections, str(change.field)
    if field == RENAMED:
        if _stands(base, then):
            raise Conflict(
                "another collection '{name}' was created, so nothing was changed", name=then
            )
        _rename(base, now, then)
    elif field == FILES:
        base.store.ledger.rename(now[0], *then)
    elif field.startswith(PLACE) and then is not None:
        store.put_back(field.removeprefix(PLACE), *then)
    elif field.startswith(COLLECTION):
        name = field.removeprefix(COLLECTION)
        if then is None:
            store.remove(name)
            return
        if not store.there(name):
            store.put(name, then)
        store.retitle(name, then)


def _stands(base: Base, name: str) -> bool:
    """Return whether a collection, or one below it, exists."""
    store = base.store.collections
    return any(store.there(each) for each in store.named(name))


def _rename(base: Base, old: str, new: str) -> None:
    """Rename a collection; a hidden one with the new name takes the old one."""
    for former, wanted in ((new, _ASIDE), (old, new), (_ASIDE, old)):
        base.store.collections.rename(former, wanted)
        base.index.rename_collection(former, wanted)
