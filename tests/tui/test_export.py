"""Writing what is shown to a file."""

from __future__ import annotations

import json

import pytest
from textual.widgets import Input, OptionList

from kb.i18n import LRM
from tui.screens.files import ExportScreen, OneOf
from tui.widgets.bidi_text import BidiText


async def form(reader):
    await reader.press("x")
    assert isinstance(reader.app.screen, ExportScreen)
    return reader.app.screen


async def test_the_entry_that_is_read_is_written(opened, tmp_path):
    async with opened("flash") as reader:
        screen = await form(reader)
        assert screen.scope == "entry"
        assert screen.query_one(Input).value == "flash.json"
        await reader.press("enter", "enter")
        assert screen.focused is screen.query_one(Input)
        screen.query_one(Input).value = str(tmp_path / "out.json")
        await reader.press("enter")
        entries = json.loads((tmp_path / "out.json").read_text("utf-8"))["entries"]
        assert [entry["id"] for entry in entries] == ["flash"]
        assert "1 entry written to" in reader.notices() and LRM not in reader.notices()


async def test_the_form_begins_with_its_title_on_a_small_terminal(opened, language):
    async with opened(size=(50, 15)) as reader:
        screen = await form(reader)
        assert screen.query_one("#form").scroll_offset.y == 0


async def test_the_entries_found_are_written(opened, tmp_path):
    async with opened(size=(80, 24)) as reader:
        await reader.type("throughput")
        await reader.press("escape")
        screen = await form(reader)
        assert screen.scope == "listed"
        await reader.press("enter", "down", "enter")
        assert screen.format == "jsonl"
        screen.query_one(Input).value = str(tmp_path / "out.jsonl")
        await reader.press("enter")
        lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line)["id"] for line in lines] == ["flash"]


async def test_everything_is_written_where_nothing_was_searched(opened, tmp_path, library):
    async with opened(size=(80, 24)) as reader:
        screen = await form(reader)
        assert screen.scope == "all"
        screen.query_one(Input).value = str(tmp_path / "all.json")
        screen.query_one(Input).focus()
        await reader.press("enter")
        assert len(json.loads((tmp_path / "all.json").read_text("utf-8"))["entries"]) == 3


async def test_everything_can_be_written_during_a_search(opened, tmp_path):
    async with opened(size=(80, 24)) as reader:
        await reader.type("throughput")
        await reader.press("escape")
        screen = await form(reader)
        await reader.press("down", "enter")
        assert screen.scope == "all"
        screen.query_one(Input).value = str(tmp_path / "all.json")
        await reader.press("enter", "enter")
        assert len(json.loads((tmp_path / "all.json").read_text("utf-8"))["entries"]) == 3


async def test_arrows_and_tab_go_from_field_to_field_and_every_stop_is_one(opened):
    async with opened("flash") as reader:
        screen = await form(reader)
        scope, format, path = *screen.query(OneOf), screen.query_one(Input)
        assert list(screen.focus_chain) == [scope, format, path]
        await reader.press("up")
        assert screen.focused is scope and screen.scope == "entry"
        await reader.press("down", "down")
        assert screen.focused is format and screen.scope == "all"
        await reader.press("up")
        assert screen.focused is scope
        await reader.press("tab", "tab")
        assert screen.focused is path


async def test_a_sign_says_what_is_chosen(opened, language):
    async with opened("flash") as reader:
        screen = await form(reader)
        for scope in range(2):
            await reader.press(*["down"] * scope)
            shown = [str(option.prompt) for option in screen.query_one("#scope", OneOf).options]
            assert ["●" in each for each in shown] == [scope == 0, scope == 1]


async def test_the_form_offers_the_formats_of_the_library(opened, library):
    async with opened() as reader:
        screen = await form(reader)
        options = screen.query_one("#format", OneOf)
        names = [options.get_option_at_index(i).id for i in range(options.option_count)]
        assert names == list(library.exports.formats())


async def test_an_existing_file_is_replaced_only_on_a_second_enter(opened, tmp_path):
    there = tmp_path / "there.json"
    there.write_text("mine")
    async with opened("flash") as reader:
        screen = await form(reader)
        screen.query_one(Input).value = str(there)
        screen.query_one(Input).focus()
        await reader.press("enter")
        assert there.read_text() == "mine"
        assert "This file exists" in reader.text()
        await reader.press("enter")
        assert there.read_text() != "mine"


async def test_escape_writes_nothing(opened, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with opened("flash") as reader:
        await form(reader)
        await reader.press("escape")
        assert reader.app.screen is reader.main
    assert not list(tmp_path.glob("*.json"))


async def test_a_path_that_cannot_be_written_is_told(opened, tmp_path):
    async with opened("flash") as reader:
        screen = await form(reader)
        screen.query_one(Input).value = str(tmp_path / "no" / "such" / "out.json")
        screen.query_one(Input).focus()
        await reader.press("enter")
        assert "No such file" in " ".join(reader.notices().split())
        assert reader.app.is_running


@pytest.mark.long
@pytest.mark.parametrize("path", ["~no-such-reader/out.json", f"{'a' * 300}.json"])
async def test_a_path_that_cannot_be_is_told(opened, tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    async with opened("flash") as reader:
        screen = await form(reader)
        screen.query_one(Input).value = path
        screen.query_one(Input).focus()
        await reader.press("enter")
        assert reader.notices()
        assert reader.app.is_running


async def test_a_name_that_is_for_another_format_is_refused(
    opened, tmp_path, monkeypatch, language
):
    monkeypatch.chdir(tmp_path)
    async with opened() as reader:
        screen = await form(reader)
        formats = screen.query_one("#format", OptionList)
        formats.highlighted = formats.get_option_index("tsv")
        screen.query_one(Input).focus()
        await reader.press("ctrl+u", *"my.md", "enter")
        assert reader.app.screen is screen
        told = {"en": "choose md above", "fa": "بالا md را انتخاب کنید"}[language]
        assert told in screen.query_one(".hint", BidiText).text
        await reader.press("ctrl+u", *"my.notes", "enter")
        assert (tmp_path / "my.notes").read_text().startswith("id\t")


async def test_a_letter_goes_to_a_format_and_up_from_the_name_back_to_them(opened):
    async with opened("flash") as reader:
        screen = await form(reader)
        formats = screen.query_one("#format", OneOf)
        formats.focus()
        await reader.press("m")
        assert screen.format == "md" and screen.query_one(Input).value == "flash.md"
        await reader.press("j")
        first = screen.format
        await reader.press("j")
        assert {first, screen.format} <= {"json", "jsonl", "jsonld"} and screen.format != first
        screen.query_one(Input).focus()
        await reader.press("up")
        assert screen.focused is formats


async def test_a_file_needs_a_name(opened):
    async with opened("flash") as reader:
        screen = await form(reader)
        screen.query_one(Input).value = "  "
        screen.query_one(Input).focus()
        await reader.press("enter")
        assert "A file needs a name." in reader.text()


async def test_the_persian_hint_says_what_enter_does_in_the_last_field(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened() as reader:
        await reader.press("x")
        hint = reader.app.screen.query_one(".hint", BidiText).text
        assert "رفتن به فیلد بعد؛ در آخرین فیلد، نوشتن فایل" in hint
