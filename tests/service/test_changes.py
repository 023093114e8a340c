"""What a change must leave whole: identity, the way back, what files say, and what others did."""

from __future__ import annotations

import contextlib
import json
import shutil
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.content.bundled import bundled_folder
from kb.errors import BadDatabase, Cancelled, Conflict, KbError, NotFound, UsageError
from kb.model.draft import Amendment, Draft
from kb.model.entry import Entry, TextSpan
from kb.model.results import Progress
from kb.service import finishing, write
from kb.service.importing import staging
from kb.service.write import hide_entry, put_entry, stand
from tests.behind import damaged, raw
from tests.databases import new_library

BUNDLED = "preprocessing-bottleneck"
RECORDS = [("What is a norm?", "A length."), ("نرم چیست؟", "اندازهٔ بردار.")]
OTHER = ("What is a sum?", "A total.")


def bank(folder: Path, *records: tuple[str, str], name: str = "bank.md") -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text("\n".join(f"## {q}\n\n{a}\n" for q, a in records or RECORDS), encoding="utf-8")
    return file


def ids(library: Library) -> list[str]:
    return [hit.id for hit in library.list().hits]


def tree(library: Library) -> list[tuple[str, int]]:
    return [(each.id, each.entries) for each in library.collections.tree()]


def own(**values: object) -> str:
    return json.dumps(
        {"id": "a", "kind": "card", "collection": "own", "question": {"fa": "چیست؟"}} | values
    )


def test_an_import_that_was_taken_back_is_imported_again_under_the_same_ids(
    empty: Library, tmp_path: Path
) -> None:
    file = bank(tmp_path)
    empty.import_file(file)
    before = ids(empty)
    for _ in range(3):
        empty.changes.undo()
        assert (ids(empty), tree(empty)) == ([], [])
        empty.import_file(file)
        assert (ids(empty), tree(empty)) == (before, [("bank", 2)])


