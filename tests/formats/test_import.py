"""What an import must hold: everything in a file, or nothing and the line that is broken."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import Library
from kb.content.bundled import bundled_folder
from kb.errors import BadData, Conflict, KbError, NotFound, UsageError
from kb.formats.lines import read as read_lines
from kb.formats.native import write
from kb.formats.notes.reading import read as read_questions
from kb.model.entry import digest
from kb.model.results import Filters
from tests.behind import batch, written
from tests.formats.hard import BOOK

SOURCES = bundled_folder() / "sources"


def seed(number: str) -> Path:
    return next(SOURCES.glob(f"{number}_*.txt"))


def entries_of(library: Library, collection: str) -> list[str]:
    """Return the questions and cards of a collection; the note that keeps the file is neither."""
    found = library.list(filters=Filters(collection=collection)).hits
    return [hit.id for hit in found if hit.kind != "note"]


@pytest.mark.parametrize(
    ("number", "count", "answers", "levels"),
    [
        ("000", 13, 0, {"E": 4, "M": 3, "H": 6}),
        ("001", 13, 0, {"E": 4, "M": 3, "H": 6}),
        ("002", 13, 13, {}),
        ("003", 13, 0, {"E": 4, "M": 3, "H": 6}),
        ("004", 19, 19, {}),
    ],
)
def test_the_five_documents_import_as_any_users_files(
    empty: Library, number: str, count: int, answers: int, levels: dict[str, int]
) -> None:
    empty.import_file(seed(number), collection="c")
    entries = [empty.show(name) for name in entries_of(empty, "c")]
    assert len(entries) == count
    assert sum(bool(entry.answers) for entry in entries) == answers
    assert Counter(e.level for e in entries if e.level) == Counter(levels)
    lang = "fa" if number == "003" else "en"
    assert all(set(entry.question) == {lang} for entry in entries)


def test_imported_questions_and_answers_are_those_of_the_bundled_entries(
    bundled: Library, empty: Library
) -> None:
    empty.import_file(seed("002"), collection="answers")
    empty.import_file(seed("003"), collection="fa")
    empty.import_file(seed("004"), collection="cards")
    imported = {
        collection: [empty.show(name) for name in entries_of(empty, collection)]
        for collection in ("answers", "fa", "cards")
    }
    questions = [bundled.show(hit.id) for hit in bundled.list().hits if hit.kind == "question"]
    cards = [bundled.show(hit.id) for hit in bundled.list().hits if hit.kind == "card"]
    for ours, theirs in zip(questions, imported["answers"], strict=True):
        assert theirs.number == ours.number
        words = " ".join(theirs.answer("en").text.split())  # type: ignore[union-attr]
        assert " ".join(ours.answer("en").text.split()) in words  # type: ignore[union-attr]
    for ours, theirs in zip(questions, imported["fa"], strict=True):
        assert theirs.question["fa"].split() == ours.question["fa"].replace("**", "").split()
    for ours, theirs in zip(cards, imported["cards"], strict=True):
        assert (theirs.kind, theirs.question["en"]) == ("card", ours.question["en"])
        assert theirs.answer("en").text == ours.answer("en").text  # type: ignore[union-attr]


MARKDOWN = [
    ("# Bank\n\n1. [E] What is a norm?\n2. [H] نرم چیست؟\n", 2, 0),
    ("- [M] One\n  more of it\n- [E] Two\n", 2, 0),
    ("- [E] Which holds?\n  - this\n  - that\n", 1, 1),
    ("**1. What is a norm?**\n\nA length.\n\n**2. نرم چیست؟**\n\nاندازه.\n", 2, 2),
    ("## 1. What is a norm?\n\nA length.\n\n```python\n# What is this?\n```\n\n## 2. Why?\n", 2, 1),
    ("1. [E] What is a norm?\n\n   A length.\n\n2. [M] Next?\n", 2, 1),
    ("## 1. What is A?\nIntro.\n### Details\nMore.\n## 2. چیست؟\nب.\n", 2, 2),
    ("## First thing\nText.\n## What is it?\nIt.\n", 1, 1),
    ("1. Explain overfitting\n2. Explain dropout\n   It drops units.\n", 2, 1),
    ("Q: Two lines?\r\nYes.\r\n", 1, 1),
]


@pytest.mark.parametrize(("text", "questions", "answers"), MARKDOWN)
def test_lists_as_people_write_them_are_read(text: str, questions: int, answers: int) -> None:
    entries = batch(read_questions, text, "x.md").book.entries
    assert len(entries) == questions
    assert sum(bool(entry.answers) for entry in entries) == answers


def test_what_stands_under_a_deeper_heading_belongs_to_the_answer() -> None:
    text = "## 1. What is A?\nIntro.\n### Details\nMore.\n## 2. What is B?\nIt.\n"
    entry, _ = batch(read_questions, text, "x.md").book.entries
    assert "More." in entry.answers[0].text


def test_code_in_an_answer_asks_nothing() -> None:
    entry, _ = batch(read_questions, MARKDOWN[4][0], "x.md").book.entries
    assert "# What is this?" in entry.answers[0].text


@pytest.mark.parametrize("text", ["", "just a line\n", "# Heading only\n"])
def test_a_file_without_questions_is_a_note(text: str) -> None:
    (entry,) = batch(read_questions, text, "x.md").book.entries
    assert (entry.kind, [each.text for each in entry.answers]) == ("note", [text] if text else [])


def test_a_file_that_is_no_text_says_so() -> None:
    with pytest.raises(BadData, match=r"x\.md:1: this is not a text file: it contains NUL"):
        batch(read_questions, "\0\0", "x.md")


def line(**values: object) -> str:
    return json.dumps({"id": "a", "lang": "en", "title": "T", "text": "X"} | values)


@pytest.mark.long
@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("{", "not JSON"),
        ("[]", "must be an object"),
        ('{"id": "x"}', "title and text"),
        ('{"lang": "en", "title": "T"}', "id"),
        (line(id=""), "id is empty"),
        (line(title=3), "title must be a text"),
        (line(id="1"), "is also in line 1"),
        (line(title="\ud800"), "title contains half of a surrogate pair"),
        (line(id="a\udfff"), "id contains half of a surrogate pair"),
        (line(title="q", tags=["\udfff"]), r"tags\[0\] contains half of a surrogate pair"),
        (line(title="\0"), "title contains the character NUL"),
        ("[" * 100_000, "it is nested too deep"),
        ('{"id": ' + "9" * 5000 + "}", "a number has more than 4,300 digits"),
        ("NaN", "NaN is not a number in JSON"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_changed(
    empty: Library, tmp_path: Path, broken: str, words: str
) -> None:
    lines = [line(id=str(number)) for number in range(1, 5000)]
    file = tmp_path / "big.jsonl"
    file.write_text("\n".join([*lines, broken, line(id="last")]))
    with pytest.raises(BadData, match=words) as caught:
        empty.import_file(file)
    assert f"{file}:5000" in caught.value.message
    assert empty.list().total == 0


def test_importing_again_renews_and_never_erases(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join([line(id="1"), line(id="2")]))
    assert empty.import_file(file).added == 2
    file.write_text("\n".join([line(id="2", title="گرادیان"), line(id="3")]))
    report = empty.import_file(file)
    assert (report.added, report.updated, report.unchanged) == (1, 1, 0)
    assert entries_of(empty, "mine") == ["mine/1", "mine/2", "mine/3"]
    assert [hit.id for hit in empty.search("گرادیان").hits] == ["mine/2"]
    assert empty.import_file(file).unchanged == 2


def test_lines_of_one_id_in_two_languages_are_one_entry() -> None:
    text = "\n".join([line(), line(lang="fa", title="نرم", text="اندازه")])
    (entry,) = batch(read_lines, text, "x").book.entries
    assert entry.question == {"en": "T", "fa": "نرم"}


def test_a_line_without_language_is_told_by_its_script() -> None:
    text = json.dumps({"id": "a", "title": "نرم چیست؟"})
    assert list(batch(read_lines, text, "x").book.entries[0].question) == ["fa"]


def test_a_dry_run_counts_and_changes_nothing(empty: Library) -> None:
    assert empty.import_file(seed("004"), dry_run=True).added == 20  # with the note
    assert empty.list().total == 0


@pytest.mark.long
def test_our_own_json_does_not_overwrite_what_is_bundled(bundled: Library, tmp_path: Path) -> None:
    file = tmp_path / "changed.json"
    bundled.export("json", file)
    file.write_text(file.read_text().replace('"vectorization",', '"bigger",', 1))
    report = bundled.import_file(file)
    assert report.conflicts == ("radius-mask",)
    assert "bigger" not in str(bundled.show("radius-mask"))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("x.json", b"{}", BadData),
        ("x.json", b'{"schema_version": 99, "entries": []}', BadData),
        ("x.json", b'{"schema_version": 1, "entries": [{"id": "a", "knd": "card"}]}', BadData),
        ("x.md", b"\xff\xfe\xfa", BadData),
        ("x.xyz", b"hello", UsageError),
    ],
)
def test_a_bad_file_is_one_clear_sentence(
    empty: Library, tmp_path: Path, name: str, content: bytes, kind: type[KbError]
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(kind) as caught:
        empty.import_file(file)
    assert name in caught.value.message


def own_entry(name: str, code: str, annotation: str = "") -> str:
    book = {
        "id": name, "kind": "card", "collection": "own", "question": {"en": name},
        "snippets": [{"id": "shared", "title": {}, "code": code, "main": True}],
    }  # fmt: skip
    if annotation:
        target = {"role": "question", "lang": "en", "quote": "x", "start": 0, "end": 1, "file": "f"}
        book["annotations"] = [
            {"id": annotation, "target": target, "verdict": "typo", "severity": "low", "note": {}}
        ]
    return json.dumps(book)


def test_an_import_never_changes_the_snippet_of_another_entry(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(own_entry("one", "print(1)"))
    empty.import_file(file)
    file.write_text(own_entry("two", "print(2)"))
    with pytest.raises(Conflict, match="shared"):
        empty.import_file(file)
    assert empty.snippet("one").code == "print(1)"
    assert empty.list().total == 1


def test_an_annotation_of_a_taken_name_is_refused(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(own_entry("one", "print(1)", "note"))
    empty.import_file(file)
    file.write_text(own_entry("two", "print(1)", "note"))
    with pytest.raises(Conflict, match="note"):
        empty.import_file(file)


def test_two_records_of_one_id_in_a_file_are_refused(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    one = json.loads(own_entry("one", "print(1)"))
    file.write_text(json.dumps({"schema_version": 1, "entries": [one, one]}))
    with pytest.raises(BadData, match="two of the file's entry records") as caught:
        empty.import_file(file)
    assert caught.value.message.startswith(f"{file}: one: ")


def test_a_quote_that_is_not_at_its_place_is_refused(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "hard.json"
    file.write_text(written(write, BOOK).replace('"start": 12', '"start": 13'))
    with pytest.raises(BadData, match="the quote is not at 13") as caught:
        empty.import_file(file)
    assert caught.value.message.startswith(f"{file}: ")


def test_two_annotations_of_one_id_are_told_with_file_and_line(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text("\n".join(own_entry(name, "print(1)", "note") for name in ("one", "two")))
    with pytest.raises(BadData, match="two of the file's annotation records") as caught:
        empty.import_file(file)
    assert caught.value.message.startswith(f"{file}:2: note: ")


def test_a_document_without_its_checksum_is_told_with_the_file(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "hard.json"
    book = json.loads(written(write, BOOK))
    book["sources"][0]["sha256"] = "0" * 64
    file.write_text(json.dumps(book))
    with pytest.raises(BadData, match="does not have its checksum") as caught:
        empty.import_file(file)
    assert caught.value.message.startswith(f"{file}: ")


def test_another_document_of_a_stored_name_is_told_with_the_file(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "hard.json"
    book = json.loads(written(write, BOOK))
    empty.import_file(_as(file, book))
    source = book["sources"][0]
    source["text"] += " and more"
    source["sha256"] = digest(source["text"])
    book["entries"][0]["question"]["en"] += "!"
    with pytest.raises(Conflict, match="another source document") as caught:
        empty.import_file(_as(file, book))
    assert caught.value.message.startswith(f"{file}: ")


def test_of_what_an_entry_shows_all_that_has_its_bytes_here_comes_in(
    empty: Library, tmp_path: Path
) -> None:
    def shows(name: str, *texts: str) -> dict[str, object]:
        media = [{"name": f"{t}.png", "sha256": digest(t), "size": len(t)} for t in texts]
        said = {"question": {"en": name}, "media": media}
        return {"id": name, "kind": "card", "collection": "c"} | said

    def data(*texts: str) -> list[object]:
        return [{"sha256": digest(t), "data": base64.b64encode(t.encode()).decode()} for t in texts]

    def shown(library: Library) -> dict[str, list[str]]:
        found = {each: library.show(each).media for each in entries_of(library, "c")}
        return {each: [media.name for media in some] for each, some in found.items()}

    book = {"schema_version": 1, "entries": [shows("one", "x")], "media": data("x")}
    assert empty.import_file(_as(tmp_path / "first.json", book)).dropped == ()
    entries = [shows("two", "x", "y", "z"), shows("three", "z"), shows("four", "y"), shows("five")]
    book = {"schema_version": 1, "entries": entries, "media": data("y")}
    report = empty.import_file(_as(tmp_path / "more.json", book))
    assert [(each.file, each.text) for each in report.dropped] == [
        (str(tmp_path / "more.json"), "z.png")
    ] * 2
    assert shown(empty) == {
        "one": ["x.png"], "two": ["x.png", "y.png"], "three": [], "four": ["y.png"], "five": [],
    }  # fmt: skip
    told = "\n".join(json.dumps(shows(name, name[-1])) for name in ("six", "seven"))
    (tmp_path / "lines.jsonl").write_text(told)
    report = empty.import_file(tmp_path / "lines.jsonl")
    assert [(each.line, each.text) for each in report.dropped] == [(2, "n.png")]
    assert shown(empty)["six"] == ["x.png"]


@pytest.mark.parametrize(
    ("target", "alone", "whole"),
    [
        ("beside.png", True, True),
        ("sub/deep.png", True, True),
        ("deep.png", False, True),
        (".hidden.png", False, False),
        ("none.png", False, False),
    ],
)
def test_a_note_that_comes_alone_shows_only_what_lies_where_it_says(
    empty: Library, tmp_path: Path, target: str, alone: bool, whole: bool
) -> None:
    vault = tmp_path / "vault"
    (vault / "sub").mkdir(parents=True)
    for name in ("beside.png", "sub/deep.png", ".hidden.png"):
        (vault / name).write_bytes(name.encode())
    (vault / "note.md").write_text(f"---\nlang: en\n---\nThe curve: ![]({target})\n")
    for path, collection, found in ((vault / "note.md", "alone", alone), (vault, "whole", whole)):
        report = empty.import_file(path, collection=collection)
        (entry,) = (empty.show(each.id) for each in report.entries)
        name = PurePosixPath(target).name
        assert [media.name for media in entry.media] == ([name] if found else [])


def _as(file: Path, book: object) -> Path:
    file.write_text(json.dumps(book))
    return file


@pytest.mark.parametrize("at_once", [True, False])
def test_one_id_in_several_files_of_a_collection_is_an_entry_of_each(
    empty: Library, tmp_path: Path, at_once: bool
) -> None:
    files = []
    for name, lang, title in (("1", "en", "A norm?"), ("2", "fa", "نرم؟"), ("3", "fa", "نُرم؟")):
        (tmp_path / f"{name}.jsonl").write_text(line(lang=lang, title=title))
        files.append(tmp_path / f"{name}.jsonl")
    (tmp_path / "4.jsonl").write_text("\n".join(line(id=id) for id in ("a-2", "a", "b")))
    files.append(tmp_path / "4.jsonl")
    for some in [files] if at_once else [[file] for file in files]:
        empty.imports.import_files(some, collection="m")
    assert entries_of(empty, "m") == ["m/a", "m/a-2", "m/a-3", "m/a-2-2", "m/a-4", "m/b"]
    assert empty.show("m/a").question == {"en": "A norm?"}
    assert empty.show("m/a-2").question == {"fa": "نرم؟"}
    assert [report.unchanged for report in empty.imports.import_files(files, collection="m")] == [
        1, 1, 1, 3,
    ]  # fmt: skip


def test_ids_of_two_collections_that_would_be_one_are_told_apart(
    empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(line(id="b/c"))
    empty.import_file(file, collection="a")
    file.write_text(line(id="c", title="Other"))
    empty.import_file(file, collection="a/b")
    assert entries_of(empty, "a") == ["a/b/c", "a/b/c-2"]
    assert entries_of(empty, "a/b") == ["a/b/c-2"]


@pytest.mark.parametrize(
    "change",
    [
        {"question": {}},
        {"question": {"en": " "}},
        {"answers": [{"role": "source", "lang": "en", "text": "x"}] * 2},
        {"restored": {"fa": True}},
        {"number": 7},
        {"id": "a\0b"},
    ],
)
def test_what_could_not_be_stored_whole_is_refused(
    empty: Library, tmp_path: Path, change: dict[str, object]
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(json.loads(own_entry("one", "print(1)")) | change))
    with pytest.raises(BadData, match=r"own\.jsonl:1"):
        empty.import_file(file)


def test_a_missing_file_and_a_folder_say_so(empty: Library, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        empty.import_file(tmp_path / "none.md")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(KbError, match=r"folder\.md"):
        empty.import_file(tmp_path / "folder.md")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_questions, read_lines):
        try:
            batch(read, text, "x")
        except BadData as error:
            assert error.message.startswith("x")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="such a file is Linux's")
def test_a_file_that_cannot_be_read_to_its_end_is_named(empty: Library) -> None:
    with pytest.raises(BadData, match="/proc/self/mem: cannot be read"):
        empty.import_file("/proc/self/mem", format="jsonl")


def test_an_option_that_no_import_has_is_a_mistake_of_the_caller(
    empty: Library, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="'dryrun'") as caught:
        empty.import_file(tmp_path, dryrun=True)
    assert "dry_run" in caught.value.hint
