"""What is imported is known again: compared with its file, never overwritten, never lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb import Library
from kb.errors import BadData, NotFound
from kb.model.draft import Amendment, Draft
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


def test_the_history_of_an_entry_tells_what_its_file_changed(
    empty: Library, tmp_path: Path
) -> None:
    file = _sheet(tmp_path / "notes.md", TITLES["fa"], "یک.")
    empty.import_file(file)
    first = _ids(empty)[0]
    _sheet(file, TITLES["fa"], "دو.")
    empty.import_file(file)
    empty.edit.amend(first, Amendment(answer="سه."))
    told = [
        (f.before["text"], f.after["text"])
        for change in empty.changes.history(first)
        for f in change.fields
        if f.field == "answers.source.fa"
    ]
    assert told == [("یک.", "دو."), ("دو.", "سه.")]
