"""SQLite's own index in the live file: what other programs find is what is listed, always."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import Library, open_library
from kb.errors import Cancelled
from kb.model.documents import Document
from kb.model.draft import Amendment, Draft
from kb.search.index import fts5
from kb.service.opening import salvage
from tests.behind import make_thirteenth, raw, unlike_texts
from tests.databases import new_library

_FOUND = (
    "SELECT e.id FROM document_fts f JOIN document d ON d.id = f.rowid "
    "JOIN entry e ON e.key = d.entry WHERE document_fts MATCH ? ORDER BY e.id"
)


def found(library: Library, asked: str) -> list[str]:
    """Return the entries that SQLite finds."""
    return [row[0] for row in raw(library).execute(_FOUND, (asked,))]


def has_table(library: Library) -> bool:
    sql = "SELECT count(*) FROM sqlite_master WHERE name = 'document_fts'"
    return bool(raw(library).execute(sql).fetchone()[0])


def write(library: Library, question: str, answer: str = "", lang: str = "en") -> str:
    answers = {"source": {lang: answer}} if answer else {}
    return library.edit.new(Draft({lang: question}, answers)).ids[0]


def lines(path: Path, count: int, word: str = "zymurgy") -> Path:
    """Write a file of entries, each with a word of its own."""
    rows = ({"id": f"e{n}", "title": f"What is {word} {word}{n}x?"} for n in range(count))
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


TEXTS = (
    ("en", "The vanishing gradients of batch-norm, which don't explode"),
    ("fa", "شبکه\u200cهای عصبی عميق می\u200cشوند"),
)


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ("gradients", 0),
        ("gradient", 0),
        ("Vanishing", 0),
        ('"vanishing gradients"', 0),
        ('"gradients of batch"', 0),
        ("batch-norm", 0),
        ("batchnorm", 0),
        ("don't", 0),
        ("gradient explode", 0),
        ("شبکه\u200cهای", 1),
        ("شبکه", 1),
        ("عمیق", 1),
        ("می\u200cشوند", 1),
        ('"شبکه\u200cهای عصبی"', 1),
        ("شبکه عمیق", 1),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_words_phrases_and_hyphenated_words_are_found_as_datasette_quotes_them(
    empty: Library, asked: str, number: int
) -> None:
    from datasette.utils import escape_fts

    ids = [write(empty, text, lang=lang) for lang, text in TEXTS]
    assert found(empty, escape_fts(asked)) == [ids[number]]


@pytest.mark.parametrize(
    "asked", ['"gradients vanish"', '"explode gradient"', '"vanish gradient explode"', "ǀ"]
)
def test_no_phrase_reaches_into_the_terms_beside_the_texts(empty: Library, asked: str) -> None:
    write(empty, TEXTS[0][1])
    assert found(empty, asked) == []


def test_beside_the_texts_stand_only_terms_that_none_of_them_has() -> None:
    for lang, text in TEXTS:
        beside = fts5._row(Document(1, "x", lang, {"question": text}, {}))[-1]
        assert isinstance(beside, str) and beside.split()
        assert not {*beside.split()} & {*text.lower().replace("-", " ").split()}


@given(text=st.text(max_size=40), lang=st.sampled_from(["en", "fa", "hi", "el", "tr"]))
def test_every_term_and_every_word_of_any_text_is_found(text: str, lang: str) -> None:
    texts = {"question": text, "source": text[::-1]}
    row = fts5._row(Document(1, "x", lang, texts, {}))
    with contextlib.closing(sqlite3.connect(":memory:")) as shell:
        creation = fts5._CREATION.replace('content="document"', "content=''")
        shell.execute(creation)
        shell.execute(fts5._ADDITION, row)
        for term in fts5._terms(Document(1, "x", lang, texts, {})):
            sql = "SELECT count(*) FROM document_fts WHERE document_fts MATCH ?"
            assert shell.execute(sql, (f'"{term}"',)).fetchone() == (1,), term


def test_an_edit_is_followed_in_its_own_transaction(empty: Library) -> None:
    id = write(empty, "What is zymurgy?", "Brewing.")
    base = empty._base
    with pytest.raises(ZeroDivisionError), base.store.transaction():
        base.index.remove(base.store.entries.documents([id]))
        base.store.entries.remove(id)
        assert found(empty, "zymurgy") == []
        raise ZeroDivisionError
    assert found(empty, "zymurgy") == [id]
    empty.edit.amend(id, Amendment(question="What is a xylophone?", lang="en"))
    assert (found(empty, "zymurgy"), found(empty, "xylophone")) == ([], [id])
    empty.changes.undo()
    assert (found(empty, "zymurgy"), found(empty, "xylophone")) == ([id], [])
    empty.edit.remove([id])
    assert found(empty, "zymurgy") == []
    assert unlike_texts(empty) == set()


def test_what_is_hidden_is_not_found_until_it_is_shown(bundled: Library) -> None:
    (id, *_) = before = found(bundled, "gradient")
    bundled.edit.remove([id])
    assert found(bundled, "gradient") == [each for each in before if each != id]
    assert unlike_texts(bundled) == set()
    bundled.edit.unhide([id])
    assert found(bundled, "gradient") == before


@pytest.mark.parametrize("count", [20, 700])
def test_nothing_that_is_staged_or_undone_is_ever_found(
    empty: Library, tmp_path: Path, count: int
) -> None:
    told: list[int] = []

    def tell(done: int, total: int) -> None:
        listed = {hit.id for hit in empty.list().hits}
        assert set(found(empty, "zymurgy")) <= listed
        told.append(len(listed))

    write(empty, "Is it zymurgy?")
    empty.import_file(lines(tmp_path / "x.jsonl", count), progress=tell)
    assert len(found(empty, "zymurgy")) == count + 1
    empty.changes.undo(progress=tell)
    assert len(found(empty, "zymurgy")) == 1
    empty.changes.redo(progress=tell)
    assert len(found(empty, "zymurgy")) == count + 1
    assert {1, count + 1} <= {*told} or count < 100
    assert unlike_texts(empty) == set()


def test_an_import_that_is_stopped_leaves_nothing_to_be_found(
    empty: Library, tmp_path: Path
) -> None:
    file = lines(tmp_path / "x.jsonl", 700)

    def stop(done: int, total: int) -> None:
        if done >= 250:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        empty.import_file(file, progress=stop)
    assert raw(empty).execute("SELECT count(*) FROM document").fetchone()[0] >= 250
    assert found(empty, "zymurgy") == []
    empty.import_file(file)
    assert len(found(empty, "zymurgy")) == 700


def test_what_was_left_is_indexed_when_the_file_is_opened_next(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fts5, "_TURN", 0)  # each document in a transaction of its own
    real, steps = fts5._step, iter(range(5))

    def step(store) -> int:  # type: ignore[no-untyped-def]
        if next(steps, None) is None:
            raise Cancelled("stopped")
        return real(store)

    monkeypatch.setattr(fts5, "_step", step)
    empty.import_file(lines(tmp_path / "x.jsonl", 150))
    assert len(found(empty, "zymurgy")) == 5
    write(empty, "Is it zymurgy?")
    empty.edit.remove([empty.list().hits[40].id])
    empty.close()
    monkeypatch.undo()
    with open_library(empty.path) as again:
        assert unlike_texts(again) == set()
        assert len(found(again, "zymurgy")) == 150


def former(path: Path) -> None:
    """Let a file look like an export of the thirteenth format."""
    make_thirteenth(path)
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        old.execute(
            'CREATE VIRTUAL TABLE document_fts USING fts5(question, content="document", '
            "content_rowid=\"id\", prefix='1 2 3')"
        )
        old.execute("INSERT INTO document_fts (rowid, question) VALUES (1, 'ǀ zymurgy')")


@pytest.mark.parametrize("make", [make_thirteenth, former])
def test_an_older_file_gets_the_table_when_it_is_opened(
    bundled_path: Path, make: Callable[[Path], None]
) -> None:
    make(bundled_path)
    with open_library(bundled_path) as library:
        assert unlike_texts(library) == set()
        assert not found(library, "zymurgy")
        assert found(library, "gradient")


def test_above_a_size_a_setting_decides_whether_there_is_a_table(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv("KB_SETTINGS", str(settings))
    monkeypatch.setattr(fts5, "_MOST", 150)
    empty.import_file(lines(tmp_path / "x.jsonl", 150))
    assert len(found(empty, "zymurgy")) == 150
    empty.import_file(lines(tmp_path / "y.jsonl", 1))
    assert not has_table(empty)
    assert "sqlite search" not in [check.name for check in empty.doctor() if not check.well]
    id = write(empty, "Is it zymurgy?")
    empty.edit.remove([id])
    for setting, kept in (("always", True), ("never", True), ("auto", True)):
        settings.write_text(f'sqlite_search = "{setting}"\n')
        empty.close()
        empty = open_library(empty.path)
        assert has_table(empty) == kept
    assert unlike_texts(empty) == set()
    for setting in ("never", "auto"):
        settings.write_text(f'sqlite_search = "{setting}"\n')
        empty.import_file(lines(tmp_path / f"{setting}.jsonl", 1))
        assert not has_table(empty)
    empty.export("sqlite", tmp_path / "copy.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as shell:
        assert len(shell.execute(_FOUND, ("zymurgy",)).fetchall()) == 153


def test_an_update_tells_how_many_of_the_documents_it_has_indexed(
    empty: Library, tmp_path: Path
) -> None:
    empty.import_file(lines(tmp_path / "x.jsonl", 40))
    store, told = empty._base.store, list[tuple[int, int]]()
    with store.transaction():
        fts5.clear(store)
    with patch.object(fts5, "_AT_ONCE", 15), patch.object(fts5, "_TURN", 1_000):
        fts5.update(store, lambda done, total: told.append((done, total)))
    assert told == [(15, 40), (30, 40), (40, 40)]
    assert unlike_texts(empty) == set()


def test_of_an_unfinished_update_only_lost_documents_differ(empty: Library, tmp_path: Path) -> None:
    empty.import_file(lines(tmp_path / "x.jsonl", 40))
    base = empty._base

    def stop(done: int, total: int) -> None:
        raise Cancelled("stopped")

    with base.store.transaction():
        fts5.clear(base.store)
    with patch.object(fts5, "_AT_ONCE", 15), patch.object(fts5, "_TURN", 1_000):
        with contextlib.suppress(Cancelled):
            fts5.update(base.store, stop)
        assert fts5.count(base.store) == 15
        assert fts5.differing(base.store, base.index) == []
        (document, *_) = base.store.entries.documents()
        raw(empty).execute(fts5._DELETION, fts5._row(document))
        assert fts5.differing(base.store, base.index) == [document.id]


@pytest.mark.parametrize("drift", ["lost", "stale", "unlisted"])
def test_what_the_two_indexes_tell_differently_is_found_and_mended(
    empty: Library, drift: str
) -> None:
    write(empty, "What is a neuron?")
    (number,) = raw(empty).execute("SELECT min(rowid) FROM document_fts").fetchone()
    (document,) = (each for each in empty._base.store.entries.documents() if each.id == number)
    if drift != "stale":
        raw(empty).execute(fts5._DELETION, fts5._row(document))
    if drift == "stale":
        other = fts5._row(document._replace(texts={"question": "zymurgy xylophone"}))
        raw(empty).execute(fts5._DELETION, fts5._row(document))
        raw(empty).execute(fts5._ADDITION, other)
    if drift == "unlisted":
        raw(empty).execute(fts5._ADDITION, (10_000, *fts5._row(document)[1:]))
    assert "sqlite search" in [check.name for check in empty.doctor() if not check.well]
    empty.repair()
    assert next(check for check in empty.doctor() if check.name == "sqlite search").well
    assert unlike_texts(empty) == set()


@pytest.mark.parametrize("damage", ["DELETE FROM document_fts_data", "DROP TABLE document_fts"])
def test_a_table_that_is_damaged_is_made_anew_with_the_index(empty: Library, damage: str) -> None:
    write(empty, "What is a neuron?")
    raw(empty).execute(damage)
    empty.rebuild()
    assert unlike_texts(empty) == set()


def test_an_export_copies_the_table_and_one_of_a_part_has_a_part_of_it(
    bundled: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled.edit.remove([write(bundled, "What is zymurgy?")])
    ids = [hit.id for hit in bundled.list().hits][:3]
    bundled.export("sqlite", tmp_path / "part.db", ids=ids)
    with monkeypatch.context() as patched:
        patched.setattr(fts5, "_row", None)
        bundled.export("sqlite", tmp_path / "whole.db")
    for name in ("part.db", "whole.db"):
        assert b"zymurgy" not in (tmp_path / name).read_bytes()
        with new_library(tmp_path / name) as copy:
            assert unlike_texts(copy) == set()


def test_a_salvaged_file_has_the_table(bundled_path: Path, tmp_path: Path) -> None:
    salvage(bundled_path, tmp_path / "new.db")
    with open_library(tmp_path / "new.db") as saved:
        assert unlike_texts(saved) == set()


def test_the_view_has_what_is_listed_and_is_joined_by_its_rowid(bundled: Library) -> None:
    (id, *_) = found(bundled, "gradient")
    rows = raw(bundled).execute(
        "SELECT DISTINCT id FROM entries WHERE rowid IN "
        "(SELECT rowid FROM document_fts WHERE document_fts MATCH 'gradient') ORDER BY id"
    )
    assert [row[0] for row in rows] == list(dict.fromkeys(found(bundled, "gradient")))
    bundled.edit.remove([id])
    view = raw(bundled).execute("SELECT * FROM entries")
    assert [each[0] for each in view.description] == [
        "rowid", "id", "lang", "question", "answer", "collection", "level", "tags",
    ]  # fmt: skip
    assert {row["id"] for row in view} == {hit.id for hit in bundled.list().hits}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_datasette_searches_the_live_file(bundled: Library, tmp_path: Path) -> None:
    from datasette.app import Datasette

    id = write(bundled, "What is batch-zymurgy?", "زیمورژی\u200cها")
    datasette = Datasette([bundled.path])
    for path, more in (("document", {}), ("entries", {"_fts_table": "document_fts"})):
        for word, count in (("batch-zymurgy", 1), ("زیمورژی\u200cها", 1), ("nowhereatall", 0)):
            asked = {"_search": word, "_shape": "array", **more}
            reply = await datasette.client.get(f"/kb/{path}.json", params=asked)
            assert len(reply.json()) == count, (path, word)
    assert reply.status_code == 200
    assert found(bundled, "zymurgy") == [id]
