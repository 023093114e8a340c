"""A reader who opens danesh for the first time is told what it is, and which keys come next."""

from __future__ import annotations

import pytest

from tests.tui.conftest import Reader
from tui.phrases import VERDICTS
from tui.welcoming import Welcome
from tui.widgets.bidi_text import BidiText
from tui.widgets.help_lines import KeyLine, Legend
from tui.widgets.snippet_view import RunPanel

TELLING = "rnn-backprop-complexity"
SIZES = [(80, 24), (100, 30), (150, 46)]


def welcomed(reader: Reader) -> bool:
    return any(each.region for each in reader.main.query(Welcome))


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
async def test_the_first_start_says_what_this_is_with_all_signs_and_the_next_keys(
    opened, bundled, language, size
):
    async with opened(of=bundled, size=size, welcomed=False) as reader:
        welcome = reader.main.query_one(Welcome)
        texts = "\n".join(block.text for block in welcome.query(BidiText))
        assert {"en": "33 entries", "fa": "۳۳ مدخل"}[language] in texts
        legend = welcome.query_one(Legend)
        assert all(known.sign in legend.text for known in VERDICTS.values())
        keys = [line.keys.replace("\u200e", "") for line in welcome.query(KeyLine) if line.region]
        assert keys == ["Enter", "r", "/", "L", "?"]
        assert reader.main._list.entries.chosen == TELLING
        assert max(each.region.bottom for each in welcome.query(BidiText)) < size[1]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
async def test_enter_opens_the_entry_that_tells_most_and_the_welcome_comes_no_more(
    opened, bundled, language, size
):
    async with opened(of=bundled, size=size, welcomed=False) as reader:
        await reader.press("enter")
        assert reader.main.showing and not welcomed(reader)
        assert reader.main._entry.reading.entry.id == TELLING
    async with opened(of=bundled, size=size, welcomed=False) as reader:
        assert not welcomed(reader)
        assert reader.main._list.entries.chosen == TELLING
        reading = reader.main._entry.reading
        assert reading is None if size[0] < 100 else reading.entry.id == TELLING


async def test_who_quits_at_the_welcome_is_welcomed_again(opened, bundled):
    for _start in range(2):
        async with opened(of=bundled, size=SIZES[0], welcomed=False) as reader:
            assert welcomed(reader) and "danesh is an offline knowledge base" in reader.text()
            await reader.press("q")


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["l", "right_square_bracket"])
async def test_a_key_that_concerns_the_entry_shows_it(opened, bundled, size, key):
    async with opened(of=bundled, size=size, welcomed=False) as reader:
        while reader.main._entry.reading is None:
            await reader.settle()
        await reader.press(key)
        assert not welcomed(reader) and reader.main.query_one("#entry").region
        assert reader.main._entry.reading.entry.id == TELLING


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["escape", "slash"])
async def test_the_list_is_one_key_away(opened, bundled, size, key):
    async with opened(of=bundled, size=size, welcomed=False) as reader:
        await reader.press(key)
        assert not welcomed(reader) and reader.main.query_one("#list").region
        if key == "slash":
            await reader.press("enter")
        assert reader.app.focused is reader.main._list.entries


@pytest.mark.long
async def test_help_and_the_other_language_leave_the_welcome_and_a_command_brings_it_back(
    opened, bundled
):
    async with opened(of=bundled, welcomed=False) as reader:
        await reader.press("question_mark", "escape")
        assert welcomed(reader)
        await reader.press(":interface")
        assert "۳۳ مدخل" in "".join(each.text for each in reader.main.query(BidiText))
        await reader.press(":interface", "down")
        assert not welcomed(reader) and reader.main._entry.reading.entry.id != TELLING
        await reader.press(":welcome")
        assert welcomed(reader) and reader.main._list.entries.chosen == TELLING


async def test_a_key_that_does_nothing_with_the_entry_is_not_named_in_either_language(
    opened, library
):
    library.edit.remove([hit.id for hit in library.list().hits if library.show(hit.id).snippets])
    async with opened(welcomed=False) as reader:
        for _interface in ("en", "fa"):
            welcome = reader.main.query_one(Welcome)
            keys = [line.keys.strip("\u200e") for line in welcome.query(KeyLine) if line.region]
            assert "Enter" in keys and "r" not in keys
            await reader.press(":interface")


@pytest.mark.long
async def test_without_a_named_entry_the_first_that_is_wrong_is_begun_with(opened, library):
    async with opened(welcomed=False) as reader:
        first = next(h.id for h in library.list().hits if h.verdicts.get("wrong"))
        assert reader.main._list.entries.chosen == first
        library.edit.remove([first])
    async with opened(welcomed=False) as reader:
        await reader.press("escape")
        assert reader.main._list.entries.chosen == library.list().hits[0].id


async def test_who_asks_for_an_entry_sees_it_and_an_empty_library_has_nothing_to_welcome_to(
    opened, bundled, empty
):
    async with opened("batch-norm-epsilon", of=bundled, welcomed=False) as reader:
        assert not welcomed(reader)
        assert reader.main._entry.reading.entry.id == "batch-norm-epsilon"
    async with opened(of=empty, welcomed=False) as reader:
        assert not welcomed(reader)


def test_the_content_names_an_entry_that_there_is(bundled):
    assert bundled.read.telling() == TELLING
    assert bundled.show(TELLING).id == TELLING


@pytest.mark.long
@pytest.mark.parametrize("size", [(60, 20), *SIZES])
async def test_what_the_proof_came_to_is_in_sight_in_place_of_the_welcome(
    opened, bundled, language, size
):
    async with opened(of=bundled, size=size, welcomed=False) as reader:
        while reader.main._entry.reading is None:
            await reader.settle()
        await reader.press("r")
        view = reader.main._entry.view
        ending = view.query_one(RunPanel).query_one(".ending", BidiText)
        assert not welcomed(reader) and ending.text.startswith("✓")
        assert view.region.contains_region(ending.region), (view.region, ending.region)
