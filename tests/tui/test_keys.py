"""Few keys, and the ones people guess: in English, on a Persian keyboard, and in the palette."""

from __future__ import annotations

import re
import subprocess
from contextlib import nullcontext

import pytest
from textual.command import CommandList
from textual.widgets import Input

from kb.settings import Settings, settings_path
from tests.tui.conftest import Reader
from tui.app import DaneshApp
from tui.commands import (
    BY_ACTION,
    BY_ID,
    COMMANDS,
    FORMER_IDS,
    FORMER_KEYS,
    Situation,
    bindings,
    by_current_id,
    in_bar,
    offered,
    with_persian,
)
from tui.commands.table import Place
from tui.screens.consent import ConsentScreen
from tui.screens.files import ExportScreen, ImportScreen
from tui.screens.help import HelpScreen
from tui.screens.note import NoteScreen
from tui.screens.palette import palette_name
from tui.screens.questions import ConfirmScreen, LineScreen, TreeScreen
from tui.screens.writing import WritingScreen
from tui.welcoming import remember_welcome
from tui.widgets.chip import Chip
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.snippet_view import SnippetView

MOST_KEYS, MOST_COMMANDS, LONGEST = 30, 45, 60

EVERYTHING = Situation(
    entry=True, listed=True, languages=2, runnable=True, hidden_answer=True, suggestion=True,
    notes=True, foldable=True, source=True, earlier=True, later=True, own=True, own_note=True,
    changed=True, filtered=True, marked=1, hidden_list=True, picture=True,
    studying=True, asked=True, choices=4, rated=True,
    parameters=True,
)  # fmt: skip
PLACES = {place for command in COMMANDS for place in command.places}


def keys_to_know() -> int:
    """Count the keys of all commands; those that do the same count once, and so do opposites."""
    group = {key: key for command in COMMANDS for key in command.keys}

    def join(one: str, other: str) -> None:
        before, now = group[other], group[one]
        group.update({key: now for key, held in group.items() if held == before})

    for command in COMMANDS:
        twin = BY_ID[command.twin].keys[:1] if command.twin else ()
        for key in (*command.keys[1:], *twin):
            if command.keys:
                join(command.keys[0], key)
    return len(set(group.values()))


def test_a_reader_must_know_few_keys():
    assert keys_to_know() <= MOST_KEYS
    assert sum(bool(command.keys) for command in COMMANDS) <= MOST_COMMANDS


def test_no_function_key_is_the_only_way():
    for command in COMMANDS:
        assert not re.fullmatch(r"f\d+", next(iter(command.keys), ""))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.id)
def test_a_command_is_titled_and_described_in_a_few_plain_words(command):
    said = (command.label, command.description, *command.named.values())
    assert max(map(len, said)) <= LONGEST
    assert not any(";" in each for each in said)


def test_every_command_is_in_the_palette_where_it_can_be_done():
    here: tuple[Place, ...] = tuple(PLACES)
    running = EVERYTHING._replace(running=True)
    editing = EVERYTHING._replace(editing=True)
    answered = EVERYTHING._replace(hidden_answer=False, asked=False)
    unfolded = EVERYTHING._replace(unfolded=True)
    situations = (EVERYTHING, running, editing, answered, unfolded)
    # A program that runs is stopped, not run.
    listed = {each.id for now in situations for each in offered(now, here)}
    assert listed == BY_ID.keys()


@pytest.mark.long
@pytest.mark.parametrize("keys", [(), ("enter",), ("enter", "a"), ("f",), ("slash",)])
async def test_the_palette_lists_all_that_is_offered_where_one_is(opened, language, keys):
    async with opened(size=(120, 40)) as reader:
        await reader.press(*keys)
        screen = reader.app.screen
        expected = {palette_name(each) for each in screen.commands()}
        assert {palette_name(each) for each in in_bar(screen.situation, screen.here)} <= expected
        await reader.press("ctrl+p")
        options = reader.app.screen.query_one(CommandList).options
        assert {each.hit.text for each in options} == expected


async def test_what_moves_about_can_be_chosen_in_the_palette_too(opened):
    async with opened() as reader:
        entries = reader.main.query_one(EntryList)
        first = entries.chosen
        await reader.press(":down")
        assert entries.chosen != first
        await reader.press(":up")
        assert entries.chosen == first


def both(*keys: str) -> list[tuple[str, ...]]:
    """Return keys as they are pressed on an English and on a Persian keyboard."""
    return [keys, tuple(with_persian([key])[-1] for key in keys)]


