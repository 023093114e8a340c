"""A list of thousands goes on as one goes through it, page by page, and holds a part of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator

import pytest
from textual.widgets import Input

from kb.errors import KbError
from kb.library import Library
from kb.model.results import Filters
from tests.conftest import PATIENCE
from tests.databases import new_library
from tests.tui.conftest import Reader
from tui.widgets import entry_list
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView

MANY, STEP = 3000, 25
TITLES = {"en": "How does step {n} of gradient descent end?", "fa": "گام {n} گرادیان به کجا می‌رسد؟"}
ASKED = {"en": "gradient", "fa": "گرادیان"}


def plain(text: str) -> str:
    """Return a text with Persian digits as those of ASCII."""
    return text.translate(str.maketrans("۰۱۲۳۴۵۶۷۸۹", "0123456789"))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Thousands of short entries, one in English after one in Persian."""
    folder = tmp_path_factory.mktemp("many")
    with (folder / "many.jsonl").open("w", encoding="utf-8") as lines:
        for n in range(MANY):
            lang = "fa" if n % 2 else "en"
            entry = {"id": f"e{n:04}", "lang": lang, "title": TITLES[lang].format(n=n), "text": "."}
            lines.write(json.dumps(entry, ensure_ascii=False) + "\n")
    with new_library(folder / "kb.db") as opened:
        opened.import_file(folder / "many.jsonl")
        yield opened


