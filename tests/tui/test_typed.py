"""A typed line in cells: every place has its cell, and every cell its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.terminal.bidi.direction import turn
from tui.typed import typed_line

MIXED = st.text(alphabet="ab 12,.()سلمی۱۲אב\u064e\u200c\u200f机👩\u200d", max_size=30)
PERSIAN = "می‌خواهم RNN و ۲۰ گام (x)"


@given(MIXED)
def test_every_visible_character_and_the_end_have_a_cell_of_their_own(text: str) -> None:
    line = typed_line(text)
    assert sorted(line.places) == sorted({*turn(text, int(line.rtl)).order, len(text)})
    lefts = [stop.left for stop in line.stops]
    assert lefts == sorted(lefts)
    assert sum(stop.width for stop in line.stops) == line.width
    for stop in line.stops:
        for cell in range(stop.left, stop.left + stop.width):
            assert line.under(cell) == stop.place
        assert line.at(stop.place) == stop


@given(MIXED, st.integers(1, 12), st.integers(-5, 40), st.data())
def test_the_cursor_is_always_in_the_box(
    text: str, room: int, before: int, data: st.DataObject
) -> None:
    line = typed_line(text)
    place = data.draw(st.integers(0, len(text)))
    cursor = line.at(place)
    cell = cursor.left - line.in_sight(place, room, before)
    assert 0 <= cell < room


@given(MIXED)
def test_arrows_reach_every_place_and_come_back(text: str) -> None:
    line = typed_line(text)
    place = line.stops[0].place
    walked = [place]
    for _ in line.stops[1:]:
        place = line.neighbour(place, 1)
        walked.append(place)
    assert walked == [stop.place for stop in line.stops]
    assert line.neighbour(place, 1) is None
    assert all(line.neighbour(line.neighbour(place, 1), -1) == place for place in walked[:-1])


@pytest.mark.parametrize("place", range(len(PERSIAN) + 1))
def test_a_line_in_order_is_cut_off_nowhere(place: int) -> None:
    line = typed_line(PERSIAN)
    assert line.at(place).width == 1
    assert line.in_sight(place, line.width, 3) == 0
