"""Collections as a reader shapes them; slashes in their names make a tree of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kb.content.entries import trusted_digests
from kb.content.tables import bundled_folder
from kb.errors import Conflict, Message, NotFound, UsageError, nearest, shown
from kb.model import Entry, Snippet
from kb.model.changes import Collection, FieldChange
from kb.present.claims import proof_of
from kb.service.base import Base, clean, door, visible
from kb.service.recording import COLLECTION, FILES, PLACE, RENAMED, Recorder, recording
from kb.text.languages import guess_language

_LONGEST = 1000
_ASIDE = "\n"


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
        with recording(self._base, "collection new") as recorder:
            if self._taken(wanted):
                raise Conflict("the collection '{name}' is there already", name=wanted)
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
                raise Conflict("'{name}' cannot be moved into itself", name=former)
            if self._taken(wanted):
                raise Conflict(
                    "the collection '{name}' is there already",
                    "'kb mv' moves entries into it.",
                    name=wanted,
                )
            owned = store.entries.owned("bundled")
            if owned.intersection(store.collections.entries_in(former)):
                raise Conflict(
                    "'{name}' holds entries that came with danesh",
                    "'kb mv' moves entries elsewhere.",
                    name=former,
                )
            files = store.ledger.files_in(former)
            _rename(self._base, former, wanted)
            store.ledger.rename(former, wanted, files)
            recorder.field(None, RENAMED, former, wanted)
            recorder.field(None, FILES, [former, files], [wanted, files])
        return recorder.id

    @door
    def remove(self, name: str) -> str | None:
        """Remove a collection that holds nothing. Raises `NotFound` and `Conflict`."""
        wanted = collection_name(name)
        store = self._base.store.collections
        with recording(self._base, "collection rm") as recorder:
            self._known(wanted)
            if store.entries_in(wanted):
                raise Conflict(
                    "the collection '{name}' holds entries",
                    "Move or remove them first ('kb mv', 'kb rm').",
                    name=wanted,
                )
            for each in reversed([name for name in store.named(wanted) if store.there(name)]):
                known = store.get(each)
                recorder.field(None, PLACE + each, store.place(each), None)
                recorder.field(None, COLLECTION + each, known.title if known else {}, None)
                store.remove(each)
        return recorder.id

    def _taken(self, name: str) -> bool:
        """Say whether a collection, or one below it, is there."""
        return _stands(self._base, name)

    def _known(self, name: str) -> None:
        known = [each.id for each in self._base.store.collections.tree()]
        if name not in known:
            raise NotFound(
                "there is no collection '{name}'", nearest(name, known), name=shown(name)
            )


def collection_name(name: str) -> str:
    """Return the name of a collection, its parts parted by one slash each.

    Control characters are replaced. Raises `UsageError` for an empty one, and an endless one.
    """
    said = "".join(_seen(char) for char in clean("a collection's name", name))
    parts = [part.strip() for part in said.split("/")]
    if not all(parts):
        raise UsageError("a collection needs a name, and so has each of its parts")
    if len(name) > _LONGEST:
        raise UsageError("a collection's name has at most {most} characters", most=_LONGEST)
    return "/".join(parts)


def _seen(char: str) -> str:
    return "\ufffd" if unicodedata.category(char) == "Cc" else char


def make_collection(
    base: Base, recorder: Recorder, name: str, title: Mapping[str, str] | None = None
) -> None:
    """Make a collection where there is none, and tell of it."""
    if not base.store.collections.there(name):
        base.store.collections.put(name, title or {})
        recorder.field(None, COLLECTION + name, None, dict(title or {}))


def apply_collection(base: Base, change: FieldChange, *, forward: bool) -> None:
    """Do again, or take back, what was done to a collection."""
    before, after = change.before, change.after
    now, then = (before, after) if forward else (after, before)
    store, field = base.store.collections, str(change.field)
    if field == RENAMED:
        if _stands(base, then):
            raise Conflict(
                "there is another collection '{name}' by now; nothing was changed", name=then
            )
        _rename(base, now, then)
    elif field == FILES:
        base.store.ledger.rename(now[0], *then)
    elif field.startswith(PLACE) and then is not None:
        store.put_back(field.removeprefix(PLACE), *then)
    elif field.startswith(COLLECTION):
        _retitle(base, field.removeprefix(COLLECTION), then)


def _stands(base: Base, name: str) -> bool:
    store = base.store.collections
    return any(store.there(each) for each in store.named(name))


def _rename(base: Base, old: str, new: str) -> None:
    """Rename a collection; one of the new name that is not shown takes the old one."""
    for former, wanted in ((new, _ASIDE), (old, new), (_ASIDE, old)):
        base.store.collections.rename(former, wanted)
        base.index.rename_collection(former, wanted)


def _retitle(base: Base, name: str, title: Mapping[str, str] | None) -> None:
    """Let a collection have a title, or not be there, unless entries stand in it."""
    store = base.store.collections
    if title is None:
        store.remove(name)
        return
    if not store.there(name):
        store.put(name, title)
    store.retitle(name, title)


# Which program a name means, whatever names entries, programs and annotations have.
#
# An entry's id goes before all else, so that its program is the one that is shown with it;
# where that would take over a program that came with danesh, and where a name means several
# programs otherwise, nobody chooses for the reader.


OF = "::"
"""Stands between an entry's id and the name of its program, where one has to be told apart."""


