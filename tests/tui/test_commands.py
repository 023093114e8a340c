"""One registry: keys, bar, tooltips, palette, help."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tui.app import DaneshApp
from tui.commands import COMMANDS, Situation, bindings, by_group, in_bar, offered
from tui.panes.changes import ChangesPane
from tui.panes.collections import CollectionsPane
from tui.panes.entry import EntryPane
from tui.panes.listing import ListPane
from tui.panes.notes import NotesPane
from tui.panes.search import SearchPane
from tui.panes.snippets import SnippetPane
from tui.panes.work import WorkPane
from tui.panes.writing import WritingPane
from tui.screens.changed import ChangedScreen
from tui.screens.collections import TreeScreen
from tui.screens.confirm import ConfirmScreen
from tui.screens.consent import ConsentScreen
from tui.screens.contested import ContestedScreen
from tui.screens.direction import DirectionScreen
from tui.screens.export import ExportScreen
from tui.screens.help import HelpScreen
from tui.screens.importing import ImportScreen
from tui.screens.main import MainScreen
from tui.screens.naming import NameScreen
from tui.screens.note import NoteScreen
from tui.screens.picking import PickScreen
from tui.screens.preview import PreviewScreen
from tui.screens.program import ProgramScreen
from tui.screens.progress import ProgressScreen
from tui.screens.tagging import TagScreen
from tui.screens.writing import WritingScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.code_area import CodeArea
from tui.widgets.command_bar import CommandKey
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView, RelatedLink
from tui.widgets.pick_list import PickInput
from tui.widgets.search_box import QueryInput
from tui.widgets.span_picker import SpanPicker

PLACES = {
    "app": (DaneshApp,),
    "screen": (MainScreen,),  # or one of its panes
    "search": (QueryInput,),
    "chip": (Chip,),
    "list": (EntryList,),
    "reading": (EntryView,),
    "link": (RelatedLink,),
    "dialog": (
        *(PickScreen, TagScreen, TreeScreen, NameScreen, PreviewScreen),
        *(WritingScreen, ContestedScreen),
        *(ExportScreen, ImportScreen, ProgressScreen),
        *(DirectionScreen, NoteScreen, ConfirmScreen, ConsentScreen),
    ),
    "confirm": (ConfirmScreen,),
    "help": (HelpScreen, ChangedScreen),
    "note": (NoteScreen,),
    "words": (SpanPicker,),
    "code": (CodeArea,),
    "form": (WritingScreen,),
    "pick": (PickInput,),
    "tags": (TagScreen,),
    "tree": (TreeScreen,),
    "preview": (PreviewScreen,),
    "sides": (ContestedScreen,),
    "program": (ProgramScreen,),
    "consent": (ConsentScreen,),
}
PANES = (
    *(SearchPane, ListPane, EntryPane, SnippetPane, NotesPane, WorkPane),
    *(WritingPane, ChangesPane, CollectionsPane),
)
AROUND = {
    "screen": ("app",),
    "app": ("screen",),
    "dialog": (
        *(PickScreen, TagScreen, TreeScreen, NameScreen, PreviewScreen),
        *(WritingScreen, ContestedScreen),
        "app",
    ),
    "confirm": ("dialog", "app"),
    "help": ("app",),
    "note": ("dialog", "app"),
    "words": ("note", "dialog", "app"),
    "form": ("dialog", "app"),
    "pick": ("dialog", "tags", "tree", "app"),
    "tags": ("dialog", "app"),
    "tree": ("dialog", "app"),
    "preview": ("dialog", "app"),
    "sides": ("dialog", "app"),
    "program": ("dialog", "app"),
    "consent": ("dialog", "reading", "app"),
    "code": ("app",),  # its Escape comes before the screen's
}
"""What else answers to keys in a place; elsewhere the screen and the app."""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.id)
def test_every_command_is_documented_and_has_its_action(command):
    assert command.label and command.description.endswith(".") and command.keys and command.group
    owners = [owner for place in command.places for owner in PLACES[place]]
    name = command.action.removeprefix("app.").split("(")[0]
    if command.action.startswith("app."):
        owners = [DaneshApp]
    for owner in owners:
        known = [owner, *(PANES if owner is MainScreen else ())]
        assert any(callable(getattr(part, f"action_{name}", None)) for part in known), owner


def test_no_key_is_bound_twice():
    for place in PLACES:
        keys = [key for binding in bindings(place) for key in binding.key.split(",")]
        around = [
            key
            for outer in AROUND.get(place, ("screen", "app"))
            for binding in bindings(outer)
            for key in binding.key.split(",")
        ]
        assert len(keys) == len(set(keys)), place
        assert not set(keys) & set(around), place


def test_every_binding_has_an_id_a_tooltip_and_a_group():
    for place in PLACES:
        for binding in bindings(place):
            assert binding.id and binding.tooltip and binding.group


def test_terminals_that_confuse_control_letters_lose_no_command():
    for command in COMMANDS:
        assert set(command.keys) - {"ctrl+m", "ctrl+i", "ctrl+h"}


def test_palette_and_bar_offer_only_what_can_be_done_now():
    nothing = Situation()
    now = {command.id for command in offered(nothing, ("screen", "app"))}
    now |= {command.id for command in in_bar(nothing)}
    assert not now & {"run", "stop", "reveal", "language", "suggestion", "export"}
    running = Situation(entry=True, running=True, runnable=True)
    assert {"stop"} <= {command.id for command in in_bar(running)} - {"run"}
    assert "run" not in {command.id for command in offered(running, ("screen", "app"))}


async def test_the_palette_of_a_form_offers_what_the_form_can_do(opened):
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press("a")
        assert isinstance(reader.app.screen, NoteScreen)
        await reader.press("ctrl+p")
        assert "Keep (Ctrl+S)" in reader.text() and "Back (Esc)" in reader.text()
        assert "Verify" not in reader.text()
        await reader.press("escape")
        assert isinstance(reader.app.screen, NoteScreen)


async def test_the_bar_follows_the_situation_and_a_click_does_it(opened):
    async with opened("flash", size=(120, 40)) as reader:
        shown = {key.command.id: key for key in reader.main.query(CommandKey)}
        assert "reveal" in shown and "run" not in shown
        assert "Show the answer" in str(shown["reveal"].tooltip)
        await reader.pilot.click(shown["reveal"])
        await reader.settle()
        assert "Work done per second." in reader.text()
        assert "reveal" not in {key.command.id for key in reader.main.query(CommandKey)}


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


async def test_the_help_names_every_command_with_its_keys(opened):
    for key in ("question_mark", "f1"):
        async with opened(size=(120, 40)) as reader:
            await reader.press(key)
            assert isinstance(reader.app.screen, HelpScreen)
            texts = "\n".join(block.text for block in reader.app.screen.query("BidiText"))
            for command in COMMANDS:
                assert command.description in texts
            await reader.press("escape")
            assert reader.app.screen is reader.main


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Go to the next annotation"), ("fa", "به یادداشت بعدی")]
)
async def test_the_help_shows_a_bracket_as_it_stands_on_the_keyboard(
    opened, monkeypatch, language, sentence
):
    monkeypatch.setenv("KB_LANG", language)
    async with opened(size=(120, 80)) as reader:
        await reader.press("f1")
        blocks = reader.app.screen.query(BidiText).results(BidiText)
        (block,) = [block for block in blocks if sentence in block.text]
        assert "(])" in block.rows(100)[0].line.text.replace("\u200e", "")


def test_the_help_has_every_group():
    assert {command.group for command in COMMANDS} == set(by_group())


async def test_the_palette_runs_a_command_of_the_registry(opened):
    async with opened("flash", size=(120, 40)) as reader:
        await reader.press("ctrl+p")
        assert "Show answer (Space)" in reader.text()
        assert "Run (r)" not in reader.text()
        await reader.press(*"show answer")
        await reader.press("enter")
        if reader.app.screen is not reader.main:
            await reader.press("enter")
        assert "Work done per second." in reader.text()


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


async def test_the_theme_key_changes_between_light_and_dark(opened):
    async with opened() as reader:
        dark = reader.app.current_theme.dark
        await reader.press("t")
        assert reader.app.current_theme.dark is not dark