def shown(kind: type) -> object:
    return lambda reader: isinstance(reader.app.screen, kind)


CHANGED = {
    "e": ((), shown(WritingScreen)),
    "n": ((), shown(WritingScreen)),
    "d": ((), shown(ConfirmScreen)),
    "delete": ((), shown(ConfirmScreen)),
    "x": ((), shown(ExportScreen)),
    "i": ((), shown(ImportScreen)),
    "a": (("enter",), shown(NoteScreen)),
    "l": ((), lambda reader: reader.main.showing),
    "right": ((), lambda reader: reader.main.showing),
    "h": (("enter",), lambda reader: not reader.main.showing),
    "left": (("enter",), lambda reader: not reader.main.showing),
    "L": (("enter",), lambda reader: reader.main.query_one(EntryView).reading.langs == ["fa"]),
    "b": (("enter",), lambda reader: reader.main.query_one(EntryView).reading.both),
}
"""What is pressed before a key, and what must hold after it."""


def at(reader: Reader) -> int:
    return reader.main.query_one(EntryList).ids.index(reading(reader))


async def test_what_is_seldom_needed_is_done_from_the_palette(opened):
    async with opened() as reader:
        marks = reader.main.session.marks
        await reader.press(":mark", ":mark")
        assert len(marks) == 2  # the cursor goes on
        await reader.press("g", "enter", ":next")
        assert at(reader) == 1
        await reader.press(":previous")
        assert at(reader) == 0


def reading(reader: Reader) -> str:
    return reader.main.query_one(EntryView).reading.entry.id


@pytest.mark.long
@pytest.mark.parametrize(("key", "persian"), [(key, both(key)[1][0]) for key in CHANGED])
async def test_a_key_does_what_one_guesses_on_both_keyboards(opened, key, persian):
    before, holds = CHANGED[key]
    for pressed in {key, persian}:
        settings_path().with_name("last-read").unlink(missing_ok=True)  # each begins alike
        async with opened() as reader:
            await reader.press(*before)
            assert not holds(reader)
            await reader.press(pressed)
            assert holds(reader), pressed


@pytest.mark.parametrize("keys", both("u", "U", "u"))
async def test_a_change_is_undone_and_redone(opened, keys):
    async with opened() as reader:
        entries = reader.main.query_one(EntryList)
        everything = entries.ids
        await reader.press("d", "y")
        fewer = entries.ids
        assert len(fewer) == len(everything) - 1
        for key, expected in zip(keys, (everything, fewer, everything), strict=True):
            await reader.press(key)
            assert entries.ids == expected


@pytest.mark.parametrize("keys", both("y", "n", "a"))
async def test_a_question_is_answered_with_yes_no_or_always(opened, keys):
    yes, no, always = keys
    async with opened("chain", size=(120, 40)) as reader:
        for key, deleted in ((no, False), (yes, True)):
            await reader.press("d")
            assert isinstance(reader.app.screen, ConfirmScreen)
            await reader.press(key)
            assert reader.app.screen is reader.main
            assert ("chain" not in reader.main.query_one(EntryList).ids) == deleted
    assert {BY_ID[id].keys[0] for id in ("agree", "refuse", "allow-always")} == {"y", "n", "a"}
    bound = {key for each in bindings("consent") for key in each.key.split(",")}
    assert {yes, no, always, "enter"} <= bound
    assert ConsentScreen.action_open is ConsentScreen.action_refuse


async def test_left_and_right_go_where_they_point(opened, language):
    into, out = ("l", "h") if language == "en" else ("h", "l")
    async with opened(size=(120, 40)) as reader:
        await reader.press(out)
        assert not reader.main.showing
        await reader.press(into)
        assert reader.main.showing and reader.main.query_one(EntryView).has_focus
        await reader.press(into)
        assert reader.main.showing
        await reader.press(out)
        assert not reader.main.showing and reader.main.query_one(EntryList).has_focus


@pytest.mark.long
async def test_e_and_d_are_for_the_program_in_focus_or_else_for_the_entry(opened):
    async with opened("chain", size=(120, 50), whole=True) as reader:
        await reader.press("e")
        assert isinstance(reader.app.screen, WritingScreen)
        await reader.press("escape")
        reader.main.query(SnippetView).first().focus()
        await reader.press("e")
        assert reader.main.situation.editing
        await reader.press("ctrl+s", "escape")
        own = next(view for view in reader.main.query(SnippetView) if view.snippet.own)
        own.focus()
        await reader.press("d", "y")
        assert not any(view.snippet.own for view in reader.main.query(SnippetView))
        assert "chain" in reader.main.query_one(EntryList).ids


