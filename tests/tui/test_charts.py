"""The charts of a run in the app: drawn below the figures, in the reader's language."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from kb.model.reports import Outcome
from kb.present.charts.drawing import draw
from kb.terminal.terminal import safe
from tests.present.test_charts import BARS, LINES, chart_of
from tui.terminal import turned
from tui.widgets.charts import ChartLines
from tui.widgets.snippet_view import RunPanel

OUTPUT = f"before\n{LINES}between: 1\n{BARS}"


@pytest.fixture
def output(library, monkeypatch) -> list[str]:
    """What the next run prints."""
    prints = [OUTPUT]

    def run(name, *, on_output, stop):
        on_output("stdout", prints[0])
        return Outcome("chain_cost", "ok", 0, prints[0], "", False, 0.25, 64 << 20, (), {}, "good")

    monkeypatch.setattr(library, "run", run)
    return prints


@pytest.mark.long
@pytest.mark.parametrize("size", [(120, 60), (60, 60), (40, 60)])
async def test_a_run_shows_its_charts_in_the_readers_language(opened, output, language, size):
    async with opened("chain", size=size) as reader:
        await reader.press("r")
        shown = reader.main.query_one(ChartLines)
        assert shown.display
        width = shown.content_size.width
        lines = [row.line.text for row in shown.rows(width)]
        wanted = [
            line
            for text in (LINES, BARS)
            for drawing in [draw(chart_of(text), width, lang=language, turned=turned())]
            for line in ["", *drawing.title, *drawing.lines]
        ]
        assert lines == wanted
        assert shown.content_size.height == len(lines)
        assert all(safe(line) == line for line in lines)


async def test_what_is_selected_of_a_chart_is_copied_as_it_was_printed(opened, output):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("r")
        shown = reader.main.query_one(ChartLines)
        found = shown.get_selection(Selection(Offset(0, 0), Offset(3, 1)))
        assert found is not None and found[0] == LINES + BARS


async def test_what_is_no_chart_is_output_alone(opened, output):
    output[0] = "chart: a\n  x: 1 2\n  y: 1 none\n"
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("r")
        assert not reader.main.query_one(ChartLines).display
        assert "y: 1 none" in reader.main.query_one(RunPanel).run.output


async def test_the_next_run_without_charts_takes_them_away(opened, output):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("r")
        assert reader.main.query_one(ChartLines).display
        output[0] = "nothing to see\n"
        await reader.press("r")
        assert not reader.main.query_one(ChartLines).display
