"""Importing and verifying: progress in sight, stopped by a key, and nothing done by halves."""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.command import CommandPalette
from textual.widgets import Input, ProgressBar

from kb.evidence.runner import Limits
from kb.i18n import number
from kb.library import Library, open_library
from kb.model.entry import Snippet
from kb.model.reports import Outcome
from kb.model.results import Filters
from tests.conftest import PATIENCE
from tests.databases import new_library
from tests.tui.conftest import Reader
from tui.bidi import label
from tui.screens.files import ImportScreen, PreviewScreen
from tui.screens.progress import ProgressScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView

MANY = 2000
SMALL = (80, 24)
ROOM = 77
"""The cells of a toast's text there."""


@pytest.fixture(params=["en", "fa"])
def language(request, monkeypatch) -> str:
    monkeypatch.setenv("KB_LANG", request.param)
    return request.param


@pytest.fixture
def own(_bundled_file: Path, tmp_path: Path):
    """The bundled content, of which this test may change what is verified."""
    with open_library(shutil.copy(_bundled_file, tmp_path / "own.db")) as opened:
        yield opened


@pytest.fixture
def nine_measured(monkeypatch, own: Library) -> int:
    """Let nine programs measure what is expected, and the others run until stopped; count all."""
    annotations = [a for hit in own.list().hits for a in own.show(hit.id).claims]
    evidence = [each for annotation in annotations for each in annotation.evidence]
    begun = itertools.count(1)

    def run_snippet(snippet: Snippet, limits: Limits, *, stop: threading.Event) -> Outcome:
        if next(begun) > 9:
            assert stop.wait(PATIENCE)
            return Outcome(snippet.id, "killed", 0, "", "", False, 0.1, 1, (), {}, "good")
        figures = {e.figure: e.expected for e in evidence if e.snippet == snippet.id}
        return Outcome(snippet.id, "ok", 0, "", "", False, 0.1, 1, (), figures, "good")

    monkeypatch.setattr("kb.evidence.verify.run_snippet", run_snippet)
    return len({each.snippet for each in evidence})


