"""Charts that programs print: what is one, what it looks like, and that nothing else is lost."""

from __future__ import annotations

import os
import re
import unicodedata
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.evidence.runner import read_figures
from kb.present.charts.drawing import NARROWEST, WIDEST, draw
from kb.present.charts.reading import (
    LONGEST_WORD,
    MOST_CHARACTERS,
    MOST_CHARTS,
    MOST_POINTS,
    MOST_SERIES,
    Chart,
    Piece,
    Series,
    Splitter,
    charts,
    read_chart,
)
from kb.present.charts.scales import Scale, kept_apart, place_scale, value_scale
from kb.terminal.layout import text_width
from kb.terminal.terminal import safe

GOLDEN = Path(__file__).with_name("charts")
ACCEPT = bool(os.environ.get("KB_ACCEPT_GRIDS"))

LINES = """\
chart: training loss after 8 epochs
  batch (log): 32 256 2048
  same rate: 0.308 0.476 0.72
  scaled rate: 0.308, 0.307, 0.421
  with a warm-up: 0.308 0.307 0.329
  fa: زیان آموزش پس از ۸ دور; اندازهٔ دسته
  fa: همان نرخ; نرخ متناسب; با گرم‌کردن
"""
STEEP = """\
chart: steps of two algorithms
  n: 4 8 12 16 20
  all orders (log): 6 5040 3.99e7 1.31e12 1.22e17
  with a table (log): 12 1344 5.6e4 1.7e6 4.5e7
  fa: گام‌های دو الگوریتم; اندازهٔ ورودی; همهٔ ترتیب‌ها; با جدول
"""
BARS = """\
chart: memory reserved, in multiples of what is in use
  batches: shortest first, shuffled, longest first
  reserved: 1.64 1.22 0
  fa: حافظهٔ گرفته‌شده، چند برابر حافظهٔ در کار
  fa: دسته‌ها; اول کوتاه‌ترین; درهم; اول بلندترین; گرفته‌شده
"""
GROUPS = """\
chart: change of the accuracy
  task: a product, a ring
  raw inputs: -0.15 0.48
  with the feature: 1 0.98
  fa: تغییر دقت; مسئله; ضرب; حلقه; ورودی خام; با ویژگی
"""
SMALL = """\
chart: relative error of the mean
  method: one by one, in pairs,
  method: in float64
  error (log): 7.9e-06 1.8e-8 1.1e-16
  fa: خطای نسبی میانگین; شیوه; یکی‌یکی; دوبه‌دو; در float64; خطا
"""
KINDS = {"lines": LINES, "steep": STEEP, "bars": BARS, "groups": GROUPS, "small": SMALL}


def chart_of(text: str) -> Chart:
    chart = read_chart(text)
    assert chart is not None
    return chart


def drawn(text: str, width: int, lang: str, **options: bool) -> str:
    drawing = draw(chart_of(text), width, lang=lang, **options)
    return "\n".join([*drawing.title, *drawing.lines]) + "\n"


# What is a chart


@pytest.mark.parametrize("text", KINDS.values(), ids=KINDS)
def test_each_kind_is_read(text: str) -> None:
    (piece,) = charts(f"before\n{text}after: 1\n")
    assert piece.text == text
    assert piece.chart is not None and piece.chart.size == len(piece.chart.series[0].values)


def test_a_chart_has_axis_series_logarithms_and_words_of_a_language() -> None:
    chart = chart_of(LINES)
    assert (chart.title, chart.axis) == ("training loss after 8 epochs", "batch")
    assert (chart.places, chart.words) == ((32, 256, 2048), ())
    assert chart.series[1] == Series("scaled rate", (0.308, 0.307, 0.421))
    assert chart.log_x and not chart.log_y
    persian = chart.in_language("fa")
    assert persian.axis == "اندازهٔ دسته"
    assert [each.name for each in persian.series] == ["همان نرخ", "نرخ متناسب", "با گرم‌کردن"]
    assert chart.in_language("de") is chart


def test_the_words_of_bars_are_translated_in_their_order() -> None:
    persian = chart_of(SMALL).in_language("fa")
    assert persian.words == ("یکی‌یکی", "دوبه‌دو", "در float64")
    assert persian.series[0].name == "خطا"


def test_a_short_name_of_the_first_row_is_no_language() -> None:
    chart = chart_of("chart: a\n  run: one, two,\n  run: three\n  loss: 1 2 3\n")
    assert (chart.words, chart.other) == (("one", "two", "three"), {})


