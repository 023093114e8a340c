"""What is imported is known again: compared with its file, never overwritten, never lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import Library
from kb.errors import BadData, NotFound
from kb.model.changes import Side
from kb.model.draft import Amendment, Draft
from kb.model.reports import ImportReport
from tests.behind import damaged

SHEET = "# Notes\n\n## {first}\n\n{answer}\n\n## What is a norm?\n\nA length.\n"
TITLES = {"en": "What is dropout?", "fa": "حذف تصادفی چیست؟"}
ANSWERS = {"en": "It drops units.", "fa": "واحدها را حذف می‌کند."}


def _sheet(path: Path, first: str, answer: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SHEET.format(first=first, answer=answer), encoding="utf-8")
    return path


def _ids(library: Library) -> list[str]:
    return [hit.id for hit in library.list().hits]


def _answer(library: Library, id: str) -> str:
    return library.show(id).answers[0].text


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_files_of_one_name_in_different_folders_never_meet(
    empty: Library, tmp_path: Path, lang: str
) -> None:
    files = [
        _sheet(tmp_path / f"week{n}" / "notes.md", TITLES[lang], f"{ANSWERS[lang]} {n}")
        for n in (1, 2, 3)
    ]
    reports = empty.imports.import_files(files)
    assert [report.added for report in reports] == [2, 2, 2]
    assert len(_ids(empty)) == 6
    collections = {empty.show(id).collection for id in _ids(empty)}
    assert collections == {"notes", "week2/notes", "week3/notes"}


def test_the_same_file_is_known_whatever_folder_it_was_named_by(
    empty: Library, tmp_path: Path
) -> None:
    file = _sheet(tmp_path / "a" / "b" / "notes.md", TITLES["en"], ANSWERS["en"])
    empty.import_file(tmp_path / "a")
    ids = _ids(empty)
    for path in (file, tmp_path, file.parent):
        report = empty.import_file(path)
        assert (report.added, report.unchanged) == (0, 2)
    assert _ids(empty) == ids


def test_a_folder_becomes_a_tree_and_what_nothing_reads_is_listed(
    empty: Library, tmp_path: Path
) -> None:
    _sheet(tmp_path / "deep" / "learning.md", TITLES["en"], ANSWERS["en"])
    _sheet(tmp_path / "شبکه" / "یادداشت.md", TITLES["fa"], ANSWERS["fa"])
    (tmp_path / ".hidden.md").write_text("## What is hidden?\n\nThis.\n")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    (tmp_path / "broken.md").write_bytes(b"\xff\xfe\xfa")
    report = empty.import_file(tmp_path)
    assert report.added == 4
    assert {Path(each.file).name for each in report.dropped} >= {"photo.png", "broken.md"}
    tree = {each.id: (each.entries, each.parent) for each in empty.collections.tree()}
    assert tree["deep/learning"] == (2, "deep")
    assert tree["شبکه/یادداشت"] == (2, "شبکه")
    assert not any("hidden" in id for id in _ids(empty))


@pytest.mark.parametrize(("named", "collection"), [(None, "sub"), ("mine", "mine/sub")])
def test_a_note_of_a_folder_lies_in_its_folder_and_is_known_there_again(
    empty: Library, tmp_path: Path, named: str | None, collection: str
) -> None:
    file = tmp_path / "vault" / "sub" / "norms.md"
    file.parent.mkdir(parents=True)
    file.write_text("# Norms\n\nA norm is a length of a vector, and a length is no norm.\n")
    for known in (0, 1):
        report = empty.import_file(tmp_path / "vault", collection=named)
        assert (report.added, report.unchanged) == (1 - known, known)
    assert [empty.show(id).collection for id in _ids(empty)] == [collection]


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_renamed_heading_above_the_same_answer_is_an_update(
    empty: Library, tmp_path: Path, lang: str
) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES[lang], ANSWERS[lang])
    empty.import_file(file)
    ids = _ids(empty)
    _sheet(file, TITLES[lang].replace("؟", "، به‌راستی؟").replace("What is", "Why"), ANSWERS[lang])
    report = empty.import_file(file)
    assert (report.added, report.updated, report.unchanged) == (0, 1, 1)
    assert _ids(empty) == ids
    assert TITLES[lang] not in str(empty.show(ids[0]).question)


def test_what_a_reader_changed_stays_and_what_both_changed_is_kept_twice(
    empty: Library, tmp_path: Path
) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["en"], ANSWERS["en"])
    empty.import_file(file)
    first, second = _ids(empty)
    empty.edit.amend(first, Amendment(answer="Mine."))
    empty.edit.tag([second], ["exam"])
    assert empty.import_file(file).unchanged == 2
    _sheet(file, TITLES["en"], "Theirs.")
    report = empty.import_file(file)
    assert report.conflicts == (first,)
    assert (_answer(empty, first), empty.show(second).tags) == ("Mine.", ("exam",))
    (field,) = empty.files.contested()
    assert (field.mine["text"], field.theirs["text"]) == ("Mine.", "Theirs.")  # type: ignore[index]
    assert empty.import_file(file).conflicts == (first,)
    empty.files.resolve([first], "theirs")
    assert _answer(empty, first) == "Theirs."
    assert (empty.import_file(file).unchanged, empty.files.contested()) == (2, ())
    assert damaged(empty) == []


def test_changes_of_different_things_are_put_together(empty: Library, tmp_path: Path) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["en"], ANSWERS["en"])
    empty.import_file(file)
    first = _ids(empty)[0]
    empty.edit.amend(first, Amendment(question="حذف تصادفی چیست؟", level="H"))
    _sheet(file, TITLES["en"], "It drops some units.")
    report = empty.import_file(file)
    assert (report.updated, report.conflicts) == (1, ())
    entry = empty.show(first)
    assert (entry.level, entry.question["fa"]) == ("H", "حذف تصادفی چیست؟")
    assert _answer(empty, first) == "It drops some units."


def test_what_is_gone_from_a_file_stays_until_it_is_pruned(empty: Library, tmp_path: Path) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["en"], ANSWERS["en"])
    empty.import_file(file)
    gone, _ = _ids(empty)
    file.write_text(
        "# Notes\n\n## What is a norm?\n\nA length.\n\n## What is a mean?\n\nA middle.\n"
    )
    assert empty.import_file(file).gone == (gone,)
    assert gone in _ids(empty)
    assert [each.entry for each in empty.files.gone()] == [gone]
    assert empty.files.prune().ids == (gone,)
    assert gone not in _ids(empty)
    empty.changes.undo()
    assert gone in _ids(empty)
    _sheet(file, TITLES["en"], ANSWERS["en"])
    assert gone not in empty.import_file(file).gone
    assert gone not in [each.entry for each in empty.files.gone()]


def test_a_file_that_is_deleted_from_its_folder_leaves_its_entries_as_gone(
    empty: Library, tmp_path: Path
) -> None:
    _sheet(tmp_path / "one.md", TITLES["en"], ANSWERS["en"])
    two = _sheet(tmp_path / "two.md", TITLES["fa"], ANSWERS["fa"])
    empty.import_file(tmp_path)
    two.unlink()
    report = empty.import_file(tmp_path)
    assert len(report.gone) == 2
    assert len(_ids(empty)) == 4


def test_pruning_leaves_what_the_reader_has_worked_on(empty: Library, tmp_path: Path) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["en"], ANSWERS["en"])
    empty.import_file(file)
    changed, noted = _ids(empty)
    empty.edit.amend(changed, Amendment(level="H"))
    empty.own.save_snippet(noted, "print('x: 1')\n")
    file.write_text("# Notes\n\n## What else?\n\nNothing.\n")
    empty.import_file(file)
    assert [bool(each.kept) for each in empty.files.gone()] == [True, True]
    assert empty.files.prune().ids == ()


def test_a_removed_entry_returns_with_its_record_and_its_id_is_no_others(
    empty: Library, tmp_path: Path
) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["en"], ANSWERS["en"])
    empty.import_file(file)
    first = _ids(empty)[0]
    empty.edit.remove([first])
    written = empty.edit.new(Draft({"": TITLES["en"]}, collection="notes"))
    assert written.ids != (first,)
    assert empty.import_file(file).added == 1
    assert first in _ids(empty)


@pytest.mark.long
def test_an_import_is_taken_back_and_done_again_as_one(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    lines = [
        json.dumps({"id": str(n), "title": f"Question {n}?", "text": "A."}) for n in range(300)
    ]
    file.write_text("\n".join(lines))
    empty.import_file(file)
    empty.changes.undo()
    assert (_ids(empty), empty.search("question").total) == ([], 0)
    assert empty.collections.tree() == []
    with pytest.raises(NotFound):
        empty.show("many/1")
    empty.changes.redo()
    assert len(_ids(empty)) == 300
    file.write_text("\n".join([*lines[:150], *(line.replace("A.", "B.") for line in lines[150:])]))
    assert empty.import_file(file).updated == 150
    assert _answer(empty, "many/200") == "B."
    empty.changes.undo()
    assert _answer(empty, "many/200") == "A."
    assert empty.import_file(file).updated == 150
    assert damaged(empty) == []


def test_what_was_imported_before_files_were_remembered_is_adopted(
    empty: Library, tmp_path: Path
) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["en"], ANSWERS["en"])
    empty.import_file(file)
    first, second = _ids(empty)
    ledger = empty._base.store.ledger
    with empty._base.store.transaction():
        for record in ledger.of_entries([first, second]).values():
            ledger.put(record._replace(file="", digest="", heading="", answer=""))
        empty._base.store.connection.run("DELETE FROM file")
    _sheet(file, TITLES["en"], "Otherwise.")
    report = empty.import_file(file)
    assert (report.added, report.unchanged, report.conflicts) == (0, 1, (first,))
    assert _ids(empty) == [first, second]


def test_bad_lines_are_named_or_set_aside(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "deck.jsonl"
    good = json.dumps({"id": "a", "title": "نرم چیست؟", "text": "طول", "source": "x"})
    file.write_text(f"{good}\nnot json\n", encoding="utf-8")
    with pytest.raises(BadData, match=r"deck\.jsonl:2") as one:
        empty.import_file(file)
    file.write_text(f"{good}\nnot json\nnor this\nnor that\n", encoding="utf-8")
    with pytest.raises(BadData, match=r"deck\.jsonl:2.*and 2 more lines"):
        empty.import_file(file)
    assert "more lines" not in one.value.message
    file.write_text(f"{good}\nnot json\n", encoding="utf-8")
    assert _ids(empty) == []
    report = empty.import_file(file, skip_bad=True)
    assert (report.added, [each.line for each in report.bad]) == (1, [2])
    (dropped,) = report.dropped
    assert "source" in dropped.reason


def test_a_dry_run_changes_nothing_and_tells_the_same(empty: Library, tmp_path: Path) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["fa"], ANSWERS["fa"])
    told = empty.import_file(file, dry_run=True)
    assert (_ids(empty), empty.changes.log()) == ([], ())
    done = empty.import_file(file)
    assert told._replace(dry_run=False, change=done.change) == done


def _answers_told(library: Library, id: str) -> list[tuple[str, str]]:
    """Return what a history tells of an answer, each time before and after a change."""
    fields = [field for change in library.changes.history(id) for field in change.fields]
    said = [field for field in fields if field.field == "answers.source.fa"]
    return [(each.before["text"], each.after["text"]) for each in said]


def test_the_history_of_an_entry_tells_what_its_file_changed(
    empty: Library, tmp_path: Path
) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["fa"], "یک.")
    empty.import_file(file)
    first = _ids(empty)[0]
    _sheet(file, TITLES["fa"], "دو.")
    empty.import_file(file)
    empty.edit.amend(first, Amendment(answer="سه."))
    assert _answers_told(empty, first) == [("یک.", "دو."), ("دو.", "سه.")]


def test_the_history_of_an_entry_tells_nothing_of_others(empty: Library) -> None:
    one, other = (empty.edit.new(Draft({"fa": title}, {})).ids[0] for title in ("یک؟", "دو؟"))
    empty.edit.tag([one, other], ["مهم"])
    fields = [field for change in empty.changes.history(one) for field in change.fields]
    assert {field.entry for field in fields} == {one} and fields[-1].after == ["مهم"]


def test_the_history_of_an_entry_that_was_removed_tells_what_its_file_changed_before(
    empty: Library, tmp_path: Path
) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["fa"], "یک.")
    empty.import_file(file)
    first = _ids(empty)[0]
    _sheet(file, TITLES["fa"], "دو.")
    empty.import_file(file)
    empty.edit.remove([first])
    empty.import_file(file)
    assert _answers_told(empty, first) == [("یک.", "دو.")]


def _lines(path: Path, *records: tuple[str, str, str]) -> Path:
    """Write records of an id, a title and a text each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    said = (dict(zip(("id", "title", "text"), each, strict=True)) for each in records)
    path.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    return path


