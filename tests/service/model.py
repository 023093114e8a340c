"""What a knowledge base is, in plain words: entries, collections, files, and the way back.

It knows no store, no index and no layer. A change is made on a copy of the state, and undo
takes the copy before it: nothing can be left over.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Said = dict[str, Any]
"""What an entry says, by field: ``question.en``, ``answer.en``, ``level``, ``tags``."""


@dataclass
class Entry:
    """An entry that is there; ``notes`` by their ids."""

    said: Said
    collection: str
    notes: dict[str, str] = field(default_factory=dict)
    bundled: bool = False
    hidden: bool = False


@dataclass
class Origin:
    """What is known of the record that an entry was taken from.

    ``taken`` is what the file said when it was last taken, ``ours`` says that the entry was
    changed or moved since then, and ``theirs`` is what the file says where both were changed.
    """

    file: str
    place: str | None
    taken: Said
    stood: str = ""
    ours: bool = False
    theirs: Said | None = None
    theirs_stood: str = ""
    gone: bool = False
    heading: str = ""
    answer: str = ""

    def touch(self, ours: bool, stood: str) -> None:
        """Remember whether it was changed since, and where it stood then."""
        self.ours, self.stood = ours, stood if ours else ""


@dataclass
class State:
    """All that is kept: entries in the order in which they were put into their collections."""

    entries: dict[str, Entry] = field(default_factory=dict)
    order: dict[str, list[str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FileRecord:
    """A record of a file: the id that the file gives it, and what it says."""

    place: str | None
    said: Said


class Model:
    """A knowledge base with its journal: every change is a state to go back to."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()
        self.undone: list[State] = []
        self.done: list[State] = []
        self.removed: set[str] = set()

    def change(self, deed: Callable[[State], object]) -> bool:
        """Make a change, and say whether it changed anything."""
        after = copy.deepcopy(self.state)
        deed(after)
        if after == self.state:
            return False
        self.done.append(self.state)
        self.state, self.undone = after, []
        return True

    def undo(self) -> bool:
        """Take the last change back; say whether there was one."""
        return self._step(self.done, self.undone)

    def redo(self) -> bool:
        """Do again what was taken back last; say whether there was anything."""
        return self._step(self.undone, self.done)

    def _step(self, source: list[State], target: list[State]) -> bool:
        if not source:
            return False
        target.append(self.state)
        self.state = source.pop()
        return True


def make(state: State, name: str, title: str = "") -> None:
    """Make a collection where there is none."""
    if name not in state.titles:
        state.titles[name] = title
        state.order[name] = []


def put(state: State, id: str, entry: Entry) -> None:
    """Put an entry last into its collection."""
    make(state, entry.collection)
    state.entries[id] = entry
    state.order[entry.collection].append(id)


def drop(state: State, id: str) -> None:
    """Take an entry away; where it came from stays known."""
    entry = state.entries.pop(id)
    state.order[entry.collection].remove(id)


def write(state: State, id: str, said: Said, collection: str | None = None) -> None:
    """Let a reader change what an entry says, and where it stands."""
    entry = state.entries[id]
    place = collection or entry.collection
    if said == entry.said and place == entry.collection:
        return
    if entry.bundled and id not in state.origins:
        state.origins[id] = Origin(":", id, entry.said)
    if origin := state.origins.get(id):
        stood = origin.stood if origin.ours else entry.collection
        origin.touch((said, place) != (origin.taken, stood), stood)
    entry.said = said
    if place != entry.collection:
        make(state, place)
        state.order[entry.collection].remove(id)
        state.order[place].append(id)
        entry.collection = place


def rename(state: State, old: str, new: str) -> None:
    """Give a collection, and all below it, another name."""

    def named(name: str) -> str:
        return new + name[len(old) :] if f"{name}/".startswith(f"{old}/") else name

    state.titles = {named(name): title for name, title in state.titles.items()}
    state.order = {named(name): ids for name, ids in state.order.items()}
    state.files = {file: named(name) for file, name in state.files.items()}
    for entry in state.entries.values():
        entry.collection = named(entry.collection)


def below(state: State, name: str) -> list[str]:
    """Return a collection and those below it."""
    return [each for each in state.titles if f"{each}/".startswith(f"{name}/")]


def _default(name: str) -> str:
    """Return the title that a collection has without one of its own."""
    return "Notes" if name == "notes" else ""


def tree(state: State) -> list[tuple[str, str, int]]:
    """Return the collections as they are listed, those above others too."""
    names: dict[str, None] = {}
    for name in state.titles:
        parts = name.split("/")
        names.update({"/".join(parts[:depth]): None for depth in range(1, len(parts) + 1)})
    return [
        (name, state.titles.get(name) or _default(name), sum(
            not state.entries[id].hidden for each in below(state, name) for id in state.order[each]
        )) for name in names
    ]  # fmt: skip