@pytest.fixture
def held(monkeypatch) -> threading.Event:
    """Hold an import on its way until this is set, or the import is stopped; no look at it."""
    go_on = threading.Event()

    def import_file(self, path, *, progress, **more):
        def step(done: int, total: int) -> None:
            progress(done, total)
            while (
                not more.get("dry_run")
                and done
                and total in (MANY, MANY // 2)
                and not go_on.wait(0.01)
            ):
                progress(done, total)

        return self.imports.import_file(path, progress=step, **more)

    monkeypatch.setattr(Library, "import_file", import_file)
    return go_on


def questions(path: Path, count: int) -> Path:
    lines = (
        json.dumps({"id": f"q{n}", "title": f"What is question {n}?", "text": "An answer. " * 20})
        for n in range(count)
    )
    path.write_text("\n".join(lines), "utf-8")
    return path


async def ended(reader: Reader) -> None:
    """Wait until the long work has ended, which is always told, and all it led to is shown."""
    await reader.until(lambda: reader.notices() and reader.app.screen is reader.main)
    await reader.settle()


async def choose(
    reader: Reader, path: object, collection: str | None = None, *, shown: bool = True
) -> None:
    """Fill in the form, and import what is shown of it."""
    await reader.press("i")
    screen = reader.app.screen
    assert isinstance(screen, ImportScreen)
    screen.query_one("#path", Input).value = str(path)
    await reader.press("enter")
    if collection is not None:
        screen.query_one("#collection", Input).value = collection
    await reader.pilot.press("enter")
    if shown:
        await reader.until(lambda: isinstance(reader.app.screen, PreviewScreen))
        await reader.pilot.press("enter")


def texts(reader: Reader) -> str:
    return "\n".join(block.text for block in reader.app.screen.query(BidiText))


def told(reader: Reader, words: dict[str, str], language: str) -> bool:
    return label(words[language], ROOM) in reader.notices()


async def under_way(reader: Reader, total: int, done: int = 1) -> ProgressScreen:
    """Wait until so much is done of so much."""
    await reader.until(lambda: isinstance(reader.app.screen, ProgressScreen))
    screen = reader.app.screen
    await reader.until(lambda: (screen.query_one(ProgressBar).progress or 0) >= done)
    await reader.until(lambda: number(total) in texts(reader))
    return screen


def states(library: Library) -> Counter[str]:
    every = (library.show(hit.id) for hit in library.list().hits)
    return Counter(a.status for entry in every for a in entry.annotations if a.evidence)


@pytest.mark.long
async def test_a_file_is_imported_and_its_collection_is_listed(opened, library, tmp_path, language):
    file = questions(tmp_path / "mine.jsonl", 3)
    async with opened(size=SMALL) as reader:
        await choose(reader, file)
        await ended(reader)
        assert reader.main.query_one(EntryList).ids == ["mine/q0", "mine/q1", "mine/q2"]
        words = {"en": "Imported: mine · 3 new entries", "fa": "وارد شد: mine · ۳ مدخل تازه"}
        assert told(reader, words, language)
        assert "mine" in texts(reader)
        three, all_of_them = {"en": ("3 ", "6 "), "fa": ("۳ ", "۶ ")}[language]
        counted = {"en": "entries", "fa": "مدخل"}[language]
        assert reader.main._list.title.startswith(three + counted)
        await reader.press(":no-filter")
        assert reader.main._list.title == all_of_them + counted
        assert "chain" in reader.main.query_one(EntryList).ids
    assert library.list(filters=Filters(collection="mine")).total == 3


async def test_a_search_behind_a_dialog_is_not_lost_with_what_waits_for_its_drawing(
    opened, monkeypatch
):
    monkeypatch.setattr(ImportScreen, "_invoke_later", lambda *_: None)
    async with opened(size=SMALL) as reader:
        reader.app.push_screen(ImportScreen((".jsonl",), None))
        await reader.settle()
        reader.main.query_one("#query", Input).value = "throughput"
        await reader.settle()
        assert reader.main.query_one(EntryList).ids == ["flash"]


async def test_the_reader_names_the_collection_and_comes_from_entry_and_search_to_it(
    opened, library, tmp_path
):
    file = questions(tmp_path / "mine.jsonl", 1)
    async with opened("chain", size=SMALL) as reader:
        reader.main.query_one("#query", Input).value = "throughput"
        await reader.settle()
        await choose(reader, file, "other")
        await ended(reader)
        assert reader.main.query_one(EntryList).ids == ["other/q0"]
        assert not reader.main.showing
        assert "What is question 0?" in reader.text()


async def test_the_first_import_into_an_empty_library_is_listed(opened, tmp_path):
    file = questions(tmp_path / "mine.jsonl", 1)
    with new_library(tmp_path / "none.db") as nothing:
        async with opened(of=nothing, size=SMALL) as reader:
            await choose(reader, file)
            await ended(reader)
            assert reader.main.query_one(EntryList).ids == ["mine/q0"]


@pytest.mark.long
async def test_a_folder_names_its_own_collections(opened, library, tmp_path):
    folder = tmp_path / "course" / "week"
    folder.mkdir(parents=True)
    (folder / "collection.toml").write_text('order = 1\ntitle.en = "First week"\n')
    (folder / "01-one.toml").write_text(
        'id = "one"\nkind = "note"\ntopic = "t"\n[question.en]\ntext = "One"\n'
    )
    async with opened(size=SMALL) as reader:
        await choose(reader, tmp_path / "course")
        await ended(reader)
        assert reader.main.query_one(EntryList).ids == ["one"]
        assert "First week" in reader.text()


@pytest.mark.long
async def test_an_import_shows_how_far_it_is_and_stores_everything_unless_it_is_stopped(
    opened, library, tmp_path, language, held
):
    count = MANY // 2
    file = questions(tmp_path / "many.jsonl", count)
    async with opened(size=SMALL) as reader:
        await choose(reader, file)
        screen = await under_way(reader, count)
        words = {"en": f"of {number(count)}", "fa": f"از {number(count)}"}
        assert words[language] in texts(reader)
        assert "many.jsonl" in texts(reader)
        bar = screen.query_one(ProgressBar)
        assert bar.total == count
        for part in screen.query("*"):
            assert reader.app.screen.region.contains_region(part.region), part
        held.set()
        await ended(reader)
    assert library.list(limit=0, filters=Filters(collection="many")).total == count


@pytest.mark.long
async def test_escape_stops_an_import_and_nothing_is_stored(
    opened, library, tmp_path, language, held
):
    file = questions(tmp_path / "many.jsonl", MANY)
    async with opened(size=SMALL) as reader:
        await choose(reader, file)
        await under_way(reader, MANY)
        await reader.pilot.press("escape")
        await ended(reader)
        words = {
            "en": "Stopped. Nothing was saved.",
            "fa": "متوقف شد. چیزی ذخیره نشد.",
        }
        assert told(reader, words, language)
        assert len(reader.main.query_one(EntryList).ids) == 3
        await reader.press("i")
        assert reader.app.screen.query_one("#path", Input).value == str(file)
    assert library.list().total == 3


@pytest.mark.long
async def test_a_click_stops_an_import(opened, library, tmp_path, held):
    file = questions(tmp_path / "many.jsonl", MANY)
    async with opened(size=SMALL) as reader:
        await choose(reader, file)
        await under_way(reader, MANY)
        await reader.pilot.click("ActionText")
        await ended(reader)
    assert library.list().total == 3


@pytest.fixture
def short() -> Iterator[Path]:
    """Return a folder whose path fits into a line, as far as the machine's own does."""
    with tempfile.TemporaryDirectory(prefix="kb-") as folder:
        yield Path(folder)


async def test_a_broken_line_is_told_with_file_and_line_and_the_form_keeps_the_path(
    opened, library, short, language
):
    file = short / "broken.jsonl"
    file.write_text('{"id": "a", "title": "What?"}\n{"id": \n')
    async with opened(size=SMALL) as reader:
        await choose(reader, file, shown=False)
        await ended(reader)
        assert "broken.jsonl:2" in reader.notices().replace("\n", "").replace(" ", "")
        assert max(map(cell_len, reader.notices().split("\n"))) <= ROOM
        await reader.press("i")
        assert reader.app.screen.query_one("#path", Input).value == str(file)
    assert library.list().total == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", {"en": "A file needs a name.", "fa": "فایل باید نام داشته باشد."}),
        ("none.md", {"en": "There is no such file.", "fa": "چنین فایلی وجود ندارد."}),
        (
            "~no-such-reader/none.md",
            {"en": "There is no such file.", "fa": "چنین فایلی وجود ندارد."},
        ),
        ("a" * 300, {"en": "There is no such file.", "fa": "چنین فایلی وجود ندارد."}),
        ("what.xyz", {"en": "end in .json, .jsonl", "fa": "پسوندها را دارند: .json، .jsonl"}),
    ],
)
async def test_a_path_that_cannot_be_read_is_told_in_the_form(
    opened, tmp_path, monkeypatch, language, name, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "what.xyz").write_text("What?")
    async with opened(size=SMALL) as reader:
        await choose(reader, name, shown=False)
        await reader.settle()
        assert isinstance(reader.app.screen, ImportScreen)
        assert words[language] in texts(reader)
        for part in reader.app.screen.query("*"):
            assert reader.app.screen.region.contains_region(part.region), part
        await reader.press("escape")
        assert reader.app.screen is reader.main


