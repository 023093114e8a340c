"""Nothing from outside is obeyed; nothing that fails is silent."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.widgets import Input, Static

from kb.errors import KbError
from kb.service.opening import open_base
from kb.service.write import put_entry
from tests.databases import new_library
from tests.robustness.payloads import PAYLOADS, orders
from tests.robustness.screens import loaded
from tests.tui.conftest import Reader
from tests.tui.sample import HOSTILE
from tui.app import DaneshApp
from tui.screens.main import MainScreen
from tui.terminal import SafeLines


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
        await reader.press("escape", "x")
        assert not controls(reader.text())


async def test_a_library_error_is_shown_as_its_message_and_not_as_markup(
    opened, library, monkeypatch
):
    async with opened() as reader:

        def fail(*_, **__):
            raise KbError("the [/ database \x1b[31m is busy", "Try later.")

        monkeypatch.setattr(library, "search_typed", fail)
        await reader.type("x")
        assert "The [/ database ␛[31m is busy" in reader.notices().replace("\n", " ")
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
        assert "There is no entry 'no-such-entry'" in reader.notices()
        assert isinstance(reader.app.screen, MainScreen)


@pytest.mark.long
@pytest.mark.parametrize("name", ["osc title", "c1 csi", "override", "newline", "delete"])
@pytest.mark.parametrize("protected", [True, False])
async def test_the_fields_of_an_entry_give_the_list_and_the_entry_no_orders(
    tmp_path, monkeypatch, name: str, protected: bool
):
    if not protected:  # the widgets by themselves, without the last step before the terminal
        monkeypatch.setattr(DaneshApp, "get_line_filters", App.get_line_filters)
    path = tmp_path / "hostile.db"
    new_library(path).close()
    entry = loaded("sign", PAYLOADS[name])
    with open_base(str(path)) as base, base.store.transaction():
        base.store.collections.put(entry.collection, {"en": entry.id})
        put_entry(base, entry, "user")
    with new_library(path) as library:
        app = DaneshApp(library, entry.id)
        async with app.run_test(size=(150, 50)) as pilot:
            reader = Reader(app, pilot)
            await reader.settle()
            assert reader.text().count("sign") > 5
            assert list(orders(reader.text())) == []


def test_no_line_leaves_the_app_with_orders_or_addresses_whoever_made_it() -> None:
    style = Style(bold=True, link="http://a\x1b]0;x\x07")
    told = SafeLines().apply(
        [Segment("a\x1b[2J\n\tb\u202e", style), Segment("متن")], Color(0, 0, 0)
    )
    assert [segment.text for segment in told] == ["a␛[2J␊␉b\ufffd", "متن"]
    assert told[0].style == Style(bold=True)
    assert told[0].style.link is None


async def test_a_widget_that_forgets_to_make_its_text_safe_is_stopped(opened):
    async with opened() as reader:
        await reader.app.screen.mount(Static("\x1b]0;pwned\x07\x9b2Jtold", markup=False))
        reader.app.notify("\x1b]0;pwned\x07told", markup=False)
        await reader.settle()
        assert "told" in reader.text()
        assert list(orders(reader.text())) == []
