"""Finding: the list, results as one types, suggestions."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from textual.events import Key
from textual.widgets import Input

from kb.i18n import use_language
from tests.documents import entering, walk_named
from tests.tui.conftest import Reader
from tui.app import DaneshApp
from tui.choices import levels, narrowed
from tui.messages import OpenEntry
from tui.screens.commanding import CommandKey
from tui.widgets.chip import Chip, FilterBar
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.links import Fold
from tui.widgets.rows import Heading, list_rows


async def test_an_empty_box_lists_every_entry_under_its_collection(opened):
    async with opened(size=(80, 24)) as reader:
        text = reader.text()
        assert text.index("The basics") < text.index("1.1 E") < text.index("Cards")
        assert "✗1 wrong  ≈1" in text
        assert "3 entries" in text


async def test_results_come_as_one_types(opened):
    async with opened() as reader:
        await reader.type("throughp")
        assert reader.main.query_one(EntryList).ids == ["flash"]
        assert "1 found · throughp" in reader.text()


async def test_a_search_goes_the_walk_through_the_app(opened):
    app = [file for file in walk_named("A search") if file.startswith("tui/")]
    async with opened() as reader:
        with entering() as entered:
            await reader.type("throughput")
    assert app
    assert [file for file in app if file not in entered] == []


async def test_what_matched_is_marked_in_the_list(opened):
    async with opened() as reader:
        await reader.type("throughput")
        strips = reader.main.query_one(EntryList)
        segments = [s for y in range(3) for s in strips.render_line(y) if "throughput" in s.text]
        assert segments[0].style.reverse


async def test_a_slow_answer_never_replaces_a_newer_one(opened, library, monkeypatch, gate):
    search = library.search_typed

    def sometimes_slow(query, **options):
        for results in search(query, **options):
            if query == "t":
                gate.pass_through()
            yield results

    monkeypatch.setattr(library, "search_typed", sometimes_slow)
    async with opened() as reader:
        await reader.pilot.press("slash", "t")
        await gate.reached()
        await reader.pilot.press(*"hroughput")
        gate.open()
        await reader.settle()
        assert reader.main.query_one(EntryList).ids == ["flash"]


async def test_an_answer_with_an_old_number_is_dropped_even_if_it_is_told(opened, library):

    async with opened() as reader:
        await reader.type("throughput")
        reader.main._search.take(1, library.list(), {})
        await reader.settle()
        assert reader.main.query_one(EntryList).ids == ["flash"]


async def test_nothing_matches_is_said_and_enter_takes_the_suggestion(opened):
    async with opened() as reader:
        await reader.type('"througput"')
        assert 'did you mean “"throughput"”?' in reader.text()
        await reader.press("enter")
        assert reader.main.query_one(Input).value == '"throughput"'
        assert reader.main.query_one(EntryList).ids == ["flash"]


@pytest.mark.long
async def test_a_key_or_a_click_takes_the_suggestion_too(opened):
    async with opened() as reader:
        await reader.type("througput")
        await reader.press("escape", ":suggestion")
        assert reader.main.query_one(EntryList).ids == ["flash"]
    async with opened() as reader:
        await reader.type("througput")
        await reader.pilot.click("#status")
        await reader.settle()
        assert reader.main.query_one(EntryList).ids == ["flash"]


@pytest.mark.long
@pytest.mark.parametrize(("typed", "meant"), [("gradeint", "gradient"), ("پیچیدکی", "پیچیدگی")])
async def test_the_suggestion_names_a_key_that_works_where_one_is(
    opened, bundled, language, typed, meant
):
    async with opened(of=bundled, size=(80, 24)) as reader:
        box, told = reader.main.query_one(Input), reader.main.query_one("#status")
        offered = reader.main.query(CommandKey)
        await reader.type(typed)
        assert reader.main.query_one(EntryList).ids and meant in told.text
        assert "Tab" in told.text
        # The bar stays as it is while one types: to put it together anew takes too long.
        assert "suggestion" not in [each.command.id for each in offered]
        await reader.press("down")
        assert "Ctrl+P" in told.text
        await reader.press("ctrl+p", "enter")  # it comes first
        assert box.value == meant and not told.region
        for takes in ("tab", "left" if typed > "z" else "right"):
            await reader.type(typed)
            assert "Tab" in told.text
            await reader.press("home" if takes == "tab" else "end", takes)
            assert box.value == meant and box.has_focus
            await reader.press(takes)
            assert box.value == meant and box.has_focus == (takes != "tab")


async def test_what_nothing_matches_at_all_is_said_without_a_suggestion(opened):
    async with opened() as reader:
        await reader.type("qqqqqq")
        assert "Nothing matches" in reader.text()
        assert "did you mean" not in reader.text()


async def test_escape_leaves_the_box_and_then_clears_it(opened):
    async with opened() as reader:
        await reader.type("throughput")
        await reader.press("escape")
        assert reader.app.focused is reader.main.query_one(EntryList)
        await reader.press("escape")
        assert len(reader.main.query_one(EntryList).ids) == 3


async def test_what_is_typed_behind_the_key_in_one_go_is_searched_for(opened):
    async with opened() as reader:
        for asked in ("qjx/", "شبکه"):
            for char in f"/{asked}":
                reader.app.post_message(Key("slash" if char == "/" else char, char))
            await reader.settle()
            assert reader.main.query_one(Input).value == asked
            await reader.press("ctrl+u", "escape")


async def test_letters_are_typed_and_not_obeyed_in_the_box(opened):
    async with opened() as reader:
        await reader.type("quit")
        assert reader.app.is_running
        assert reader.main.query_one(Input).value == "quit"


def test_hits_of_a_search_stand_by_rank_without_titles(library):
    assert not any(isinstance(r, Heading) for r in list_rows(library.search("method").hits, {}))


async def test_what_is_found_while_an_entry_hides_the_list_is_listed_behind_it(
    library, monkeypatch, gate
):
    list_ = library.find.list
    monkeypatch.setattr(library.find, "list", lambda **asked: gate.pass_through() or list_(**asked))
    app = DaneshApp(library)
    async with app.run_test(size=(60, 24)) as pilot:
        reader = Reader(app, pilot)
        reader.main.post_message(OpenEntry("chain"))
        await reader.until(lambda: reader.main.showing)
        reader.main.query_one(Input).value = "throughput"
        await pilot.pause()
        gate.open()
        await reader.settle()
        assert reader.main.query_one(EntryList).ids == ["flash"]
        await reader.press("escape")
        assert "1 found" in reader.text()


async def test_filters_narrow_the_list_and_are_taken_away_again(opened):
    async with opened(of=None, size=(120, 40)) as reader:
        before = reader.main.query_one(EntryList).ids
        await reader.press("f")
        chips = {chip.field: chip for chip in reader.main.query(Chip) if chip.display}
        assert isinstance(reader.app.focused, Chip)
        chips["collection"].focus()
        await reader.press("enter", "down", "enter")
        narrowed = reader.main.query_one(EntryList).ids
        assert narrowed and set(narrowed) < set(before)
        assert "The basics" in chips["collection"].text
        await reader.press(":no-filter")
        assert reader.main.query_one(EntryList).ids == before
        assert not reader.main.query_one(FilterBar).display


async def test_an_entry_that_its_annotations_found_is_read_in_the_language_of_the_reader(
    opened, bundled, language
):
    async with opened(of=bundled) as reader:
        await reader.type("epsilon")
        hit = reader.main.session.found.results.hits[0]
        assert hit.id == "batch-norm-epsilon" and hit.lang == "en"
        await reader.press("enter", "enter")
        shown = reader.main.query_one(EntryView).reading
        assert (shown.entry.id, shown.langs) == (hit.id, [language])


@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
async def test_the_filter_in_focus_is_in_sight(opened, bundled, size, language):
    async with opened(of=bundled, size=size) as reader:
        await reader.press("f")
        shown = [chip for chip in reader.main.query(Chip) if chip.display]
        for expected in shown:
            chip, row = reader.app.focused, reader.main.query_one(FilterBar).region
            assert chip is expected and row.contains_region(chip.region)
            await reader.press("down", {"en": "right", "fa": "left"}[language])
        places = [chip.region.x for chip in shown]
        assert places == sorted(places, reverse=language == "fa")


@pytest.mark.long
async def test_filters_narrow_a_search_too(opened, bundled):
    async with opened(of=bundled) as reader:
        await reader.type("gradient")
        everything = reader.main.query_one(EntryList).ids
        await reader.press("escape", "f")
        level = next(chip for chip in reader.main.query(Chip) if chip.field == "level")
        level.focus()
        await reader.press("enter", "down", "enter")
        assert level.value == "E"
        assert set(reader.main.query_one(EntryList).ids) < set(everything)
        level.focus()
        await reader.press("up")
        assert level.value is None
        assert reader.main.query_one(EntryList).ids == everything


@pytest.mark.long
async def test_the_list_says_what_was_not_found_by_its_words(opened, bundled):
    async with opened(of=bundled) as reader:
        await reader.type("shabake asabi")
        assert "in another spelling or alphabet" in reader.text()
        await reader.press("escape", "escape")
        await reader.type("gradient")
        assert "in another alphabet" not in reader.text()


async def test_an_entry_is_shown_beside_the_list_only_when_the_keys_rest(opened, monkeypatch):
    rested = asyncio.Event()
    monkeypatch.setattr("tui.panes.entry.rest", rested.wait)
    async with opened() as reader:
        listing, view = reader.main.query_one(EntryList), reader.main.query_one(EntryView)
        await reader.pilot.press("slash", *"throughput")
        await reader.until(lambda: listing.ids == ["flash"] and reader.working() == {"glance"})
        assert view.reading.entry.id == "chain"
        rested.set()
        await reader.settle()
        assert view.reading.entry.id == "flash"


@pytest.mark.parametrize("key", ["enter", "escape"])
async def test_the_best_hit_is_shown_though_one_searched_from_an_entry_that_matches_too(
    opened, key
):
    async with opened("chain") as reader:
        listing, view = reader.main.query_one(EntryList), reader.main.query_one(EntryView)
        await reader.type("throughput OR cost")
        best, *others = listing.ids
        assert "chain" in others
        await reader.press(key)
        assert listing.chosen == view.reading.entry.id == best


@pytest.mark.long
async def test_what_is_opened_is_not_replaced_by_what_waited_for_a_rest(opened, monkeypatch):
    rested = asyncio.Event()
    monkeypatch.setattr("tui.panes.entry.rest", rested.wait)
    async with opened() as reader:
        listing = reader.main.query_one(EntryList)
        await reader.pilot.press("slash", *"throughput")
        await reader.until(lambda: listing.ids == ["flash"] and reader.working() == {"glance"})
        await reader.pilot.pause()
        reader.main.post_message(OpenEntry("nasty"))
        await reader.pilot.pause()
        rested.set()
        await reader.settle()
        assert reader.main.query_one(EntryView).reading.entry.id == "nasty"


@pytest.mark.long
async def test_what_was_searched_for_before_comes_back(opened):
    async with opened() as reader:
        for words in ("throughput", "chain"):
            await reader.type(words)
            await reader.press("enter", "escape")
        await reader.press("slash", "up")
        query = reader.main.query_one("#query", Input)
        assert query.value == "chain"
        await reader.press("up")
        assert query.value == "throughput"
        await reader.press("up")
        assert query.value == "chain"


@pytest.mark.long
async def test_what_was_searched_for_comes_back_the_next_day(opened):
    for words in ("نیم میلیون", "chain"):
        async with opened() as reader:
            await reader.type(words)
            await reader.press("enter")
    async with opened() as reader:
        query = reader.main.query_one("#query", Input)
        await reader.press("slash", "up")
        assert query.value == "chain"
        await reader.press("up")
        assert query.value == "نیم میلیون"


@pytest.mark.long
async def test_who_can_keep_nothing_can_search_all_the_same(opened, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("KB_SETTINGS", str(tmp_path / "file" / "settings.toml"))
    async with opened() as reader:
        await reader.type("throughput")
        await reader.press("enter", "slash", "up")
        assert reader.main.query_one(EntryList).ids == ["flash"]


@pytest.mark.long
async def test_escape_leaves_the_filters_and_keeps_what_was_typed(opened):
    async with opened() as reader:
        await reader.type("throughput")
        await reader.press("escape", "f", "escape")
        assert isinstance(reader.app.focused, EntryList)
        assert reader.main.query_one("#query", Input).value == "throughput"


@pytest.mark.long
async def test_a_chosen_value_is_named_in_the_language_of_the_interface(opened):
    async with opened() as reader:
        await reader.press("f", "tab", "enter", "down", "enter")
        chosen = next(chip for chip in reader.main.query(Chip) if chip.value is not None)
        before = chosen.text
        await reader.press("escape", ":interface")
        assert (before, chosen.text) == ("Collection: The basics ×", "مجموعه: مقدمات ×")


async def test_back_and_forward_follow_the_entries_that_were_read(opened):
    async with opened("chain") as reader:
        view = reader.main.query_one(EntryView)
        await reader.press(":next")
        second = view.reading.entry.id
        await reader.press(":earlier")
        assert view.reading.entry.id == "chain"
        await reader.press(":later")
        assert view.reading.entry.id == second
        assert not reader.main.situation.later


async def test_the_source_answer_waits_for_its_key_and_is_folded_by_it_again(opened):
    async with opened("chain", size=(120, 60)) as reader:
        assert "Method 1 takes" not in reader.text() and "Half a million" in reader.text()
        await reader.press(":answer")
        assert "Method 1 takes" in reader.text() and "Half a million" in reader.text()
        await reader.press(":answer")
        assert "Method 1 takes" not in reader.text() and "Half a million" in reader.text()


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (150, 30)])
async def test_an_entry_found_by_words_far_below_is_opened_at_them(opened, library, language, size):
    long, word = "\n\n".join(["Much else."] * 60), {"en": "throughput", "fa": "گذردهی"}[language]
    draft = library.edit.draft_of("flash")
    answers = {"source": {language: f"{long}\n\nLast {word}.\n\n{long}"}}
    question = {language: "Which of them?"}
    changed = replace(draft, kind="question", question=question, answers=answers)
    library.edit.edit("flash", changed)
    async with opened(size=size) as reader:
        await reader.type(word)
        await reader.press("enter", "enter")
        view = reader.main.query_one(EntryView)
        await reader.until(lambda: view.scroll_offset.y > 40)
        assert "Last" in reader.text()
        await reader.press("home", "L")
        assert reader.main.query_one(EntryView).scroll_offset.y == 0
        reader.main.post_message(OpenEntry("chain"))
        await reader.settle()
        await reader.press(":earlier")
        assert reader.main.query_one(EntryView).reading.entry.id == "flash"
        assert reader.main.query_one(EntryView).scroll_offset.y == 0


@pytest.mark.parametrize("typed", ["hard", "سخت", "Hard"])
def test_a_level_is_chosen_by_its_name_in_any_language(language, typed):
    use_language(language)
    try:
        found = narrowed(levels(), typed)
    finally:
        use_language("en")
    assert [each.value for each in found] == ["H"]


async def test_fields_that_filter_nothing_go_when_the_reader_leaves_them(opened):
    async with opened() as reader:
        bar = reader.main.query_one(FilterBar)
        await reader.press("f")
        assert bar.display
        await reader.press("escape")
        assert not bar.display
        await reader.press("f", "enter")
        assert reader.app.screen is not reader.main
        await reader.press("escape")
        assert bar.display and isinstance(reader.app.focused, Chip)
        await reader.press("right", "down", "escape")
        assert bar.display and bar.filtered


async def test_a_folded_part_says_how_many_hits_are_within(opened, language):
    said = {"en": "{} hits within", "fa": "{} نتیجه در آن"}[language]
    async with opened(size=(120, 60)) as reader:
        await reader.type("chain method print")
        await reader.press("enter", "enter")
        view = reader.main.query_one(EntryView)

        def within(name):
            (fold,) = [each for each in view.query(Fold) if each.name == name]
            return next((n for n in (3, "۳") if said.format(n) in fold.text), 0)

        assert within("source") and within("programs")
        await reader.press(":answer")
        assert within("programs") and not within("source")
    async with opened("chain", size=(120, 60)) as reader:
        assert "within" not in reader.text()