def test_our_own_json_comes_back_after_it_was_taken_back(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(own())
    empty.import_file(file)
    empty.changes.undo()
    assert empty.import_file(file).added == 1
    assert empty.show("a").question == {"fa": "چیست؟"}


def test_an_import_that_was_stopped_is_taken_up_under_the_ids_it_gave(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "big.jsonl"
    lines = [{"id": str(n), "title": f"Question {n}", "text": "x"} for n in range(350)]
    file.write_text("\n".join(map(json.dumps, lines)))

    def stop(done: int, total: int) -> None:
        if done >= 200:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        empty.import_file(file, progress=stop)
    assert ids(empty) == []
    assert empty.import_file(file).added == 350
    assert set(ids(empty)) == {f"big/{n}" for n in range(350)}


def test_where_entries_stand_in_their_file_is_followed_and_is_no_change(
    empty: Library, tmp_path: Path
) -> None:
    file = deck(tmp_path, "A.", "B.")
    empty.import_file(file)
    ledger, names = empty._base.store.ledger, ids(empty)
    assert [ledger.of_entries([name])[name].line for name in names] == [1, 2]
    file.write_text(f"\n\n{file.read_text()}")
    report = empty.import_file(file)
    assert (report.unchanged, report.change) == (2, None)
    assert [ledger.of_entries([name])[name].line for name in names] == [3, 4]


def test_an_entry_of_ones_own_differs_from_a_file_only_while_its_import_is_done(
    empty: Library, tmp_path: Path
) -> None:
    (id,) = empty.edit.new(Draft({"fa": "چیست؟"}, {}, collection="own")).ids
    file = tmp_path / "own.jsonl"
    file.write_text(own(id=id, level="H"))
    assert empty.import_file(file).conflicts == (id,)
    ledger = empty._base.store.ledger
    for replay, known in ((empty.changes.undo, []), (empty.changes.redo, [id])):
        replay()
        assert {each.entry for each in empty.files.contested()} == {*known}
        assert [*ledger.of_entries([id])] == known


def test_a_file_that_is_named_twice_is_read_once(empty: Library, tmp_path: Path) -> None:
    file = bank(tmp_path)
    first, second = empty.imports.import_files([file, tmp_path / "." / "bank.md"])
    assert (first.added, second.added) == (2, 0)
    assert len(ids(empty)) == 2


def test_files_of_one_name_in_different_folders_stay_apart(empty: Library, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert empty.import_file(bank(tmp_path / folder)).added == 2
    assert len(set(ids(empty))) == 4
    bank(tmp_path / "two", ("What is a norm?", "Another length."), OTHER)
    report = empty.import_file(tmp_path / "two" / "bank.md")
    assert (report.updated, len(report.gone)) == (1, 1)
    assert [empty.show(id).answers[0].text for id in ids(empty)].count("A length.") == 1


def while_it_compares(library: Library, deed: Callable[[Library], None]) -> Progress:
    """Let another program do something once an import has seen what is there."""
    waiting = [deed]

    def tell(done: int, total: int) -> None:
        if total and waiting:
            with open_library(library.path) as other:
                waiting.pop()(other)

    return tell


def test_a_collection_that_was_emptied_stays_that_of_its_file(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    empty.edit.remove(ids(empty))
    empty.import_file(bank(tmp_path / "x"))
    assert tree(empty) == [("bank", 0), ("x", 2), ("x/bank", 2)]


def test_a_collection_follows_its_parent_whenever_it_was_made(empty: Library) -> None:
    for name in ("b", "b-c", "a", "b/d", "a/e"):
        empty.collections.new(name)
    assert [name for name, _ in tree(empty)] == ["b", "b/d", "b-c", "a", "a/e"]


def test_no_path_is_no_file(empty: Library) -> None:
    with pytest.raises(UsageError, match="'' is not a file name"):
        empty.import_file("")


@pytest.mark.parametrize(("length", "at_once"), [(60, 2), (50, 3), (101, 1)])
def test_no_more_characters_of_answers_are_stored_at_once_than_memory_is_for(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int, at_once: int
) -> None:
    monkeypatch.setattr(staging, "_LONG", 100)
    monkeypatch.setattr("kb.model.results._SECONDS", 0)
    stored: set[int] = set()
    file = bank(tmp_path, *((f"What is {n}?", "a" * length) for n in range(6)))
    empty.import_file(file, progress=lambda done, total: stored.add(done) if total else None)
    assert stored == {*range(0, 7, at_once)}


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store each entry of an import by itself, and tell of each."""
    monkeypatch.setattr(staging, "_AT_ONCE", 1)
    monkeypatch.setattr(finishing, "STEP", 1)
    monkeypatch.setattr("kb.model.results._SECONDS", 0)


def stopped(library: Library, file: Path, step: int = 1) -> None:
    """Import a file until so many of its entries are done, where each is told of."""

    def tell(done: int, total: int) -> None:
        if total and done == step:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        library.import_file(file, progress=tell)


def answers(library: Library) -> list[str]:
    return [library.show(id).answers[0].text for id in ids(library)]


def deck(folder: Path, *said: str, name: str = "deck.jsonl") -> Path:
    """Write a record for each text."""
    folder.mkdir(exist_ok=True)
    records = (
        {"id": str(n), "title": f"What is {n}?", "text": text} for n, text in enumerate(said)
    )
    (folder / name).write_text("\n".join(map(json.dumps, records)))
    return folder / name


@pytest.mark.usefixtures("one_by_one")
def test_an_edit_while_an_import_is_interrupted_stays_when_it_goes_on(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(deck(tmp_path, "A.", "A.", "A."))
    stopped(empty, deck(tmp_path, "B.", "B.", "B."), 2)
    empty.import_file(deck(tmp_path, "B."))
    empty.edit.amend("deck/0", Amendment(answer="A."))
    report = empty.import_file(deck(tmp_path, "B.", "B.", "B."))
    assert (report.updated, report.unchanged, report.conflicts) == (2, 1, ())
    assert answers(empty) == ["A.", "B.", "B."]
    empty.changes.undo()
    assert answers(empty) == ["A.", "A.", "A."]


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize("changed", [0, 1, 2])
def test_an_import_in_steps_is_a_change_only_where_something_changes(
    empty: Library, tmp_path: Path, changed: int
) -> None:
    before = ["A.", "B.", "C."]
    file = deck(tmp_path, *before)
    first = empty.import_file(file).change
    again = empty.import_file(file)
    assert (again.unchanged, again.change) == (3, None)
    assert [change.id for change in empty.changes.log()] == [first]
    after = [*before[:changed], "D.", *before[changed + 1 :]]
    report = empty.import_file(deck(tmp_path, *after))
    assert (report.updated, report.unchanged) == (1, 2)
    assert [change.id for change in empty.changes.log()] == [report.change, first]
    assert answers(empty) == after
    empty.changes.undo()
    assert answers(empty) == before


def test_an_import_that_is_shown_is_no_longer_stopped(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finishing, "STEP", 1)
    empty.import_file(deck(tmp_path, "A.", "A.", "A."))
    told = []

    def tell(done: int, total: int) -> None:
        told.append(done)
        if answers(empty) != ["A."] * 3:
            raise Cancelled("stopped")

    report = empty.import_file(deck(tmp_path, "B.", "B.", "B."), progress=tell)
    assert report.updated == 3 and report.change is not None and told
    assert answers(empty) == ["B."] * 3
    empty.changes.undo()
    assert answers(empty) == ["A."] * 3


@pytest.mark.usefixtures("one_by_one")
def test_what_an_import_has_shown_is_completed_before_the_next_compares(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "_AT_ONCE", 100)
    empty.import_file(deck(tmp_path, "A.", "A.", "A."))
    file = deck(tmp_path, "B.", "B.", "B.")

    def die(done: int, total: int) -> None:
        if done == 1:  # all are stored at once, and shown one by one
            raise KeyboardInterrupt

    monkeypatch.setattr(finishing, "STEP", 1)
    with pytest.raises(KeyboardInterrupt):
        empty.import_file(file, progress=die)
    report = empty.import_file(file)
    assert (report.updated, report.unchanged, report.change) == (0, 3, None)
    assert answers(empty) == ["B.", "B.", "B."]
    empty.changes.undo()
    assert answers(empty) == ["A.", "A.", "A."]


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize("silent_for", [3600, 10])
def test_what_an_interrupted_import_left_is_deleted_by_a_later_one_of_other_files(
    empty: Library, tmp_path: Path, silent_for: float
) -> None:
    stored = "SELECT count(*) FROM entry WHERE collection = 'deck'"
    file = deck(tmp_path, "A.", "B.", "C.")
    stopped(empty, file, 2)
    raw(empty).execute("UPDATE layer SET beat = beat - ?", (silent_for,))
    assert raw(empty).execute(stored).fetchone()[0] == 2
    other = deck(tmp_path, "D.", "E.", name="other.jsonl")
    assert empty.import_file(other).added == 2
    assert raw(empty).execute(stored).fetchone()[0] == (0 if silent_for > 60 else 2)
    assert tree(empty) == [("other", 2)]
    assert empty.import_file(file).added == 3
    assert (tree(empty), damaged(empty)) == ([("other", 2), ("deck", 3)], [])


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize("silent_for", [3600, 10])
def test_what_an_interrupted_import_left_is_deleted_where_the_log_is_compacted(
    empty: Library, tmp_path: Path, silent_for: float
) -> None:
    stopped(empty, deck(tmp_path, "A.", "B.", "C."), 2)
    raw(empty).execute("UPDATE layer SET beat = beat - ?", (silent_for,))
    assert empty.changes.compact(days=0).changes == 0
    left = raw(empty).execute("SELECT count(*) FROM entry").fetchone()[0]
    assert left == (0 if silent_for > 60 else 2)


@pytest.mark.usefixtures("one_by_one")
def test_an_import_that_goes_on_is_alive_however_long_ago_it_began(
    empty: Library, tmp_path: Path
) -> None:
    other = deck(tmp_path, "D.", "E.", name="other.jsonl")

    def tell(done: int, total: int) -> None:
        with open_library(empty.path) as another:
            if total and done == 1:
                raw(another).execute("UPDATE layer SET beat = beat - 3600")
            elif total and done == 2 and not ids(another):
                another.import_file(other)

    file = deck(tmp_path, "A.", "B.", "C.")
    assert empty.import_file(file, progress=tell).added == 3
    assert sorted(answers(empty)) == ["A.", "B.", "C.", "D.", "E."]
    assert damaged(empty) == []


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_what_an_interrupted_import_stored_is_not_stored_again_however_late_it_goes_on(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    file = deck(tmp_path, "A.", "B.", "C.", "D.", "E.")
    stopped(empty, file, 3)
    raw(empty).execute("UPDATE layer SET beat = beat - 3600")
    keys = "SELECT key FROM entry ORDER BY key"
    before = [row[0] for row in raw(empty).execute(keys)]
    monkeypatch.setattr(staging, "_AT_ONCE", at_once)
    assert empty.import_file(file).added == 5
    assert [row[0] for row in raw(empty).execute(keys)][:3] == before
    assert (answers(empty), damaged(empty)) == (["A.", "B.", "C.", "D.", "E."], [])


@pytest.mark.usefixtures("one_by_one")
def test_a_collection_that_an_interrupted_import_began_is_that_of_another_too(
    empty: Library, tmp_path: Path
) -> None:
    stopped(empty, deck(tmp_path, "A.", "B.", "C."), 2)
    empty.import_file(deck(tmp_path, "D.", name="other.jsonl"), collection="deck")
    assert tree(empty) == [("deck", 1)]
    empty.changes.undo()
    assert tree(empty) == []


def test_only_an_import_that_changes_something_ends_what_can_be_done_again(
    empty: Library, tmp_path: Path
) -> None:
    file = deck(tmp_path, "A.", "B.")
    empty.import_file(file)
    empty.edit.tag(ids(empty), ["مهم"])
    empty.changes.undo()
    assert empty.import_file(file).change is None
    assert empty.import_file(deck(tmp_path, "A.", "B.", "C."), dry_run=True).added == 1
    empty.changes.redo()
    assert {empty.show(id).tags for id in ids(empty)} == {("مهم",)}
    empty.changes.undo()
    assert empty.import_file(file).added == 1
    with pytest.raises(KbError, match="nothing to redo"):
        empty.changes.redo()
    assert {empty.show(id).tags for id in ids(empty)} == {()}


@pytest.mark.parametrize("dry_run", [True, False])
def test_of_an_import_never_more_is_told_as_done_than_there_is(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    monkeypatch.setattr("kb.model.results._SECONDS", 0)
    told: list[tuple[int, int]] = []
    for name in ("one.jsonl", "two.jsonl"):
        deck(tmp_path / "decks", "A.", "B.", name=name)
    empty.import_file(
        tmp_path / "decks", progress=lambda done, total: told.append((done, total)), dry_run=dry_run
    )
    assert told
    assert all(0 <= done <= total for done, total in told)
    assert dry_run or told[-1] == (4, 4)


def test_an_import_never_takes_over_an_entry_that_is_written_meanwhile(
    empty: Library, tmp_path: Path
) -> None:
    def written(other: Library) -> None:
        other.edit.new(Draft({"en": "What is a norm?"}, {}, collection="bank"))

    with pytest.raises(Conflict, match="bank/what-is-a-norm"):
        empty.import_file(bank(tmp_path), progress=while_it_compares(empty, written))
    assert ids(empty) == ["bank/what-is-a-norm"]
    assert empty.show(ids(empty)[0]).answers == ()


def test_an_edit_while_its_file_is_taken_stays_and_waits_to_be_resolved(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    id, *_ = ids(empty)

    def amended(other: Library) -> None:
        other.edit.amend(id, Amendment(answer="Mine."))

    file = bank(tmp_path, ("What is a norm?", "Theirs."), RECORDS[1])
    empty.import_file(file, progress=while_it_compares(empty, amended))
    assert [each.entry for each in empty.files.contested()] == [id]
    empty.import_file(bank(tmp_path, ("What is a norm?", "Theirs again."), RECORDS[1]))
    assert empty.show(id).answers[0].text == "Mine."
    assert [each.entry for each in empty.files.contested()] == [id]


def test_what_was_removed_and_brought_back_is_still_of_its_import(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    empty.edit.remove(ids(empty)[:1])
    empty.changes.undo(2)
    assert (ids(empty), tree(empty)) == ([], [])


def test_a_collection_of_an_import_goes_with_it_whatever_was_taken_back_in_it(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    empty.edit.amend(ids(empty)[0], Amendment(level="H"))
    empty.changes.undo(2)
    assert tree(empty) == []


def test_a_removed_record_that_is_imported_again_and_taken_back_is_known_again(
    empty: Library, tmp_path: Path
) -> None:
    file = bank(tmp_path)
    empty.import_file(file)
    before = ids(empty)
    empty.edit.remove(before[:1])
    assert empty.import_file(file).added == 1
    assert sorted(ids(empty)) == sorted(before)
    empty.changes.undo()
    assert ids(empty) == before[1:]
    empty.changes.undo()
    assert ids(empty) == before
    empty.changes.redo(2)
    assert sorted(ids(empty)) == sorted(before)
    assert empty.import_file(file).unchanged == 2


def test_an_entry_in_a_collection_that_was_taken_back_is_seen_and_imports_go_on(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    empty.changes.undo()
    empty.edit.new(Draft({"fa": "چیست؟"}, {}, collection="bank"))
    assert tree(empty) == [("bank", 1)]
    empty.import_file(bank(tmp_path / "other"))
    assert len(ids(empty)) == 3
    empty.changes.undo(2)
    assert tree(empty) == []
    empty.changes.redo(2)
    assert len(ids(empty)) == 3


def test_doing_an_import_again_makes_no_collection_of_what_the_journal_tells(
    empty: Library, tmp_path: Path
) -> None:
    empty.collections.new("import")
    empty.import_file(bank(tmp_path))
    empty.changes.undo()
    assert tree(empty) == [("import", 0)]
    empty.changes.redo()
    assert tree(empty) == [("import", 0), ("bank", 2)]


def test_titles_that_an_import_changes_are_taken_back_with_it(
    empty: Library, tmp_path: Path
) -> None:
    book = tmp_path / "book.json"
    with new_library(tmp_path / "other.db") as other:
        other.collections.new("a", title="Another")
        other.edit.new(Draft({"en": "What?"}, {}, collection="a"))
        other.export("json", book)
    empty.collections.new("a", title="یک عنوان")
    empty.import_file(book)
    assert [each.title for each in empty.collections.tree()] == [{"en": "Another"}]
    empty.changes.undo()
    assert [each.title for each in empty.collections.tree()] == [{"fa": "یک عنوان"}]


def test_an_entry_that_was_moved_comes_back_where_it_stood(empty: Library, tmp_path: Path) -> None:
    empty.import_file(bank(tmp_path, *RECORDS, OTHER))
    first, second, third = ids(empty)
    empty.edit.move([third], "other")
    empty.edit.move([second], "other")
    assert ids(empty) == [first, third, second]
    empty.changes.undo(2)
    assert ids(empty) == [first, second, third]
    empty.changes.redo(2)
    assert ids(empty) == [first, third, second]


def test_an_entry_that_is_stored_as_it_is_moves_where_a_place_is_given(empty: Library) -> None:
    base = empty._base
    first, second = (Entry(id, "note", "c", {"fa": "یک"}) for id in "ab")
    with base.store.transaction():
        stand(base, "c")
        assert [put_entry(base, each, "user", n) for n, each in enumerate((first, second))] == [
            "added", "added",
        ]  # fmt: skip
    assert ids(empty) == ["a", "b"]
    for position, order in ((None, ["a", "b"]), (2, ["b", "a"]), (0, ["a", "b"])):
        with base.store.transaction():
            assert put_entry(base, first, "user", position) == "unchanged"
        assert ids(empty) == order


@pytest.mark.parametrize("word", ["quokka", "خارپشت"])
def test_hiding_twice_is_hiding_once_and_so_is_showing(
    empty: Library, tmp_path: Path, word: str
) -> None:
    empty.import_file(bank(tmp_path, (word, "Small.")))
    (found,) = ids(empty)
    for hidden, total in ((False, 1), (True, 0), (True, 0), (False, 1), (False, 1)):
        with empty._base.store.transaction():
            hide_entry(empty._base, found, hidden)
        assert empty.search(word).total == total
        assert damaged(empty) == []
    with empty._base.store.transaction():
        hide_entry(empty._base, "none", True)


def test_the_collection_of_what_a_reader_writes_has_a_title_in_both_languages_unless_given(
    empty: Library,
) -> None:
    empty.edit.new(Draft({"en": "Why?"}, {}))
    titles = {"en": "Notes", "fa": "یادداشت‌ها"}
    assert empty.read.collections() == {"notes": titles}
    (found,) = empty.collections.tree()
    assert (found.id, found.title) == ("notes", titles)
    empty.collections.rename("notes", "mine")
    assert empty.read.collections() == {"mine": {}}


def test_a_clock_before_1970_changes_and_undoes_as_any_other(
    empty: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = empty.edit.new(Draft({"en": "Why?"}, {})).ids
    monkeypatch.setattr("time.time_ns", lambda: -(10**18))
    (second,) = empty.edit.new(Draft({"en": "How?"}, {})).ids
    named = [{field.entry for field in change.fields} - {None} for change in empty.changes.log()]
    assert named == [{second}, {first}]
    empty.changes.undo()
    assert [hit.id for hit in empty.list().hits] == [first]


def test_a_collection_that_was_removed_comes_back_where_it_stood(empty: Library) -> None:
    for name in ("یک", "two", "three"):
        empty.collections.new(name)
    empty.collections.remove("یک")
    empty.changes.undo()
    assert tree(empty) == [("یک", 0), ("two", 0), ("three", 0)]


def test_files_are_known_by_their_collection_after_it_was_renamed_and_back(
    empty: Library, tmp_path: Path
) -> None:
    file = bank(tmp_path)
    empty.import_file(file)
    empty.collections.rename("bank", "بانک/one")
    assert empty.import_file(file).unchanged == 2
    assert empty.import_file(bank(tmp_path, *RECORDS, ("What is new?", "This."))).added == 1
    assert tree(empty) == [("بانک", 3), ("بانک/one", 3)]
    empty.changes.undo(2)
    empty.import_file(file)
    assert tree(empty) == [("bank", 3)]


@pytest.mark.parametrize("wanted", ["a", "a/b", " a / b / c ", "a/b/c/d"])
def test_a_collection_does_not_move_into_itself(empty: Library, wanted: str) -> None:
    empty.edit.new(Draft({"en": "What?"}, {}, collection="a/b"))
    before = tree(empty)
    if wanted == "a":
        assert empty.collections.rename("a", wanted) is None
    else:
        with pytest.raises(Conflict, match="into itself"):
            empty.collections.rename("a", wanted)
    assert tree(empty) == before


def test_programs_and_notes_keep_their_order_whatever_is_taken_back(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "own.jsonl"
    programs = [{"id": n, "title": {}, "code": f"print('{n}')", "main": n == "z"} for n in "zb"]
    file.write_text(own(snippets=programs))
    empty.import_file(file)
    for words in ("one", "دو", "three"):
        empty.own.annotate("a", TextSpan("question", "fa", 0, 3), words)
    before = empty.show("a")
    empty.own.withdraw(before.annotations[0].id)
    empty.changes.undo()
    assert empty.show("a") == before
    empty.edit.remove(["a"])
    empty.changes.undo()
    assert empty.show("a") == before
    file.write_text(own(snippets=programs, level="H"))
    empty.import_file(file)
    assert [each.id for each in empty.show("a").snippets] == ["z", "b"]
    empty.changes.undo()
    assert empty.show("a") == before


def test_notes_stay_while_their_entry_is_updated_pruned_and_taken_back(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    id = ids(empty)[0]
    note = empty.own.annotate(id, TextSpan("question", "en", 0, 4), "یادداشت")
    program = empty.own.save_snippet(id, "print(1)")
    empty.import_file(bank(tmp_path, ("What is a norm?", "Another length."), RECORDS[1]))
    empty.import_file(bank(tmp_path, RECORDS[1], OTHER))
    assert [(each.entry, bool(each.kept)) for each in empty.files.gone()] == [(id, True)]
    assert empty.files.prune().ids == ()
    empty.changes.undo(2)
    assert (empty.show(id).annotations, empty.show(id).snippets) == ((note,), (program,))
    assert empty.show(id).answers[0].text == "A length."
    assert damaged(empty) == []


def test_what_evidence_has_shown_stays_when_an_edit_is_taken_back(bundled: Library) -> None:
    id = next(
        hit.id for hit in bundled.list().hits
        if any(each.evidence for each in bundled.show(hit.id).annotations)
    )  # fmt: skip
    bundled.verify([id], trust=True)
    before = bundled.show(id)
    assert any(each.status == "confirmed" for each in before.annotations)
    bundled.edit.amend(id, Amendment(level="H"))
    bundled.changes.undo()
    assert bundled.show(id) == before


def test_of_two_who_edit_an_entry_the_second_is_told_and_overwrites_nothing(
    empty: Library,
) -> None:
    (id,) = empty.edit.new(Draft({"en": "What?"}, {"source": {"en": "This."}})).ids
    with open_library(empty.path) as other:
        draft, seen = other.edit.draft_of(id), other.edit.digest_of(id)
        empty.edit.amend(id, Amendment(answer="That."))
        with pytest.raises(Conflict, match="by somebody else"):
            other.edit.edit(id, draft, seen=seen)
    assert empty.show(id).answers[0].text == "That."
    assert len(empty.changes.log()) == 2


def test_two_who_amend_different_fields_at_once_both_are_heard(
    empty: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (id,) = empty.edit.new(Draft({"en": "What?"}, {"source": {"en": "This."}})).ids
    real = Draft.amended

    def amended(draft: Draft, *given: object) -> Draft:
        if not raw(empty).in_transaction:  # what was read is old by the time it is written
            with open_library(empty.path) as other:
                other.edit.tag([id], ["theirs"])
        return real(draft, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Draft, "amended", amended)
    empty.edit.amend(id, Amendment(level="H"))
    with open_library(empty.path) as other:
        other.edit.tag([id], ["theirs"])
    assert (empty.show(id).level, empty.show(id).tags) == ("H", ("theirs",))


def test_undoing_a_move_brings_back_a_collection_that_is_gone_by_now(empty: Library) -> None:
    (id,) = empty.edit.new(Draft({"en": "What?"}, {}, collection="a")).ids
    empty.edit.move([id], "b")
    move = empty.changes.log()[0].id
    empty.collections.remove("a")
    empty.changes.undo(change=move)
    assert (empty.show(id).collection, damaged(empty)) == ("a", [])
    assert ("a", 1) in tree(empty)


def test_an_import_removes_what_an_undone_one_brought_once_that_cannot_be_redone(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    empty.changes.undo()
    empty.edit.new(Draft({"en": "What?"}, {}))
    stored = "SELECT count(*) FROM entry WHERE collection LIKE 'bank%'"
    assert raw(empty).execute(stored).fetchone()[0] == 2
    empty.import_file(bank(tmp_path, OTHER, name="other.md"))
    assert raw(empty).execute(stored).fetchone()[0] == 0


def test_undo_refuses_what_has_changed_again_behind_its_back(empty: Library) -> None:
    (id,) = empty.edit.new(Draft({"en": "What?"}, {}, level="E")).ids
    made, *_ = empty.changes.log()
    empty.edit.amend(id, Amendment(level="H"))
    raw(empty).execute("UPDATE entry SET level = 'M'")
    with pytest.raises(Conflict, match="was changed again later"):
        empty.changes.undo()
    assert empty.show(id).level == "M"
    assert [change.state for change in empty.changes.log()] == ["done", "done"]
    raw(empty).execute("UPDATE entry SET level = 'H'")
    empty.changes.undo()
    for level, is_undone in (("M", False), ("E", True)):
        raw(empty).execute("UPDATE entry SET level = ?", (level,))
        with contextlib.suppress(Conflict):
            empty.changes.undo(change=made.id)
        assert (ids(empty) == []) is is_undone


def test_undo_and_redo_tell_how_many_changes_are_done(
    empty: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.model.results._SECONDS", 0)
    for name in "abc":
        empty.collections.new(name)
    for replay in (empty.changes.undo, empty.changes.redo):
        told: list[tuple[int, int]] = []
        replay(3, progress=lambda done, total, told=told: told.append((done, total)))
        assert [each for each in told if each[1] == 3] == [(0, 3), (1, 3), (2, 3)]


def test_days_are_from_0_to_36500(empty: Library) -> None:
    assert empty.changes.older(days=36_500) == empty.changes.older(days=0) == 0
    for days in (-0.5, 36_501):
        with pytest.raises(UsageError, match="from 0 to 36500"):
            empty.changes.older(days=days)


def test_the_log_tells_an_undo_from_a_redo(empty: Library) -> None:
    empty.edit.new(Draft({"en": "What?"}, {}))
    empty.changes.undo()
    empty.changes.redo()
    assert [change.what for change in empty.changes.log()] == ["redo", "undo", "write"]


def test_a_new_change_ends_what_could_be_done_again(empty: Library) -> None:
    (id,) = empty.edit.new(Draft({"en": "What?"}, {})).ids
    empty.edit.amend(id, Amendment(level="H"))
    empty.changes.undo()
    empty.edit.tag([id], ["مهم"])
    with pytest.raises(NotFound, match="nothing to redo"):
        empty.changes.redo()
    empty.changes.undo(2)
    assert ids(empty) == []


NAMES = ["یادداشت‌ها/شبکه", "a b/c.d", "..", "-x", "x" * 300, "注/ж/é", "\u202eabc", "a'b\"c;--"]


@pytest.mark.parametrize("name", NAMES)
def test_collections_and_tags_of_any_script_are_kept_and_taken_back(
    empty: Library, name: str
) -> None:
    (id,) = empty.edit.new(Draft({"fa": "چیست؟"}, {}, collection=name, tags=(name,))).ids
    empty.collections.new(f"{name}x")
    empty.collections.rename(name, f"زیر/{name}")
    empty.edit.move([id], f"{name}/deeper")
    assert (empty.show(id).collection, empty.show(id).tags) == (f"{name}/deeper", (name,))
    empty.changes.undo(4)
    assert tree(empty) == []
    empty.changes.redo(4)
    assert (empty.show(id).collection, empty.show(id).tags) == (f"{name}/deeper", (name,))
    assert damaged(empty) == []


@pytest.mark.parametrize("tag", ["a\x07", "x" * 301, " ", "\x1b[31m"])
def test_what_is_no_tag_is_refused_and_nothing_is_written(empty: Library, tag: str) -> None:
    with pytest.raises(UsageError, match="tag"):
        empty.edit.new(Draft({"en": "What?"}, {}, tags=(tag,)))
    assert (ids(empty), empty.changes.log()) == ([], ())


def test_the_journal_goes_on_and_is_trimmed_in_order_when_the_clock_is_set_back(
    empty: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (id,) = empty.edit.new(Draft({"en": "What?"}, {})).ids
    now = time.time_ns()
    monkeypatch.setattr(write.time, "time_ns", lambda: now - 10**18)
    for level in "EMH":
        empty.edit.amend(id, Amendment(level=level))
    log = [change.id for change in empty.changes.log()]
    assert log == sorted(log, reverse=True)
    raw(empty).execute("UPDATE change SET at = '2001-01-01' WHERE id > ?", (min(log),))
    assert empty.changes.compact(days=1).changes == 0
    empty.changes.undo(4)
    assert ids(empty) == []


def test_what_is_forgotten_stays_as_it_is(empty: Library, tmp_path: Path) -> None:
    empty.import_file(bank(tmp_path))
    empty.edit.amend(ids(empty)[0], Amendment(level="H"))
    empty.edit.tag(ids(empty), ["مهم"])
    empty.changes.undo()
    before = [empty.show(id) for id in ids(empty)]
    assert empty.changes.compact(days=0).changes == 4
    with pytest.raises(NotFound):
        empty.changes.undo()
    assert [empty.show(id) for id in ids(empty)] == before
    assert empty.import_file(bank(tmp_path)).unchanged == 2
    assert damaged(empty) == []


def test_of_an_import_that_is_forgotten_no_earlier_version_is_kept(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path))
    empty.import_file(bank(tmp_path, ("What is a norm?", "A size."), RECORDS[1]))
    kept = raw(empty).execute("SELECT entry FROM version").fetchall()
    empty.changes.compact(days=0)
    assert kept and not raw(empty).execute("SELECT entry FROM version").fetchall()


DEEDS: dict[str, Callable[[Library, Path], object]] = {
    "new": lambda library, file: library.edit.new(Draft({"en": "word " * 90_000}, {})),
    "edit": lambda library, file: library.edit.amend(
        "bank/what-is-a-norm", Amendment(answer="واژه " * 90_000)
    ),
    "import": lambda library, file: library.import_file(
        bank(file.parent, *((f"What is {n}?", "words " * 300) for n in range(300)), name="b.md")
    ),
    "undo": lambda library, file: library.changes.undo(),
}


@pytest.mark.long
@pytest.mark.parametrize("deed", DEEDS)
def test_a_full_disk_is_one_sentence_and_nothing_is_lost(
    empty: Library, tmp_path: Path, deed: str
) -> None:
    file = bank(tmp_path)
    empty.import_file(file)
    (noted,) = empty.edit.new(Draft({"en": "word " * 50_000}, {})).ids
    empty.edit.remove([noted])
    before, log = [empty.show(id) for id in ids(empty)], len(empty.changes.log(limit=None))
    connection = raw(empty)
    connection.execute("VACUUM")
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 4}")
    with pytest.raises(BadDatabase, match="disk is full"):
        DEEDS[deed](empty, file)
    assert [empty.show(id) for id in ids(empty)] == before
    assert len(empty.changes.log(limit=None)) == log
    connection.execute(f"PRAGMA max_page_count = {pages + 100_000}")
    DEEDS[deed](empty, file)
    assert damaged(empty) == []


@pytest.mark.long
def test_everything_exported_and_imported_is_the_same(bundled: Library, tmp_path: Path) -> None:
    first, second, *_ = ids(bundled)
    bundled.own.annotate(BUNDLED, TextSpan("question", "en", 0, 4), "یادداشت")
    bundled.own.save_snippet(BUNDLED, "print(1)", title="یک برنامه")
    bundled.collections.new("empty", title="Nothing in it")
    bundled.collections.new("بالا", title="The one above")
    bundled.edit.new(Draft({"fa": "پرسش؟"}, {"source": {"fa": "پاسخ."}}, collection="بالا/زیر"))
    bundled.edit.amend(first, Amendment(level="H", tag=("مهم",)))
    bundled.edit.move([second], "بالا")
    bundled.export("json", tmp_path / "all.json")
    with new_library(tmp_path / "other.db") as other:
        other.import_file(tmp_path / "all.json")
        assert ids(other) == ids(bundled)
        assert [other.show(id) for id in ids(other)] == [bundled.show(id) for id in ids(bundled)]
        assert other.collections.tree() == bundled.collections.tree()


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let a new version come with danesh, in which an entry has these tags."""

    def published(tags: str) -> None:
        data = tmp_path / f"data-{tags}"
        shutil.copytree(bundled_folder(), data)
        file = data / "systems-for-ml" / "06-preprocessing-bottleneck.toml"
        lines = file.read_text(encoding="utf-8").split("\n")
        lines = [f'tags = ["{tags}"]' if line.startswith("tags =") else line for line in lines]
        file.write_text("\n".join(lines), encoding="utf-8")
        monkeypatch.setattr("kb.content.bundled.bundled_folder", lambda: data)

    return published


@pytest.mark.long
def test_an_edit_of_what_came_with_danesh_is_taken_back_behind_a_new_version(
    bundled_path: Path, publish: Callable[[str], None]
) -> None:
    with open_library(bundled_path) as library:
        library.edit.amend(BUNDLED, Amendment(level="H"))
    publish("newer")
    with open_library(bundled_path) as library:
        assert (library.show(BUNDLED).level, library.show(BUNDLED).tags) == ("H", ("newer",))
        library.changes.undo()
        assert (library.show(BUNDLED).level, library.show(BUNDLED).tags) == (None, ("newer",))
        library.changes.redo()
        assert library.show(BUNDLED).level == "H"


@pytest.mark.long
def test_what_both_changed_is_told_until_it_is_resolved(
    bundled_path: Path, publish: Callable[[str], None]
) -> None:
    with open_library(bundled_path) as library:
        library.edit.amend(BUNDLED, Amendment(tag=("مهم",)))
    publish("newer")
    with open_library(bundled_path) as library:
        assert library.show(BUNDLED).tags == ("مهم",)
        assert [(c.entry, c.field) for c in library.files.contested()] == [(BUNDLED, "tags")]
        library.files.resolve([BUNDLED], "theirs")
        assert library.show(BUNDLED).tags == ("newer",)
        library.changes.undo(2)
    publish("newest")
    with open_library(bundled_path) as library:
        assert library.show(BUNDLED).tags == ("newest",)
        assert not library.files.contested()


@pytest.mark.long
def test_an_edit_back_to_an_older_version_is_still_the_readers(
    bundled_path: Path, publish: Callable[[str], None]
) -> None:
    with open_library(bundled_path) as library:
        tags = library.show(BUNDLED).tags
        library.edit.amend(BUNDLED, Amendment(tag=("مهم",)))
        library.changes.undo()
    publish("newer")
    with open_library(bundled_path) as library:
        library.edit.amend(BUNDLED, Amendment(tag=tags))
    publish("newest")
    with open_library(bundled_path) as library:
        assert library.show(BUNDLED).tags == tags


def test_nothing_but_our_own_errors_leaves_an_edit(empty: Library) -> None:
    for name in ("", "x" * 300, "یادداشت/نیست", "a\0b", "\udc80"):
        for deed in (
            lambda name=name: empty.edit.amend(name, Amendment(level="H")),
            lambda name=name: empty.edit.remove([name]),
            lambda name=name: empty.edit.move([name], "a"),
            lambda name=name: empty.edit.tag([name], ["a"]),
            lambda name=name: empty.changes.history(name),
            lambda name=name: empty.files.resolve([name], "mine"),
        ):
            with pytest.raises(KbError):
                deed()
    assert empty.changes.log() == ()


def test_a_copy_of_a_part_holds_nothing_of_the_rest_not_even_in_its_journal(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path, ("What is given?", "This."), ("What is kept?", "Secret one.")))
    kept = ids(empty)[1]
    empty.import_file(bank(tmp_path, ("What is given?", "This."), ("What is kept?", "Secret two.")))
    empty.edit.amend(kept, Amendment(answer="Secret three."))
    empty.edit.remove(empty.edit.new(Draft({"fa": "راز چهارم"}, {})).ids)
    copy = tmp_path / "part.db"
    empty.export("sqlite", copy, ids=ids(empty)[:1])
    held = copy.read_bytes()
    assert b"This." in held
    assert b"Secret" not in held
    assert not any(words.encode() in held for words in ("راز چهارم", "راز-چهارم"))
    with open_library(copy) as part:
        assert (len(ids(part)), part.changes.log()) == (1, ())


# The fields of notes and cards.

FILE = {"path": "w1/svm.md", "head": "---\ntags: [a]\n---\n", "encoding": "utf-8", "newline": "lf"}
NOTED = {
    "aliases": ["SVM", "ماشین بردار"],
    "context": "| x | y |",
    "within": "note",
    "file": FILE,
}


def noted(library: Library) -> dict[str, object]:
    found = library.show("a")
    values = (list(found.aliases), found.context, found.within, found.file)
    return dict(zip(NOTED, (*values[:3], values[3] and values[3]._asdict()), strict=True))


def test_the_fields_of_notes_are_imported_again_merged_undone_and_redone(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(own(**NOTED))
    empty.import_file(file)
    assert noted(empty) == NOTED
    assert empty.import_file(file).unchanged == 1
    empty.edit.amend("a", Amendment(tag=("mine",)))
    file.write_text(own(**{**NOTED, "context": "| z |", "aliases": ["SVM"]}))
    assert empty.import_file(file).updated == 1
    assert (noted(empty)["context"], empty.show("a").tags) == ("| z |", ("mine",))
    empty.changes.undo()
    assert noted(empty) == NOTED
    empty.changes.redo()
    assert noted(empty) == {**NOTED, "context": "| z |", "aliases": ["SVM"]}
    assert damaged(empty) == []


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("file", {**FILE, "path": "/etc/passwd"}, "not a path below a folder"),
        ("file", {**FILE, "path": "../a.md"}, "not a path below a folder"),
        ("file", {**FILE, "newline": "vt"}, "newline"),
        ("aliases", "SVM", "aliases must be a list"),
        ("aliases", ["a"] * 10_001, "at most 10,000 aliases"),
        ("within", "x" * 1_001, "more than 1,000 characters"),
    ],
)
def test_a_field_of_a_note_that_cannot_be_kept_is_refused(
    empty: Library, tmp_path: Path, field: str, value: object, said: str
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(own(**{field: value}))
    with pytest.raises(KbError, match=said):
        empty.import_file(file)


def test_backlinks_follow_every_change_of_what_links(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(own() + "\n" + own(id="b", related=["a", "gone"]))
    empty.import_file(file)
    assert (empty.read.backlinks("a"), empty.read.backlinks("b")) == (("b",), ())
    file.write_text(own() + "\n" + own(id="b"))
    empty.import_file(file)
    assert empty.read.backlinks("a") == ()
    empty.changes.undo()
    assert empty.read.backlinks("a") == ("b",)
    empty.edit.remove(["b"])
    assert empty.read.backlinks("a") == ()
    empty.changes.undo()
    assert empty.read.backlinks("a") == ("b",)


def test_ids_of_changes_are_uuids_of_their_time() -> None:
    before = time.time_ns() // 1_000_000
    for _ in range(20):  # of any random bits
        id = uuid.UUID(write.later_id(""))
        assert (id.version, id.variant) == (7, uuid.RFC_4122)
        assert before <= id.int >> 80 <= time.time_ns() // 1_000_000


def test_an_id_is_later_also_where_clock_and_chance_give_the_last_one_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("time.time_ns", lambda: 10**18)
    monkeypatch.setattr("os.urandom", bytes)
    last = write.later_id("")
    assert write.later_id(last) > last


NORM = Draft({"en": "What is a norm?"}, {"source": {"en": "A length."}}, collection="own")


def test_an_id_whose_entry_was_taken_back_is_given_to_no_other(empty: Library) -> None:
    (first,) = empty.edit.new(NORM).ids
    empty.changes.undo()
    (second,) = empty.edit.new(NORM).ids
    assert second != first


def test_an_id_whose_entry_was_removed_is_given_to_no_other(empty: Library, tmp_path: Path) -> None:
    given = [*empty.edit.new(NORM).ids]
    for _ in range(2):
        empty.edit.remove(given[-1:])
        given += empty.edit.new(NORM).ids
    assert len(set(given)) == 3
    (tmp_path / "own.jsonl").write_text(json.dumps({"id": "what-is-a-norm", "title": "A?"}))
    report = empty.import_file(tmp_path / "own.jsonl", collection="own")
    assert report.entries[0].id.startswith("own/what-is-a-norm")
    assert report.entries[0].id not in given


def test_an_entry_comes_back_into_a_collection_that_is_gone_by_now(empty: Library) -> None:
    (id,) = empty.edit.new(NORM).ids
    empty.edit.remove([id])
    removal = empty.changes.log()[0].id
    empty.collections.remove("own")
    empty.changes.undo(change=removal)
    assert (ids(empty), tree(empty)) == ([id], [("own", 1)])


def test_an_import_that_was_undone_leaves_nothing_once_it_is_forgotten(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(bank(tmp_path, *[(f"What is {n}?", "long " * 400) for n in range(200)]))
    empty.changes.undo()
    trimmed = empty.changes.compact(days=0)
    assert trimmed.changes > 0
    assert trimmed.bytes > 100_000
    assert raw(empty).execute("SELECT count(*) FROM entry").fetchone()[0] == 0
    assert not raw(empty).execute("SELECT path FROM path").fetchall(), "where a file lay is private"
    assert empty.changes.compact(days=0).bytes == 0