MALFORMED = {
    "no rows": "chart: a\n",
    "no series": "chart: a\n  x: 1 2\n",
    "no title": "chart: \n  x: 1 2\n  y: 1 2\n",
    "a figure": "chart: 5\n  x: 1 2\n  y: 1 2\n",
    "not a number": "chart: a\n  x: 1 2\n  y: 1 b\n",
    "nan": "chart: a\n  x: 1 2\n  y: 1 nan\n",
    "infinite": "chart: a\n  x: 1 2\n  y: 1 1e999\n",
    "too small": "chart: a\n  x: 1 2\n  y: 1 1e-320\n",
    "one point": "chart: a\n  x: 1\n  y: 1\n",
    "falls": "chart: a\n  x: 2 1\n  y: 1 2\n",
    "twice": "chart: a\n  x: 1 1\n  y: 1 2\n",
    "unequal": "chart: a\n  x: 1 2\n  y: 1 2 3\n",
    "log of zero": "chart: a\n  x (log): 0 1\n  y: 1 2\n",
    "log of less": "chart: a\n  x: 0 1\n  y (log): 1 -2\n",
    "log of words": "chart: a\n  x (log): b, c\n  y: 1 2\n",
    "empty word": "chart: a\n  x: b,, c\n  y: 1 2 3\n",
    "words missing": "chart: a\n  x: 1 2\n  y: 1 2\n  fa: الف; ب\n",
    "no colon": "chart: a\n  x: 1 2\n  y: 1 2\n  remark\n",
    "long name": f"chart: a\n  x: 1 2\n  {'y' * (LONGEST_WORD + 1)}: 1 2\n",
    "series": "chart: a\n  x: 1 2\n" + "".join(f"  y{n}: 1 2\n" for n in range(MOST_SERIES + 1)),
    "points": f"chart: a\n  x: {' '.join(map(str, range(MOST_POINTS + 1)))}\n"
    f"  y: {'1 ' * (MOST_POINTS + 1)}\n",
}


def pieces(output: str) -> list[Piece]:
    splitter = Splitter()
    return [*splitter.feed(output), *splitter.end()]


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_what_is_malformed_stays_output(text: str) -> None:
    found = pieces(f"a\n{text}b\n")
    assert all(piece.chart is None for piece in found)
    assert "".join(piece.text for piece in found) == f"a\n{text}b\n"


def test_bounds_are_just_kept() -> None:
    places = " ".join(map(str, range(MOST_POINTS)))
    values = " ".join("1" for _ in range(MOST_POINTS))
    rows = "".join(f"  y{n}: {values}\n" for n in range(MOST_SERIES))
    assert chart_of(f"chart: {'a' * LONGEST_WORD}\n  x: {places}\n{rows}").size == MOST_POINTS


def test_more_charts_than_are_drawn_stay_output() -> None:
    found = pieces(BARS * (MOST_CHARTS + 2))
    assert sum(piece.chart is not None for piece in found) == MOST_CHARTS
    assert "".join(piece.text for piece in found) == BARS * (MOST_CHARTS + 2)


