"""Files that are foreign: of a wrong kind or place, too large, nested too deep."""

from __future__ import annotations

import io
import json
import os
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import Library, limits
from kb.content.context import Mistakes
from kb.content.folder import read_content
from kb.errors import BadData, NotFound
from kb.foreign import drawn, opened, raw_lines, read_text
from kb.formats.anki.archive import Archive
from kb.formats.registry import read_file
from kb.model.results import silent
from kb.service.diagnose import check_folder
from kb.service.importing.materials import walk
from kb.settings import Settings, read_settings

COLLECTION = 'order = 1\n[title]\nen = "Course"\nfa = "درس"\n'
ENTRY = 'id = "why"\nkind = "card"\ntopic = "t"\n[question.en]\ntext = "Why?"\n'


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "collection.toml").write_text(COLLECTION)
    (folder / "01-why.toml").write_text(ENTRY)
    return folder


@pytest.fixture(params=["pipe", "device", "socket"])
def no_file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Something that is no regular file, and waits or never ends when it is read."""
    place = tmp_path / "نا.jsonl"
    if request.param == "pipe":
        os.mkfifo(place)
    elif request.param == "device":
        place.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(place))
    yield place


def test_what_is_no_regular_file_is_refused_by_its_kind(empty: Library, no_file: Path) -> None:
    with pytest.raises(BadData, match=r"is a (named pipe|device|socket), not a regular file"):
        empty.import_file(no_file)
    with pytest.raises(BadData, match="not a regular file"):
        empty.glossary.add(no_file)


def test_a_pipe_in_a_folder_keeps_neither_import_nor_doctor_waiting(
    empty: Library, course: Path
) -> None:
    os.mkfifo(course / "02-pipe.toml")
    said = [check.found for check in check_folder(course) if not check.well]
    assert any("02-pipe.toml: is a named pipe" in each for each in said)
    with pytest.raises(BadData, match="is a named pipe"):
        empty.import_file(course)


def test_settings_that_are_no_file_are_told_and_keep_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "settings")
    monkeypatch.setenv("KB_SETTINGS", str(tmp_path / "settings"))
    settings, (told,) = read_settings()
    assert settings == Settings() and "is a named pipe" in told


def test_a_file_that_was_named_may_be_a_link(empty: Library, tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# چرا؟\n\nزیرا.\n")
    (tmp_path / "here.md").symlink_to("there.md")
    assert empty.import_file(tmp_path / "here.md").added == 1


def test_links_out_of_a_folder_are_not_followed_and_told(empty: Library, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret?\n\nYes.\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "c.md").write_text("# Other?\n\nYes.\n")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Why?\n\nSo.\n")
    (notes / "b.md").symlink_to("../secret.md")
    (notes / "far").symlink_to("../other")
    (notes / "loop").symlink_to(".")
    (notes / "again.md").symlink_to("a.md")
    os.mkfifo(notes / "p.md")
    report = empty.import_file(notes)
    assert report.added == 2  # a.md, and the link to it
    told = {Path(each.file).name: each.reason for each in report.dropped}
    assert told == {
        "b.md": "is a link that leads out of the folder",
        "far": "is a link that leads out of the folder",
        "p.md": "is a named pipe, not a regular file",
    }


def test_a_folder_is_read_once_however_many_links_lead_to_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "inner").mkdir(parents=True)
    for name in ("a/one.md", "a/inner/two.md"):
        (tmp_path / name).write_text("# One\n")
    for name, target in (("b", "a"), ("a/loop", "."), ("a/inner/up", "../..")):
        (tmp_path / name).symlink_to(target)
    found = [each.place.relative_to(tmp_path).as_posix() for each in walk(tmp_path)]
    assert found == ["a/one.md", "a/inner/two.md"]


@pytest.mark.parametrize("file", ["../../secret.txt", "/etc/passwd", "C:secret.txt", "..\\s.txt"])
def test_a_source_outside_its_folder_is_refused(empty: Library, course: Path, file: str) -> None:
    (course.parent / "secret.txt").write_text("secret")
    (course / "sources").mkdir()
    (course / "sources" / "sources.toml").write_text(
        f'[[source]]\nfile = {json.dumps(file)}\ntitle = "T"\nauthor = "A"\nlang = "en"\n'
        f'rights = "R"\norigin = "O"\nsha256 = "{"0" * 64}"\n'
    )
    with pytest.raises(BadData, match="is not in the folder of this file"):
        empty.import_file(course)


@pytest.mark.parametrize("place", ["snippets/s.py", "02-far.toml", "glossary.tsv", "accepted.toml"])
def test_a_file_of_a_course_that_is_a_link_out_of_it_is_refused(course: Path, place: str) -> None:
    (course.parent / "elsewhere").write_text('"""T."""\n')
    (course / place).parent.mkdir(exist_ok=True)
    (course / place).symlink_to(course.parent / "elsewhere")
    mistakes = Mistakes(kept=True)
    read_content(course, mistakes)
    assert ["a link points outside the folder" in each.message for each in mistakes.found] == [True]


def test_an_open_file_is_compared_with_the_one_that_lies_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.txt").write_text("out")
    with pytest.raises(BadData, match="points outside"):
        read_text(tmp_path / "in" / ".." / "out.txt", 100, tmp_path / "in")
    with pytest.raises(NotFound):
        read_text(tmp_path / "none", 100)
    with pytest.raises(BadData, match="no such file"):
        read_text(tmp_path / "in" / "none", 100, tmp_path / "in")


def test_a_file_may_not_be_larger_than_is_read_nor_grow_above_it(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"x" * 101)
    with pytest.raises(BadData, match="has 101 bytes, more than 100 bytes"):
        read_text(file, 100)
    file.write_bytes(b"x" * 50)
    with opened(file, 100) as stream:
        with file.open("ab") as more:
            more.write(b"y" * 100)
        with pytest.raises(BadData, match="contains more than 100 bytes"):
            drawn(stream, "x", 100)


class _Endless(io.RawIOBase):
    """Gives zeros for ever, and counts them."""

    given = 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0
        self.given += size
        return bytes(size)


@pytest.mark.parametrize(
    ("data", "question"),
    [
        ('{"id": "a", "title": "What is it?", "text": "This."}', {"en": "What is it?"}),
        ("Q: این چیست؟\nA: این.\n", {"fa": "این چیست؟"}),
    ],
)
def test_the_format_of_a_stream_is_told_by_how_it_begins(
    empty: Library, data: str, question: dict[str, str]
) -> None:
    (report,) = empty.imports.import_files(["-"], stream=io.BytesIO(data.encode()))
    assert [empty.show(each.id).question for each in report.entries] == [question]


def test_a_stream_without_end_is_read_up_to_the_limit(
    empty: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STREAM", 4 << 20)
    stream = _Endless()
    with pytest.raises(BadData, match="standard input: contains more than 4 MiB"):
        empty.imports.import_files(["-"], stream=stream)  # type: ignore[arg-type]
    assert stream.given <= 6 << 20


def test_a_name_that_is_not_text_is_told(empty: Library, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Why?\n\nSo.\n")
    strange = os.fsdecode(os.fsencode(notes) + b"/\xff.md")
    Path(strange).write_text("# What?\n\nThat.\n")
    report = empty.import_file(notes)
    assert (report.added, [each.reason for each in report.dropped]) == (
        1,
        ["its name is not UTF-8"],
    )
    with pytest.raises(BadData, match="its name is not UTF-8"):
        empty.import_file(strange)


def test_what_cannot_be_read_for_now_is_not_gone(empty: Library, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Why?\n\nSo.\n")
    (notes / "b.md").write_text("# What?\n\nThat.\n")
    assert empty.import_file(notes).added == 2
    (notes / "b.md").write_bytes(b"# What?\n\n\xff\n")
    report = empty.import_file(notes)
    assert report.gone == () and len(report.dropped) == 1
    (notes / "b.md").unlink()
    assert len(empty.import_file(notes).gone) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "a", "title": "q?", "text": "' + "x" * (9 << 20) + '"}', "more than 8 MiB"),
        ('{"id": "a", "id": "b", "title": "q?"}', "the key 'id' stands twice"),
        ('{"id": "a", "title": "q?", "x": ' + "[" * 100_000, "nested too deep"),
        ('{"id": "a", "title": "q?", "tags": ' + json.dumps(["x"] * 1001) + "}", "1,000 tags"),
        ('{"id": "' + "a" * 1001 + '", "title": "q?"}', "the id has more than 1,000 characters"),
        ('{"id": "a", "title": "q?", "text": "' + "x" * (5 << 20) + '"}', "at most 4 MiB"),
        ('{"id": ' + "9" * 5000 + ', "title": "q?"}', "a number has more than 4,300 digits"),
    ],
)
def test_a_line_beyond_a_limit_is_bad_and_the_others_are_taken(
    empty: Library, tmp_path: Path, line: str, told: str
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(f'{line}\n{{"id": "فا", "title": "چرا؟", "text": "زیرا"}}\n')
    with pytest.raises(BadData, match=f"x.jsonl:1: .*({told})"):
        empty.import_file(file)
    report = empty.import_file(file, skip_bad=True)
    assert report.added == 1 and [each.line for each in report.bad] == [1]


def test_a_file_of_nothing_but_bad_lines_is_given_up(empty: Library, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("x\n" * (limits.BAD_LINES + 2))
    with pytest.raises(BadData, match="reading stopped"):
        empty.import_file(tmp_path / "x.jsonl", skip_bad=True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"schema_version": 1, "entries": [{"id": [' + "[]," * (4 << 20) + "0]}]}",
            "larger than 8",
        ),
        ('{"schema_version": 1, "entries": [' + "[" * 100_000, "nested too deep"),
        ('{"schema_version": 1, "entries": [], "entries": []}', "'entries' is given twice"),
        ('{"schema_version": 1, "entries": {}}', "entries must be a list"),
        ('{"schema_version": [1], "entries": []}', r"unknown schema_version \[1\]"),
        ('{"schema_version": 1}', "entries is missing"),
        ('{"schema_version": 1, "entries": [\n], "entires": 1}', "no such key 'entires'"),
        ('{"schema_version": 1,\n "entries": [] x', r"x.json:2: this is not JSON \(Expecting ','"),
        ('{"schema_version": 1, "entries": []} x', "this is not JSON"),
        ('{"schema_version": 1,\n "entries": [{\n"id":' + "9" * 5000 + "}]}", ":3: a number has"),
        ('{"schema_version": 1, "entries": [12', "this is not JSON|must be an object"),
    ],
)
def test_a_document_of_json_is_read_piece_by_piece(
    empty: Library, tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(BadData, match=told):
        empty.import_file(tmp_path / "x.json")


def test_a_document_is_read_wherever_its_pieces_end(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.md").write_text("# چرا؟\n\n𝛼 زیرا.\n\n# Why \\u0022?\n\nSo.\n")
    empty.import_file(tmp_path / "notes.md")
    empty.export("json", tmp_path / "x.json")
    before = [empty.show(hit.id) for hit in empty.list().hits]
    for piece in (1, 7, 4096):
        monkeypatch.setattr("kb.foreign._PIECE", piece)
        monkeypatch.setattr("kb.formats.pieces._WINDOW", piece)
        assert empty.import_file(tmp_path / "x.json").unchanged == len(before)
    assert [empty.show(hit.id) for hit in empty.list().hits] == before


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("x.md", "contains more than 3 MiB"),
        ("x.txt", "contains more than 3 MiB"),
        ("x.json", "not JSON"),
        ("x.jsonl", "a line has more than 64 MiB"),
        ("x.csv", "has more than 8 MiB"),
        ("x.tsv", "has more than 8 MiB"),
        ("x.ipynb", "not JSON"),
        ("x.apkg", "not an Anki package"),
        ("x.anki", "has more than 8 MiB"),
    ],
)
def test_of_a_file_above_its_limit_next_to_nothing_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    file, counted = tmp_path / name, []
    file.touch()
    os.truncate(file, 1 << 30)

    class Counted(io.BufferedReader):
        def read(self, size: int | None = -1, /) -> bytes:
            counted.append(found := super().read(size))
            return found

        def readline(self, size: int | None = -1, /) -> bytes:
            counted.append(found := super().readline(size))
            return found

    def opened_counted(path: Path, *_: object, **__: object) -> Counted:
        return Counted(io.FileIO(path))

    monkeypatch.setattr("kb.foreign.open", opened_counted, raising=False)
    with pytest.raises(BadData, match=told):
        batch = read_file(file, "anki" if name == "x.anki" else None, silent)
        raise BadData(batch.bad[0].text)
    assert 0 < sum(map(len, counted)) < 100 << 20


def test_a_line_that_is_too_long_is_passed_over_only_for_the_next(tmp_path: Path) -> None:
    stream = io.BytesIO(b"x" * 50 + b"\nnext\n")
    lines = raw_lines(stream, "x", 1000, 10)
    assert next(lines) == (b"x" * 11, False)
    assert stream.tell() == 11
    assert list(lines) == [(b"next\n", True)]
    with pytest.raises(BadData, match="contains more than 40 bytes"):
        list(raw_lines(io.BytesIO(b"x" * 50 + b"\nnext\n"), "x", 40, 10))


def test_a_member_said_to_be_larger_than_is_read_is_not_unpacked() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", bytes(limits.RECORD + 1))
    archive = Archive(packed, "x.apkg")
    with (
        pytest.raises(BadData, match=r"collection\.anki2: contains more than 8 MiB"),
        archive.opened("collection.anki2", limits.RECORD),
    ):
        pass
    with archive.opened("collection.anki2", limits.RECORD + 1) as member:
        assert member.read(1) == b"\0"


def test_blank_lines_are_not_made_by_a_number(empty: Library, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(
        '<!-- danesh {"schema_version":1} -->\n\n'
        '<!-- danesh {"entry":{"id":"a","kind":"card","collection":"c"}} -->\n'
        '<!-- danesh {"text":["question","en"],"before":99999999999} -->\nq\n'
    )
    with pytest.raises(BadData, match="names a place that is in no text"):
        empty.import_file(tmp_path / "x.md")


def test_a_folder_deeper_or_larger_than_is_read_is_told(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEPTH", 2)
    monkeypatch.setattr(limits, "FILES", 4)  # x.md, a, b and c
    deep = tmp_path / "notes" / "a" / "b" / "c"
    deep.mkdir(parents=True)
    (tmp_path / "notes" / "x.md").write_text("# Why?\n\nSo.\n")
    (deep / "y.md").write_text("# What?\n\nThat.\n")
    report = empty.import_file(tmp_path / "notes")
    assert report.added == 1 and "2 folders deep" in report.dropped[0].reason
    monkeypatch.setattr(limits, "FILES", 3)
    with pytest.raises(BadData, match="contains more than 3 files"):
        empty.import_file(tmp_path / "notes")


def test_a_key_of_many_parts_is_refused(empty: Library, course: Path) -> None:
    (course / "01-why.toml").write_text(f"{ENTRY}\n{'a.' * 70}a = 1\n")
    with pytest.raises(BadData, match=r"01-why\.toml:7: a key has more than 64 parts"):
        empty.import_file(course)


@pytest.mark.long
def test_a_text_with_a_fault_in_each_word_is_told_a_few_of_them(course: Path) -> None:
    text = "ي می شود " * 5000 + "گ" * 50_000
    (course / "01-why.toml").write_text(f'{ENTRY}[question.fa]\ntext = "{text}"\n')
    advice = [
        check
        for check in check_folder(course)
        if "question.fa" in check.found or "«" in check.found
    ]
    assert 0 < len(advice) <= 100