def _note(path: Path, text: str) -> Path:
    """Write a note that says its language, so that nothing needs to guess it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nlang: en\n---\n{text}", encoding="utf-8")
    return path


def _own(path: Path, *records: tuple[str, str, str]) -> Path:
    """Write records in our own format: as a whole, or a line each."""
    entries = [
        {"id": id, "kind": "card", "collection": "own", "question": {"en": title},
         "answers": [{"role": "source", "lang": "en", "text": text}]}
        for id, title, text in records
    ]  # fmt: skip
    whole = path.suffix == ".json"
    book = json.dumps({"schema_version": 1, "entries": entries})
    path.write_text(book if whole else "\n".join(map(json.dumps, entries)))
    return path


NORM = ("norm", "What is a norm?", "A length.")
MEAN = ("mean", "What is a mean?", "A middle.")
SUM = ("sum", "What is a sum?", "A total.")


@pytest.mark.parametrize(
    ("write", "name", "above"),
    [(_lines, "bank.jsonl", "bank/"), (_own, "own.jsonl", ""), (_own, "own.json", "")],
)
def test_an_id_that_its_file_has_no_longer_is_gone_until_it_is_back(
    empty: Library, tmp_path: Path, write: Callable[..., Path], name: str, above: str
) -> None:
    file = write(tmp_path / name, NORM, MEAN, SUM)
    assert (empty.import_file(file).added, empty.import_file(file).gone) == (3, ())
    write(file, NORM, SUM)
    for _ in range(2):
        report = empty.import_file(file)
        assert (report.added, report.unchanged, report.gone) == (0, 2, (f"{above}mean",))
    write(file, SUM, MEAN, NORM)
    report = empty.import_file(file)
    assert (report.added, report.unchanged, report.gone) == (0, 3, ())
    assert empty.files.gone() == []


def test_an_entry_under_another_id_is_known_by_the_id_in_its_file(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(_lines(tmp_path / "one.jsonl", NORM, MEAN), collection="c")
    file = _lines(tmp_path / "two.jsonl", ("norm", "A?", "1."), ("mean", "B?", "2."))
    empty.import_file(file, collection="c")
    assert _ids(empty)[2:] == ["c/norm-2", "c/mean-2"]
    _lines(file, ("norm", "B?", "2."), ("mean", "C?", "3."))
    report = empty.import_file(file, collection="c")
    assert (report.added, report.updated, report.gone) == (0, 2, ())
    assert [_answer(empty, id) for id in ("c/norm-2", "c/mean-2")] == ["2.", "3."]
    _lines(file, ("norm", "B?", "2."), ("other", "C?", "3."))
    report = empty.import_file(file, collection="c")
    assert (report.added, report.unchanged, report.gone) == (1, 1, ("c/mean-2",))
    assert _answer(empty, "c/other") == "3."


def test_of_equal_headings_each_is_known_by_its_answer_too(empty: Library, tmp_path: Path) -> None:
    told = [f"## Why?\n\n{answer}\n\n" for answer in ("Because.", "Therefore.", "Hence.")]
    known: dict[str, str] = {}
    for order in ((0, 1, 2), (2, 0, 1), (1, 2)):
        text = "".join(told[n] for n in order)
        report = empty.import_file(_note(tmp_path / "why.md", text), taken_as="questions")
        answers = {
            hit.id: _answer(empty, hit.id) for hit in empty.list().hits if hit.kind != "note"
        }
        assert answers == (known or answers)
        known = answers
    assert [known[id] for id in report.gone] == ["Because."]


def test_of_several_that_an_entry_could_be_by_now_it_is_the_first_and_the_others_are_new(
    empty: Library, tmp_path: Path
) -> None:
    def told(*records: tuple[str, str]) -> ImportReport:
        text = "".join(f"## {question}\n\n{answer}\n\n" for question, answer in records)
        return empty.import_file(_note(tmp_path / "why.md", text), taken_as="questions")

    told(("Why?", "Because."), ("چرا؟", "زیرا."))
    by_heading, by_answer = _ids(empty)
    report = told(("Why?", "One."), ("Why?", "Two."), ("How?", "زیرا."), ("چگونه؟", "زیرا."))
    assert (report.added, report.updated, report.gone) == (2, 2, ())
    assert _answer(empty, by_heading) == "One."
    assert empty.show(by_answer).question == {"en": "How?"}


def test_what_is_gone_is_told_in_the_order_in_which_its_file_last_had_it(
    empty: Library, tmp_path: Path
) -> None:
    file = _lines(tmp_path / "bank" / "bank.jsonl", NORM, MEAN, SUM)
    _lines(tmp_path / "bank" / "other.jsonl", SUM)
    empty.import_file(file.parent)
    _lines(file, SUM, MEAN, NORM)
    report = empty.import_file(file.parent)
    assert (report.unchanged, report.change) == (4, None)
    _lines(file, MEAN)
    assert empty.import_file(file.parent).gone == ("bank/sum", "bank/norm")
    assert [each.entry for each in empty.files.gone()] == ["bank/sum", "bank/norm"]


def test_what_cannot_be_looked_at_is_not_gone(empty: Library, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    kept, deep = _note(vault / "one.md", "One.\n"), _note(vault / "sub" / "two.md", "Two.\n")
    left = _note(vault / "sub" / "three.md", "Three.\n")
    assert empty.import_file(vault).added == 3
    left.unlink()
    kept.unlink()
    kept.symlink_to(kept.name)
    report = empty.import_file(vault)
    assert [Path(each.file).name for each in report.dropped] == ["one.md"]
    assert report.gone == ("sub/three",)
    kept.unlink()
    deep.unlink()
    deep.parent.rmdir()
    _note(deep.parent, "A file now.\n")
    _note(kept, "One.\n")
    assert set(empty.import_file(vault).gone) == {"sub/two", "sub/three"}


def test_what_a_folder_has_in_one_collection_is_not_gone_from_another(
    empty: Library, tmp_path: Path
) -> None:
    file = _note(tmp_path / "vault" / "one.md", "One.\n")
    for name in ("a", "b", "a", "b"):
        assert empty.import_file(file.parent, collection=name).gone == ()
    assert _ids(empty) == ["a/one", "b/one"]
    file.unlink()
    _note(file.with_name("two.md"), "Two.\n")
    assert set(empty.import_file(file.parent, collection="a").gone) == {"a/one", "b/one"}


def test_a_note_moves_with_its_file_unless_the_reader_has_moved_or_changed_it(
    empty: Library, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    for name in ("one", "two", "three"):
        _note(vault / "a" / f"{name}.md", f"The text of {name}.\n")
    empty.import_file(vault)
    empty.edit.move(["a/two"], "mine")
    empty.edit.amend("a/three", Amendment(question="Mine"))
    shutil.move(vault / "a", vault / "b")
    shutil.move(vault / "b" / "three.md", vault / "b" / "theirs.md")
    report = empty.import_file(vault)
    assert (report.added, report.updated, report.conflicts) == (0, 2, ("a/three",))
    assert report.gone == ()
    file = empty.show("a/two").file
    assert file is not None and file.path == "b/two.md"
    assert _collections(empty) == {"a/one": "b", "a/two": "mine", "a/three": "a"}
    assert [(each.id, each.entries) for each in empty.collections.tree()] == [
        ("a", 1), ("mine", 1), ("b", 1),
    ]  # fmt: skip
    assert empty.import_file(vault).updated == 0
    empty.changes.undo()
    assert _collections(empty)["a/one"] == "a"
    assert "b" not in [each.id for each in empty.collections.tree()]


def _collections(library: Library) -> dict[str, str]:
    return {id: library.show(id).collection for id in _ids(library)}


def test_a_note_leaves_a_collection_named_after_it_unless_the_reader_moved_it(
    empty: Library, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    for name in ("a/one", "b/two"):
        _note(vault / f"{name}.md", f"The text of {name}.\n")
    empty.import_file(vault)
    for name in ("a/one", "b/two"):
        empty.collections.rename(name[0], f"own/{name}")  # as notes once were imported
    empty.edit.move(["b/two"], "mine")
    report = empty.import_file(vault)
    assert (report.added, report.updated, report.unchanged) == (0, 1, 1)
    assert _collections(empty) == {"a/one": "a", "b/two": "mine"}
    empty.changes.undo()
    assert _collections(empty) == {"a/one": "own/a/one", "b/two": "mine"}


@pytest.mark.parametrize(
    ("side", "moved", "kept"),
    [("mine", False, True), ("theirs", False, False), ("theirs", True, True)],
)
def test_what_was_resolved_is_compared_with_what_the_file_said_then(
    empty: Library, tmp_path: Path, side: Side, moved: bool, kept: bool
) -> None:
    file = _lines(tmp_path / "bank.jsonl", NORM, MEAN)
    empty.import_file(file)
    empty.edit.amend("bank/norm", Amendment(answer="Mine."))
    _lines(file, (*NORM[:2], "Theirs."), MEAN)
    assert empty.import_file(file).conflicts == ("bank/norm",)
    if moved:
        empty.edit.move(["bank/norm"], "elsewhere")
    empty.files.resolve(["bank/norm"], side)
    chosen = _answer(empty, "bank/norm")
    assert chosen == f"{side.title()}."
    _lines(file, MEAN)
    empty.import_file(file)
    assert [bool(each.kept) for each in empty.files.gone()] == [kept]
    _lines(file, (NORM[0], "What is any norm?", "Theirs."), MEAN)
    assert (empty.import_file(file).updated, _answer(empty, "bank/norm")) == (1, chosen)
    assert empty.show("bank/norm").question == {"en": "What is any norm?"}
    _lines(file, (*NORM[:2], "Later."), MEAN)
    assert empty.import_file(file).conflicts == (("bank/norm",) if side == "mine" else ())
    assert _answer(empty, "bank/norm") == ("Mine." if side == "mine" else "Later.")
    assert empty.show("bank/norm").collection == ("elsewhere" if moved else "bank")


def test_a_report_has_the_entries_of_all_its_files_by_number(
    empty: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "bank"
    _lines(folder / "a.jsonl", NORM, MEAN)
    _lines(folder / "b.jsonl")
    _lines(folder / "c.jsonl", NORM, MEAN, SUM)
    _lines(folder / "d.jsonl", SUM)
    report = empty.import_file(folder)
    entries = report.entries
    every = [*entries]
    assert [(each.id, each.line) for each in every] == [
        ("a/norm", 1), ("a/mean", 2), ("c/norm", 1), ("c/mean", 2), ("c/sum", 3), ("d/sum", 1),
    ]  # fmt: skip
    assert len(entries) == 6 and report.readings == ()
    for number in range(-6, 6):
        assert entries[number] == every[number]
    for span in (slice(1, 4), slice(None), slice(None, None, -2), slice(5, 9)):
        assert entries[span] == tuple(every[span])
    for number in (6, -7):
        with pytest.raises(IndexError):
            entries[number]
    assert entries == every and entries != every[:-1]


def test_a_card_stands_within_its_note_whatever_the_note_is_called(
    empty: Library, tmp_path: Path
) -> None:
    empty.edit.new(Draft({"en": "Norms"}, {}, collection="vault"))
    prose = "A norm is a length of a vector, and it says how far the vector leads."
    card = "Q: What is a norm?\nA: A length."
    vault = _note(tmp_path / "vault" / "norms.md", f"{prose}\n\n{card}\n").parent
    for added in (2, 0):
        report = empty.import_file(vault, collection="vault")
        assert (report.added, [each.taken_as for each in report.readings]) == (added, ["notes"])
    held, note = empty.show("vault/what-is-a-norm"), empty.show("vault/norms-2")
    assert (held.within, held.related, note.within) == (note.id, (note.id,), None)
    assert note.file is not None and note.file.path == "norms.md"


@pytest.mark.parametrize(
    ("below", "named", "first", "second"),
    [
        ("one.md", None, "x", "v2/x"),
        ("a/one.md", None, "a", "x/a"),
        ("a/b/one.md", None, "a/b", "x/a/b"),
        ("a/b/c/one.md", None, "a/b/c", "x/a/b/c"),
        ("one.jsonl", None, "one", "x/one"),
        ("a/one.jsonl", None, "a/one", "x/a/one"),
        ("a/b/one.jsonl", None, "a/b/one", "x/a/b/one"),
        ("one.md", "c", "c", "c"),
        ("a/one.md", "c", "c/a", "c/a"),
        ("one.jsonl", "c", "c/one", "c/one"),
        ("a/b/one.jsonl", "c", "c/a/b/one", "c/a/b/one"),
    ],
)
def test_a_collection_is_named_by_as_much_of_the_path_as_tells_it_apart(
    empty: Library, tmp_path: Path, below: str, named: str | None, first: str, second: str
) -> None:
    for version, collection in (("v1", first), ("v2", second)):
        folder = tmp_path / version / "x"
        file = folder / below
        if file.suffix == ".md":
            _note(file, f"The text of {version}.\n")
        else:
            _lines(file, NORM)
        report = empty.import_file(folder, collection=named)
        assert (report.collection, report.added) == (collection, 1)
        assert empty.import_file(folder, collection=named).unchanged == 1
