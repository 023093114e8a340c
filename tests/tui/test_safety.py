"""Nothing from outside is obeyed; nothing that fails is silent."""

from __future__ import annotations

from textual.widgets import Input

from kb.errors import KbError
from tests.tui.sample import HOSTILE
from tui.screens.main import MainScreen


def controls(text: str) -> list[str]:
    return [char for char in text if (ord(char) < 32 and char != "\n") or 0x7F <= ord(char) <= 0x9F]


async def test_hostile_content_shows_as_text_everywhere(opened):
    async with opened("nasty", size=(160, 50)) as reader:
        text = reader.text()
        for words in ("a[i][j]", "[/", "[@click=app.quit]x[/]", "␛[31mred", "␛]0;title␇"):
            assert text.count(words) >= 2, words
        assert not controls(text)
        assert "\u202e" not in text
        assert reader.app.is_running


async def test_hostile_words_can_be_searched_for(opened):
    async with opened() as reader:
        await reader.press("slash")
        reader.main.query_one(Input).value = HOSTILE
        await reader.settle()
        assert not controls(reader.text())
        assert "␛[31mred" in reader.main.query_one(Input).value
        await reader.press("escape", "e")
        assert not controls(reader.text())


async def test_a_library_error_is_shown_as_its_message_and_not_as_markup(
    opened, library, monkeypatch
):
    async with opened() as reader:

        def fail(*_, **__):
            raise KbError("the [/ database \x1b[31m is busy", "Try later.")

        monkeypatch.setattr(library, "search_typed", fail)
        await reader.type("x")
        assert "the [/ database ␛[31m is busy" in reader.notices().replace("\n", " ")
        assert "Try later." in reader.notices().replace("\n", " ")
        assert not controls(reader.text())
        assert reader.app.is_running


async def test_any_other_failure_of_a_worker_is_shown_too(opened, library, monkeypatch):
    async with opened() as reader:

        def fail(*_, **__):
            raise ZeroDivisionError("a defect")

        monkeypatch.setattr(library, "show", fail)
        await reader.press("j", "enter")
        assert "ZeroDivisionError: a defect" in reader.notices()
        assert reader.app.is_running


async def test_an_entry_that_is_gone_is_said_to_be_gone(opened):
    async with opened("no-such-entry") as reader:
        assert "there is no entry 'no-such-entry'" in reader.notices()
        assert isinstance(reader.app.screen, MainScreen)
