"""Typing in any direction: what is shown, where the cursor stands, what keys and mouse do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input
from textual.widgets.input import Selection

from tui import terminal
from tui.widgets.bidi_input import BidiInput
from tui.widgets.text_area import SafeArea


class Boxes(App[None]):
    """Textual's own input and ours, one below the other."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self._width = width

    def compose(self):
        for kind in (Input, BidiInput):
            box = kind(compact=True, select_on_focus=False)
            box.styles.width = self._width
            box.cursor_blink = False
            yield box


@asynccontextmanager
async def boxes(width: int = 20) -> AsyncIterator[tuple[Pilot[None], Input, BidiInput]]:
    async with Boxes(width).run_test(size=(60, 4)) as pilot:
        theirs, ours = pilot.app.query(Input)
        ours.focus()
        await pilot.pause()
        yield pilot, theirs, ours


@asynccontextmanager
async def typing(value: str, width: int = 20) -> AsyncIterator[tuple[Pilot[None], BidiInput]]:
    """Type a text in our input."""
    async with boxes(width) as (pilot, _, box):
        await press(pilot, value)
        yield pilot, box


async def press(pilot: Pilot[None], text: str) -> None:
    for char in text:
        if char == "\u200c":  # a pilot cannot press it
            pilot.app.post_message(Key("zero_width_non_joiner", char))
            await pilot.pause()
        else:
            await pilot.press(char)


def cells(box: Input) -> list[tuple[str, object]]:
    """Return each cell of an input: its character and the style it is drawn in."""
    return [(char, segment.style) for segment in box.render_line(0) for char in segment.text]


def cursor_cells(box: Input) -> list[int]:
    """Return the cells that look like the cursor."""
    style = box.get_visual_style("input--cursor").rich_style
    shown = box.render_line(0)
    found, left = [], 0
    for segment in shown:
        if segment.style and (segment.style.bgcolor, segment.style.reverse) == (
            style.bgcolor,
            style.reverse,
        ):
            found.extend(range(left, left + segment.cell_length))
        left += segment.cell_length
    return found


def shown(box: Input) -> str:
    return box.render_line(0).text


async def test_persian_is_shown_joined_and_from_the_right_edge_as_it_is_typed():
    async with typing("شبکه عصبی") as (_, box):
        assert shown(box) == " ﯽﺒﺼﻋ ﻪﮑﺒﺷ".rjust(20)
        assert box.value == "شبکه عصبی"


async def test_a_blank_at_the_end_is_there_at_once():
    async with typing("شبکه ") as (_, box):
        assert shown(box) == "  ﻪﮑﺒﺷ".rjust(20)
        assert cursor_cells(box) == [14]


async def test_the_first_letter_says_which_way_the_line_runs():
    async with typing("RNN شبکه (x) ۱۲") as (_, box):
        assert shown(box) == "RNN ﻪﮑﺒﺷ (x) ۱۲".ljust(20)
        assert cursor_cells(box) == [15]
    async with typing("شبکه RNN ۱۲") as (_, box):
        assert shown(box) == "RNN ۱۲ ﻪﮑﺒﺷ".rjust(20)
        assert cursor_cells(box) == [8]


async def test_the_cursor_stands_on_the_character_it_is_before():
    async with typing("شبکه RNN") as (pilot, box):
        for place, cell in [(0, 19), (1, 18), (4, 15), (5, 12), (6, 13), (8, 11)]:
            box.cursor_position = place
            await pilot.pause()
            assert cursor_cells(box) == [cell], place
            assert box.cursor_screen_offset.x == cell


async def test_a_half_space_keeps_letters_apart_and_takes_no_cell():
    async with typing("می\u200cشود") as (pilot, box):
        assert shown(box) == " ﺩﻮﺷﯽﻣ".rjust(20)
        assert cursor_cells(box) == [14]
        await pilot.press(*["right"] * 3)
        assert (box.cursor_position, cursor_cells(box)) == (3, [17])
        await pilot.press("backspace")
        assert (box.value, cursor_cells(box)) == ("میشود", [17])


async def test_arrows_go_where_they_point():
    async with typing("ab شبکه") as (pilot, box):
        await pilot.press("home")
        seen = [cursor_cells(box)[0]]
        for _ in range(7):
            await pilot.press("right")
            seen += cursor_cells(box)
        assert seen == list(range(8))
        await pilot.press("right", "left", "left")
        assert box.value[box.cursor_position] == "ب"


async def test_what_is_typed_or_deleted_in_the_middle_is_where_the_cursor_is():
    async with typing("شبکه") as (pilot, box):
        await pilot.press("home", "left", "left", "x")
        assert box.value == "شبxکه"
        await pilot.press("backspace", "backspace")
        assert box.value == "شکه"
        await pilot.press("delete")
        assert box.value == "شه"
        assert shown(box) == " ﻪﺷ".rjust(20)
        assert cursor_cells(box) == [18]


async def test_a_click_puts_the_cursor_on_what_is_clicked():
    async with typing("شبکه RNN") as (pilot, box):
        for cell, place in [(19, 0), (16, 3), (12, 5), (14, 7), (11, 8), (2, 8)]:
            await pilot.click(box, offset=(cell, 0))
            assert box.cursor_position == place, cell