@pytest.fixture(params=["en", "fa"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("KB_LANG", request.param)
    return request.param


class Pages:
    """Listens to what is asked of a library, and can hold the pages behind the first back."""

    def __init__(self, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        self.limits: list[int] = []
        self.open = threading.Event()
        self.open.set()
        list_, search = library.find.list, library.search

        def listen(asked: Callable[..., object]) -> Callable[..., object]:
            def answer(*words: str, **options: int) -> object:
                self.limits.append(options["limit"])
                if options.get("offset"):
                    assert self.open.wait(PATIENCE)
                return asked(*words, **options)

            return answer

        monkeypatch.setattr(library.find, "list", listen(list_))
        monkeypatch.setattr(library.find, "search", listen(search))


@pytest.fixture
def pages(many: Library, monkeypatch: pytest.MonkeyPatch) -> Pages:
    return Pages(many, monkeypatch)


def list_of(reader: Reader) -> EntryList:
    return reader.main.query_one(EntryList)


def every_id(library: Library, query: str = "") -> list[str]:
    found: list[str] = []
    with new_library(library.path) as same:
        while True:
            page = {"limit": 500, "offset": len(found)}
            results = same.search(query, **page) if query else same.list(**page)
            found.extend(hit.id for hit in results.hits)
            if len(found) >= results.total:
                return found


def beside_the_scrollbar(reader: Reader) -> list[str]:
    return [line[1:-1] for line in reader.lines()]


async def go(reader: Reader, key: str, times: int) -> None:
    """Go up or down so many times; the last time by the key, which takes longer to press."""
    for _ in range(times - 1):
        await list_of(reader).run_action(key)
    await reader.press(key)


@pytest.mark.long
async def test_going_down_goes_on_behind_what_was_fetched_first(opened, many, language):
    async with opened(of=many, size=(80, 24)) as reader:
        listing, every = list_of(reader), every_id(many)
        assert len(listing.ids) == 300
        for place in range(STEP, 450, STEP):
            await go(reader, "down", STEP)
            assert listing.chosen == every[place]
            assert f" {place} " in plain(reader.text())
        assert listing.ids == every[: len(listing.ids)]


async def test_a_page_that_comes_moves_neither_cursor_nor_view(opened, many, pages, language):
    async with opened(of=many, size=(80, 24)) as reader:
        listing = list_of(reader)
        pages.open.clear()
        listing.cursor = 280
        await reader.until(lambda: reader.working() == {"page"})
        await reader.pilot.pause()
        chosen, seen = listing.chosen, beside_the_scrollbar(reader)
        pages.open.set()
        await reader.settle()
        assert len(listing.ids) == 400
        assert (listing.chosen, beside_the_scrollbar(reader)) == (chosen, seen)


@pytest.mark.long
async def test_the_end_is_reached_at_once_and_the_list_goes_on_upwards(
    opened, many, pages, language
):
    async with opened(of=many, size=(80, 24)) as reader:
        listing, every = list_of(reader), every_id(many)
        await reader.press("G")
        assert listing.chosen == every[-1]
        assert sum(pages.limits) <= 600
        assert listing.scroll_offset.y == listing.max_scroll_y
        for place in range(MANY - 1 - STEP, MANY - 200, -STEP):
            await go(reader, "up", STEP)
            assert listing.chosen == every[place]
            assert f" {place} " in plain(reader.text())
        await reader.press("g")
        assert listing.chosen == every[0]
        assert listing.ids == every[: len(listing.ids)]


@pytest.mark.long
async def test_who_goes_elsewhere_is_not_taken_to_the_end_later(opened, many, pages):
    async with opened(of=many, size=(80, 24)) as reader:
        listing = list_of(reader)
        pages.open.clear()
        await reader.pilot.press("G", "g", "down")
        pages.open.set()
        await reader.settle()
        assert listing.chosen == every_id(many)[1]


async def test_the_status_tells_of_all_wherever_the_reader_is(opened, many, language):
    async with opened(of=many, size=(80, 24)) as reader:
        said = {"en": "3,000 entries", "fa": "۳٬۰۰۰"}[language]
        for key in ("down", "G", "g"):
            await reader.press(key)
            assert said in reader.text()


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "fa"])
async def test_what_a_search_found_goes_on_in_the_same_order(opened, many, lang):
    async with opened(of=many, size=(80, 24)) as reader:
        listing = list_of(reader)
        await reader.type(ASKED[lang])
        await reader.press("down")
        every = every_id(many, ASKED[lang])
        assert len(every) >= MANY / 2
        for _ in range(12):
            await reader.press("pagedown")
        assert len(listing.ids) > 100
        assert listing.ids == every[: len(listing.ids)]
        await reader.press("G")
        assert listing.chosen == every[-1]


async def test_a_late_page_of_an_older_question_is_dropped(opened, many, pages, language):
    async with opened(of=many, size=(80, 24)) as reader:
        listing = list_of(reader)
        pages.open.clear()
        listing.cursor = 280
        await reader.until(lambda: len(pages.limits) == 2)
        await reader.pilot.press("slash", *"1234")
        await reader.until(lambda: listing.ids == ["many/e1234"])
        pages.open.set()
        await reader.settle()
        assert listing.ids == ["many/e1234"]


async def test_only_what_comes_in_sight_is_laid_out(opened, many, monkeypatch):
    from tui.widgets import rows

    laid, row_lines = [], rows.row_lines
    monkeypatch.setattr(
        rows, "row_lines", lambda row, *more: laid.append(row) or row_lines(row, *more)
    )
    async with opened(of=many, size=(80, 24)) as reader:
        assert len(list_of(reader).ids) == 300
        assert len(laid) < 60
        await reader.press("pagedown")
        assert len(laid) < 90


async def test_what_is_far_away_is_given_up_and_comes_back(opened, many, monkeypatch):
    monkeypatch.setattr(entry_list, "MOST_HELD", 350)
    async with opened(of=many, size=(80, 24)) as reader:
        listing, every = list_of(reader), every_id(many)
        for _ in range(4):
            await reader.press("pagedown")
            listing.cursor = len(listing.ids)
            await reader.settle()
        assert len(listing.ids) <= 350
        place = every.index(listing.chosen)
        assert place > 500
        assert listing.ids[0] != every[0]
        while place > STEP:
            place -= STEP
            await go(reader, "up", STEP)
            assert listing.chosen == every[place]
        assert listing.ids[0] == every[0]


async def test_the_wheel_finds_more_too(opened, many):
    async with opened(of=many, size=(80, 24)) as reader:
        listing, first = list_of(reader), list_of(reader).chosen
        for _ in range(3):
            listing.scroll_end(animate=False)
            await reader.settle()
        assert len(listing.ids) > 400
        assert listing.chosen == first


@pytest.mark.long
async def test_the_place_is_kept_when_the_interface_changes_its_language(opened, many):
    async with opened(of=many, size=(80, 24)) as reader:
        listing = list_of(reader)
        await reader.press("G", "up", "up")
        chosen = listing.chosen
        await reader.press(":interface")
        assert listing.chosen == chosen
        await reader.press("down")
        assert listing.chosen == every_id(many)[-2]


async def test_pages_are_narrowed_by_the_filters_too(opened, many):
    async with opened(of=many, size=(80, 24)) as reader:
        await reader.press("f")
        await reader.press("enter", "down", "enter")
        with new_library(many.path) as same:
            found = same.list(filters=Filters(lang="en")).hits
        listing = list_of(reader)
        reader.main.set_focus(listing)
        await reader.press("G")
        assert listing.chosen == found[-1].id


@pytest.mark.long
async def test_a_list_behind_an_entry_fetches_no_more_than_is_near(opened, many, pages, language):
    async with opened(of=many, size=(80, 24)) as reader:
        await reader.type(ASKED[language])
        assert pages.limits == [300]
        await reader.pilot.press("enter", "down", "down", "enter")
        await reader.settle()
        assert reader.main.showing
        assert len(pages.limits) <= 3
        assert list_of(reader).chosen == every_id(many, ASKED[language])[2]


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 24)])
async def test_reading_on_from_entry_to_entry_goes_beyond_what_was_fetched(opened, many, size):
    async with opened(of=many, size=size) as reader:
        listing, every = list_of(reader), every_id(many)
        listing.cursor = 201
        await reader.press("enter")
        assert len(listing.ids) == 300
        for _ in range(98):
            await reader.main.run_action("do('next_entry')")
        await reader.settle()
        for _ in range(3):
            await reader.press(":next")
        assert listing.chosen == every[301]
        assert reader.main.query_one(EntryView).reading.entry.id == every[301]