async def test_e_and_d_are_for_a_note_of_ones_own_that_one_went_to(opened):
    async with opened("chain", size=(120, 50)) as reader:
        await reader.press("a", "tab", *"mine", "ctrl+s")
        assert reader.main.situation.own_note
        bar = [key.command.id for key in reader.main.query("CommandKey")]
        assert "run" not in bar  # this annotation has no program
        await reader.press("e")
        assert isinstance(reader.app.screen, NoteScreen)
        await reader.press("escape", "d", "y")
        assert not reader.main.situation.own_note
        assert "chain" in reader.main.query_one(EntryList).ids


@pytest.mark.parametrize("key", both("E"))
@pytest.mark.parametrize("written", [True, False])
async def test_an_entry_is_edited_in_the_readers_own_editor(opened, monkeypatch, key, written):
    async with opened("chain", size=(120, 40)) as reader:
        library, asked = reader.main.session.library, []

        def run(command: list[str], **_options: object) -> subprocess.CompletedProcess[bytes]:
            asked.append(command)
            if written:
                draft = library.edit.draft_of("chain")
                draft.question["en"] = "Edited elsewhere?"
                library.edit.edit("chain", draft)
            return subprocess.CompletedProcess(command, 0, b"", b"")

        monkeypatch.setattr(subprocess, "run", run)
        monkeypatch.setattr(DaneshApp, "suspend", lambda _app: nullcontext())
        await reader.press(*key)
        ((*_python, edit, option, path, dashes, entry),) = asked
        assert (edit, option, path, dashes, entry) == ("edit", "--db", library.path, "--", "chain")
        assert ("Edited elsewhere?" in reader.text()) == written
        told = "Saved “Edited elsewhere?”" if written else "Nothing was changed."
        assert told in reader.notices()


async def test_an_editor_that_fails_or_cannot_be_opened_is_told(opened, monkeypatch):
    async with opened("chain") as reader:
        await reader.press("E")  # there is no terminal to give to an editor
        assert "No editor can be opened here" in reader.notices()
        failed = subprocess.CompletedProcess([], 1, b"", b"kb: there is no editor")
        monkeypatch.setattr(subprocess, "run", lambda *_command, **_options: failed)
        monkeypatch.setattr(DaneshApp, "suspend", lambda _app: nullcontext())
        await reader.press("E")
        assert "there is no editor" in reader.notices()


@pytest.mark.long
async def test_slash_selects_the_old_text(opened, language):
    async with opened() as reader:
        await reader.type("throughput")
        await reader.press("enter")
        await reader.type("flops")
        assert reader.main.query_one("#query", Input).value == "flops"
        await reader.press("escape", "slash", "right")  # an arrow keeps it
        await reader.press("x")
        assert "flops" in reader.main.query_one("#query", Input).value


@pytest.mark.long
@pytest.mark.parametrize("way", [*both("d")[0], *both("d")[1], "delete", "click"])
async def test_a_filter_is_a_chip_that_can_be_removed(opened, way, language):
    async with opened(size=(120, 40)) as reader:
        everything = reader.main.query_one(EntryList).ids
        await reader.press("f")
        chip = next(each for each in reader.main.query(Chip) if each.field == "collection")
        chip.focus()
        await reader.press("down")
        assert chip.value and chip.text.endswith("×")
        assert reader.main.query_one(EntryList).ids != everything
        if way == "click":
            cross = chip.render_line(0).text.index("×") + chip.gutter.left
            assert (cross < 2) == (language == "fa")
            await reader.pilot.click(chip, offset=(cross, 0))
            await reader.settle()
        else:
            await reader.press(way)
        assert chip.value is None and not chip.text.endswith("×")
        assert reader.app.screen is reader.main
        assert reader.main.query_one(EntryList).ids == everything


async def test_escape_clears_the_search_and_then_the_filters(opened):
    async with opened(size=(120, 40)) as reader:
        everything = reader.main.query_one(EntryList).ids
        await reader.press("f", "right", "down")
        narrowed = reader.main.query_one(EntryList).ids
        await reader.type("zzzz")
        await reader.press("escape", "escape")
        assert reader.main.query_one(EntryList).ids == narrowed != everything
        await reader.press("escape")
        assert reader.main.query_one(EntryList).ids == everything


