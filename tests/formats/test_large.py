"""What holds of a file of thousands of entries: few of them are in memory, and none is lost."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.errors import BadData, Cancelled
from kb.formats.book import Shelf
from kb.model.draft import Draft
from kb.model.entry import Answer, Entry
from kb.model.results import Progress
from tests.behind import damaged

MANY = 1200
LONG = "گرادیان نزولی و شبکهٔ عصبی. " * 300
MIB = 1 << 20


def line(number: int, lang: str = "en", **said: str) -> dict[str, str]:
    text = f"The answer {number}." if lang == "en" else f"پاسخ {number}."
    title = f"Question {number}?" if lang == "en" else f"پرسش {number}؟"
    return {"id": f"q{number}", "lang": lang, "title": title, "text": text} | said


def lines(file: Path, *found: dict[str, str]) -> Path:
    file.write_text("\n".join(map(json.dumps, found)), encoding="utf-8")
    return file


def many(file: Path) -> Path:
    """Write a file whose entries have their Persian lines thousands of lines further down."""
    return lines(file, *(line(n, lang) for lang in ("en", "fa") for n in range(MANY)))


def ids(library: Library) -> list[str]:
    return [hit.id for hit in library.list().hits]


def stop_at(step: int) -> Progress:
    def tell(done: int, total: int) -> None:
        if done >= step:
            raise Cancelled("stopped")

    return tell


@contextmanager
def at_most(mebibytes: float) -> Iterator[None]:
    """Hold what is within to so much more memory than there was before."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < mebibytes * MIB
    finally:
        tracemalloc.stop()


def test_entries_that_are_put_aside_come_back_as_they_were() -> None:
    plain = [
        Entry(
            "a", "note", "c", {"en": "One"}, tags=("x", "ی"), answers=(Answer("source", "en", "1"),)
        ),
        Entry("b", "card", "c/d", {"fa": "دو"}, number="2", level="E", topic="t", related=("a",)),
    ]
    shelf = Shelf(plain)
    assert (list(shelf), shelf[1], shelf[-2], shelf[:9]) == (
        plain,
        plain[1],
        plain[0],
        tuple(plain),
    )
    shelf.put(0, plain[1])
    shelf.add(plain[0])
    assert list(shelf) == [plain[1], plain[1], plain[0]]
    with pytest.raises(IndexError):
        shelf[3]


def test_all_that_belongs_to_an_entry_is_put_aside_with_it(bundled: Library) -> None:
    entries = list(bundled._base.store.entries.get([h.id for h in bundled.list().hits]).values())
    assert any(each.annotations and each.snippets and each.origins for each in entries)
    assert list(Shelf(entries)) == entries


def test_entries_are_taken_from_a_shelf_as_many_as_fit_at_once() -> None:
    texts = ("a" * size for size in (1 << 20, 1 << 19, 1 << 20, 1 << 23, 1))
    shelf = Shelf(Entry("a", "note", "c", {"en": text}) for text in texts)
    assert [each.stop for each in shelf.parts()] == [2, 3, 4, 5]
    assert list(Shelf().parts()) == []


def test_two_shelves_that_differ_in_a_text_are_told_apart() -> None:
    one, other = (Shelf([Entry("a", "note", "c", {"en": text})]) for text in ("One", "Two"))
    assert one.digest != other.digest == Shelf([Entry("a", "note", "c", {"en": "Two"})]).digest


@pytest.mark.long
def test_lines_of_one_entry_meet_however_far_apart_they_stand(
    empty: Library, tmp_path: Path
) -> None:
    report = empty.import_file(many(tmp_path / "many.jsonl"))
    assert (report.added, len(report.entries)) == (MANY, MANY)
    assert ids(empty) == [f"many/q{n}" for n in range(MANY)]
    last = empty.show(f"many/q{MANY - 1}")
    assert last.question == {"en": f"Question {MANY - 1}?", "fa": f"پرسش {MANY - 1}؟"}
    assert report.entries[MANY - 1].line == MANY
    assert report.entries[-1] == list(report.entries)[-1]
    assert [hit.id for hit in empty.search(f"پاسخ {MANY - 2}", limit=1).hits] == [
        f"many/q{MANY - 2}"
    ]
    assert damaged(empty) == []