class _Meaning(NamedTuple):
    """What a name may mean: how that is said without doubt, and whether it came with danesh."""

    said: str
    program: Snippet | None
    bundled: bool
    entry: bool = False


def named_program(base: Base, name: str) -> Snippet:
    """Return the program that a name means. Raises `NotFound` and `Conflict`."""
    meanings = list(_meanings(base, name))
    if not meanings:
        raise _none(base, name)
    first = meanings[0]
    others = [each for each in meanings[1:] if each.program and each.program != first.program]
    # What is said in full is not another's, even where an entry has just that for its id.
    in_full = OF in name and any(each.said == name for each in others)
    taken_over = not first.bundled and any(each.bundled for each in others)
    if others and (in_full or taken_over or not first.entry):
        ways = " or ".join(dict.fromkeys(each.said for each in (first, *others)))
        raise Conflict(
            "'{name}' is the name of several programs", Message("Say {ways}.", ways=ways), name=name
        )
    if first.program is None:
        hint = Message("")
        if others:
            hint = Message("Of the program that is called so, say {name}.", name=others[0].said)
        raise NotFound("this entry has no program", hint, place=name)
    return first.program


def _meanings(base: Base, name: str) -> Iterator[_Meaning]:
    entry = base.store.entries.get([name]).get(name)
    if entry is not None:
        state = base.store.entries.state(name)
        main = entry.main_snippet()
        said = f"{name}{OF}{main.id}" if main else name
        plain = _plain(main) if main else None
        yield _Meaning(said, plain, state is not None and state.owner == "bundled", True)
    programs = base.store.snippets.get(dict.fromkeys((name, name.removesuffix(".py"))))
    if programs:
        bundled = trusted_digests(bundled_folder() / "snippets")
        holders = base.store.snippets.holders(programs)
    for program, found in programs.items():
        said = f"{holders[program][0]}{OF}{program}" if program in holders else program
        yield _Meaning(said, _plain(found), found.digest in bundled)
    for place in (at for at in range(1, len(name)) if name.startswith(OF, at)):
        owned = _program_of(base, name[:place], name[place + len(OF) :])
        if owned is not None:
            yield _Meaning(name, _plain(owned), False)
    for owner in base.store.evidences.owners([name]).values():
        found_entry: Entry | None = base.store.entries.get([owner]).get(owner)
        proof = proof_of(found_entry, name) if found_entry else None
        if proof is not None:
            state = base.store.entries.state(owner)
            bundled_proof = state is not None and state.owner == "bundled"
            yield _Meaning(f"{owner}{OF}{proof.id}", _plain(proof), bundled_proof)


def _program_of(base: Base, entry: str, program: str) -> Snippet | None:
    found = base.store.entries.get([entry]).get(entry)
    if found is None:
        return None
    return next((each for each in found.snippets if each.id == program), None)


def _plain(program: Snippet) -> Snippet:
    """Return a program as it is by itself: which one it is does not hang on its entry."""
    return Snippet(program.id, program.title, program.code, own=program.own)


def _none(base: Base, name: str) -> NotFound:
    entry, _, program = name.rpartition(OF)
    found = base.store.entries.get([entry]).get(entry) if entry else None
    if found is not None:
        hint = nearest(program, [each.id for each in found.snippets])
        return NotFound("this entry has no program '{program}'", hint, place=entry, program=program)
    return base.not_found(Message("program or entry"), name)