@pytest.mark.parametrize("key", both("r"))
async def test_a_collection_is_made_renamed_and_deleted_from_the_palette_of_the_tree(opened, key):
    async with opened(size=(120, 40)) as reader:
        await reader.press(":collections")
        assert isinstance(reader.app.screen, TreeScreen)
        for id in ("new-collection", "rename-collection"):
            await reader.press("down", f":{id}")
            assert isinstance(reader.app.screen, LineScreen)
            await reader.press("escape")
        assert "remove-collection" in {each.id for each in reader.app.screen.commands()}


def earlier_reader() -> None:
    """Leave what an earlier version has left of a reader who was welcomed."""
    remember_welcome()
    settings_path().with_name("welcomed").write_text("\n", encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(("key", "again"), [("n", "n"), ("د", "n"), ("h", "h"), ("e", "e")])
async def test_the_first_press_of_a_key_that_has_moved_says_what_it_does_now(opened, key, again):
    earlier_reader()
    before = {"n": "next", "د": "next", "h": "history", "e": "export"}[key]
    async with opened(welcomed=False) as reader:
        await reader.press(key)
        said = " ".join(reader.notices().split())
        assert f"“{BY_ID[before].label}” is now: " in said
        assert ("n is now “New entry”" in said) == (again == "n")
        assert ("Ctrl+P" in said) == (before != "export")
    async with opened(welcomed=False) as reader:
        await reader.press(key)
        assert not reader.notices()


async def test_a_key_that_has_moved_is_told_in_persian(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    earlier_reader()
    async with opened(welcomed=False) as reader:
        await reader.press("f6")
        assert "is now" not in reader.notices() and "Ctrl+P" in reader.notices()


@pytest.mark.parametrize("keys", [{}, {"next": "n"}])
async def test_of_moved_keys_nothing_is_said_where_they_were_never_known_otherwise(library, keys):
    if keys:
        earlier_reader()
    else:
        remember_welcome()
    app = DaneshApp(library, settings=Settings(keys={**keys, "write": "w"} if keys else {}))
    async with app.run_test() as pilot:
        reader = Reader(app, pilot)
        await reader.settle()
        await reader.press("n")
        assert "is now" not in reader.notices()


async def test_a_letter_that_is_typed_is_no_key_that_has_moved(opened):
    earlier_reader()
    async with opened(welcomed=False) as reader:
        await reader.type("new topics")
        assert not reader.notices()


def test_what_has_moved_is_a_command_of_now():
    assert {id for keys in FORMER_KEYS.values() for id in keys.values()} <= BY_ID.keys()
    assert set(FORMER_IDS.values()) <= BY_ID.keys()
    assert not FORMER_IDS.keys() & BY_ID.keys()
    assert {command.action for command in COMMANDS} == BY_ACTION.keys()


async def test_settings_that_name_a_former_id_keep_working(library):
    remember_welcome()
    given = {"keep-note": "ctrl+g", "change-entry": "f4", "next": "n", "write": "w"}
    assert by_current_id(given) == {
        "save": "ctrl+g",
        "change-entry": "f4",
        "next": "n",
        "write": "w",
    }
    app = DaneshApp(library, "chain", Settings(keys=given))
    async with app.run_test(size=(120, 40)) as pilot:
        reader = Reader(app, pilot)
        await reader.settle()
        await reader.press("f4")
        assert isinstance(app.screen, WritingScreen)
        await reader.press("escape", "a", "tab", *"mine", "ctrl+g")
        assert reader.main.situation.own_note
        await reader.press("n")
        assert reading(reader) != "chain"
        assert reader.notices() == "Annotation saved · u undoes it"


@pytest.mark.parametrize("key", ["question_mark", "؟", "f1"])
async def test_the_key_of_the_help_closes_it_again(opened, key):
    async with opened() as reader:
        await reader.press(key)
        assert isinstance(reader.app.screen, HelpScreen)
        await reader.press(key)
        assert reader.app.screen is reader.main


async def test_a_question_takes_enter_and_other_letters_as_no(opened):
    async with opened("chain", size=(120, 40)) as reader:
        for key in ("enter", "x"):
            await reader.press("d", key)
            if key == "enter":  # nobody confirms out of habit
                assert isinstance(reader.app.screen, ConfirmScreen)
                await reader.press("escape")
            assert reader.app.screen is reader.main
            assert "chain" in reader.main.query_one(EntryList).ids


async def test_the_entry_that_was_found_stays_when_the_search_is_cleared(opened):
    async with opened(size=(120, 40)) as reader:
        await reader.type("throughput")
        await reader.press("escape")
        entries = reader.main.query_one(EntryList)
        found = entries.chosen
        await reader.press("escape")
        assert len(entries.ids) == 3 and found != entries.ids[0]
        assert entries.chosen == found