@pytest.mark.long
async def test_the_entry_that_is_read_is_verified_and_shown_anew(opened, own, language):
    async with opened("matrix-chain-three", of=own, size=SMALL) as reader:
        fresh = {"en": "confirmed by a run", "fa": "با اجرا تأیید شده"}[language]
        assert fresh not in texts(reader)
        await reader.choose("verify")
        await ended(reader)
        words = {
            "en": "3 annotations verified: 3 confirmed by a run",
            "fa": "۳ توضیح راستی‌آزمایی شد: ۳ با اجرا تأیید شده",
        }
        await reader.until(lambda: told(reader, words, language))
        await reader.until(lambda: fresh in texts(reader))
        assert reader.main.showing
    assert states(own)["confirmed"] == 2


@pytest.mark.long
async def test_what_verifying_showed_stays_in_the_status_and_in_the_rows(opened, own, language):
    said = {
        "en": "3 annotations verified: 3 confirmed by a run",
        "fa": "۳ توضیح راستی‌آزمایی شد: ۳ با اجرا تأیید شده",
    }
    async with opened("matrix-chain-three", of=own, size=SMALL) as reader:
        await reader.press("escape")
        assert not [line for line in reader.lines() if "✓" in line]
        await reader.press("enter")
        await reader.choose("verify")
        await ended(reader)
        reader.app.clear_notifications()
        await reader.press("escape")
        listing, status = reader.main.query_one(EntryList), reader.main.query_one("#status")
        assert listing.chosen == "matrix-chain-three"
        (row,) = (line for line in reader.lines() if "✓" in line)
        assert "□" in row
        assert said[language] in status.text
        await reader.press(":interface")
        assert said[{"en": "fa", "fa": "en"}[language]] in status.text
        await reader.type("gradient")
        assert not any(each in status.text for each in said.values())


