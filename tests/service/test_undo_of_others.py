"""Undo where several have a knowledge base open: each its own changes, nobody another's."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb import Library
from kb.errors import Conflict, NotFound
from kb.model.draft import Amendment, Draft
from kb.model.entry import TextSpan
from kb.model.results import Filters
from tests.behind import damaged
from tests.databases import new_library


@pytest.fixture
def mine(empty: Library) -> Library:
    """What is open here; there are two entries of somebody's who has gone."""
    with new_library(empty.path) as gone:
        gone.edit.new(Draft({"en": "Norm"}, {"source": {"en": "A length."}}, collection="notes"))
        gone.edit.new(Draft({"en": "Rank"}, {}, collection="notes"))
    return empty


@pytest.fixture
def other(mine: Library) -> Iterator[Library]:
    with new_library(mine.path) as opened:
        yield opened


NORM, RANK = "notes/norm", "notes/rank"
WORDS = TextSpan("question", "en", 0, 4)


def state(library: Library) -> dict[str, object]:
    return {hit.id: library.show(hit.id) for hit in library.list().hits}


def tree(library: Library) -> list[tuple[str, int]]:
    return [(each.id, each.entries) for each in library.collections.tree()]


def file(folder: Path, level: str) -> Path:
    path = folder / "bank.jsonl"
    path.write_text(
        f'{{"id": "a", "title": "Logit?", "text": "A number.", "level": "{level}"}}\n'
        '{"id": "b", "title": "Logarithm?", "text": "An exponent."}\n'
    )
    return path


def test_what_is_undone_is_ones_own_newest_change_and_others_stay(
    mine: Library, other: Library
) -> None:
    mine.edit.amend(NORM, Amendment(level="E"))
    mine.edit.amend(NORM, Amendment(level="H"))
    other.edit.tag([NORM], ["exam"])
    other.edit.amend(RANK, Amendment(level="M"))
    done = mine.changes.undo(own=True)
    assert (done.ids, done.actions) == ((NORM,), ("edit",))
    norm = mine.show(NORM)
    assert (norm.level, norm.tags, mine.show(RANK).level) == ("E", ("exam",), "M")
    mine.changes.undo(own=True)
    assert (mine.show(NORM).level, mine.show(NORM).tags) == (None, ("exam",))
    with pytest.raises(NotFound, match="nothing to undo"):
        mine.changes.undo(own=True)
    mine.changes.redo(own=True)
    mine.changes.redo(own=True)
    assert (mine.show(NORM).level, mine.show(NORM).tags) == ("H", ("exam",))
    other.changes.undo(own=True)
    other.changes.undo(own=True)
    assert (mine.show(NORM).level, mine.show(NORM).tags) == ("H", ())
    assert mine.show(RANK).level is None
    assert not damaged(mine)


def annotated(other: Library) -> str:
    other.own.annotate(NORM, WORDS, "Of a vector.")
    return "annotate"


def removed(other: Library) -> str:
    other.edit.remove([NORM])
    return "delete"


def graded(other: Library) -> str:
    other.edit.amend(NORM, Amendment(level="M"))
    return "edit"


def graded_twice(other: Library) -> str:
    other.edit.amend(NORM, Amendment(level="M"))
    other.edit.amend(NORM, Amendment(level="H"))
    return "edit"


def moved(other: Library) -> str:
    other.edit.move([NORM], "deep")
    return "move"


def renamed(other: Library) -> str:
    other.collections.rename("notes", "sheets")
    return "rename a collection"


def level(mine: Library) -> None:
    mine.edit.amend(NORM, Amendment(level="H"))


def rewritten(mine: Library) -> None:
    mine.edit.remove([NORM])
    mine.changes.undo(own=True)
    mine.changes.undo(change=next(c.id for c in mine.changes.log(limit=None) if c.action == "new"
                                  and any(f.entry == NORM for f in c.fields)))  # fmt: skip
    mine.changes.redo(own=True)


def placed(mine: Library) -> None:
    mine.edit.move([NORM], "notes/own")


def called(mine: Library) -> None:
    mine.collections.rename("notes", "papers")


