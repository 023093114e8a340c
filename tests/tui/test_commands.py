"""One registry: keys, bar, tooltips, palette, help."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.widgets import Input

from kb.i18n import _, use_language
from kb.settings import read_settings
from tui.app import DaneshApp
from tui.commands import (
    COMMANDS,
    Situation,
    bar_name,
    bindings,
    by_group,
    in_bar,
    offered,
    shown_keys,
)
from tui.panes.entry import EntryPane
from tui.panes.notes import NotesPane
from tui.panes.search import ListPane, SearchPane
from tui.panes.snippets import SnippetPane
from tui.panes.work import WorkPane
from tui.panes.writing import WritingPane
from tui.phrases import VERDICTS
from tui.screens.change_log import ChangedScreen, ContestedScreen, ProposalsScreen
from tui.screens.commanding import CommandKey, _key_and_name, fitting
from tui.screens.consent import ConsentScreen
from tui.screens.files import ColumnsScreen, ExportScreen, ImportScreen, PreviewScreen
from tui.screens.help import HelpInput, HelpScreen
from tui.screens.main import MainScreen
from tui.screens.note import NoteScreen, ProgramScreen
from tui.screens.progress import BuildingScreen, ProgressScreen
from tui.screens.questions import (
    ConfirmScreen,
    DirectionScreen,
    LineScreen,
    PickScreen,
    TagScreen,
    TreeScreen,
)
from tui.screens.study import StudyScreen
from tui.screens.writing import WritingScreen
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.help_lines import KeyLine
from tui.widgets.links import RelatedLink
from tui.widgets.pick_list import PickInput
from tui.widgets.scrolling import ScrollingPane
from tui.widgets.search_box import QueryInput
from tui.widgets.snippet_view import SnippetView
from tui.widgets.span_picker import SpanPicker
from tui.widgets.text_area import CodeArea

PLACES = {
    "app": (DaneshApp,),
    "screen": (MainScreen,),  # or one of its panes
    "search": (QueryInput,),
    "chip": (Chip,),
    "list": (EntryList,),
    "reading": (EntryView,),
    "snippet": (SnippetView,),
    "link": (RelatedLink,),
    "dialog": (
        *(PickScreen, TagScreen, ColumnsScreen, TreeScreen, LineScreen, PreviewScreen),
        *(WritingScreen, ContestedScreen, ProposalsScreen),
        *(ExportScreen, ImportScreen, ProgressScreen),
        *(DirectionScreen, NoteScreen, ConfirmScreen, ConsentScreen, StudyScreen),
    ),
    "confirm": (ConfirmScreen,),
    "help": (HelpScreen,),
    "shown": (ChangedScreen,),
    "building": (BuildingScreen,),
    "note": (NoteScreen,),
    "words": (SpanPicker,),
    "code": (CodeArea,),
    "form": (WritingScreen,),
    "pick": (PickInput,),
    "tags": (TagScreen,),
    "columns": (ColumnsScreen,),
    "tree": (TreeScreen,),
    "preview": (PreviewScreen,),
    "sides": (ContestedScreen,),
    "proposal": (ProposalsScreen,),
    "program": (ProgramScreen,),
    "consent": (ConsentScreen,),
    "study": (StudyScreen,),
    "field": (BidiInput,),
    "pane": (ScrollingPane, HelpInput),
}
PANES = (SearchPane, ListPane, EntryPane, SnippetPane, NotesPane, WorkPane, WritingPane)
AROUND = {
    "screen": ("app",),
    "app": ("screen",),
    "dialog": (
        *(PickScreen, TagScreen, ColumnsScreen, TreeScreen, LineScreen, PreviewScreen),
        *(WritingScreen, ContestedScreen, ProposalsScreen),
        "app",
    ),
    "confirm": ("dialog", "app"),
    "help": ("app",),
    "shown": ("reading", "app"),
    "building": ("app",),
    "note": ("dialog", "app"),
    "words": ("note", "dialog", "app"),
    "form": ("dialog", "app"),
    "pick": ("dialog", "tags", "columns", "tree", "app"),
    "tags": ("dialog", "app"),
    "columns": ("dialog", "app"),
    "tree": ("dialog", "app"),
    "preview": ("dialog", "app"),
    "sides": ("dialog", "app"),
    "proposal": ("dialog", "app"),
    "program": ("dialog", "app"),
    "consent": ("dialog", "reading", "app"),
    "study": ("dialog", "reading", "app"),
    "snippet": ("reading", "screen", "app"),
    "code": ("app",),  # its Escape comes before the screen's
}
"""What else answers to keys in a place; elsewhere the screen and the app."""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.id)
def test_every_command_is_documented_and_has_its_action(command):
    assert command.label and command.description.endswith(".") and command.group
    owners = [owner for place in command.places for owner in PLACES[place]]
    name = command.action.removeprefix("app.").split("(")[0]
    if command.action.startswith("app."):
        owners = [DaneshApp]
    for owner in owners:
        known = [owner, *(PANES if owner is MainScreen else ())]
        assert any(callable(getattr(part, f"action_{name}", None)) for part in known), owner


def test_no_key_is_bound_twice():
    for place in PLACES:
        keys = [(key, each.id) for each in bindings(place) for key in each.key.split(",")]
        assert len(keys) == len({key for key, _id in keys}), place
        around = dict(keys)
        for outer in AROUND.get(place, ("screen", "app")):
            for binding in bindings(outer):
                for key in binding.key.split(","):
                    assert around.get(key, binding.id) == binding.id, (place, key)


def test_every_binding_has_an_id_a_tooltip_and_a_group():
    for place in PLACES:
        for binding in bindings(place):
            assert binding.id and binding.tooltip and binding.group


def test_terminals_that_confuse_control_letters_lose_no_command():
    for command in COMMANDS:
        assert not command.keys or set(command.keys) - {"ctrl+m", "ctrl+i", "ctrl+h"}


def test_palette_and_bar_offer_only_what_can_be_done_now():
    nothing = Situation()
    now = {command.id for command in offered(nothing, ("screen", "app"))}
    for place in PLACES:
        now |= {command.id for command in in_bar(nothing, ("screen", place))}
    assert not now & {"run", "stop", "reveal", "language", "suggestion", "export"}
    running = Situation(entry=True, running=True, runnable=True)
    for place in ("list", "reading"):
        shown = {command.id for command in in_bar(running, ("screen", place))}
        assert "stop" in shown and "run" not in shown
    assert "run" not in {command.id for command in offered(running, ("screen", "app"))}


@pytest.mark.long
async def test_the_palette_of_a_form_offers_what_the_form_can_do(opened):
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press("a")
        assert isinstance(reader.app.screen, NoteScreen)
        await reader.press("ctrl+p")
        offered = reader.text().partition("▁▁▁")[0]  # below it stands the screen behind
        assert "Save (Ctrl+S)" in offered and "Back (Esc)" in offered
        assert "Verify" not in offered
        await reader.press("escape")
        assert isinstance(reader.app.screen, NoteScreen)


async def test_the_bar_follows_the_situation_and_a_click_does_it(opened):
    async with opened("flash", size=(120, 40)) as reader:
        shown = {key.command.id: key for key in reader.main.query(CommandKey)}
        assert "reveal" in shown and "run" not in shown
        assert "Show the card" in str(shown["reveal"].tooltip)
        await reader.pilot.click(shown["reveal"])
        await reader.settle()
        assert "Work done per second." in reader.text()
        await reader.press("space")  # the related entries, which are in sight
        offered = {key.command.id for key in reader.main.query(CommandKey)}
        assert "fold" in offered and "reveal" not in offered


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        (("ctrl+p",), ["open", "down", "back"]),
        (("question_mark",), ["down", "back"]),
        (("s", "s"), ["down", "back", "help"]),
        (("i",), ["open", "back", "help"]),
        (("x",), ["open", "back", "help"]),
        (("r",), ["agree", "allow-always", "down", "back", "help"]),
    ],
)
async def test_the_last_line_of_every_overlay_names_its_keys(opened, keys, named):
    async with opened("chain") as reader:
        await reader.press(*keys)
        shown = [key for key in reader.app.screen.query(CommandKey) if key.region]
        assert [key.command.id for key in shown] == named
        assert {key.region.y for key in shown} == {39}


async def test_the_bar_names_no_letter_while_one_types(opened):
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press("slash")
        bar = reader.lines()[-1]
        assert "Esc Back" in bar and "F1 Help" in bar
        assert " ? " not in bar and " n " not in bar


async def test_the_bar_fits_eighty_columns_in_every_language(opened, monkeypatch):
    for language in ("en", "fa"):
        monkeypatch.setenv("KB_LANG", language)
        async with opened("chain", size=(80, 24)) as reader:
            keys = list(reader.main.query(CommandKey))
            places = [key.region.x for key in keys]
            assert keys[-1].command.id == "help"
            assert places == sorted(places, reverse=language == "fa")
            assert all(0 <= key.region.x and key.region.right <= 80 for key in keys)


@pytest.mark.long
async def test_the_help_names_every_command_with_its_keys(opened):
    for key in ("question_mark", "f1"):
        async with opened(size=(120, 40)) as reader:
            await reader.press(key)
            assert isinstance(reader.app.screen, HelpScreen)
            lines = {(line.text, line.keys) for line in reader.app.screen.query(KeyLine)}
            for command in COMMANDS:
                said = f"{command.label}: {command.description}"
                assert (said, ", ".join(shown_keys(command))) in lines
            await reader.press("escape")
            assert reader.app.screen is reader.main


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Go to the next annotation"), ("fa", "به توضیح بعدی")]
)
async def test_the_help_shows_a_bracket_as_it_stands_on_the_keyboard_at_the_side_one_begins(
    opened, monkeypatch, language, sentence
):
    monkeypatch.setenv("KB_LANG", language)
    async with opened(size=(120, 80)) as reader:
        await reader.press("f1")
        (block,) = [line for line in reader.app.screen.query(KeyLine) if sentence in line.text]
        shown = block.render_line(0).text.strip().replace("\u200e", "")
        assert shown.startswith("] ") if language == "en" else shown.endswith(" ]")


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "typed", "found", "first"),
    [
        ("en", "neighbouring pane", "", ""),
        ("en", "other theme light", "", ""),
        ("en", "theme", "Theme", ""),
        ("en", "theme dark", "Theme", ""),
        ("fa", "رنگ‌بندی", "رنگ‌بندی", ""),
        ("en", "راهنما", "Help", "?, F1"),
        ("fa", "sandbox export file", "", ""),
        ("fa", "write file list", "برون‌بری", "x"),
        ("fa", "خروجی فایل", "برون‌بری", "x"),
        ("fa", "e", "ویرایش", "e"),
        ("fa", "ث", "ویرایش", "e"),
    ],
)
async def test_what_is_typed_narrows_the_help_by_keys_and_words_of_both_languages(
    opened, monkeypatch, language, typed, found, first
):
    monkeypatch.setenv("KB_LANG", language)
    async with opened("chain", size=(100, 30)) as reader:
        await reader.press("f1")
        await reader.press(*typed)
        shown = [line for line in reader.app.screen.query(KeyLine) if line.display]
        keys = {line.text.split(":")[0]: line.keys.replace("\u200e", "") for line in shown}
        assert keys.get(found, "") == first
        assert len(shown) < 10 and bool(shown) == bool(found)
        unmatched = {"en": "Nothing matches", "fa": "چیزی پیدا نشد"}[language]
        (told,) = reader.app.screen.query("#unmatched")
        assert told.text == unmatched and bool(told.region) == (not found)
        await reader.press("escape")
        assert reader.app.screen is reader.main


@pytest.mark.long
@pytest.mark.parametrize(
    ("keys", "title", "first"),
    [
        ((), "Here", "Open"),
        (("enter",), "Here", "Show more"),
        (("slash",), "Here", "Open"),
        (("n",), "Here", "Save"),
    ],
)
async def test_the_help_begins_with_the_signs_and_the_keys_of_the_place_one_is_at(
    opened, keys, title, first
):
    async with opened(size=(100, 40)) as reader:
        await reader.press(*keys, "f1")
        signs, _keyless, heading, line = list(reader.app.screen.query(BidiText))[:4]
        assert all(f"{known.sign}\u00a0" in signs.text for known in VERDICTS.values())
        assert heading.text == title and line.text.startswith(f"{first}: ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("keys", "named"),
    [
        (("n",), ("Ctrl+S Save", "Ctrl+L Add a language", "Esc Back", "F1 Help")),
        ((":collections",), ("Ctrl+P Change", "Enter Choose", "Esc Back")),
        (("enter", "a", "tab", "tab"), ("Ctrl+S Save", "Enter Choose", "← → Fields", "Esc Back")),
        (("enter", "a"), ("Tab Next field", "← → Words", "Shift+→ More words", "Esc Back")),
        (("d",), ("y Yes", "Esc Back")),
    ],
)
async def test_each_form_has_a_bar_with_its_own_keys(opened, keys, named):
    async with opened(size=(100, 30)) as reader:
        await reader.press(*keys)
        assert reader.app.screen is not reader.main
        bar = reader.lines()[-1]
        for each in named:
            assert each in bar
        assert "Search" not in bar and "Filter" not in bar


@pytest.mark.long
async def test_no_two_keys_of_a_list_are_named_alike(opened, language):
    async with opened(size=(150, 30)) as reader:
        await reader.press(":collections")
        places = reader.app.screen.here
        shown = in_bar(reader.app.screen.situation, places)
        names = [_(bar_name(each, places)) for each in shown]
        assert {"open", "down"} <= {each.id for each in shown}
        assert len(names) == len(set(names))


async def test_where_nothing_is_contested_no_side_is_offered(opened):
    async with opened(size=(100, 30)) as reader:
        await reader.press(":conflicts")
        assert "There are no conflicts." in reader.text()
        shown = {each.id for each in in_bar(reader.app.screen.situation, reader.app.screen.here)}
        assert "back" in shown and not shown & {"agree", "refuse"}


@pytest.mark.long
@pytest.mark.parametrize("width", [80, 100, 150, 200])
async def test_the_bar_names_six_commands_at_most_those_first_that_one_uses_while_reading(
    opened, language, width
):
    async with opened("chain", size=(width, 30)) as reader:
        shown = [key.command.id for key in reader.main.query(CommandKey)]
        ranked = [each.id for each in in_bar(reader.main.situation, reader.main.here)]
        assert shown[:-2] == ranked[: len(shown) - 2] and shown[-2:] == ["back", "help"]
        assert shown == ["reveal", "next-note", "run", "annotate", "back", "help"]


@pytest.mark.parametrize("width", [80, 130])
async def test_in_the_list_the_bar_names_the_keys_that_write_and_quit(opened, language, width):
    async with opened(size=(width, 24)) as reader:
        shown = [key.command.id for key in reader.main.query(CommandKey)]
        assert shown == ["open", "search", "study", "write", "quit", "help"]


def test_the_help_has_every_group():
    assert {command.group for command in COMMANDS} == set(by_group())


@pytest.mark.parametrize("size", [(80, 4), (6, 10)], ids=str)
async def test_pages_of_the_palette_turn_in_a_window_without_room_for_a_line(opened, size):
    async with opened(size=size) as reader:
        await reader.press("ctrl+p", "pageup", "pagedown")
        assert isinstance(reader.app.screen, CommandPalette)


async def test_the_palette_runs_a_command_of_the_registry(opened):
    async with opened("flash", size=(120, 40)) as reader:
        await reader.press("ctrl+p")
        assert "Show more (Space)" in reader.text()
        assert "Run (r)" not in reader.text()
        await reader.press(*"show answer")
        await reader.press("enter")
        if reader.app.screen is not reader.main:
            await reader.press("enter")
        assert "Work done per second." in reader.text()


async def test_the_palette_over_the_help_lists_the_commands_of_the_screen_below(opened):
    async with opened("flash", size=(120, 40)) as reader:
        await reader.press("question_mark", "ctrl+p", *"new entry", "enter")
        if not isinstance(reader.app.screen, WritingScreen):
            await reader.press("enter")
        assert isinstance(reader.app.screen, WritingScreen)


ENTRY = Situation(listed=True, entry=True, languages=2, foldable=True, runnable=True, notes=True)


@pytest.mark.parametrize(
    ("situation", "places", "kept"),
    [
        (ENTRY._replace(due=20), ("screen", "list"), "open search study quit help"),
        (ENTRY, ("screen", "reading"), "reveal next-note run back help"),
        (ENTRY._replace(ran=True, parameters=True), ("screen", "reading"),
         "reveal next-note run-with back help"),
        (ENTRY._replace(running=True), ("screen", "reading"), "reveal stop next-note help"),
        (ENTRY, ("screen", "reading", "link"), "open reveal back help"),
        (ENTRY._replace(filtered=True), ("screen", "chip"), "open delete back help"),
        (Situation(typing=True), ("screen", "search"), "open up back help"),
        (Situation(typing=True), ("dialog", "note", "words"), "save panes back help"),
        (Situation(), ("dialog", "pick", "tree"), "open palette back help"),
        (Situation(studying=True), ("screen", "study"), "agree refuse hint back help"),
    ],
)  # fmt: skip
def test_the_bar_of_60_columns_has_the_keys_that_matter_most(language, situation, places, kept):
    use_language(language)
    offered = in_bar(situation, places)
    commands = [(each, _key_and_name(each, places, situation)) for each in offered]
    shown = [command.id for command, _name in fitting(commands, 60)]
    assert [id for id in kept.split() if id not in shown] == []


async def test_enter_is_not_offered_where_nothing_is_listed(opened, language):
    async with opened(size=(80, 24)) as reader:
        for keys, offered in (((), True), (("slash", *"zqxj"), False), (("enter",), False)):
            await reader.press(*keys)
            shown = {key.command.id for key in reader.main.query(CommandKey)}
            assert ("open" in shown) is offered and "help" in shown


async def test_space_says_that_it_folds_what_is_open(opened, bundled):
    async with opened("accurate-mean", of=bundled, size=(120, 40)) as reader:
        for name in ("More", "Less", "More"):
            assert f"Space {name}" in reader.text().split("\n")[-1]
            await reader.press("space")


async def test_tab_goes_to_the_first_part_in_sight(opened, bundled):
    async with opened("accurate-mean", of=bundled, size=(120, 40)) as reader:
        await reader.press("space", "G")
        view, before = reader.main.query_one(EntryView), reader.text()
        await reader.press("tab")
        assert reader.app.focused in view.query("*") and reader.app.focused is not view
        assert reader.text().split("\n")[:-1] == before.split("\n")[:-1]


@pytest.mark.long
async def test_q_quits_but_not_while_typing_and_ctrl_q_always(opened):
    async with opened() as reader:
        await reader.press("slash", "q")
        assert reader.main.query_one(Input).value == "q"
        assert reader.app.is_running
        await reader.press("ctrl+q")
        assert not reader.app.is_running
    async with opened() as reader:
        await reader.press("q")
        assert not reader.app.is_running


async def test_persian_keyboards_reach_the_same_commands(opened):
    async with opened("flash", size=(120, 40)) as reader:
        await reader.press("؟")
        assert isinstance(reader.app.screen, HelpScreen)


async def test_the_palette_is_at_the_top_and_a_theme_is_chosen_by_its_name(opened, language):
    typed = {"en": ("theme light", "settings dark"), "fa": ("رنگ روشن", "تنظیم تیره")}[language]
    async with opened(size=(130, 42)) as reader:
        for words, name in zip(typed, ("light", "dark"), strict=True):
            await reader.press("ctrl+p")
            assert reader.app.screen.query_one("#--input").region[:3] == (20, 1, 90)
            await reader.press(*words, "enter")
            if reader.app.screen is not reader.main:
                await reader.press("enter")
            assert reader.app.theme == f"textual-{name}"
            assert read_settings()[0].theme == name
