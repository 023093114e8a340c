"""Packages for Anki: its own library opens them, and a later one brings an earlier one up to date."""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kb import Library
from kb.formats.book import Book
from kb.formats.registry import exporter
from kb.model.draft import Amendment
from kb.model.entry import Answer, Entry, Snippet
from tests.formats.hard import BOOK
from tests.plugin import times

GOLDEN = Path(__file__).parent / "golden"
OURS = {"a", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6",
        "hr", "img", "li", "mark", "ol", "p", "pre", "section", "span", "strong", "sub", "sup",
        "table", "tbody", "td", "th", "thead", "tr", "ul", "b", "i", "bdi", "header", "footer",
        "details", "summary", "dl", "dt", "dd", "s", "u", "small", "q", "aside", "figure"}  # fmt: skip


def taken_in(collection, path: Path):
    """Let Anki's own library import a package; return its log."""
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    request = ImportAnkiPackageRequest(package_path=str(path), options=ImportAnkiPackageOptions())
    return collection.import_anki_package(request).log


@pytest.fixture
def anki(tmp_path: Path):
    pytest.importorskip("anki", reason="Anki's own library is not for this platform")
    from anki.collection import Collection

    opened = Collection(str(tmp_path / "theirs.anki2"))
    yield opened
    opened.close()


def questions(library: Library) -> list[Entry]:
    every = [library.show(hit.id) for hit in library.list().hits]
    return [entry for entry in every if entry.kind != "note"]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_anki_takes_in_a_note_for_each_question_and_card(bundled, anki, tmp_path: Path) -> None:
    path = tmp_path / "danesh.apkg"
    asked = questions(bundled)
    assert bundled.export("apkg", path) == len(asked)
    log = taken_in(anki, path)
    assert (len(log.new), log.found_notes) == (len(asked), len(asked))
    assert anki.card_count() == len(asked)
    assert len(anki.decks.all_names_and_ids()) == 1 + len({e.collection for e in asked})
    shown = {card.question() + card.answer() for id in anki.find_cards("")
             if (card := anki.get_card(id))}  # fmt: skip
    assert all('dir="rtl"' in html and 'lang="fa"' in html for html in shown)
    assert sum("<pre" in html for html in shown) == sum(bool(e.snippets) for e in asked)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_later_package_renews_what_was_changed_and_doubles_nothing(
    bundled, anki, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.apkg", tmp_path / "second.apkg"
    bundled.export("apkg", first)
    taken_in(anki, first)
    edited = [entry.id for entry in questions(bundled)][:19]
    for number, id in enumerate(edited):
        bundled.edit.amend(id, Amendment(question=f"Asked anew {number}? پرسش", lang="fa"))
    bundled.export("apkg", second)
    log = taken_in(anki, second)
    assert (len(log.new), len(log.updated), anki.note_count()) == (0, 19, len(questions(bundled)))
    assert len(anki.find_notes("Asked anew")) == 19


@pytest.mark.long
def test_the_same_base_gives_the_same_package(bundled, tmp_path: Path) -> None:
    for name in ("one", "other"):
        bundled.export("apkg", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_the_tables_of_a_package_are_these(tmp_path: Path) -> None:
    path = tmp_path / "hard.apkg"
    with path.open("wb") as out:
        exporter("apkg")(BOOK, out)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist()[-2:] == ["collection.anki2", "media"]
        archive.extract("collection.anki2", tmp_path)
    with sqlite3.connect(tmp_path / "collection.anki2") as collection:
        told = "\n".join(collection.iterdump()) + "\n"
    assert told == (GOLDEN / "hard.apkg.sql").read_text(encoding="utf-8")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.seen.append((tag, attrs))


HOSTILE = st.lists(
    st.sampled_from(
        ["<script>alert(1)</script>", "{{Question}}", "{{c1::x}}", "\x1f", "\\(", "`", "*", "[a](",
         "javascript:alert(1))", "<img src=x onerror=y>", "](", "'", '"', "&lt;", "می‌شود", "\u202e",
         "$x$", "$$", "\n", "- ", "# ", "| a |", "text "]
    ),
    max_size=12,
).map("".join).filter(lambda text: bool(text.strip()))  # fmt: skip


@settings(
    max_examples=times(12),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(HOSTILE, HOSTILE)
@example("<script>", "{{Answer}} </code></pre><script>")
@example("a", "$$b\x1fc$$")
def test_what_an_entry_says_is_text_in_anki(tmp_path: Path, asked: str, told: str) -> None:
    entry = Entry("a", "card", "c", {"en": asked, "fa": told}, answers=(Answer("source", "en", told),),
                  snippets=(Snippet("s", {}, f"print({told!r})\n", main=True),))  # fmt: skip
    path = tmp_path / "one.apkg"
    with path.open("wb") as out:
        exporter("apkg")(Book((entry,)), out)
    with zipfile.ZipFile(path) as archive:
        archive.extract("collection.anki2", tmp_path)
    with sqlite3.connect(tmp_path / "collection.anki2") as collection:
        ((fields, models),) = collection.execute("SELECT flds, models FROM notes, col").fetchall()
    kinds = json.loads(models).values()
    assert fields.count("\x1f") + 1 in {len(kind["flds"]) for kind in kinds}
    tags = _Tags()
    tags.feed(fields.replace("\x1f", "\n"))
    for tag, attributes in tags.seen:
        assert tag in OURS, tag
        for name, value in attributes:
            assert not name.startswith("on")
            assert not re.match(r"\s*(javascript|data|file):", value or "", re.IGNORECASE)
    assert "{{" not in re.sub(r"<[^>]*>", "", fields)
