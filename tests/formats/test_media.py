"""What entries show, and how they were studied: kept with them, and with them alone."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import pytest

from kb import Library
from kb.errors import BadData, Conflict, UsageError
from kb.formats import registry
from kb.formats.registry import Format
from kb.model.entry import Review
from tests.databases import new_library

IMAGE = b"\x89PNG \x00 not a real one"
SHA = hashlib.sha256(IMAGE).hexdigest()
REVIEW = {"card": 0, "at": 1_700_000_000_000, "rating": 3, "interval": 4, "ease": 2500,
          "took": 900, "kind": 1}  # fmt: skip


def document(**changes: object) -> dict[str, object]:
    shown = [{"name": "نمودار.png", "sha256": SHA, "size": len(IMAGE)}]
    entry = {
        "id": "loss",
        "kind": "card",
        "collection": "cards",
        "question": {"en": "What does ![the curve](نمودار.png) show?", "fa": "![](نمودار.png)؟"},
        "media": shown,
    }
    data = base64.b64encode(IMAGE).decode()
    return {
        "schema_version": 1,
        "entries": [entry],
        "media": [{"sha256": SHA, "data": data}],
        "reviews": [{"entry": "loss", **REVIEW}],
        **changes,
    }


@pytest.fixture
def library(tmp_path: Path):
    with new_library(tmp_path / "kb.db") as opened:
        yield opened


def put(folder: Path, **changes: object) -> Path:
    path = folder / "in.json"
    path.write_text(json.dumps(document(**changes)))
    return path


def exported(library, path: Path) -> dict[str, object]:
    library.export("json", path, reviews=True)
    return json.loads(path.read_text())


def test_what_an_entry_shows_goes_out_and_comes_in_with_it(library, tmp_path: Path) -> None:
    library.import_file(put(tmp_path), reviews=True)
    first = tmp_path / "first.json"
    found = exported(library, first)
    assert found["media"] == document()["media"]
    assert found["reviews"] == document()["reviews"]
    with new_library(tmp_path / "other.db") as other:
        other.import_file(first, reviews=True)
        other.export("json", tmp_path / "second.json", reviews=True)
    assert (tmp_path / "second.json").read_bytes() == first.read_bytes()


def test_how_an_entry_was_studied_is_there_once_however_often_it_comes(library, tmp_path) -> None:
    for _ in range(2):
        library.import_file(put(tmp_path), reviews=True)
    assert exported(library, tmp_path / "o.json")["reviews"] == document()["reviews"]


def test_what_was_imported_and_taken_back_is_shown_again_when_it_is_done_again(
    library, tmp_path: Path
) -> None:
    library.import_file(put(tmp_path))
    library.changes.undo()
    assert "media" not in exported(library, tmp_path / "o.json")
    library.changes.redo()
    assert exported(library, tmp_path / "o.json")["media"] == document()["media"]


def test_a_part_that_goes_out_as_a_database_has_the_media_of_its_entries_alone(
    library, tmp_path: Path
) -> None:
    other = {"id": "plain", "kind": "note", "collection": "c", "question": {"fa": "تنها"}}
    library.import_file(put(tmp_path))
    (tmp_path / "more.json").write_text(json.dumps({"schema_version": 1, "entries": [other]}))
    library.import_file(tmp_path / "more.json")
    for ids, kept in ((["plain"], False), (["loss"], True)):
        copy = tmp_path / f"{ids[0]}.db"
        library.export("sqlite", copy, ids=ids)
        assert (IMAGE in copy.read_bytes()) == kept
        assert str(REVIEW["at"]) not in dump_of(copy)


def dump_of(path: Path) -> str:
    with new_library(path) as library:
        return json.dumps(exported(library, path.with_suffix(".json")))


def test_a_package_is_kept_as_long_as_an_entry_is_from_its_file(empty, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text('{"id": "one", "title": "What is one?", "text": "A number."}')
    id = empty.import_file(file).entries[0].id
    store = empty._base.store
    known = store.ledger.of_entries([id])[id].file
    with store.transaction():
        store.media.put_package(known, b"of an entry")
        store.media.put_package("/gone.apkg", b"of none")
        store.media.drop_unused()
    assert (store.media.package(known), store.media.package("/gone.apkg")) == (b"of an entry", None)
    assert store.media.amount() == (1, len(b"of an entry"))
    with store.transaction():
        store.ledger.remove(id)
        store.ledger.drop_unused_paths()
        store.media.drop_unused()
    assert store.media.package(known) is None
    assert store.media.amount() == (0, 0)


@pytest.mark.long
def test_doctor_tells_how_much_media_there_is_and_what_of_it_is_lost(library, tmp_path) -> None:
    library.import_file(put(tmp_path))
    assert told(library) == (True, "1 files, about 0 KiB")
    with library._base.store.transaction():
        library._base.store.connection.run("DELETE FROM media")
    assert told(library) == (False, "0 files, about 0 KiB; 1 used by entries are missing")


def told(library) -> tuple[bool, str]:
    return next((each.well, each.found) for each in library.doctor() if each.name == "media")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"media": [{"sha256": SHA, "data": "eA=="}]}, "does not match its sha256"),
        ({"media": [{"sha256": SHA, "data": "%"}]}, "not base64"),
        ({"reviews": [{"entry": "loss", **REVIEW, "at": "now"}]}, "must be a whole number"),
        ({"reviews": [{"entry": "loss", **REVIEW, "at": 1 << 46}]}, "impossible values"),
        ({"reviews": [{"entry": "loss", **REVIEW, "rating": 5}]}, "impossible values"),
    ],
)
def test_media_that_cannot_be_what_they_say_are_refused(library, tmp_path, changes, said) -> None:
    with pytest.raises(BadData, match=said):
        library.import_file(put(tmp_path, **changes))
    assert library.list().total == 0


def test_what_is_shown_without_its_bytes_is_left_out_and_told(library, tmp_path: Path) -> None:
    report = library.import_file(put(tmp_path, media=[]), reviews=True)
    assert [(each.text, each.reason) for each in report.dropped] == [
        ("نمودار.png", "its data is not in the file")
    ]
    assert library.show("loss").media == ()


def test_what_the_base_keeps_need_not_come_again(library, tmp_path: Path) -> None:
    library.import_file(put(tmp_path), reviews=True)
    report = library.import_file(put(tmp_path, media=[]), reviews=True)
    assert (report.unchanged, report.dropped) == (1, ())
    library.export("jsonl", tmp_path / "o.jsonl")
    assert library.import_file(tmp_path / "o.jsonl").unchanged == 1
    assert library.show("loss").media


@pytest.mark.parametrize("name", ["../up.png", "/etc/passwd", "a\\b", "", ".hidden", "a\x00b"])
def test_a_name_of_media_that_leads_elsewhere_is_refused(library, tmp_path, name) -> None:
    made = document()
    made["entries"][0]["media"][0]["name"] = name
    (tmp_path / "in.json").write_text(json.dumps(made))
    with pytest.raises(BadData, match=r"not a file name|must be a text|contains the character NUL"):
        library.import_file(tmp_path / "in.json")


class _Folder:
    @staticmethod
    def write(book, folder: Path) -> None:
        for entry in book.entries:
            (folder / f"{entry.id}.txt").write_text(entry.id)


@pytest.fixture
def folder_format(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**registry.EXPORTERS, "folder": Format("test_folder", (), "a folder", folder=True)}
    monkeypatch.setattr(registry, "EXPORTERS", known)
    monkeypatch.setattr("kb.service.exporting.EXPORTERS", known)
    monkeypatch.setitem(__import__("sys").modules, "kb.formats.test_folder", _Folder)


def test_a_folder_is_written_where_none_is_or_an_empty_one(library, tmp_path, folder_format):
    library.import_file(put(tmp_path))
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        assert library.export("folder", tmp_path / name) == 1
        assert [each.name for each in (tmp_path / name).iterdir()] == ["loss.txt"]


def test_no_file_of_a_folder_that_is_there_is_replaced(library, tmp_path, folder_format) -> None:
    library.import_file(put(tmp_path))
    mine = tmp_path / "full" / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("mine")
    with pytest.raises(Conflict, match="not empty"):
        library.export("folder", mine.parent)
    with pytest.raises(Conflict, match="not empty"):
        library.export("folder", mine)
    assert mine.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_dir()) == ["full"]
    with (tmp_path / "stream").open("wb") as stream, pytest.raises(UsageError, match="a folder"):
        library.export("folder", stream)


def test_an_option_that_says_nothing_to_a_format_is_refused(library, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--map does not work with the format 'json'"):
        library.import_file(put(tmp_path), columns="question=1")


def test_a_review_says_what_it_is_in_whole_numbers() -> None:
    assert Review(**REVIEW)._asdict() == REVIEW


def test_what_is_kept_by_its_digest_or_its_file_is_given_back_and_the_rest_is_missing(
    empty: Library,
) -> None:
    media, other = empty._base.store.media, "0" * 64
    assert (media.amount(), media.package("a.apkg")) == ((0, 0), None)
    with empty._base.store.transaction():
        media.put_package("a.apkg", b"package")
        media.put(other, b"other")
    assert (media.package("a.apkg"), media.package("b.apkg")) == (b"package", None)
    assert (media.get(other), media.get("1" * 64)) == (b"other", None)
    assert media.missing([other, "1" * 64, *media]) == ["1" * 64]
    assert media.amount() == (2, len(b"packageother"))