def matched(known: Mapping[str, Origin], records: Sequence[FileRecord]) -> dict[int, str]:
    """Return which entry each record of a file is: by its id, its heading and answer, by one."""
    found: dict[int, str] = {}
    for same in (_by_place, _by_both, _by_heading, _by_answer):
        for number, record in enumerate(records):
            free = (id for id in known if id not in found.values())
            if number not in found:
                chosen = next((id for id in free if same(record, known[id])), None)
                if chosen is not None and not _other(record, known[chosen]):
                    found[number] = chosen
    return found


def heading(said: Said) -> str:
    """Return what an entry asks."""
    return " ".join(str(text) for name, text in said.items() if name.startswith("question."))


def answer(said: Said) -> str:
    """Return what an entry answers."""
    return " ".join(str(text) for name, text in said.items() if name.startswith("answer."))


def _by_place(record: FileRecord, origin: Origin) -> bool:
    return record.place is not None and record.place == origin.place


def _by_both(record: FileRecord, origin: Origin) -> bool:
    return _by_heading(record, origin) and answer(record.said) == origin.answer and not _other(
        record, origin
    )  # fmt: skip


def _by_heading(record: FileRecord, origin: Origin) -> bool:
    return heading(record.said) == origin.heading and not _other(record, origin)


def _by_answer(record: FileRecord, origin: Origin) -> bool:
    said = answer(record.said)
    return bool(said) and said == origin.answer and not _other(record, origin)


def _other(record: FileRecord, origin: Origin) -> bool:
    """Say whether a file itself tells a record from another by their ids."""
    return None not in (record.place, origin.place) and record.place != origin.place


def take(
    state: State, file: str, collection: str, records: Sequence[FileRecord], ids: Sequence[str]
) -> dict[str, list[str]]:
    """Take in a file; return the entries by what became of them. ``ids`` are of the records."""
    outcomes: dict[str, list[str]] = {name: [] for name in ("added", "updated", "conflict", "gone")}
    known = {id: origin for id, origin in state.origins.items() if origin.file == file}
    state.files.setdefault(file, collection)
    pairs = list(zip(ids, records, strict=True))
    back = sorted((pair for pair in pairs if pair[0] in known and pair[0] not in state.entries),
                  key=lambda pair: pair[0])  # fmt: skip
    for id, record in (*(pair for pair in pairs if pair not in back), *back):
        known.pop(id, None)
        outcome = _take(state, id, file, collection, record)
        if outcome:
            outcomes[outcome].append(id)
    for id, origin in known.items():
        if id in state.entries:
            origin.gone = True
            outcomes["gone"].append(id)
    return outcomes


def _take(state: State, id: str, file: str, collection: str, record: FileRecord) -> str | None:
    origin = state.origins.get(id)
    entry = state.entries.get(id)
    fresh = Origin(
        file, record.place, record.said,
        heading=heading(record.said), answer=answer(record.said),
    )  # fmt: skip
    if entry is None:
        state.origins[id] = fresh
        put(state, id, Entry(record.said, collection))
        return "added"
    assert origin is not None
    origin.gone, origin.place = False, record.place
    origin.heading, origin.answer = fresh.heading, fresh.answer
    if record.said == entry.said:
        origin.taken, origin.theirs = record.said, None
        origin.touch(entry.collection != collection, collection)
        return None
    if record.said == origin.taken:
        origin.theirs = None
        return None
    if not origin.ours:
        origin.taken, origin.theirs, entry.said = record.said, None, record.said
        return "updated"
    merged = merge(origin.taken, entry.said, record.said)
    if merged is None:
        origin.theirs, origin.theirs_stood = record.said, collection
        return "conflict"
    entry.said = merged
    origin.taken, origin.theirs, origin.stood = record.said, None, collection
    return "updated"


def merge(base: Said, mine: Said, theirs: Said) -> Said | None:
    """Return what both changed together; nothing where they contradict each other."""
    merged = dict(mine)
    for name in {*base, *theirs}:
        if theirs.get(name) == base.get(name):
            continue
        if mine.get(name) not in (base.get(name), theirs.get(name)):
            return None
        merged[name] = theirs.get(name)
    return {name: value for name, value in merged.items() if value is not None}


def resolve(state: State, id: str, side: str) -> None:
    """Let one side's words stay."""
    entry, origin = state.entries[id], state.origins[id]
    assert origin.theirs is not None
    if side == "theirs":
        entry.said = origin.theirs
    origin.taken, origin.theirs = origin.theirs, None
    same = (entry.said, entry.collection) == (origin.taken, origin.theirs_stood)
    origin.touch(not same, origin.theirs_stood)


def prunable(state: State) -> list[str]:
    """Return what is gone from files and was not touched by the reader."""
    return [
        id for id, origin in state.origins.items()
        if origin.gone and id in state.entries
        and not origin.ours and not state.entries[id].notes
    ]  # fmt: skip
