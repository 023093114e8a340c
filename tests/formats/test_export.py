"""What an export must hold: the same bytes every time, and nothing lost on the way back."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb import Library, open_library
from kb.errors import BadData, Conflict, UsageError
from kb.formats.book import Book
from kb.formats.native import read, write
from kb.formats.registry import EXPORTERS, exporter
from kb.model.entry import Answer, Entry
from kb.model.results import Filters
from tests.behind import batch, written
from tests.databases import new_library
from tests.formats.hard import BOOK, TEXT

GOLDEN = Path(__file__).parent / "golden"
TEXT_FORMATS = [
    name
    for name, known in EXPORTERS.items()
    if known.module and not known.folder and name != "apkg"
]


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_a_format_is_these_bytes(name: str) -> None:
    assert written(exporter(name), BOOK).encode() == (GOLDEN / f"hard.{name}").read_bytes()


def test_csv_is_read_back_as_it_was_by_others() -> None:
    rows = list(csv.DictReader(io.StringIO(written(exporter("csv"), BOOK), newline="")))
    assert rows[0]["question"] == BOOK.entries[0].question["en"]
    assert rows[1]["question"] == BOOK.entries[0].question["fa"]
    assert [row["lang"] for row in rows] == ["en", "fa", "en"]


def test_markdown_renders_without_html_or_headings_from_the_content() -> None:
    html = MarkdownIt("commonmark").render(written(exporter("md"), BOOK))
    assert "<b>" not in html
    assert "&lt;b&gt;now" in html
    assert "<h1>نه" not in html
    assert html.count("<h1>") == 1
    assert "if a &lt; b:" in html


def test_the_control_of_the_markdown_test_is_live_html() -> None:
    assert "<b>" in MarkdownIt("commonmark").render(BOOK.entries[0].question["en"])


def test_web_annotations_quote_what_stands_at_their_place() -> None:
    items = json.loads(written(exporter("jsonld"), BOOK))["items"]
    assert len(items) == 3
    for item in items[:2]:
        quote, position = item["target"]["selector"]
        assert TEXT[position["start"] : position["end"]] == quote["exact"]
        before = TEXT[: position["start"]]
        assert before.endswith(quote["prefix"])
        tags = [body["value"] for body in item["body"] if body["purpose"] == "tagging"]
        assert tags == ["wrong"]


@pytest.mark.long
def test_json_out_and_in_again_is_the_same_database(bundled: Library, tmp_path: Path) -> None:
    bundled.verify(["batch-norm-epsilon"])
    first, second = tmp_path / "one.json", tmp_path / "two.json"
    bundled.export("json", first)
    with new_library(tmp_path / "new.db") as copy:
        assert copy.import_file(first).added == 33
        copy.export("json", second)
        for hit in bundled.list().hits:
            assert copy.show(hit.id) == bundled.show(hit.id)
        assert [h.id for h in copy.list().hits] == [h.id for h in bundled.list().hits]
        assert copy.read.collections() == bundled.read.collections()
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.long
def test_jsonl_imports_again_too(bundled: Library, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    bundled.export("jsonl", file)
    with new_library(tmp_path / "new.db") as copy:
        assert copy.import_file(file).added == 33
        assert copy.show("radius-mask").annotations == bundled.show("radius-mask").annotations


ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)


@given(
    question=st.dictionaries(
        st.sampled_from(["en", "fa", "de"]), ANY_TEXT.filter(str.strip), min_size=1
    ),
    answer=ANY_TEXT,
    tags=st.lists(ANY_TEXT, max_size=3),
    number=st.none() | ANY_TEXT,
)
def test_any_text_survives_json(
    question: dict[str, str], answer: str, tags: list[str], number: str | None
) -> None:
    entry = Entry(
        "x",
        "card",
        "c",
        question,
        number,
        tags=tuple(tags),
        answers=(Answer("source", "en", answer),),
    )
    assert [*batch(read, written(write, Book((entry,))), "x.json").book.entries] == [entry]


@pytest.mark.long
def test_a_filter_narrows_every_format(bundled: Library, tmp_path: Path) -> None:
    hard = Filters(level="H")
    for name in EXPORTERS:
        assert bundled.export(name, tmp_path / f"hard.{name}", filters=hard) == 6
    assert len((tmp_path / "hard.jsonl").read_text().splitlines()) == 6
    with open_library(tmp_path / "hard.sqlite") as part:
        assert {hit.level for hit in part.list().hits} == {"H"}
        assert all(hit.via != "text" for hit in part.search("preprocessing").hits)


def test_chosen_entries_are_exported_alone(bundled: Library) -> None:
    out = io.BytesIO()
    assert bundled.export("jsonl", out, ids=["radius-mask", "accurate-mean"]) == 2
    assert [json.loads(line)["id"] for line in out.getvalue().decode().splitlines()] == [
        "accurate-mean",
        "radius-mask",
    ]


def test_an_export_replaces_a_file_whole_or_not_at_all(bundled: Library, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("before")
    with pytest.raises(UsageError):
        bundled.export("jsno", target)
    assert target.read_text() == "before"
    bundled.export("json", target)
    assert json.loads(target.read_text())["schema_version"] == 1
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


@pytest.mark.long
def test_a_part_stays_a_part_when_the_content_changes(
    bundled: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled.export("sqlite", tmp_path / "part.db", filters=Filters(level="H"))
    monkeypatch.setattr("kb.service.opening.stamp", lambda folder: "another")
    with open_library(tmp_path / "part.db") as part:
        assert part.list().total == 6


def test_a_link_a_mode_and_a_pipe_are_kept(bundled: Library, tmp_path: Path) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("before")
    real.chmod(0o600)
    link.symlink_to(real)
    bundled.export("jsonl", link, ids=["radius-mask"])
    assert link.is_symlink()
    assert json.loads(real.read_text())["id"] == "radius-mask"
    assert real.stat().st_mode & 0o777 == 0o600
    bundled.export("jsonl", "/dev/null", ids=["radius-mask"])
    assert Path("/dev/null").is_char_device()


def test_a_pipe_that_is_named_by_its_number_is_written_to(empty: Library) -> None:
    end, begin = os.pipe()
    try:
        empty.export("jsonl", f"/dev/fd/{begin}")
        empty.export("json", f"/dev/fd/{begin}")
        assert b"schema_version" in os.read(end, 4096)
    finally:
        os.close(end)
        os.close(begin)


def test_an_open_file_that_has_no_name_any_more_is_written_to(
    empty: Library, tmp_path: Path
) -> None:
    with (tmp_path / "out.json").open("w+b") as file:
        (tmp_path / "out.json").unlink()
        empty.export("json", f"/dev/fd/{file.fileno()}")
        assert b"schema_version" in file.read()
    assert list(tmp_path.glob("out*")) == []


def test_a_place_that_cannot_be_written_is_named(bundled: Library, tmp_path: Path) -> None:
    for target in (tmp_path / "none" / "out.json", tmp_path):
        with pytest.raises(BadData, match=f"{target}: cannot be written"):
            bundled.export("json", target)


def test_an_unknown_format_names_the_nearest(bundled: Library) -> None:
    with pytest.raises(UsageError) as caught:
        bundled.export("jsno", io.BytesIO())
    assert "json" in caught.value.hint


def test_the_database_is_not_exported_over_itself(bundled: Library) -> None:
    with pytest.raises(Conflict, match="the database itself"):
        bundled.export("sqlite", bundled.path)


@pytest.mark.long
def test_a_copy_is_searched_with_the_shell_of_sqlite(bundled: Library, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    bundled.export("sqlite", path)
    shell = sqlite3.connect(path)
    rows = shell.execute(
        "SELECT DISTINCT e.id FROM entry e JOIN document d ON d.entry = e.key WHERE d.id IN "
        "(SELECT rowid FROM document_fts WHERE document_fts MATCH 'intractable')"
    ).fetchall()
    assert ("intractable-problem",) in rows
    inflected = "SELECT count(*) FROM document_fts WHERE document_fts MATCH 'matrices'"
    assert shell.execute(inflected).fetchone()[0] > 0
    shell.close()


@pytest.mark.long
async def test_datasette_opens_a_copy_and_finds_exactly_the_right_rows(
    bundled: Library, tmp_path: Path
) -> None:
    from datasette.app import Datasette

    path = tmp_path / "copy.db"
    lines = tmp_path / "x.jsonl"
    lines.write_text(
        '{"id": "one", "title": "زیمورژی چیست؟"}\n{"id": "two", "title": "Is it zymurgy?"}\n'
    )
    bundled.import_file(lines)
    bundled.export("sqlite", path)
    datasette = Datasette([str(path)])
    for word, entries in (
        ("zymurgy", ["x/two"]),
        ("زیمورژی", ["x/one"]),
        ("nowhereatall", []),
        ("intracable OR", []),
    ):
        found = await datasette.client.get(
            "/copy/document.json", params={"_search": word, "_shape": "array"}
        )
        keys = [row["entry"] for row in found.json()]
        rows = [await datasette.client.get(f"/copy/entry/{key}.json?_shape=array") for key in keys]
        assert [row.json()[0]["id"] for row in rows] == entries
