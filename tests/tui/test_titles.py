"""Titles above the panes, and the top row: how many of what, where one is, what is verified."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from kb.i18n import _
from kb.model.draft import Amendment
from kb.model.results import Filters
from tui.bidi import label
from tui.widgets.chip import Chip

WIDE, LOW, SMALL = (120, 40), (120, 24), (80, 24)
SAID = {
    "en": {
        "all": "3 entries",
        "found": "1 found · throughput",
        "some": "2 of 3 entries · Cards",
        "marked": "3 entries · 2 marked",
        "first": "1.1 · easy · annotation 1",
        "read": "1.1 · easy",
        "card": "card",
        "every": "1 of 1 ✓",
        "unsent": "danesh · 1 unsent",
        "both": "danesh · 1 unsent · 1 conflict",
        "conflict": "danesh · 1 conflict",
    },
    "fa": {
        "all": "۳ مدخل",
        "found": "۱ نتیجه · throughput",
        "some": "۲ از ۳ مدخل · Cards",
        "marked": "۳ مدخل · ۲ انتخاب‌شده",
        "first": "۱.۱ · آسان · توضیح ۱",
        "read": "۱.۱ · آسان",
        "card": "کارت",
        "every": "۱ از ۱ ✓",
        "unsent": "دانش · ۱ فرستاده‌نشده",
        "both": "دانش · ۱ فرستاده‌نشده · ۱ ناسازگاری",
        "conflict": "دانش · ۱ ناسازگاری",
    },
}


def titles(reader) -> list[str]:
    """Return the titles as they are written."""
    return [pane.title for pane in (reader.main._list, reader.main._entry)]


def frame(reader) -> tuple[str, str]:
    """Return the sides of the first line below the top row, and of the last above the bar."""
    lines = reader.lines()
    return lines[1][0] + lines[1][-1], lines[-2][0] + lines[-2][-1]


@pytest.mark.long
async def test_the_list_says_how_many_of_what(opened, language):
    said = SAID[language]
    async with opened(size=WIDE) as reader:
        assert titles(reader)[0] == said["all"]
        await reader.press(":mark", ":mark")
        assert titles(reader)[0] == said["marked"]
        await reader.press("escape")
        await reader.type("throughput")
        assert titles(reader)[0] == said["found"]
        await reader.press("escape", "escape", "f")
        chip = next(each for each in reader.main.query(Chip) if each.field == "collection")
        chip.focus()
        await reader.press("enter", "down", "down", "enter")
        assert reader.main._search.filters == Filters(collection="cards")
        assert titles(reader)[0] == said["some"]


@pytest.mark.long
async def test_the_entry_says_which_it_is_and_at_which_note_one_is(opened, language):
    said = SAID[language]
    async with opened("chain", size=WIDE) as reader:
        assert titles(reader)[1] == said["read"]
        await reader.press("right_square_bracket")
        assert titles(reader)[1] == said["first"]
        await reader.press(":next")
        assert titles(reader)[1] == said["card"]


@pytest.mark.long
async def test_titles_stay_while_one_scrolls_at_every_size(opened):
    for size in (WIDE, LOW, SMALL):
        async with opened("chain", size=size) as reader:
            await reader.press("right_square_bracket", "end")
            assert SAID["en"]["first"] in reader.lines()[1]


@pytest.mark.long
async def test_panes_have_frames_where_there_is_room_and_none_where_there_is_none(opened):
    for size, (first, last) in {
        WIDE: ("╭╮", "╰╯"), LOW: ("──", "  "), SMALL: ("  ", "  "), (100, 30): ("╭╮", "╰╯"),
        (99, 50): ("  ", "  "), (100, 29): ("──", "  "),
    }.items():  # fmt: skip
        async with opened(size=size) as reader:
            assert frame(reader)[0] == first, size
            assert frame(reader)[1] == last, size


@pytest.mark.long
async def test_a_persian_title_is_at_the_right_and_cut_at_its_end(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened(size=SMALL) as reader:
        await reader.type("a" * 60 + " throughput " + "b" * 60)
        shown = reader.main._list.border_title or ""
        assert len(shown) <= SMALL[0]
        assert shown.strip().startswith("…")


@pytest.mark.long
async def test_the_top_row_says_how_much_is_verified_and_counts_anew(opened, library, language):
    library.verify(["chain"], accept=True)
    async with opened("chain", size=WIDE) as reader:
        proven = reader.main.query_one("#proven", Static)
        assert not str(proven.content)  # bundled evidence is verified, though not here
        assert label(_("danesh")) in reader.lines()[0]
        await reader.press(":verify", "y")
        assert str(proven.content) == label(SAID[language]["every"])


@pytest.mark.long
async def test_the_top_row_says_what_is_unsent_and_in_conflict(
    opened, library, empty, tmp_path, language
):
    stick = tmp_path / "stick.sync"
    library.edit.tag(["flash"], ["nets"])
    for each in (library, empty):
        each.sync.sync_file(stick)
    async with opened(size=WIDE) as reader:
        name = reader.main.query_one("#name", Static)
        assert str(name.content) == label(_("danesh"))
        for each, level in ((library, "H"), (empty, "E")):
            each.edit.amend("flash", Amendment(level=level))
        await reader.press(":tag", *"one", "enter", "ctrl+s")
        assert str(name.content) == label(SAID[language]["unsent"])
        for each in (library, empty, library):
            each.sync.sync_file(stick)
        await reader.press(":tag", *"two", "enter", "ctrl+s")
        assert str(name.content) == label(SAID[language]["both"])
        assert name.content in reader.lines()[0]
        await reader.press("u")
        assert str(name.content) == label(SAID[language]["conflict"])
    async with opened(size=(60, 24)) as reader:
        assert str(reader.main.query_one("#name", Static).content) == label(_("danesh"))


async def test_below_the_top_of_an_entry_the_title_has_the_question_and_the_key_to_it(
    opened, library, language
):
    asked = {
        "en": "What does a chain of three matrices cost?",
        "fa": "پیچیدگی (زمانی) شبکه RNN چیست؟",
    }
    top = SAID[language]["read"]
    async with opened("chain", size=(120, 12), whole=True) as reader:
        assert titles(reader)[1] == top
        await reader.press("end")
        assert titles(reader)[1] == f"{top} ─ g ↑ {asked[language]}"
        await reader.press("g")
        assert titles(reader)[1] == top