def test_a_chart_that_never_ends_is_not_held_back() -> None:
    splitter = Splitter()
    assert list(splitter.feed("chart: a\n")) == []
    rows = "  x: 1 2 3 4 5 6 7 8\n" * (MOST_CHARACTERS // 10)
    assert len("".join(piece.text for piece in splitter.feed(rows))) >= MOST_CHARACTERS


def test_nothing_of_a_chart_is_a_figure() -> None:
    output = "loss: 0.5\n" + "".join(KINDS.values()) + "steps: 3\n"
    assert read_figures(output) == {"loss": 0.5, "steps": 3}


SOUP = st.lists(
    st.sampled_from(["chart: ", "chart: a\n", "  ", "x: 1 2\n", "y (log)", ": ", "1", " ", "\n",
                     ",", ";", "fa: ", "e5", "-", "\r\n", "\x1b[2J", "ب", "機", "\u202e", "b, c\n"])
)  # fmt: skip
OUTPUT = st.one_of(st.text(), SOUP.map("".join))


@given(OUTPUT, st.sampled_from(["en", "fa"]), st.integers(1, 120), st.booleans())
def test_any_output_is_kept_and_what_is_drawn_is_safe_and_fits(
    output: str, lang: str, width: int, turned: bool
) -> None:
    found = pieces(output)
    assert "".join(piece.text for piece in found) == output
    for piece in found:
        if piece.chart is not None:
            assert read_chart(piece.text) == piece.chart
            assert_drawn(piece.chart, width, lang, turned=turned)


def assert_drawn(chart: Chart, width: int, lang: str, **options: bool) -> None:
    drawing = draw(chart, width, lang=lang, **options)
    for line in [*drawing.title, *drawing.lines]:
        assert safe(line) == line and "\n" not in line
        assert text_width(line) <= max(NARROWEST, min(width, WIDEST))


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_bar_of_next_to_nothing_below_zero_fits_beside_its_number(lang: str) -> None:
    values = (1.0, -12.0, -5.96e-8)
    series = tuple(Series(f"series {n:02}", (1.0, 1.0, value)) for n, value in enumerate(values))
    chart = Chart("chart", "axis", (), ("a", "b", "c"), series, False, False, {})
    for width in range(NARROWEST, NARROWEST + 12):
        assert_drawn(chart, width, lang)


@given(OUTPUT, st.lists(st.integers(1, 7)))
def test_output_that_comes_bit_by_bit_has_the_same_charts(output: str, sizes: list[int]) -> None:
    size = len(output)
    cuts = sorted({0, size, *(min(cut, size) for cut in accumulate(sizes))})
    splitter = Splitter()
    found = [piece for cut in pairwise(cuts) for piece in splitter.feed(output[slice(*cut)])]
    found += splitter.end()
    assert "".join(piece.text for piece in found) == output
    assert [piece for piece in found if piece.chart] == charts(output)


WORD = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters=":,;"), min_size=1,
               max_size=30).filter(lambda word: not re.fullmatch(r"[-+.\de]+", word))  # fmt: skip
NUMBER = st.floats(1e-12, 1e12).flatmap(lambda value: st.sampled_from([value, -value, 0.0]))


@st.composite
def sound_charts(draw_: st.DrawFn) -> Chart:
    """Return charts of any kind, with Persian words for some."""
    words = draw_(st.one_of(st.just(()), st.lists(WORD, min_size=1, max_size=6).map(tuple)))
    numbers = st.lists(NUMBER, min_size=2, max_size=9, unique=True)
    places = () if words else tuple(sorted(draw_(numbers)))
    size = len(words) or len(places)
    names = draw_(st.lists(WORD, min_size=1, max_size=4, unique=True))
    log_y = draw_(st.booleans())
    value = st.floats(1e-12, 1e12) if log_y else NUMBER
    rows = st.lists(value, min_size=size, max_size=size).map(tuple)
    series = tuple(Series(f"series {name}", draw_(rows)) for name in names)
    other = [draw_(WORD) for _ in range(2 + len(words) + len(series))]
    said = {"fa": tuple(other)} if draw_(st.booleans()) else {}
    log_x = bool(places) and places[0] > 0 and draw_(st.booleans())
    return Chart(f"chart {draw_(WORD)}", "axis", places, words, series, log_x, log_y, said)


def printed(chart: Chart) -> str:
    """Return a chart as a program prints it."""
    log_x, log_y = (" (log)" if log else "" for log in (chart.log_x, chart.log_y))
    first = ", ".join(chart.words) or " ".join(map(repr, chart.places))
    rows = [f"{each.name}{log_y}: {' '.join(map(repr, each.values))}" for each in chart.series]
    rows += [f"{lang}: {'; '.join(words)}" for lang, words in chart.other.items()]
    return "".join([f"chart: {chart.title}\n", *(f"  {row}\n" for row in
                    [f"axis{log_x}: {first}", *rows])])  # fmt: skip


@given(sound_charts(), st.sampled_from(["en", "fa"]), st.integers(NARROWEST, 100))
def test_what_a_program_prints_is_the_chart_that_is_drawn(
    chart: Chart, lang: str, width: int
) -> None:
    assert read_chart(printed(chart)) == chart
    assert_drawn(chart, width, lang)
    assert_drawn(chart, width, lang, turned=False)


# Axes