@pytest.mark.parametrize(
    ("mine_did", "other_did"),
    [
        (level, graded), (level, graded_twice), (level, removed),
        (rewritten, annotated), (rewritten, graded), (rewritten, moved), (rewritten, renamed),
        (placed, moved), (placed, removed), (placed, renamed),
        (called, moved), (called, removed),
    ],
)  # fmt: skip
def test_undo_refuses_and_names_the_later_change_of_the_same_and_undoes_once_that_is_undone(
    mine: Library,
    other: Library,
    mine_did: Callable[[Library], None],
    other_did: Callable[[Library], str],
) -> None:
    before = (state(mine), tree(mine))
    mine_did(mine)
    said = other_did(other)
    later = (state(mine), tree(mine))
    who = mine.changes.log(limit=1)[0].who
    with pytest.raises(Conflict, match="later") as refused:
        mine.changes.undo(own=True)
    place = "papers" if mine_did is called else "notes" if other_did is renamed else NORM
    assert refused.value.message.startswith(f"cannot undo: {place} was changed later ({said}, ")
    assert refused.value.message.endswith(f", {who})")
    assert (state(mine), tree(mine)) == later
    for _ in range(2 if other_did is graded_twice else 1):
        other.changes.undo(own=True)
    mine.changes.undo(own=True)
    if mine_did is not rewritten:  # that leaves the entry away, as it was made elsewhere
        assert (state(mine), tree(mine)) == before
    mine.changes.redo(own=True)
    for _ in range(2 if other_did is graded_twice else 1):
        other.changes.redo(own=True)
    assert (state(mine), tree(mine)) == later
    assert not damaged(mine)


def test_what_was_undone_here_is_not_redone_over_what_others_undid_since(
    mine: Library, other: Library
) -> None:
    mine.edit.amend(NORM, Amendment(level="E"))
    other.edit.amend(NORM, Amendment(level="H"))
    other.changes.undo(own=True)
    mine.changes.undo(own=True)
    with pytest.raises(Conflict, match=r"cannot redo: notes/norm was changed later \(undo of edit"):
        other.changes.redo(own=True)
    mine.changes.redo(own=True)
    other.changes.redo(own=True)
    assert mine.show(NORM).level == "H"


def test_what_others_undid_is_theirs_to_redo_and_any_new_change_ends_it(
    mine: Library, other: Library
) -> None:
    mine.edit.amend(NORM, Amendment(level="E"))
    mine.edit.amend(RANK, Amendment(level="E"))
    assert other.changes.undo().ids == (RANK,)
    with pytest.raises(NotFound, match="nothing to redo"):
        mine.changes.redo(own=True)
    assert mine.changes.next_redo().action == "edit"
    assert mine.changes.undo(own=True).ids == (NORM,)  # the one here that stands
    assert mine.changes.redo(own=True).ids == (NORM,)
    other.edit.tag([RANK], ["exam"])
    for library in (mine, other):
        with pytest.raises(NotFound, match="nothing to redo"):
            library.changes.redo()


def test_after_a_restart_nothing_is_ones_own_and_the_newest_change_is_named(
    mine: Library,
) -> None:
    mine.edit.amend(NORM, Amendment(level="E"))
    with new_library(mine.path) as again:
        with pytest.raises(NotFound):
            again.changes.undo(own=True)
        newest = again.changes.next_undo()
        assert (newest.action, newest.fields[0].entry) == ("edit", NORM)
        again.changes.undo(change=newest.id)
        assert again.show(NORM).level is None
        with pytest.raises(Conflict, match="nothing was changed"):
            again.changes.undo(change=newest.id)
        again.changes.redo(own=True)  # what was undone here, here is redone unasked
        assert again.changes.undo(own=True).ids == (NORM,)
    with pytest.raises(NotFound):
        mine.changes.undo(own=True)
    with pytest.raises(NotFound, match="there is no change 'none'"):
        mine.changes.undo(change="none")


def test_a_collection_made_here_stays_while_others_write_in_it(
    mine: Library, other: Library
) -> None:
    (own,) = mine.edit.new(Draft({"en": "Own"}, {}, collection="new")).ids
    (theirs,) = other.edit.new(Draft({"en": "Theirs"}, {}, collection="new")).ids
    mine.changes.undo(own=True)
    assert own not in state(mine) and theirs in state(mine)
    assert tree(mine) == [("notes", 2), ("new", 1)]
    mine.changes.redo(own=True)
    assert tree(mine) == [("notes", 2), ("new", 2)]


def test_a_collection_that_others_use_by_now_is_not_said_to_be_undone(
    mine: Library, other: Library
) -> None:
    mine.collections.new("new", title="New")
    other.edit.move([NORM], "new/deep")
    with pytest.raises(Conflict, match=r"cannot undo: new/deep was changed later \(move"):
        mine.changes.undo(own=True)
    other.changes.undo(own=True)
    mine.changes.undo(own=True)
    assert tree(mine) == [("notes", 2)]


