"""What the reader settles in the app: kept for the next time, and obeyed."""

from __future__ import annotations

import pytest

from kb.settings import Settings, read_settings
from kb.terminal.layout import lay_out
from tests.tui.conftest import Reader
from tui import terminal
from tui.app import DaneshApp
from tui.screens.questions import SAMPLE, DirectionScreen


@pytest.mark.long
async def test_the_direction_that_reads_right_is_chosen_and_kept(opened):
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press(":direction")
        assert isinstance(reader.app.screen, DirectionScreen)
        (turned,) = lay_out(SAMPLE, 200, turned=True)
        assert turned.text in reader.text()
        assert SAMPLE in reader.text()
        await reader.press("۲")
        assert not terminal.turned()
        assert read_settings()[0].bidi == "terminal"
        await reader.press(":direction", "1")
        assert terminal.turned()
        await reader.press(":direction", "escape")
        assert read_settings()[0].bidi == "app"


async def test_language_and_colours_are_the_same_next_time(opened, library):
    async with opened() as reader:
        await reader.press(":interface", ":theme-light")
    settings, problems = read_settings()
    assert (settings.language, settings.theme, problems) == ("fa", "light", ())
    app = DaneshApp(library, None, settings)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.theme == "textual-light"


async def test_a_command_answers_to_the_key_it_was_given(library):
    settings = Settings(keys={"help": "f9", "serch": "f8"})
    app = DaneshApp(library, None, settings, problems=("a setting is odd",))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("f9")
        assert type(app.screen).__name__ == "HelpScreen"
        told = " ".join(" ".join(note.message.split()) for note in app._notifications)
        assert "a setting is odd" in told
        assert "serch" in told and "Nearest: search" in told


async def test_a_key_that_two_commands_have_is_told(library):
    app = DaneshApp(library, settings=Settings(keys={"filter": "n"}))
    async with app.run_test() as pilot:
        reader = Reader(app, pilot)
        await reader.settle()
        assert "n is the key of two commands: filter, write" in " ".join(reader.notices().split())
