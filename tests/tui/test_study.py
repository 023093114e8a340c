"""Studying in the app: what is due, one exercise a screen, what is kept, and how it goes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from textual.widgets import Input

from kb.errors import KbError, Untrusted
from kb.i18n import use_language
from kb.library import Library
from kb.model.draft import Draft
from kb.model.entry import Evidence
from kb.model.entry_json import ENTRY
from kb.model.reports import Outcome
from kb.service.study import Study
from tests.databases import new_library
from tests.tui import sample
from tui.screens.consent import ConsentScreen
from tui.screens.statistics import StatisticsScreen
from tui.screens.study import Page, StudyScreen
from tui.screens.writing import WritingScreen
from tui.widgets.bidi_text import ActionText, BidiText
from tui.widgets.charts import ChartLines, YearOfDays
from tui.widgets.snippet_view import RunPanel

PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
TOLD = {"en": "It takes 500,000 operations.", "fa": "۵۰۰٬۰۰۰ عمل لازم است."}
"""What is said of a figure, which a prediction hides."""


@pytest.fixture
def library(tmp_path):
    """A card, and a question with two faults and a figure to predict."""
    noted = sample.annotation(
        "chain-1",
        "1,000,000",
        "wrong",
        evidence=(Evidence("chain_cost", "left", 500_000, 1_000_000),),
    )
    noted = replace(noted, note=TOLD)
    chain = replace(sample.CHAIN, annotations=(noted, *sample.CHAIN.annotations[1:]))
    book = json.loads(sample.write_sample(tmp_path / "sample.json").read_text())
    book["entries"][0] = ENTRY.write(chain)
    (tmp_path / "sample.json").write_text(json.dumps(book))
    with new_library(tmp_path / "kb.db") as opened:
        opened.import_file(tmp_path / "sample.json")
        yield opened


@pytest.fixture
def only(library, monkeypatch):
    """Ask exercises of one kind only."""

    def ask(*kinds):
        asked = partial(type(library.study).next, library.study, kinds=kinds)
        monkeypatch.setattr(library.study, "next", asked)

    return ask


def rows(library: Library):
    return list(library._base.store.studies.rows())


def ran(**figures: float) -> Outcome:
    status = "ok" if figures else "failed"
    return Outcome("chain_cost", status, 0, "", "boom", False, 0.1, 1 << 20, (), figures)


def said(reader) -> str:
    """Return the texts of the screen as they were written, before a line is turned."""
    return "\n".join(block.text for block in reader.app.screen.query(BidiText) if block.region)


def numbers(reader) -> list[str]:
    return [each.text for each in reader.app.screen.query(ActionText) if each.display]


def bar(reader) -> list[str]:
    return [key.command.id for key in reader.app.screen.query("CommandKey")]


async def test_s_shows_what_is_due_by_collection_and_asks_what_is_chosen(opened, language):
    async with opened() as reader:
        await reader.press("s")
        assert isinstance(reader.app.screen, StudyScreen)
        shown = {"en": ("The basics", "Cards", "1 new"), "fa": ("مقدمات", "Cards", "۱ تازه")}
        choices = reader.app.screen._lines()
        assert [each.name for each in choices[1:]] == list(shown[language][:2])
        assert choices[1].note == shown[language][2]
        await reader.press("down", "down", "enter")
        assert "What is throughput?" in said(reader)
        assert "Work done per second." not in said(reader)
        await reader.press("escape")
        assert reader.app.screen is reader.main


async def test_all_collections_have_as_much_due_as_the_daily_limits_allow(
    opened, bundled, language
):
    async with opened(of=bundled) as reader:
        await reader.press("s")
        every, *parts = reader.app.screen._lines()
        told = {"en": "20 of 32 new today", "fa": "۲۰ از ۳۲ تازه برای امروز"}
        assert every.note == told[language] and len(parts) == 2


async def test_what_is_asked_again_today_counts_as_a_review(opened, only, language):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter", "space", "1", "escape")
        told = {"en": "today: 1 review and", "fa": "امروز: ۱ مرور و"}
        assert told[language] in said(reader)


@pytest.mark.long
@pytest.mark.parametrize(("key", "sure"), [("1", 1), ("2", 2), ("3", 3), ("space", 2), ("۳", 3)])
async def test_the_key_that_reveals_says_how_sure_one_is(opened, library, only, key, sure):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter")
        await reader.press("4")  # there are three answers
        assert "Half a million" not in said(reader)
        await reader.press(key)
        assert "Half a million" in said(reader)
        assert not rows(library)
        await reader.press("3")
        (row,) = rows(library)
        assert (row.rating, row.confidence) == (3, sure)


@pytest.mark.long
@pytest.mark.parametrize("rating", [1, 2, 3, 4])
async def test_each_rating_stands_beside_its_interval_and_is_kept_at_once(
    opened, library, only, rating, language
):
    only("recall")
    intervals = library.study.next().intervals
    async with opened() as reader:
        await reader.press("s", "enter", "space")
        told = numbers(reader)
        assert len(told) == 4 and len({*intervals.values()}) == 4
        for n, days in intervals.items():
            shown = {"en": str(days), "fa": str(days).translate(PERSIAN)}[language]
            today = {"en": "today", "fa": "امروز"}[language]
            assert told[n - 1].endswith(today) if not days else shown in told[n - 1]
        await reader.press(str(rating))
        (row,) = rows(library)
        assert (row.what, row.rating, row.interval) == ("grade", rating, intervals[rating])
        assert "throughput" in said(reader)


async def test_the_answer_begins_in_sight_and_not_at_the_last_line(opened, only):
    only("recall")
    async with opened(size=(40, 14)) as reader:
        await reader.press("s", "enter", "space")
        page = reader.app.screen.query_one(Page)
        (answer,) = page.query(".answer")
        assert answer.region.y >= page.region.y and answer.region.bottom <= page.region.bottom


async def test_the_keys_in_the_bar_stay_while_the_answer_comes(opened, only):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter")
        screen = reader.app.screen
        keys = list(screen.query("CommandKey"))
        await reader.press("space")
        assert "Half a million" in said(reader) and keys[0] in screen.query("CommandKey")
        await reader.press("3")
        assert "Half a million" not in said(reader)


@pytest.mark.long
async def test_numbers_and_keys_run_from_the_side_where_one_reads(opened, only, language):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter", "space")
        places = [each.region.x for each in reader.app.screen.query(ActionText)]
        assert places == sorted(places, reverse=language == "fa")
        await reader.pilot.click(reader.app.screen.query(ActionText)[1])
        await reader.settle()
        assert "throughput" in said(reader)


async def test_how_much_is_left_today_is_told_and_again_after_an_undo(opened, only, language):
    only("recall")
    two, again = {
        "en": ("left today: 2 new", "left today: 1 review, 1 new"),
        "fa": ("مانده برای امروز: ۲ تازه", "مانده برای امروز: ۱ مرور، ۱ تازه"),
    }[language]
    async with opened() as reader:
        await reader.press("s", "enter")
        assert two in said(reader)
        await reader.press("space", "1")
        assert again in said(reader)
        await reader.press("space", "4", "u")
        assert again in said(reader)
        await reader.press("u")
        assert two in said(reader)


async def test_the_summary_of_a_session_shows_formulas_and_parts_its_columns(
    opened, library, only, language
):
    only("recall")
    asked = "چرا $A_1A_2$ از ماتریس‌های دیگر به حافظهٔ کمتری نیاز دارد؟"
    library.edit.new(Draft({"fa": asked}, {"source": {"fa": "زیرا."}}, kind="card"))
    async with opened(size=(60, 24)) as reader:
        await reader.press("s", "enter")
        await reader.press(*("space", "4") * 3)
        (row,) = [line for line in reader.text().split("\n") if "A₁A₂" in line]
        assert "\ufffd" not in row
        assert re.search({"en": r"\S +in \d+ day", "fa": "[۰-۹] …"}[language], row), row


async def test_u_undoes_the_last_rating_and_asks_that_again(opened, library, only):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter")
        assert "undo" not in bar(reader)
        await reader.press("u")
        assert not rows(library)
        await reader.press("space", "4")
        assert "throughput" in said(reader) and "undo" in bar(reader)
        await reader.press("u")
        assert "three matrices" in said(reader) and "Half a million" not in said(reader)
        assert [row.what for row in rows(library)] == ["grade", "undo"]
        assert library.study.due().done == 0
        assert "undo" not in bar(reader)


@pytest.mark.long
async def test_e_edits_the_entry_and_returns_to_the_exercise(opened, library, only):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter", "3", "e")
        assert isinstance(reader.app.screen, WritingScreen)
        await reader.press("ctrl+home", *"So: ", "ctrl+s")
        assert isinstance(reader.app.screen, StudyScreen)
        assert "So: What does a chain" in said(reader) and "Half a million" in said(reader)
        assert not rows(library)
        await reader.press("3")
        assert [(row.rating, row.confidence) for row in rows(library)] == [(3, 3)]


@pytest.mark.long
@pytest.mark.parametrize("there", [(), ("space",)])
async def test_esc_stops_anywhere_and_keeps_what_was_rated(opened, library, only, there, language):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter", "space", "3", *there, "escape")
        ended = {"en": "1 answer, 1 recalled", "fa": "۱ پاسخ"}[language]
        assert ended in said(reader)
        assert [row.rating for row in rows(library)] == [3]
        await reader.press("escape")
        assert reader.app.screen is reader.main


async def test_the_end_tells_what_was_learnt_and_what_comes_tomorrow(opened, library, only):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter", "space", "2", "space", "1", "escape")
        tomorrow = library.study.due().tomorrow
        assert tomorrow and f"due tomorrow: {tomorrow}" in said(reader)
        assert "2 answers, 1 recalled" in said(reader) and "done today: 2" in said(reader)
        first, second = reader.app.screen._lines()
        assert (first.sign, first.note) == ("✓", "in 1 day")
        assert (second.sign, second.note) == ("✗", "today") and "throughput" in second.name
        await reader.press("u")
        assert "throughput" in said(reader) and numbers(reader)


@pytest.mark.long
async def test_where_nothing_is_due_that_is_said(opened, empty, language):
    async with opened(of=empty) as reader:
        await reader.press("s")
        nothing = {"en": "Nothing is due.", "fa": "برای امروز چیزی نمانده است."}[language]
        assert nothing in said(reader)
        await reader.press("enter", "escape")
        assert reader.app.screen is reader.main


@pytest.mark.long
async def test_a_rating_that_cannot_be_kept_is_told_and_can_be_given_again(
    opened, library, only, monkeypatch
):
    only("recall")
    grade = library.study.grade

    def fails(*_given, **_more):
        raise KbError("the disk is full")

    monkeypatch.setattr(library.study, "grade", fails)
    async with opened() as reader:
        await reader.press("s", "enter", "space", "3")
        assert "The disk is full" in reader.notices() and "three matrices" in said(reader)
        monkeypatch.setattr(library.study, "grade", grade)
        await reader.press("3")
        assert [row.rating for row in rows(library)] == [3] and "throughput" in said(reader)


@pytest.mark.long
async def test_a_fault_that_is_called_right_is_not_found(opened, library, only, language):
    only("fault")
    async with opened() as reader:
        await reader.press("s", "enter")
        assert "1,000,000 operations" in said(reader) and TOLD["en"] not in said(reader)
        await reader.press("3")
        assert TOLD["en"] not in said(reader)  # first one says whether it is right
        await reader.press("y", "3")
        assert TOLD["en"] in said(reader)  # the passage is in English only
        (row,) = rows(library)
        assert (row.rating, row.confidence) == (1, 3)
        why = {"en": "not right: rated 1 · today", "fa": "امروز"}[language]
        assert why in said(reader)


@pytest.mark.long
@pytest.mark.parametrize(("meets", "rating"), [("1", 2), ("2", 3), ("3", 4)])
async def test_a_correction_is_compared_and_rated_by_the_rule(opened, library, only, meets, rating):
    only("fault")
    async with opened() as reader:
        await reader.press("s", "enter", "n", *"half", "enter", "3")
        assert "Does yours say the same?" in said(reader) and "half" in said(reader)
        assert not rows(library)
        await reader.press(meets)
        (row,) = rows(library)
        assert row.rating == rating and json.loads(row.outcome)["given"] == "half"
        assert f"rated {rating}" in said(reader)
        await reader.press("space")
        assert "Does yours" not in said(reader) and not numbers(reader)


async def test_a_hint_is_in_the_language_of_the_question_and_above_the_choices(
    opened, library, only, language
):
    only("recall")
    async with opened() as reader:
        await reader.press("s", "enter", "h")
        hint, ask = (reader.app.screen.query_one(each, BidiText) for each in (".hint", ".ask"))
        assert hint.text.startswith({"en": "H··· a m······,", "fa": "ن·· م····· و"}[language])
        assert hint.region.y < ask.region.y


@pytest.mark.long
async def test_a_hint_counts(opened, library, only):
    only("fault")
    async with opened() as reader:
        await reader.press("s", "enter", "h")
        await reader.press("n", "enter", "3", "3")
        (row,) = rows(library)
        assert row.rating == 2 and json.loads(row.outcome)["hint"]


@pytest.mark.long
async def test_a_trusted_program_runs_while_one_predicts_and_the_answer_waits_for_it(
    opened, library, only, monkeypatch, gate, language
):
    only("predict")
    began = []

    def run(name, **_options):
        began.append(name)
        gate.pass_through()
        return ran(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened() as reader:
        await reader.pilot.press("s")
        await reader.until(lambda: getattr(reader.app.screen, "_phase", "") == "due")
        await reader.pilot.press("enter")
        await gate.reached()
        await reader.until(lambda: isinstance(reader.app.focused, Input))
        assert began == ["chain::chain_cost"]
        assert "500,000" not in said(reader) and "۵۰۰٬۰۰۰" not in said(reader)
        await reader.pilot.press(*"480000", "enter")
        await reader.until(lambda: numbers(reader))
        await reader.pilot.press("3")
        running = {"en": "The program is running…", "fa": "برنامه در حال اجراست…"}[language]
        await reader.until(lambda: running in said(reader))
        assert not rows(library)
        gate.open()
        await reader.settle()
        assert TOLD[language] in said(reader) and reader.app.screen.query(RunPanel)
        (row,) = rows(library)
        assert row.rating == 3 and json.loads(row.outcome)["measured"] == 500_000
        assert began == ["chain::chain_cost"]


@pytest.mark.long
async def test_what_is_no_number_is_asked_again(opened, library, only, monkeypatch):
    only("predict")
    monkeypatch.setattr(library, "run", lambda *_, **__: ran(left=500_000.0))
    async with opened() as reader:
        await reader.press("s", "enter", *"about", "enter")
        assert "type a number or a range" in said(reader) and not numbers(reader)
        await reader.press(*"5e5", "enter", "space")
        (row,) = rows(library)
        assert json.loads(row.outcome)["given"] == "5e5" and not json.loads(row.outcome).get(
            "error"
        )


@pytest.mark.long
async def test_a_program_that_fails_is_told_and_not_counted(opened, library, only, monkeypatch):
    only("predict")
    monkeypatch.setattr(library, "run", lambda *_, **__: ran())
    async with opened() as reader:
        await reader.press("s", "enter", "5", "enter", "3")
        assert "the program failed (boom): this was not counted" in said(reader)
        assert not rows(library)
        await reader.press("space")
        assert not rows(library) and not numbers(reader)


@pytest.mark.long
async def test_an_untrusted_program_runs_after_consent_only(opened, library, only, monkeypatch):
    only("predict")
    allowed = []

    def run(_name, *, yes=(), **_options):
        if not yes:
            raise Untrusted("not from here")
        allowed.append(yes)
        return ran(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened() as reader:
        await reader.press("s", "enter", *"5e5", "enter", "3")
        assert isinstance(reader.app.screen, ConsentScreen) and not allowed
        await reader.press("n")
        assert "not counted" in said(reader) and not rows(library)
        await reader.press("escape")
        await reader.press("s", "enter", *"5e5", "enter", "r")
        assert isinstance(reader.app.screen, ConsentScreen)
        await reader.press("y")
        assert len(allowed) == 1 and not reader.app.screen.query(RunPanel)
        await reader.press("3")
        assert reader.app.screen.query(RunPanel)
        assert [row.rating for row in rows(library)] == [4]


@pytest.mark.long
async def test_a_program_that_cannot_run_here_is_tried_once_more_and_not_counted(
    opened, library, only, monkeypatch
):
    only("predict")
    tried = []

    def run(name, **_options):
        tried.append(name)
        raise Untrusted("no sandbox")

    monkeypatch.setattr(library, "run", run)
    monkeypatch.setattr(type(library.programs), "of_run", lambda *_: [])
    async with opened() as reader:
        await reader.press("s", "enter", *"5e5", "enter", "3")
        assert len(tried) == 2 and "not counted" in said(reader) and not rows(library)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["recall", "predict"])
async def test_a_key_that_is_pressed_twice_rates_once(opened, library, only, monkeypatch, kind):
    only(kind)
    monkeypatch.setattr(library, "run", lambda *_, **__: ran(left=500_000.0))
    async with opened() as reader:
        await reader.press(
            "s",
            "enter",
            *(
                {
                    "recall": ["space"],
                    "predict": "5",
                }[kind]
            ),
        )
        if kind == "predict":
            await reader.press("enter")
        for _ in range(2):
            reader.app.screen.action_number(3)
        await reader.settle()
        assert len(rows(library)) == 1


@pytest.mark.long
async def test_r_runs_the_proof_once_the_answer_is_shown(opened, library, only, monkeypatch):
    only("fault")
    began = []

    def run(name, *, on_output, **_):
        began.append(name)
        on_output("stdout", "left: 500000\nand more\n")
        return ran(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    monkeypatch.setattr(type(library.programs), "of_run", lambda *_: [])
    async with opened() as reader:
        await reader.press("s", "enter", "r")
        assert not began
        await reader.press("y", "3", "r")
        assert began == ["chain::chain_cost"]
        panel = reader.app.screen.query_one(RunPanel)
        shown = [panel.query_one(each).display for each in ("FigureTable", "SidewaysScroll")]
        assert shown == [True, True], "no key of the session unfolds them"


@pytest.mark.long
async def test_leaving_stops_the_program(opened, library, only, monkeypatch, gate):
    only("predict")
    stops = []

    def run(_name, *, stop, **_options):
        stops.append(stop)
        gate.pass_through()
        return ran(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened() as reader:
        await reader.pilot.press("s")
        await reader.until(lambda: getattr(reader.app.screen, "_phase", "") == "due")
        await reader.pilot.press("enter")
        await gate.reached()
        assert not stops[0].is_set()
        await reader.until(lambda: isinstance(reader.app.focused, Input))
        await reader.pilot.press("escape")
        await reader.until(lambda: reader.app.screen is reader.main)
        assert stops[0].is_set()
        gate.open()


@pytest.mark.long
async def test_content_is_shown_as_data(opened, library, only):
    only("recall")
    library.study.add(["nasty"])
    async with opened() as reader:
        await reader.press("s", "enter")
        for _ in range(3):
            if "[@click" in said(reader):
                break
            await reader.press("space", "3")
        await reader.press("space")
        shown = reader.app.screen.query_one(Page)
        assert "[@click=app.quit]x[/]" in reader.text() and shown.region
        assert not {"\x1b", "\x07", "\u202e"} & {*reader.text()}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["recall", "fault", "predict"])
async def test_the_bar_has_six_keys_at_most_that_do_something(
    opened, library, only, kind, monkeypatch, language
):
    only(kind)
    monkeypatch.setattr(library, "run", lambda *_, **__: ran(left=500_000.0))
    ways = {
        "recall": ("space", "3", "escape"),
        "fault": ("n", "enter", "2", "3", "space"),
        "predict": (*"5", "enter", "2", "space"),
    }
    async with opened(size=(100, 30)) as reader:
        for key in ("s", "enter", *ways[kind]):
            await reader.press(key)
            shown = bar(reader)
            assert len(shown) <= 6 and shown[-2:] == ["back", "help"]
            fits = [each.region for each in reader.app.screen.query("CommandKey")]
            assert all(0 <= each.x and each.right <= 100 for each in fits)
            assert ("reveal" in shown) == (reader.app.screen._phase == "sure")


@pytest.mark.long
async def test_statistics_show_weeks_retention_calibration_and_a_year(opened, library, language):
    library.study.grade("flash", "recall", 3, confidence=3)
    library.study.grade("chain", "recall", 1, confidence=1)
    found = library.study.statistics()._replace(retention=0.75)
    library.study.statistics = lambda: found
    async with opened(size=(100, 60)) as reader:
        await reader.press("s", "s")
        assert isinstance(reader.app.screen, StatisticsScreen)
        charts = [each._charts[0] for each in reader.app.screen.query(ChartLines)]
        weeks, retention, calibration = charts
        assert weeks.series[0].values == tuple(map(float, found.weeks))
        assert retention.series[0].values == (75, 90)
        said_, right = calibration.series
        assert (said_.values, right.values) == ((30, 95), (0, 100))
        score = {"en": "Brier score 0.046", "fa": "۰٫۰۴۶"}[language]
        assert score in said(reader)
        assert "█" in reader.text() and reader.app.screen.query_one(YearOfDays).region.height == 7
        await reader.press("escape")
        assert isinstance(reader.app.screen, StudyScreen)


def test_a_year_is_a_column_a_week_darker_the_more_was_done(language):
    use_language(language)
    today = date(2026, 3, 4)  # a Wednesday
    done = {today: 8, today - timedelta(days=1): 1, today - timedelta(days=7): 4}
    lines = [row.line.text.rstrip() for row in YearOfDays(today, done)._rows_for(80)]
    if language == "en":
        days = dict(zip(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), lines, strict=True))
        days = {day: line.split()[1] for day, line in days.items()}
    else:  # a week begins with Saturday, and time runs to the left
        days = dict(zip(("sat", "sun", "mon", "tue", "wed", "thu", "fri"), lines, strict=True))
        days = {day: line.split()[0][::-1] for day, line in days.items()}
    assert (len(days["wed"]), days["wed"][-3:], days["tue"][-1]) == (53, "·▒█", "░")
    assert len(days["thu"]) == 52  # tomorrow is blank
    assert len(days["sat"]) == (52 if language == "en" else 53)


async def test_the_bar_of_the_list_says_how_many_reviews_are_due(
    opened, library, only, monkeypatch, language
):
    only("recall")
    monkeypatch.setattr(Study, "_now", lambda self: datetime(2026, 3, 1, 9, tzinfo=UTC))
    asked = library.study.next().exercise
    library.study.grade(asked.entry, asked.key, 3)
    due = {"en": "Study (1)", "fa": "۱"}[language]
    async with opened() as reader:
        assert due not in reader.lines()[-1]
    monkeypatch.setattr(Study, "_now", lambda self: datetime(2026, 9, 1, 9, tzinfo=UTC))
    assert library.study.waiting() == library.study.due().reviews == 1
    async with opened() as reader:
        assert due in reader.lines()[-1]
        await reader.press("s", "enter", "space", "3", "escape", "escape")
        assert reader.app.screen is reader.main and due not in reader.lines()[-1]


async def test_the_usual_answer_is_marked_and_its_key_is_named(opened, library, only, language):
    only("recall")
    told = {
        "en": ("Space says “fairly sure”.", "Enter says “Good”."),
        "fa": ("کلید Space یعنی «نسبتاً مطمئن».", "کلید Enter یعنی «خوب»."),
    }[language]
    async with opened() as reader:
        await reader.press("s", "enter")
        for key, sentence in zip(("space", "enter"), told, strict=True):
            assert sentence in said(reader)
            (usual,) = reader.app.screen.query("Numbers .-usual")
            answer = sentence.partition("“" if language == "en" else "«")[2][:-2]
            assert usual.text.partition(" ")[2].startswith(answer)
            await reader.press(key)
        (row,) = rows(library)
        assert (row.confidence, row.rating) == (2, 3)