@pytest.mark.parametrize(
    ("later", "named"),
    [
        (("edit", "rename"), "new was changed later (rename a collection,"),
        (("rename", "edit"), "new/deep was changed later (edit,"),
        (("edit", "rename", "edit undone", "edit redone"), "new/deep was changed later (edit,"),
        (("rename", "edit", "edit undone"), "new was changed later (rename a collection,"),
    ],
)
def test_of_changes_of_an_entry_and_its_collection_the_one_that_was_done_last_is_named(
    mine: Library, other: Library, later: tuple[str, ...], named: str
) -> None:
    (id,) = mine.edit.new(Draft({"en": "Deep"}, {}, collection="new")).ids
    made: dict[str, str | None] = {}
    for deed in later:
        if deed == "edit":
            made["edit"] = other.edit.amend(id, Amendment(level="H")).change
        elif deed == "rename":
            other.collections.rename("new", "newer")
        elif deed == "edit undone":
            other.changes.undo(change=made["edit"])
        else:
            other.changes.redo(change=made["edit"])
    with pytest.raises(Conflict) as refused:
        mine.changes.undo(own=True)
    assert refused.value.message.startswith(f"cannot undo: {named}")


def test_an_import_is_undone_around_what_others_did_elsewhere_and_refused_within_it(
    mine: Library, other: Library, tmp_path: Path
) -> None:
    before = state(mine)
    mine.import_file(file(tmp_path, "E"))
    other.edit.tag([NORM], ["exam"])
    mine.changes.undo(own=True)
    assert state(mine).keys() == before.keys() and mine.show(NORM).tags == ("exam",)
    mine.changes.redo(own=True)
    other.edit.remove(["bank/b"])
    with pytest.raises(Conflict, match=r"bank/b was changed later \(delete"):
        mine.changes.undo(own=True)
    other.changes.undo(own=True)
    other.edit.tag(["bank/a"], ["exam"])
    with pytest.raises(Conflict, match=r"bank/a was changed later \(tag"):
        mine.changes.undo(own=True)


def test_an_import_of_others_stays_and_keeps_what_it_changed_from_being_undone(
    mine: Library, other: Library, tmp_path: Path
) -> None:
    mine.import_file(file(tmp_path, "E"))
    mine.edit.tag(["bank/b"], ["exam"])
    mine.edit.tag(["bank/a"], ["exam"])
    other.import_file(file(tmp_path, "H"))
    assert (mine.show("bank/a").level, mine.show("bank/a").tags) == ("H", ("exam",))
    with pytest.raises(Conflict, match=r"bank/a was changed later \(import"):
        mine.changes.undo(own=True)
    tagging = [c for c in mine.changes.log() if c.action == "tag"][-1]
    mine.changes.undo(change=tagging.id)
    assert (mine.show("bank/b").tags, mine.show("bank/a").level) == ((), "H")
    other.changes.undo(own=True)
    mine.changes.undo(own=True)
    assert (mine.show("bank/a").level, mine.show("bank/a").tags) == ("E", ())
    mine.changes.undo(own=True)
    assert mine.list(filters=Filters(collection="bank")).total == 0
    assert not damaged(mine)


def test_what_was_removed_here_comes_back_though_others_changed_its_neighbours(
    mine: Library, other: Library
) -> None:
    mine.own.annotate(NORM, WORDS, "Of a vector.")
    before = mine.show(NORM)
    mine.edit.remove([NORM])
    other.edit.remove([RANK])
    other.collections.remove("notes")
    mine.changes.undo(own=True)
    assert mine.show(NORM) == before
    other.changes.undo(own=True)
    other.changes.undo(own=True)
    assert set(state(mine)) == {NORM, RANK}


def test_notes_of_two_on_one_entry_are_undone_apart(mine: Library, other: Library) -> None:
    first = mine.own.annotate(NORM, WORDS, "First.")
    second = other.own.annotate(NORM, WORDS, "Second.")
    mine.changes.undo(own=True)
    assert [each.id for each in mine.show(NORM).annotations] == [second.id]
    mine.changes.redo(own=True)
    mine.own.withdraw(first.id)
    third = other.own.annotate(NORM, WORDS, "Third.")
    mine.changes.undo(own=True)
    found = {each.id for each in mine.show(NORM).annotations}
    assert found == {first.id, second.id, third.id}


def test_a_journal_that_is_trimmed_meanwhile_has_nothing_of_ones_own(
    mine: Library, other: Library
) -> None:
    mine.edit.amend(NORM, Amendment(level="E"))
    other.edit.tag([NORM], ["exam"])
    other.changes.compact(days=0)
    for undo in (lambda: mine.changes.undo(own=True), mine.changes.next_undo):
        with pytest.raises(NotFound, match="nothing to undo"):
            undo()
    mine.edit.amend(NORM, Amendment(level="H"))
    mine.changes.undo(own=True)
    assert (mine.show(NORM).level, mine.show(NORM).tags) == ("E", ("exam",))


def test_a_copy_that_is_put_back_here_has_the_changes_made_until_then(
    mine: Library, tmp_path: Path
) -> None:
    mine.edit.amend(NORM, Amendment(level="E"))
    copy = mine.backups.make(tmp_path / "copy.db").path
    mine.edit.amend(NORM, Amendment(level="H"))
    mine.backups.restore(copy)
    mine.changes.undo(own=True)
    assert mine.show(NORM).level is None