@given(st.lists(NUMBER, min_size=1, max_size=20), st.booleans(), st.booleans())
def test_values_lie_on_their_axis_in_order(values: list[float], log: bool, zero: bool) -> None:
    log = log and min(values) > 0
    scale = value_scale(values, log=log, zero=zero)
    shares = [scale.share(value) for value in sorted(values)]
    assert shares == sorted(shares) and 0 <= shares[0] and shares[-1] <= 1
    ticks = scale.ticks(5)
    assert ticks == sorted(set(ticks)) and 1 <= len(ticks) <= 6


def test_bars_begin_at_zero_and_lines_where_their_values_are() -> None:
    assert value_scale([0.8, 0.9], log=False, zero=True).low == 0
    assert value_scale([0.8, 0.9], log=False, zero=False).low == pytest.approx(0.8)
    assert value_scale([0.1, 0.9], log=False, zero=False).low == 0
    assert place_scale((2, 64), log=True) == Scale(2, 64, log=True)


@given(st.lists(st.integers(0, 11), min_size=1, max_size=6))
def test_names_are_kept_apart_within_the_plot(rows: list[int]) -> None:
    moved = kept_apart(rows, 1, 11)
    assert len(set(moved)) == len(rows) and 0 <= min(moved) and max(moved) <= 11


# What it looks like


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("lang", ["en", "fa"])
@pytest.mark.parametrize("kind", KINDS)
def test_charts_look_as_they_did(kind: str, lang: str, width: int) -> None:
    file = GOLDEN / f"{kind}-{lang}-{width}.txt"
    shown = drawn(KINDS[kind], width, lang)
    if ACCEPT:
        file.write_text(shown, "utf-8")
    assert shown == file.read_text("utf-8")


def test_bars_of_persian_begin_at_the_right() -> None:
    for line in drawn(BARS, 60, "fa").splitlines()[1:-1]:
        assert re.search(r" ?[۰-۹٫]+ [▕▐]?█+│", line), line


def test_persian_has_its_digits_and_formulas_keep_theirs() -> None:
    shown = drawn(SMALL, 60, "fa")
    assert "1.1×10⁻¹⁶" in shown
    assert "۰٫۷۲" not in shown and "۰٫۴" in drawn(LINES, 60, "fa")


def test_a_terminal_that_turns_text_gets_words_in_logical_order_and_apart() -> None:
    shown = drawn(BARS, 60, "fa", turned=False)
    assert "\u200eاول کوتاه‌ترین\u200e" in shown
    assert "\u200e" not in drawn(BARS, 60, "en", turned=False)


def test_no_series_is_told_by_colour_alone() -> None:
    lines, groups = drawn(LINES, 72, "en"), drawn(GROUPS, 72, "en")
    for mark, name in (("●", "same rate"), ("○", "scaled rate"), ("▲", "with a warm-up")):
        assert f"{mark} {name}" in lines
    assert "█" in groups and "░" in groups and "\x1b" not in lines + groups


def test_two_marks_at_one_place_are_both_seen() -> None:
    assert "●○▲" in drawn(LINES, 72, "en")


def test_more_marks_than_a_row_has_cells_are_drawn_where_there_is_room() -> None:
    places = " ".join(map(str, range(9)))
    rows = "".join(f"  a long name {n}: {'1 ' * 9}\n" for n in range(MOST_SERIES))
    shown = drawn(f"chart: a\n  x: {places}\n{rows}", NARROWEST, "en")
    assert max(len(re.findall("[●○▲△■□]", line)) for line in shown.splitlines()) > 20


def test_a_long_title_is_wrapped_and_never_cut() -> None:
    title = "how often the best of sixteen trials comes near the best possible value"
    shown = drawn(f"chart: {title}\n  x: a, b\n  y: 1 2\n", 40, "en")
    assert " ".join(shown.split("\na")[0].split()) == title


@pytest.mark.parametrize("width", [40, 80])
def test_a_long_name_stands_above_its_bar_where_it_has_no_room_beside_it(width: int) -> None:
    name = "features chosen on all rows"
    rows = drawn(f"chart: a\n  x: {name}, b\n  y: 1 2\n", width, "en").splitlines()
    assert (name in rows) == (width == 40) and any(row.startswith(name) for row in rows)


def test_a_wide_letter_takes_two_cells() -> None:
    text = "chart: 費用\n  x: 計算, b\n  y: 1 2\n"
    rows = drawn(text, 60, "en").splitlines()[1:]
    assert len({text_width(row.split("│")[0]) for row in rows}) == 1
    assert unicodedata.east_asian_width("計") == "W"