async def test_what_is_selected_is_drawn_where_it_stands():
    async with typing("شبکه RNN") as (pilot, box):
        box.selection = Selection(3, 7)
        await pilot.pause()
        base = box.get_visual_style("input--selection").rich_style.bgcolor
        drawn = [n for n, (_, style) in enumerate(cells(box)) if style.bgcolor == base]
        assert drawn == [12, 13, 15, 16]
        assert box.selected_text == "ه RN"
        await pilot.press("x")
        assert box.value == "شبکxN"


async def test_selecting_by_arrows_goes_on_from_where_the_cursor_is_seen():
    async with typing("شبکه") as (pilot, box):
        await pilot.press("home", "shift+left", "shift+left")
        assert box.selected_text == "شب"
        await pilot.press("right")
        assert box.cursor_position == 0
        await pilot.press("shift+left", "shift+left", "left")
        assert box.cursor_position == 2


async def test_words_are_left_and_entered_as_one_sees_them():
    async with typing("من می\u200cخواهم") as (pilot, box):
        await pilot.press("ctrl+right")
        assert box.cursor_position == 3
        await pilot.press("ctrl+right", "ctrl+left")
        assert box.cursor_position == 3
        await pilot.press("ctrl+left", "ctrl+w")
        assert box.value == "من "


async def test_a_long_line_shows_the_part_where_the_cursor_is():
    async with typing("ش" * 15 + "ب" * 15, width=10) as (pilot, box):
        assert shown(box) == f" ﺐ{'ﺒ' * 8}"
        await pilot.press("home")
        assert shown(box) == f"{'ﺸ' * 9}ﺷ"
        for _ in range(12):
            await pilot.press("delete")
            assert cursor_cells(box) == [9]
        await pilot.press("end", *["backspace"] * 15)
        assert shown(box) == " ﺶﺸﺷ".rjust(10)


async def test_latin_is_shown_cell_for_cell_as_textual_shows_it():
    keys = [*"gradient descent, 机 é", "left", "left", "x", "home", "right", "delete",
            "shift+right", "ctrl+right", "end", "shift+home"]  # fmt: skip
    async with boxes(12) as (pilot, theirs, ours):
        seen = {}
        for box in (theirs, ours):
            box.focus()
            box.value = ""
            seen[box] = []
            for key in keys:
                await pilot.press(key)
                box._cursor_visible = True
                seen[box].append((cells(box), box.cursor_screen_offset.x, box.value))
        assert seen[theirs] == seen[ours]


@pytest.mark.parametrize("theme", ["textual-dark", "ansi-light"])
async def test_a_turned_line_wears_the_styles_of_textual(theme):
    async with boxes() as (pilot, theirs, ours):
        pilot.app.theme = theme
        await pilot.pause()
        theirs.value = "abcd"
        ours.value = "سلام"
        seen = {}
        for box in (theirs, ours):
            box.focus()
            await pilot.pause()
            box.selection = Selection(1, 3)
            box._cursor_visible = True
            await pilot.pause()
            seen[box] = [(s.color, s.bgcolor, bool(s.reverse)) for _, s in cells(box)]
        assert seen[ours][15:] == [seen[theirs][5], *reversed(seen[theirs][:4])]


async def test_an_empty_box_invites_from_the_side_where_the_line_will_begin():
    async with boxes() as (pilot, theirs, ours):
        for box in (theirs, ours):
            box.placeholder = "ﻮﺠﺘﺴﺟ"
        shown = "".join(char for char, _ in cells(ours))
        assert shown.strip() == theirs.placeholder
        assert shown.endswith(theirs.placeholder)
        assert ours.cursor_screen_offset.x == ours.content_region.right - 1
        await press(pilot, "a")
        assert "".join(char for char, _ in cells(ours)).startswith("a")


async def test_where_the_terminal_turns_the_line_is_left_as_it_was_typed():
    terminal.look_at({"TERM_PROGRAM": "Apple_Terminal"})
    async with typing("شبکه") as (_, box):
        assert shown(box).strip() == "شبکه"
        assert cursor_cells(box) == [4]


async def test_a_search_in_persian_shows_what_is_typed(opened):
    async with opened(size=(80, 24)) as reader:
        await reader.type("شبکه RNN")
        box = reader.main.query_one(BidiInput)
        assert shown(box).rstrip().endswith("RNN ﻪﮑﺒﺷ")
        reader.main.query_one("#query", Input).value = "rnn"
        await reader.settle()
        assert shown(box).strip().startswith("rnn")


async def test_a_note_can_be_typed_with_half_spaces():
    class Page(App[None]):
        def compose(self):
            yield SafeArea()

    async with Page().run_test() as pilot:
        area = pilot.app.query_one(SafeArea)
        area.focus()
        await press(pilot, "می\u200cشود")
        assert area.text == "می\u200cشود"
        area.select_all()
        await press(pilot, "\u200cx")
        assert area.text == "\u200cx"


@pytest.mark.long
async def test_a_file_with_a_persian_name_is_shown_so(opened):
    async with opened("flash", size=(80, 24)) as reader:
        await reader.press("e")
        reader.app.screen.query_one(Input).value = "کارت.json"
        await reader.settle()
        assert "json.ﺕﺭﺎﮐ" in reader.text()


async def test_the_cursor_rests_in_sight():
    async with boxes() as (pilot, _, box):
        await pilot.press("a")
        assert box._cursor_visible and not box._blink_timer._active.is_set()