@pytest.mark.long
async def test_a_reader_stays_at_the_place_when_the_entry_is_shown_anew(opened, own):
    async with opened("matrix-chain-three", of=own, size=SMALL) as reader:
        await reader.press("pagedown", "pagedown")
        view = reader.main.query_one(EntryView)
        before = view.scroll_offset.y
        assert before > 0
        await reader.choose("verify")
        await ended(reader)
        assert view.scroll_offset.y == before


async def test_a_card_that_was_turned_stays_turned_when_it_is_verified(opened, library):
    async with opened("flash", size=SMALL) as reader:
        await reader.press("space")
        await reader.choose("verify")
        await ended(reader)
        assert "There is no evidence to run here." in reader.notices()
        assert "Work done per second." in reader.text()


@pytest.mark.long
async def test_escape_stops_a_verify_of_everything_and_keeps_what_was_verified(
    opened, own, language, nine_measured
):
    before = states(own)
    assert set(before) == {"unverified"} and nine_measured > 9
    async with opened(of=own, size=SMALL) as reader:
        await reader.choose("verify")
        screen = await under_way(reader, nine_measured, done=9)
        for part in screen.query("*"):
            assert reader.app.screen.region.contains_region(part.region), part
        await reader.pilot.press("escape")
        await ended(reader)
        words = {
            "en": "Stopped. What was verified is kept.",
            "fa": "متوقف شد. آنچه راستی‌آزمایی شده بود ماند.",
        }
        assert told(reader, words, language)
    after = states(own)
    assert set(after) == {"unverified", "confirmed"}
    assert after.total() == before.total()


@pytest.mark.long
async def test_quitting_stops_an_import_and_nothing_is_stored(opened, library, tmp_path, held):
    file = questions(tmp_path / "many.jsonl", MANY)
    async with opened(size=SMALL) as reader:
        await choose(reader, file)
        await under_way(reader, MANY)
        await reader.pilot.press("ctrl+q")
        await reader.until(lambda: not reader.app.is_running)
    await asyncio.get_running_loop().shutdown_default_executor()
    assert library.list().total == 3


@pytest.mark.long
@pytest.mark.parametrize("leave", [["escape"], ["ctrl+q"]])
async def test_a_palette_over_the_progress_does_not_keep_it(opened, library, tmp_path, leave, held):
    file = questions(tmp_path / "many.jsonl", MANY)
    async with opened(size=SMALL) as reader:
        await choose(reader, file)
        screen = await under_way(reader, MANY)
        await reader.pilot.press("ctrl+p")
        await reader.until(lambda: isinstance(reader.app.screen, CommandPalette))
        screen.stop.set()
        await reader.until(lambda: reader.notices())
        await reader.settle()
        assert isinstance(reader.app.screen, CommandPalette)
        await reader.press(*leave)
        assert reader.app.screen is reader.main or not reader.app.is_running
