"""Collections as a tree, filters that are picked, imports that are shown first, and conflicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Input

from kb.model.draft import Draft
from kb.model.reports import Dropped, ImportReport
from kb.model.results import Filters
from tests.tui.test_writing import listed, reading, texts
from tui.screens.change_log import ContestedScreen
from tui.screens.files import ColumnsScreen, ImportScreen, PreviewScreen
from tui.screens.questions import PickScreen, TreeScreen
from tui.widgets.chip import Chip
from tui.widgets.entry_list import EntryList
from tui.widgets.pick_list import PickList

DECK = "# What is one?\n\nAn answer.\n\n# What is two?\n\nAnother answer.\n"


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.md"
    path.write_text(DECK, encoding="utf-8")
    return path


async def look_through(reader, path):
    await reader.press("i")
    assert isinstance(reader.app.screen, ImportScreen)
    reader.app.screen.query_one("#path", Input).value = str(path)
    await reader.press("enter", "enter")
    assert isinstance(reader.app.screen, PreviewScreen)


@pytest.mark.long
async def test_a_collection_is_chosen_from_the_tree_with_its_counts(opened, library, language):
    library.edit.move(["flash"], "own/later")
    async with opened(size=(120, 40)) as reader:
        await reader.press(":collections")
        assert isinstance(reader.app.screen, TreeScreen)
        picks = reader.app.screen.query_one(PickList)
        notes = {each.value: (each.depth, each.note) for each in picks._choices}
        one, two = ("1", "3") if language == "en" else ("۱", "۳")
        assert notes["own"] == (0, one) and notes["own/later"] == (1, one)
        assert notes[""] == (0, two)
        await reader.press(*"later", "enter")
        assert listed(reader) == ["flash"]
        await reader.press(":collections", *"own", "enter")
        assert listed(reader) == ["flash"]
        await reader.press(":collections", "home", "up", "up", "up", "up", "up")
        reader.app.screen.query_one(PickList).offer(picks._choices, "")
        await reader.press("enter")
        assert len(listed(reader)) == 3


@pytest.mark.long
async def test_a_collection_is_made_renamed_and_removed(opened, library, language):
    async with opened(size=(120, 40)) as reader:
        await reader.press(":collections", ":new-collection", *"own", "enter")
        assert "own" in [each.id for each in library.collections.tree()]
        await reader.press(
            ":rename-collection", *"/new", "enter"
        )  # a name within itself is refused
        assert "own" in [each.id for each in library.collections.tree()]
        assert reader.app.screen.query_one(Input).value == "own/new"  # and stays to be mended
        await reader.press("escape", "y", ":rename-collection", "x", "enter")
        assert "ownx" in [each.id for each in library.collections.tree()]
        await reader.press(":remove-collection")
        assert "ownx" not in [each.id for each in library.collections.tree()]
        await reader.press("escape", "u")
        assert "ownx" in [each.id for each in library.collections.tree()]


async def test_what_is_moved_stays_in_sight_and_goes_where_the_reader_says(opened, bundled_library):
    library = bundled_library
    own = library.edit.new(Draft({"en": "Why so?"})).ids[0]
    async with opened(own, of=library, size=(90, 28)) as reader:
        await reader.press("escape", "G", ":move", *"numerics")
        assert reader.app.screen.query_one(PickList).picked == "numerics"
        await reader.press("escape", ":move", *"numerical", "enter")
        assert "moved to complexity-and-numerics · u undoes it" in reader.notices()
        assert "Why so?" in reader.text()
        await reader.press("u")
        assert "Why so?" in reader.text()


async def test_an_own_entry_shows_its_tags_and_its_collection_also_after_an_undo(opened, library):
    own = library.edit.new(Draft({"en": "Why so?"}, tags=("exam", "امتحان"))).ids[0]
    async with opened(own, size=(90, 28)) as reader:
        assert "Notes · #exam · #امتحان" in texts(reader)
        await reader.press("e")
        assert "Edit “Why so?”" in texts(reader)
        await reader.press("x", "escape")
        assert "y discards it, Esc keeps it." in texts(reader)
        await reader.press("y")
        await reader.press(":move", *"basics", "enter")
        assert "The basics · #exam" in texts(reader)
        await reader.press("u")
        assert "Notes · #exam" in texts(reader)


async def test_a_list_of_a_collection_stays_there_when_it_is_renamed(opened, library):
    library.edit.move(["flash"], "own/later")
    async with opened(size=(120, 40)) as reader:
        await reader.press(
            ":collections", *"later", "enter", ":collections", ":rename-collection", "2", "enter"
        )
        await reader.press("escape")
        assert listed(reader) == ["flash"]
        assert "own/later2" in texts(reader)
        await reader.press("u")  # there is no such collection any more
        assert len(listed(reader)) == 3


@pytest.mark.long
async def test_a_filter_is_picked_from_a_list_that_typing_narrows(opened, library, language):
    library.edit.tag(["flash", "chain"], add=["exam"])
    library.edit.tag(["nasty"], add=["امتحان"])
    async with opened(size=(120, 40)) as reader:
        await reader.press("f")
        chips = {chip.field: chip for chip in reader.main.query(Chip) if chip.display}
        assert set(chips) >= {"lang", "collection", "verdict", "tag"}
        chips["tag"].focus()
        await reader.press("enter", *"امت", "enter")
        assert chips["tag"].value == "امتحان" and listed(reader) == ["nasty"]
        await reader.press("enter")
        assert isinstance(reader.app.screen, PickScreen)
        await reader.press("escape")
        assert listed(reader) == ["nasty"]
        await reader.press("enter", *"exa", "enter")
        assert listed(reader) == ["chain", "flash"]


async def test_filters_that_are_in_sight_offer_what_was_made_meanwhile(opened, library):
    async with opened(size=(120, 40)) as reader:
        await reader.press("f", "right", "down", "escape", ":tag", *"exam", "enter", "ctrl+s")
        (chip,) = [chip for chip in reader.main.query(Chip) if chip.field == "tag"]
        assert chip.display and reader.app.focused is not chip
        chip.focus()
        await reader.press("enter", *"exam", "enter")
        assert listed(reader) == ["chain"]


@pytest.mark.long
async def test_an_import_shows_what_it_takes_and_what_not_before_it_writes(
    opened, library, deck, language
):
    async with opened(size=(80, 24)) as reader:
        await look_through(reader, deck)
        shown = texts(reader)
        assert ("2 new entries" if language == "en" else "۲ مدخل تازه") in shown
        assert "What is one?" in shown and "What is two?" in shown
        assert library.list().total == 3
        await reader.press("escape")
        assert library.list().total == 3
        await look_through(reader, deck)
        await reader.press("enter")
        assert library.list(filters=Filters(collection="deck")).total == 2
        await reader.press("u")
        assert library.list().total == 3


def offered(reader) -> str:
    choices = reader.app.screen.query_one(PickList)._choices
    return "\n".join(f"{each.name} {each.note}" for each in choices)


async def to_columns(reader, path):
    await reader.press("i")
    reader.app.screen.query_one("#path", Input).value = str(path)
    await reader.press("enter", "enter")
    assert isinstance(reader.app.screen, ColumnsScreen)


@pytest.mark.long
async def test_a_reader_says_what_the_columns_of_a_table_are(opened, library, tmp_path, language):
    table = tmp_path / "words.csv"
    table.write_text("Wort;Bedeutung;Mehr\nGradient;شیب;-\nLayer;لایه;-\n", encoding="utf-8")
    asked = {"en": "Which column is the question?", "fa": "کدام ستون پرسش است؟"}[language]
    roles = {"en": ("question", "answer in Persian"), "fa": ("پرسش", "پاسخ به فارسی")}[language]
    async with opened(size=(100, 30)) as reader:
        await to_columns(reader, table)
        assert "Gradient" in offered(reader) and "شیب" in offered(reader)
        await reader.press("ctrl+s")
        assert asked in texts(reader)
        await reader.press("down", "enter")
        assert isinstance(reader.app.screen, PickScreen)
        await reader.press("home", *roles[0], "enter")
        await reader.press("down", "enter", *roles[1], "enter")
        assert all(role in offered(reader) for role in roles)
        await reader.press("ctrl+s")
        assert isinstance(reader.app.screen, PreviewScreen)
        await reader.press("enter")
    taken = [library.show(hit.id) for hit in library.list(filters=Filters(collection="words")).hits]
    assert [next(iter(each.question.values())) for each in taken] == ["Gradient", "Layer"]
    assert [each.answer("fa").text for each in taken] == ["شیب", "لایه"]


@pytest.mark.long
async def test_a_first_row_can_be_an_entry_and_nothing_is_taken_without_a_yes(
    opened, library, tmp_path
):
    table = tmp_path / "plain.csv"
    table.write_text("one,1\ntwo,2\n", encoding="utf-8")
    async with opened(size=(100, 30)) as reader:
        await to_columns(reader, table)
        await reader.press("escape")
        assert library.list().total == 3
        await to_columns(reader, table)
        await reader.press("enter", "enter", "ctrl+s")
        assert isinstance(reader.app.screen, PreviewScreen)
        await reader.press("enter")
    assert library.list(filters=Filters(collection="plain")).total == 2


@pytest.mark.long
async def test_a_conflict_shows_both_sides_and_is_settled_by_a_key(opened, library, deck, language):
    library.import_file(deck)
    taken = next(h.id for h in library.list().hits if "one" in h.question["en"])
    for number, key in enumerate("yn"):
        draft = library.edit.draft_of(taken)
        library.edit.edit(taken, replace(draft, answers={"source": {"en": f"Mine {number}."}}))
        deck.write_text(DECK.replace("An answer", f"The file's {number}"), encoding="utf-8")
        wanted = (f"Mine {number}.", f"The file's {number}.")[number]
        async with opened(taken, size=(120, 40)) as reader:
            await look_through(reader, deck)
            await reader.press("enter")
            assert "Ctrl+P" in reader.notices()
            await reader.press(":conflicts")
            assert isinstance(reader.app.screen, ContestedScreen)
            assert f"Mine {number}." in texts(reader)
            assert f"The file's {number}." in texts(reader)
            await reader.press(key)
            assert library.show(taken).answers[0].text == wanted
            assert not library.files.contested()
            await reader.press("escape")
            assert reader.app.screen is reader.main
            reader.main.query_one(EntryList).choose(taken)
            await reader.settle()
            assert reading(reader).answers[0].text == wanted


@pytest.mark.long
async def test_what_is_not_taken_is_listed_with_line_and_reason(opened, language):
    lost = tuple(Dropped("a.md", n, f"reason {n}", f"text {n}") for n in range(1, 301))
    report = ImportReport("a", 0, 1, 2, dropped=lost, conflicts=("a/x",), gone=("a/y",))
    async with opened(size=(80, 24)) as reader:
        reader.app.push_screen(PreviewScreen(report))
        await reader.settle()
        shown = texts(reader)
        assert ("line 7: reason 7: text 7" if language == "en" else "سطر ۷: reason 7") in shown
        assert ("100 more" if language == "en" else "۱۰۰ مورد دیگر") in shown
        assert "a/x" in shown and "a/y" in shown
        await reader.press("G")
        assert "a/y" in reader.text()
        await reader.press("escape")
        assert reader.app.screen is reader.main