@pytest.mark.long
def test_a_large_file_is_followed_and_taken_back_in_one_step(
    empty: Library, tmp_path: Path
) -> None:
    file = many(tmp_path / "many.jsonl")
    empty.import_file(file)
    assert empty.import_file(file)._replace(entries=()) == empty.import_file(
        file, dry_run=True
    )._replace(entries=(), dry_run=False)
    changed = [line(n) for n in range(1, MANY)] + [line(MANY)]
    report = empty.import_file(lines(file, line(5, title="Another?"), *changed[:4], *changed[5:]))
    assert (report.added, report.updated, report.gone) == (1, MANY - 1, ("many/q0",))
    assert empty.show("many/q5").question == {"en": "Another?"}
    empty.changes.undo()
    assert "fa" in empty.show("many/q5").question
    assert f"many/q{MANY}" not in ids(empty)
    empty.changes.undo()
    assert ids(empty) == []
    assert damaged(empty) == []


def test_a_name_that_somebody_has_is_passed_over_as_long_as_any_line_wants_it(
    empty: Library, tmp_path: Path
) -> None:
    empty.edit.new(Draft({"en": "Question?"}, {}, collection="many"))
    assert ids(empty) == ["many/question"]
    wanted = ["question-2", "question", "question-3"]
    file = lines(tmp_path / "other.jsonl", *({**line(0), "id": each} for each in wanted))
    report = empty.import_file(file, collection="many")
    assert [each.id for each in report.entries] == [
        "many/question-2", "many/question-3", "many/question-3-2",
    ]  # fmt: skip
    again = empty.import_file(file, collection="many")
    assert (again.unchanged, [e.id for e in again.entries]) == (3, [e.id for e in report.entries])


def test_one_id_in_two_files_of_one_import_is_two_entries(empty: Library, tmp_path: Path) -> None:
    files = [lines(tmp_path / f"{name}.jsonl", line(1, lang)) for name, lang in
             (("one", "en"), ("two", "fa"))]  # fmt: skip
    first, second = empty.imports.import_files(files, collection="c")
    assert [first.entries[0].id, second.entries[0].id] == ["c/q1", "c/q1-2"]


@pytest.mark.long
def test_an_import_that_is_stopped_goes_on_where_it_was(empty: Library, tmp_path: Path) -> None:
    file = many(tmp_path / "many.jsonl")
    with pytest.raises(Cancelled):
        empty.import_file(file, progress=stop_at(MANY // 2))
    assert ids(empty) == []
    before = documents(empty)
    assert before > 0
    assert empty.import_file(file).added == MANY
    assert documents(empty) == 2 * MANY
    assert len(ids(empty)) == MANY
    assert damaged(empty) == []


def documents(library: Library) -> int:
    """Return how many documents are stored, seen or not."""
    with open_library(library.path) as other:
        return int(other.info()["counts"]["document"])  # type: ignore[index]


def test_a_bad_line_behind_thousands_is_named_before_anything_is_stored(
    empty: Library, tmp_path: Path
) -> None:
    file = lines(tmp_path / "many.jsonl", *map(line, range(MANY)), {"id": "bad"})
    with pytest.raises(BadData, match=rf"many\.jsonl:{MANY + 1}"):
        empty.import_file(file)
    assert documents(empty) == 0
    report = empty.import_file(file, skip_bad=True)
    assert (report.added, [each.line for each in report.bad]) == (MANY, [MANY + 1])


@pytest.mark.long
@pytest.mark.parametrize("name", ["large.jsonl", "large.json"])
def test_of_a_large_file_a_fraction_is_in_memory(empty: Library, tmp_path: Path, name: str) -> None:
    entries = [
        {"id": f"c/{n}", "kind": "card", "collection": "c", "question": {"fa": f"{n}؟"},
         "answers": [{"role": "source", "lang": "fa", "text": f"{n} {LONG}"}]}
        for n in range(1500)
    ]  # fmt: skip
    file = tmp_path / name
    if name.endswith("l"):
        file.write_text("\n".join(json.dumps(e, ensure_ascii=False) for e in entries))
    else:
        file.write_text(json.dumps({"schema_version": 1, "entries": entries}, ensure_ascii=False))
    del entries
    assert file.stat().st_size > 20 * MIB
    with at_most(16):
        report = empty.import_file(file, dry_run=True)
        assert report.added == 1500
    with pytest.raises(AssertionError), at_most(16):
        list(report.entries), [file.read_bytes()]


@pytest.mark.long
def test_an_export_is_written_an_entry_at_a_time(empty: Library, tmp_path: Path) -> None:
    empty.import_file(many(tmp_path / "many.jsonl"))
    out = io.BytesIO()
    assert empty.export("json", out) == MANY
    document = json.loads(out.getvalue())
    assert [each["id"] for each in document["entries"]] == ids(empty)
    assert out.getvalue().decode() == json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def test_no_room_to_put_entries_aside_is_told_by_its_place(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.SpooledTemporaryFile.write", full)
    with pytest.raises(BadData, match="cannot be written"):
        empty.import_file(lines(tmp_path / "few.jsonl", line(1)))
    assert ids(empty) == []