async def test_who_opens_an_entry_is_not_taken_to_the_end_later(opened, many, pages):
    async with opened(of=many, size=(80, 24)) as reader:
        pages.open.clear()
        await reader.pilot.press("G", "enter")
        await reader.pilot.pause()
        pages.open.set()
        await reader.settle()
        chosen = reader.main.query_one(EntryView).reading.entry.id
        assert list_of(reader).chosen == chosen == every_id(many)[299]


async def test_a_page_that_failed_is_asked_for_again(opened, many, monkeypatch):
    list_, broken = many.find.list, [True]

    def fail(**asked: int) -> object:
        if asked.get("offset") and broken:
            broken.clear()
            raise KbError("the database is locked")
        return list_(**asked)

    monkeypatch.setattr(many.find, "list", fail)
    async with opened(of=many, size=(80, 24)) as reader:
        listing = list_of(reader)
        listing.cursor = 280
        await reader.settle()
        assert "locked" in reader.notices()
        assert len(listing.ids) == 300
        await reader.press("down")
        assert len(listing.ids) == 400


@pytest.mark.long
async def test_a_note_far_down_leaves_the_reader_there(opened, many):
    async with opened(of=many, size=(140, 40)) as reader:
        listing = list_of(reader)
        await reader.press("G", "up", "up")
        chosen = listing.chosen
        await reader.press("enter", "a", "tab", *"no", "ctrl+s")
        (made,) = many.show(chosen).annotations
        assert listing.chosen == chosen
        assert reader.main.query_one(EntryView).current_annotation == made
        with new_library(many.path) as same:
            same.own.withdraw(made.id)


@pytest.mark.long
async def test_an_export_of_a_search_writes_all_that_was_found(opened, many, tmp_path):
    async with opened(of=many, size=(80, 24)) as reader:
        await reader.type(ASKED["fa"])
        await reader.press("down", "x")
        path = reader.app.screen.query_one("#path", Input)
        path.value = str(tmp_path / "found.json")
        path.focus()
        await reader.press("enter")
        written = json.loads((tmp_path / "found.json").read_bytes())["entries"]
        assert {entry["id"] for entry in written} == set(every_id(many, ASKED["fa"]))