def test_in_a_file_of_an_older_danesh_no_change_is_ones_own(mine: Library) -> None:
    mine.edit.amend(NORM, Amendment(level="E"))
    mine.close()
    with contextlib.closing(sqlite3.connect(mine.path)) as old, old:
        old.execute("ALTER TABLE change DROP COLUMN session")
        old.execute("DELETE FROM _sqlite_migrations WHERE name = 'sessions'")
        old.execute("PRAGMA user_version = 11")
    with new_library(mine.path) as newer:
        with pytest.raises(NotFound):
            newer.changes.undo(own=True)
        newer.edit.tag([NORM], ["exam"])
        newer.changes.undo(own=True)
        newer.changes.undo(change=newer.changes.next_undo().id)
        assert newer.show(NORM).level is None


Key = tuple[str, str]


class Two:
    """Two who write at random, and beside them each change as the fields it changed.

    A field of the name "" says whether the entry is there: it meets every other field.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.libraries = [new_library(path) for _ in range(2)]
        self.fields: dict[Key, object] = {}
        self.done: list[tuple[int, dict[Key, tuple[object, object]]]] = []
        self.undone: list[tuple[int, dict[Key, tuple[object, object]]]] = []
        self.count = self.refused = 0

    def step(self) -> None:
        who = self.random.randrange(2)
        deeds = [self.write] * 5 + [self.undo] * 4 + [self.redo] * 3
        self.random.choice(deeds)(who)
        found = {
            hit.id: self.libraries[who].show(hit.id) for hit in self.libraries[who].list().hits
        }
        there = {id for (id, name), value in self.fields.items() if not name and value}
        assert found.keys() == there
        for id, entry in found.items():
            for name in ("level", "tags", "collection"):
                assert self.fields[id, name] == getattr(entry, name), (id, name)

    def write(self, who: int) -> None:
        edit = self.libraries[who].edit
        there = [id for (id, name), value in self.fields.items() if not name and value]
        wanted: dict[Key, object] = {}
        what = self.random.choice(["new", "level", "level", "tags", "tags", "collection", "rm"])
        if what == "new" or not there:
            self.count += 1
            (id,) = edit.new(Draft({"en": f"Entry {self.count}"}, {}, collection="a")).ids
            wanted = {
                (id, ""): True,
                (id, "level"): None,
                (id, "tags"): (),
                (id, "collection"): "a",
            }
        elif what == "rm":
            id = self.random.choice(there)
            edit.remove([id])
            wanted = {(id, ""): None, (id, "level"): None, (id, "tags"): None,
                      (id, "collection"): None}  # fmt: skip
        else:
            id = self.random.choice(there)
            chosen = self.random.choice(["E", "M", "H"])
            if what == "level":
                edit.amend(id, Amendment(level=chosen))
            elif what == "tags":
                edit.tag([id], [chosen])
                chosen = tuple(dict.fromkeys((*self.fields[id, "tags"], chosen)))  # type: ignore[misc,assignment]
            else:
                edit.move([id], chosen)
            wanted = {(id, what): chosen}
        change = {
            key: (self.fields.get(key), value)
            for key, value in wanted.items()
            if (key[0], "") in wanted or self.fields.get(key) != value
        }
        if change:
            self.done.append((who, change))
            self.undone.clear()
            self.fields |= wanted

    def undo(self, who: int) -> None:
        self.replay(who, self.done, self.undone, self.libraries[who].changes.undo, 0)

    def redo(self, who: int) -> None:
        self.replay(who, self.undone, self.done, self.libraries[who].changes.redo, 1)

    def replay(self, who, source, target, replay, side) -> None:  # type: ignore[no-untyped-def]
        own = [at for at, (by, _) in enumerate(source) if by == who]
        if not own:
            with pytest.raises(NotFound):
                replay(own=True)
            return
        _, change = source[own[-1]]
        if any(meet(change, later) for _, later in source[own[-1] + 1 :]):
            self.refused += 1
            with pytest.raises(Conflict, match="was changed later"):
                replay(own=True)
            return
        replay(own=True)
        del source[own[-1]]
        target.append((who, change))
        self.fields |= {key: pair[side] for key, pair in change.items()}


def meet(one: dict[Key, object], other: dict[Key, object]) -> bool:
    return any(a[0] == b[0] and (a[1] == b[1] or "" in (a[1], b[1])) for a in one for b in other)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_whatever_two_write_undo_and_redo_each_field_is_as_a_plain_model_says(
    seed: int, empty: Library
) -> None:
    two = Two(Path(empty.path), seed)
    for _ in range(60):
        two.step()
    assert two.refused
    assert not damaged(two.libraries[0])
    for library in two.libraries:
        library.close()
