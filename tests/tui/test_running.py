"""Running snippets: streamed output, figures, stopping, refusal."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from textual.events import Key
from textual.widgets import Input

from kb.i18n import _, use_language
from kb.model.draft import Draft
from kb.model.entry import Evidence, TextSpan
from kb.model.reports import Outcome, Verification
from kb.present.claims import Claim
from kb.present.markdown.drawing import draw
from kb.terminal.bidi.direction import direction_of
from kb.terminal.layout import text_width
from tests.conftest import PATIENCE
from tui.bidi import label
from tui.commands import Situation, in_bar
from tui.messages import RunSnippet
from tui.screens.commanding import CommandKey
from tui.screens.consent import ConsentScreen
from tui.screens.main import MainScreen
from tui.themes import coloured
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.figures import (
    EvidenceTable,
    FigureRow,
    FigureTable,
    counted,
    figure_rows,
    result,
    table,
)
from tui.widgets.scrolling import rows_in_sight
from tui.widgets.snippet_view import (
    CodeLines,
    LineNumbers,
    LongLines,
    RunPanel,
    SidewaysScroll,
    SnippetView,
)
from tui.widgets.text_area import CodeArea
from tui.widgets.text_block import AnnotationHead


def outcome(status="ok", **figures) -> Outcome:
    shut = ("fs", "net")
    return Outcome("chain_cost", status, 0, "", "", False, 0.25, 64 << 20, shut, figures, "good")


def figures(reader) -> list[list[str]]:
    """Return the lines of the table of figures, each as its columns."""
    text = reader.main.query_one(FigureTable).text
    return [re.split(r" {2,}", line.strip()) for line in text.split("\n")]


def listed(rows) -> str:
    """Return what a table of figures tells."""
    return "\n".join("  ".join(cell.text for cell in row) for row in table(rows).rows)


def in_sight(widget) -> bool:
    """Say whether the whole of a widget is in sight."""
    view = widget.query_ancestor(EntryView)
    return widget.size.height > 0 and widget.region in view.scrollable_content_region


@pytest.mark.long
async def test_output_is_followed_and_then_folded_below_the_figures(
    opened, library, monkeypatch, gate
):
    def run(name, *, on_output, stop):
        on_output("stdout", "first line\n")
        gate.pass_through()
        on_output("stdout", "second line\n")
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(140, 70)) as reader:
        await reader.pilot.press("r")
        await gate.reached()
        await reader.pilot.pause()
        assert "first line" in reader.text()
        assert "second line" not in reader.text()
        assert "running… (Esc stops it)" in reader.text()
        gate.open()
        await reader.settle()
        assert "✓ 1 of 1 values confirmed · ✗ 1 contradicts the source · 0.25 s" in reader.text()
        assert figures(reader) == [
            ["figure", "claimed", "expected", "measured", "result"],
            ["⟨1⟩ left", "1,000,000", "500,000", "500,000", "✗ source"],
        ]
        assert "▸ output · 2 lines" in reader.text() and "second line" not in reader.text()
        reader.main.query_one(".output-fold").focus()
        await reader.press("enter")
        assert "▾ output · 2 lines" in reader.text() and "second line" in reader.text()


@pytest.mark.long
@pytest.mark.parametrize("lines", [0, 300])
async def test_what_a_run_came_to_is_in_sight_and_again_after_the_next_run(
    opened, library, monkeypatch, language, lines
):
    def run(name, *, on_output, stop):
        on_output("stdout", "".join(f"line {n}\n" for n in range(lines)))
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(80, 24)) as reader:
        for again in (False, True):
            await reader.press("g", "r")
            head, table = reader.main.query_one(".ending"), reader.main.query_one(FigureTable)
            assert in_sight(head) and in_sight(table)
            assert ("run 2" in head.text or "اجرای ۲" in head.text) == again


async def test_while_a_changed_program_runs_the_values_of_the_run_before_are_gone(
    opened, library, monkeypatch, gate, language
):
    def run_code(code, **options):
        gate.pass_through()
        return outcome(left=7.0)

    ran(library, monkeypatch)
    monkeypatch.setattr(library, "run_code", run_code)
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("r")
        table = reader.main.query_one(FigureTable)
        assert table.display
        reader.main.post_message(RunSnippet("chain_cost", "print('left: 7')", based_on="print()"))
        await gate.reached()
        await reader.pilot.pause()
        assert not table.display
        gate.open()
        await reader.settle()
        assert table.display and _("changed") in table.text
        heads = {"en": ["before", "after"], "fa": ["پیش از تغییر", "پس از تغییر"]}[language]
        assert all(each in table.text for each in heads)
        assert _("expected") not in table.text


async def test_after_a_run_more_is_of_its_output_and_not_of_the_code(opened, bundled, monkeypatch):
    def run_code(code, *, on_output, **options):
        on_output("stdout", "told at first\n" * 60)
        return outcome()

    monkeypatch.setattr(bundled, "run_code", run_code)
    async with opened("numerical-instability-causes", of=bundled, size=(100, 30)) as reader:
        view = reader.main.query_one(EntryView)
        name = view.reading.entry.main_snippet().id
        await reader.press("]")
        reader.main.post_message(RunSnippet(name, "print()", based_on="print()"))
        await reader.settle()
        (panel,) = view.query(RunPanel)
        assert panel.size.height > view.size.height
        codes = len(reader.main.query(CodeLines))
        await reader.press("space")
        assert len(reader.main.query(CodeLines)) == codes
        first = panel.query_one(LongLines).region.y
        assert view.region.y <= first < view.region.bottom - 10
        await reader.press("space")
        assert "told at first" not in reader.text() and len(reader.main.query(CodeLines)) == codes


@pytest.mark.long
async def test_a_run_leaves_who_reads_elsewhere_alone(opened, library, monkeypatch, gate):
    def run(name, *, on_output, stop):
        on_output("stdout", "".join(f"line {n}\n" for n in range(100)))
        gate.pass_through()
        on_output("stdout", "much more\n" * 100)
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    for stays in (True, False):
        gate.close()
        async with opened("chain", size=(80, 24), whole=True) as reader:
            await reader.pilot.press("r")
            await gate.reached()
            await reader.until(lambda: "line 99" in reader.text() and not reader.pending())
            assert "running…" in reader.text()
            if not stays:
                await reader.pilot.press("g")
            gate.open()
            await reader.settle()
            assert ("contradicts the source" in reader.text()) == stays


@pytest.mark.long
async def test_r_runs_the_program_that_one_sees(opened, bundled, monkeypatch):
    ran = []
    monkeypatch.setattr(bundled, "run", lambda name, **_: ran.append(name) or outcome("error"))
    async with opened("rnn-backprop-complexity", of=bundled, size=(100, 30), whole=True) as reader:
        entry = reader.main.query_one(EntryView).reading.entry
        main, last = entry.main_snippet(), entry.snippets[-1]
        assert main != last
        proved = next(n for n in entry.annotations if n.evidence)
        await reader.press("r", "end", "r")
        for _note in range(len(entry.annotations)):
            await reader.press("right_square_bracket")
            if reader.main.query_one(EntryView).current_annotation == proved:
                break
        await reader.press("r")
        reader.main.query_one(EntryView).view_of(last.id).focus()
        await reader.press("g", "r")
        names = [name.rpartition("::")[2] for name in ran]
        assert names == [main.id, last.id, proved.evidence[0].snippet, last.id]


async def test_a_figure_of_a_run_leads_to_the_note_that_rests_on_it(opened, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(left=500_000.0))
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("r")
        await reader.pilot.click(FigureTable, offset=(8, 2))
        await reader.settle()
        assert reader.main.query_one(EntryView).current_annotation.id == "chain-1"


async def test_many_figures_that_hold_are_folded(opened, library, monkeypatch):
    own = library.own.save_snippet("chain", "print('a: 1')", name="deep").id
    names = "abcdefg"
    words = TextSpan("source", "en", 0, 8)
    proof = tuple(Evidence(own, name, 1.0, None, 0.0) for name in names)
    noted = library.own.annotate("chain", words, "So it is.", verdict="wrong", evidence=proof)
    found = dict.fromkeys(names, 1.0)
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(**found))
    async with opened("chain", size=(120, 60), whole=True) as reader:
        reader.main.query_one(EntryView).view_of(own).focus()
        await reader.press("r")
        shown = [each.display for each in reader.main.query(FigureTable)]
        number = reader.main.query_one(EntryView).reading.numbers[noted.id].number
        assert shown == [False] and f"▸ 7 values for ⟨{number}⟩" in reader.text()
        await reader.pilot.click(".figures-fold")
        await reader.settle()
        assert reader.main.query_one(FigureTable).display
        found["g"] = 2.0
        await reader.press("r")
        assert reader.main.query_one(FigureTable).display and "values\n" not in reader.text()


def test_folded_figures_are_counted_and_name_their_annotations():
    row = FigureRow((2,), "a", "", "1", "✓", "", True, False)
    rows = [row, row._replace(notes=(2, 6)), row._replace(notes=())]
    assert counted(rows) == "3 values, 2 of them for ⟨2⟩ ⟨6⟩"
    assert counted([row._replace(notes=())]) == "1 value"
    assert counted(rows[:2]) == "2 values for ⟨2⟩ ⟨6⟩"


@pytest.fixture(params=["en", "fa"])
def interface(request):
    use_language(request.param)
    return request.param


@pytest.mark.parametrize("width", [80, 60, 40, 24])
def test_figures_are_readable_in_a_narrow_pane_and_mirrored_in_persian(interface, width):
    name = "hidden_error_when_carried"
    row = FigureRow((4,), name, "33,600", "2,272", "✗ source", "", True, True)
    made = table([row, row._replace(notes=(11,), figure="steps", source="")])
    shown = [drawn.line.text for drawn in draw(made, width, direction_of(interface), True)]
    assert all(text_width(line) <= width for line in shown)
    numbers = [line for line in shown if "2,272" in line]
    assert len(numbers) == 2
    if width > 60:
        row, _other = numbers
        places = [row.index(part) for part in ("hidden", "33,600", "2,272", "✗")]
        assert places == sorted(places, reverse=interface == "fa")
        ends = {len(line) - line.index("2,272") for line in numbers}
        starts = {line.index("2,272") for line in numbers}
        assert len(starts if interface == "en" else ends) == 1


@pytest.mark.long
async def test_code_has_numbers_that_are_not_copied_and_is_scrolled_not_broken(
    opened, library, language
):
    library.own.save_snippet("chain", f"x = {'1 + ' * 60}1\nprint(x)\n", name="wide", main=True)
    async with opened("chain", size=(80, 24), whole=True) as reader:
        view = reader.main.query_one(EntryView).view_of("wide")
        view.focus()
        await reader.settle()
        lines = view.query_one(CodeLines)
        assert lines.size.height == 2 and view.query_one(LineNumbers).text == "1\n2"
        assert not view.query_one(LineNumbers).allow_select
        assert reader.text().count("x = 1") == 1
        await reader.press("right")
        assert view.query_one(SidewaysScroll).scroll_x > 0 and "x = 1" not in reader.text()
        await reader.press("left")
        assert "x = 1" in reader.text()


@pytest.mark.long
@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
async def test_code_has_the_same_colours_while_it_is_changed(opened, theme, monkeypatch):
    monkeypatch.setenv("COLORTERM", "truecolor")
    async with opened("chain", size=(120, 70), whole=True) as reader:
        reader.app.theme = theme
        await reader.settle()
        read = colours_of(reader.main.query_one(CodeLines))
        await reader.press(":change-code", "end")
        reader.lines()
        changed = colours_of(reader.main.query_one(CodeArea))
        assert read["print"] == changed["print"] and read["left"] == changed["left"]
        assert read["print"] != read["left"]


@pytest.mark.long
async def test_long_code_is_coloured_once_the_keys_rest(opened, library, monkeypatch):
    library.own.save_snippet("chain", "print(1)\nleft = 2\n" * 600, name="long", main=True)
    seen, rests = [], []

    def counted(code, language):
        seen.append(code)
        return coloured(code, language)

    def wait(area, _seconds, then):
        rests.append(then)
        return SimpleNamespace(stop=rests.clear)

    monkeypatch.setattr("tui.widgets.text_area.coloured", counted)
    monkeypatch.setattr(CodeArea, "set_timer", wait)
    monkeypatch.setenv("COLORTERM", "truecolor")
    async with opened("chain", size=(120, 70), whole=True) as reader:
        reader.main.query_one(EntryView).view_of("long").focus()
        await reader.press(":change-code", "ctrl+home")
        area = reader.main.query_one(CodeArea)
        at_once = len(seen)
        assert at_once
        for _ in range(20):
            reader.app.post_message(Key("space", " "))
        reader.app.post_message(Key("enter", "\r"))
        await reader.settle()
        assert area.text.startswith(" " * 20 + "\n")
        assert len(seen) == at_once and len(rests) == 1
        rests[0]()
        assert seen[at_once:] == [area.text]
        reader.lines()
        read, code = list(area.render_line(1)), area.render_line(2)
        styles = {segment.style.color for segment in [*read, *code] if segment.text.strip()}
        assert len(styles) > 2


def colours_of(code) -> dict[str, object]:
    """Return the colours that words of the code stand in, as they are rendered."""
    segments = [segment for y in range(3) for segment in code.render_line(y)]
    return {
        word: next(s.style.color for s in segments if word in s.text) for word in ("print", "left")
    }


async def test_a_run_says_how_long_it_takes(opened, library, monkeypatch, gate):
    monkeypatch.setattr(library, "run", lambda *_, **__: gate.pass_through() or outcome())
    async with opened("chain", size=(120, 70)) as reader:
        await reader.pilot.press("r")
        await gate.reached()
        panel = reader.main.query_one(RunPanel)
        panel.run.began -= 7  # as if it had begun so long ago
        panel.follow()
        await reader.pilot.pause()
        assert re.search(r"running… \d+ s \(Esc stops it\)", reader.text())
        gate.open()
        await reader.settle()
        assert "running…" not in reader.text()


async def test_a_figure_that_differs_is_said_to_differ(opened, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(left=7.0))
    async with opened("chain", size=(110, 70)) as reader:
        await reader.press("r")
        assert "✗ 0 of 1 values confirmed" in reader.main.query_one(".ending").text
        assert figures(reader)[1:] == [
            ["⟨1⟩ left", "1,000,000", "500,000", "7", "✗ evidence: 500,000 was expected"],
        ]


@pytest.mark.long
async def test_the_command_and_escape_and_leaving_stop_a_run(opened, library, monkeypatch):
    stops = []

    def run(name, *, on_output, stop):
        stops.append(stop)
        assert stop.wait(PATIENCE)
        return outcome("killed")

    monkeypatch.setattr(library, "run", run)
    for key in (":stop", "escape"):
        async with opened("chain", size=(120, 70)) as reader:
            await reader.pilot.press("r")
            await reader.until(lambda: reader.main.situation.running)
            await reader.press(key)
            assert "stopped" in reader.text()
            assert not reader.main.situation.running
    async with opened("chain") as reader:
        await reader.pilot.press("r")
        await reader.until(lambda: len(stops) == 3)
    assert all(stop.is_set() for stop in stops)


async def test_what_runs_is_stopped_from_the_code_too_and_all_that_was_typed_runs(
    opened, library, monkeypatch
):
    ran, stops = [], []

    def run_code(code, *, name, based_on, on_output, stop):
        ran.append(code)
        stops.append(stop)
        assert stop.wait(PATIENCE)
        return outcome("killed")

    monkeypatch.setattr(library, "run_code", run_code)
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code", "ctrl+home")
        for char in "# one":
            reader.app.post_message(Key("space" if char == " " else char, char))
        reader.app.post_message(Key("f5", None))
        await reader.until(lambda: stops)
        assert ran[0].startswith("# one")
        await reader.press("f5")
        assert stops[0].is_set() and len(ran) == 1


async def test_e_edits_the_program_that_has_run_in_sight(opened, library, monkeypatch):
    def run(name, *, on_output, stop):
        on_output("stdout", "".join(f"line {n}\n" for n in range(30)))
        return outcome("timeout")

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("r", "e")
        area = reader.main.query_one(CodeArea)
        assert area.has_focus and in_sight(area)


@pytest.mark.long
async def test_opening_another_entry_stops_the_run(opened, library, monkeypatch):
    def run(name, *, on_output, stop):
        assert stop.wait(PATIENCE)
        return outcome("killed")

    monkeypatch.setattr(library, "run", run)
    async with opened("chain") as reader:
        await reader.pilot.press("r")
        await reader.until(lambda: reader.main.situation.running)
        await reader.press(":next")
        assert reader.main.query_one(EntryView).reading.entry.id == "flash"
        assert not reader.main.situation.running


async def test_a_snippet_that_did_not_come_with_danesh_is_refused_with_a_sentence(opened):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r", "escape")
        panel = reader.main.query_one(".ending")
        assert "needs your consent" in panel.text
        assert "running" not in panel.text
        assert panel.has_class("-failed")


@pytest.mark.long
async def test_a_bundled_snippet_really_runs(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, size=(120, 50)) as reader:
        await reader.press("r")
        output = reader.main.query_one(".output").text
        assert "left_first_multiplications: 500000" in output
        told = reader.main.query_one(".ending")
        ending = re.search(r"✓ (\d+) of (\d+) values confirmed", told.text)
        assert ending and ending[1] == ending[2]
        (aside,) = told._marks  # how it ran is no result: one sees which is which
        assert aside.style == "$text-muted" and aside.end == len(told.text)
        sandbox = "" if bundled.sandbox_level() == "strong" else " · sandbox .*"
        assert re.fullmatch(rf" · [\d.]+ s{sandbox}", told.text[aside.start :])


async def test_a_run_stays_in_sight_when_the_language_changes(opened, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(left=7.0))
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r", "L", "L")
        assert figures(reader)[1][3] == "7"


async def test_output_may_come_while_the_entry_is_composed_anew(opened, library, monkeypatch, gate):
    def run(name, *, on_output, stop):
        gate.pass_through()
        on_output("stdout", "a line\n")
        return outcome()

    again = []

    async def until_written(panel):
        if again:
            gate.open()
            async with asyncio.timeout(PATIENCE):
                while panel.run.running:
                    await asyncio.sleep(0.005)
            again.append("written")

    monkeypatch.setattr(RunPanel, "on_compose", until_written, raising=False)
    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(120, 70)) as reader:
        await reader.pilot.press("r")
        await gate.reached()
        await reader.pilot.pause()
        again.append("composed")
        await reader.press("L")
        assert "written" in again and "output · 1 line" in reader.text()


@pytest.mark.long
async def test_the_border_of_a_run_is_where_its_lines_begin(opened, library, monkeypatch, language):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome())
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r")
        panel = reader.main.query_one(RunPanel)
        (left, _), (right, _) = panel.styles.border_left, panel.styles.border_right
        assert (left, right) == (("", "outer") if language == "fa" else ("outer", ""))


async def test_persian_in_code_stays_at_the_left(opened):
    async with opened("chain", size=(120, 70), whole=True) as reader:
        assert reader.main.query_one(CodeLines).render_line(1).text.startswith("print(")


async def test_a_click_on_the_title_runs_the_snippet(opened, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome())
    async with opened("chain", size=(120, 70), whole=True) as reader:
        await reader.pilot.click("SnippetTitle")
        await reader.settle()
        assert "✗ 0 of 1 values confirmed" in reader.text()


async def test_a_run_that_breaks_says_so_in_its_panel_and_aloud(opened, library, monkeypatch):
    def run(*_, **__):
        raise RuntimeError("[/ broken")

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r")
        assert "RuntimeError: [/ broken" in reader.main.query_one(".ending").text
        assert "[/ broken" in reader.notices()
        assert not reader.main.situation.running


@pytest.mark.long
async def test_what_a_run_has_proved_is_shown(opened, library, monkeypatch, language):
    said = {"en": "confirmed by a run", "fa": "با اجرا تأیید شده"}[language]
    for left, status in ((7.0, "refuted"), (500_000.0, "confirmed")):
        library.verify(["chain"], accept=True)
        monkeypatch.setattr(library, "run", lambda *_, left=left, **__: outcome(left=left))
        async with opened("chain", size=(140, 70), whole=True) as reader:
            await reader.press("r")
            heads = [head.text for head in reader.main.query(AnnotationHead)]
            assert any(said in head for head in heads) == (status == "confirmed")
            shown = reader.main.query_one("#proven").visual.plain
            assert ("✓" in shown) == (status == "confirmed")
        (note,) = [each for each in library.show("chain").annotations if each.evidence]
        assert note.status == status


async def test_it_is_said_once_that_what_runs_prove_is_not_stored(opened, library, monkeypatch):
    said = label(_("Results were not saved: the database is read-only"), 56)
    unwritten = [Verification("a", "confirmed", {}, stored=False)]
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(left=500_000.0))
    monkeypatch.setattr(library, "judge_run", lambda *_: unwritten)
    async with opened("chain", size=(140, 70)) as reader:
        await reader.press("r")
        await reader.press("r")
        assert reader.notices().count(said) == 1


async def test_changed_code_proves_nothing(opened, library, monkeypatch):
    library.verify(["chain"], accept=True)
    library.judge_run("chain", outcome(left=7.0))
    monkeypatch.setattr(library, "run_code", lambda *_, **__: outcome(left=500_000.0))
    async with opened("chain", size=(140, 70)) as reader:
        await reader.press(":change-code", "end", "space", "f5")
        assert "⟨1⟩" in reader.main.query_one(FigureTable).text
    assert library.show("chain").annotations[0].status == "refuted"


BLOCKS = {
    "en": "It is:\n\n```python\nprint('first: 1')\n```\n\n"
    + "A line.\n\n" * 20
    + "```python\nprint('second: 2')\n```\n\n"
    + "A line.\n\n" * 20,
    "fa": "چنین است:\n\n```python\nprint('first: 1')\n```\n\n"
    + "یک سطر.\n\n" * 20
    + "```python\nprint('second: 2')\n```\n\n"
    + "یک سطر.\n\n" * 20,
}


@pytest.mark.parametrize("lang", BLOCKS)
async def test_a_python_block_of_ones_own_that_is_in_sight_is_run(
    opened, library, monkeypatch, lang
):
    monkeypatch.setenv("KB_LANG", lang)
    draft = Draft({lang: "What? چه؟"}, {"source": {lang: BLOCKS[lang]}})
    (id,) = library.edit.new(draft).ids
    async with opened(id, size=(120, 24)) as reader:
        await reader.press("r")
        view = reader.main.query_one(EntryView)
        assert view.runs["block-1"].outcome.figures == {"first": 1}
        await reader.press("g", "ctrl+d", "ctrl+d")
        await reader.press("r")
        assert view.runs["block-2"].outcome.figures == {"second": 2}
        assert isinstance(reader.app.screen, MainScreen)


@pytest.mark.long
@pytest.mark.parametrize("lang", BLOCKS)
async def test_an_imported_python_block_is_shown_and_asked_about_before_it_runs(
    opened, library, monkeypatch, tmp_path, lang
):
    monkeypatch.setenv("KB_LANG", lang)
    line = {"id": "web", "lang": lang, "title": "What? چه؟", "text": BLOCKS[lang]}
    (tmp_path / "web.jsonl").write_text(json.dumps(line))
    id = library.import_file(tmp_path / "web.jsonl").entries[0].id
    async with opened(id, size=(120, 24)) as reader:
        await reader.press("r")
        assert isinstance(reader.app.screen, ConsentScreen)
        assert "first: 1" in reader.text()
        await reader.press("n")
        view = reader.main.query_one(EntryView)
        assert view.runs["block-1"].outcome is None
        await reader.press("g", "r", "y")
        assert view.runs["block-1"].outcome.figures == {"first": 1}
        await reader.press("g", "r")
        assert isinstance(reader.app.screen, ConsentScreen)


DEPTH = "DEPTH = 50  # parameter: 10 to 100 layers\nprint('figure: left =', DEPTH * 10_000)\n"


async def test_a_program_runs_with_another_number_and_the_result_names_it(
    opened, library, monkeypatch
):
    ran = []

    def run_code(code, **options):
        ran.append(code)
        return outcome(left=200_000.0)

    monkeypatch.setattr(library, "run_code", run_code)
    library.own.save_snippet("chain", DEPTH, name="deep", main=True)
    async with opened("chain", size=(140, 60), whole=True) as reader:
        reader.main.query_one(EntryView).view_of("deep").focus()
        await reader.press(":run-with")
        assert "DEPTH: 10 to 100 layers" in reader.text()
        await reader.press("home", "delete", "delete", *"500", "enter")
        assert "DEPTH is a whole number from 10 to 100, not '500'" in reader.text()
        await reader.press("backspace", "backspace", "backspace", *"۲۰")
        assert "not '500'" not in reader.text()
        await reader.press("enter")
        await reader.settle()
        assert ran == [DEPTH.replace("DEPTH = 50", "DEPTH = 20")]
        assert "with DEPTH = 20" in reader.main.query_one(".ending").text
        await reader.press(":next")
        assert not reader.main.query(".ending")
        await reader.press(":previous")  # the result is kept
        assert "with DEPTH = 20" in reader.main.query_one(".ending").text


async def test_up_and_down_go_from_value_to_value(opened, library):
    both = f"SEED = 0  # parameter: 0 to 9\n{DEPTH}"
    library.own.save_snippet("chain", both, name="two", main=True)
    async with opened("chain", size=(140, 60), whole=True) as reader:
        reader.main.query_one(EntryView).view_of("two").focus()
        await reader.press(":run-with")
        first = reader.app.screen.focused.id
        await reader.press("down")
        assert {first, reader.app.screen.focused.id} == {"SEED", "DEPTH"}
        await reader.press("up")
        assert reader.app.screen.focused.id == first


async def test_after_a_run_the_bar_says_what_space_does(opened, library, monkeypatch):
    ran(library, monkeypatch)
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("r")
        view = reader.main.query_one(EntryView)
        shown = {key.command.id for key in reader.main.query(CommandKey)}
        assert ("fold" if view.folding.shown else "reveal") in shown


async def test_r_runs_what_has_run_with_other_values(opened, library, monkeypatch):
    names = ran(library, monkeypatch)
    library.own.save_snippet("chain", DEPTH, name="deep", main=True)
    async with opened("chain", size=(140, 60), whole=True) as reader:

        def offered():
            keys = [each.command for each in reader.main.query(CommandKey)]
            return [each.id for each in keys if each.id in ("run", "run-with")]

        reader.main.query_one(EntryView).view_of("deep").focus()
        await reader.settle()
        assert offered() == ["run"]
        await reader.press("r")
        assert names == ["chain::deep"] and offered() == ["run-with"]
        await reader.press("r")
        assert "DEPTH: 10 to 100 layers" in reader.text() and len(names) == 1
        await reader.press("5", "enter", *"20")
        assert reader.app.screen.query_one("#DEPTH", Input).value == "20"
        await reader.press("escape")
        reader.main.query_one(EntryView).view_of("chain_cost").focus()  # it takes no values
        await reader.press("r", "r")
        assert names == ["chain::deep", *["chain::chain_cost"] * 2]


async def test_from_a_part_of_the_entry_beside_the_list_escape_goes_back(opened, library):
    library.own.save_snippet("chain", DEPTH, name="deep", main=True)
    async with opened(size=(140, 60)) as reader:
        await reader.unfold()
        values = next(w for w in reader.main.query("Link") if "DEPTH = 50" in w.text)
        values.focus()
        await reader.settle()
        keys = [each.command.id for each in reader.main.query(CommandKey)]
        assert "next-note" in keys and "search" not in keys and not reader.main.situation.typing
        await reader.press("escape")
        assert isinstance(reader.app.focused, EntryList)
        values.focus()
        await reader.press("q")
        assert reader.app._exit


async def test_r_runs_the_evidence_of_the_annotation_gone_to(opened, library, monkeypatch):
    own = library.own.save_snippet("chain", "print('left: 1')", name="deep").id
    proof = (Evidence(own, "left", 1.0, None, 0.0),)
    words = TextSpan("source", "en", 0, 8)
    library.own.annotate("chain", words, "So it is.", verdict="wrong", evidence=proof)
    names = ran(library, monkeypatch)
    async with opened("chain", size=(120, 80), whole=True) as reader:
        table = next(
            each for each in reader.main.query(EvidenceTable)
            if each.annotation.evidence[0].snippet == own
        )  # fmt: skip
        table.focus()
        view = reader.main.query_one(EntryView)
        for _ in view.reading.notes:
            if view.current_annotation is None or view.current_annotation.id != "chain-1":
                await reader.press("left_square_bracket")
        assert view.current_annotation.id == "chain-1"
        await reader.press("r")
        assert names == ["chain::chain_cost"]


@pytest.mark.parametrize("status", ["unverified", "confirmed"])
def test_values_that_only_the_release_confirmed_are_still_to_be_checked_here(
    bundled, interface, status
):
    entry = bundled.show("matrix-chain-three")
    proved = next(each for each in entry.annotations if each.evidence)
    shown = EvidenceTable(replace(proved, status=status), {})
    offered = {"en": "a program checks 3 values · r runs it", "fa": "برای اجرا r را بزنید"}
    assert (offered[interface] in shown.text) == (status == "unverified")
    assert shown.text.startswith("✓") == (status == "confirmed")


def test_values_of_a_changed_program_refute_nothing_and_are_the_same_or_changed(interface):
    evidence = Evidence("p", "left", 500_000.0, 1_000_000.0, 0.0)
    claims = (Claim("wrong", evidence, 1),)
    (row,) = figure_rows(claims, outcome(left=200_000.0), "DEPTH = 20")
    assert row.said == _("changed") and not row.against and "error" not in row.style
    said, facts = result(outcome(left=200_000.0), [row], "DEPTH = 20")
    told = {
        "en": "• with DEPTH = 20: 1 of 1 values changed by more than the tolerance",
        "fa": "• با DEPTH = 20، ۱ از ۱ مقدار بیش از رواداری تغییر کرد",
    }
    assert said == told[interface] and "DEPTH" not in facts
    (row,) = figure_rows(claims, outcome(), "DEPTH = 20")
    assert row.said == _("not measured")


def test_values_that_hold_after_a_change_are_told_beside_the_expected_ones(interface):
    claims = (Claim("wrong", Evidence("p", "left", 500_000.0, None, 0.1), 1),)
    now = outcome(left=510_000.0)
    rows = figure_rows(claims, now, "seed = 7")
    numbers = {"en": ("500,000", "510,000"), "fa": ("۵۰۰٬۰۰۰", "۵۱۰٬۰۰۰")}[interface]
    assert all(each in listed(rows) for each in numbers)
    told = {
        "en": "• with seed = 7: 0 of 1 values changed by more than the tolerance",
        "fa": "• با seed = 7، ۰ از ۱ مقدار بیش از رواداری تغییر کرد",
    }
    assert (
        rows[0].said == _("within the tolerance")
        and result(now, rows, "seed = 7")[0] == told[interface]
    )


def test_a_figure_behind_several_annotations_is_shown_and_counted_once():
    plain, sourced = Evidence("p", "left", 5.0), Evidence("p", "left", 5.0, 9.0, quote_hash="x")
    claims = (Claim("misleading", plain, 2), Claim("wrong", sourced, 4), Claim("", plain))
    (row,) = figure_rows(claims, outcome(left=5.0))
    assert (row.notes, row.source, row.against) == ((2, 4), "9", True)
    assert "⟨2⟩ ⟨4⟩ left" in listed([row])
    assert result(outcome(left=5.0), [row])[0].startswith(
        "✓ 1 of 1 values confirmed · ✗ 1 contradicts"
    )
    assert figure_rows(claims[::-1], outcome(left=5.0)) == [row._replace(notes=(4, 2))]


def test_annotations_that_disagree_about_a_figure_keep_their_own_rows():
    loose, strict = Evidence("p", "left", 5.0, None, 0.5), Evidence("p", "left", 5.0)
    others = Evidence("p", "left", 5.5, None, 0.5), Evidence("p", "left", 5.0, 9.0, 0.5)
    claims = [Claim("misleading", each, n) for n, each in enumerate((loose, strict, *others), 1)]
    claims.append(Claim("misleading", replace(others[1], claimed=8.0), 5))
    rows = figure_rows(claims, outcome(left=5.1))
    assert [row.notes for row in rows] == [(1, 4), (2,), (3,), (5,)]


def ran(library, monkeypatch) -> list[str]:
    """Return the names of the programs that are started from now on."""
    names: list[str] = []

    def run(name, **options):
        names.append(name)
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    return names


async def test_at_an_annotation_without_a_program_r_says_so_and_runs_none(
    opened, library, monkeypatch, language
):
    library.own.annotate("chain", TextSpan("source", "en", 0, 2), "So it is.", verdict="wrong")
    names = ran(library, monkeypatch)
    async with opened("chain", size=(100, 24)) as reader:
        view = reader.main.query_one(EntryView)
        for _note in view.reading.notes:
            await reader.press("right_square_bracket")
            if view.current_annotation.own:
                break
        await reader.press("r")
        assert names == [] and label(_("This annotation has no program.")) in reader.notices()
        await reader.press("G", "g")
        assert view.current_annotation is None
        await reader.press("r")
        assert names == ["chain::chain_cost"]


async def test_r_proves_the_first_remark_and_not_what_the_main_program_says(
    opened, library, monkeypatch
):
    library.own.save_snippet("chain", DEPTH, name="deep", main=True)
    names = ran(library, monkeypatch)
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("r")
        await reader.settle()
        assert names == ["chain::chain_cost"]


@pytest.mark.long
async def test_r_runs_the_program_of_the_evidence_in_focus(opened, library, monkeypatch, language):
    own = library.own.save_snippet("chain", DEPTH, name="deep").id
    proof = (Evidence(own, "left", 500_000.0, None, 0.0),)
    words = TextSpan("source", "en", 0, 8)
    library.own.annotate("chain", words, "So it is.", verdict="wrong", evidence=proof)
    names = ran(library, monkeypatch)
    async with opened("chain", size=(120, 80), whole=True) as reader:
        tables = list(reader.main.query(EvidenceTable))
        assert {each.annotation.evidence[0].snippet for each in tables} == {own, "chain_cost"}
        for place, _before in enumerate(tables):
            table = reader.main.query(EvidenceTable)[place]  # drawn anew after a run
            table.focus()
            await reader.press("r")
            await reader.settle()
            assert names[-1] == f"chain::{table.annotation.evidence[0].snippet}"


def test_while_a_program_runs_the_bar_has_one_key_that_stops_it():
    running = Situation(entry=True, runnable=True, running=True)
    shown = [each.id for each in in_bar(running, ("screen", "reading"))]
    assert "stop" in shown and "back" not in shown
    resting = in_bar(running._replace(running=False), ("screen", "reading"))
    assert "back" in [each.id for each in resting]


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (
            1.0,
            {"en": "✓ 2 of 2 values confirmed · now", "fa": "✓ ۲ از ۲ مقدار تأیید شد · همین حالا"},
        ),
        (
            3.0,
            {"en": "✗ 1 of 2 values confirmed · now", "fa": "✗ ۱ از ۲ مقدار تأیید شد · همین حالا"},
        ),
        (
            None,
            {"en": "✓ 1 of 2 values confirmed · now", "fa": "✓ ۱ از ۲ مقدار تأیید شد · همین حالا"},
        ),
    ],
)
def test_an_annotation_says_how_many_of_its_own_values_held_in_the_last_runs(
    library, interface, left, said
):
    """It says so of one that needs two programs, too, which no run alone confirms or refutes."""
    proof = (Evidence("one", "left", 1.0), Evidence("other", "left", 2.0))
    annotation = replace(library.show("chain").annotations[0], evidence=proof, status="confirmed")
    figures = {("one", "left"): left, ("other", "left"): 2.0}
    ran = {name: value for name, value in figures.items() if value is not None}
    shown = EvidenceTable(annotation, ran)
    shown.shown = False
    assert shown.text.startswith(said[interface])


async def test_the_open_values_of_an_annotation_show_what_its_run_measured(
    opened, library, monkeypatch
):
    monkeypatch.setattr(library, "run", lambda name, **_options: outcome(left=2.0))
    async with opened("chain", size=(140, 60), whole=True) as reader:
        await reader.press("right_square_bracket", "r")
        assert "evidence: 500,000 was expected" in reader.main.query_one(EvidenceTable).text
        await reader.press("L", "L")
        assert "evidence: 500,000 was expected" in reader.main.query_one(EvidenceTable).text


async def test_enter_unfolds_and_folds_the_values_of_the_current_annotation(
    opened, library, monkeypatch
):
    """If it is out of sight, as after a run, it is brought back."""
    ran(library, monkeypatch)
    library.own.annotate("chain", TextSpan("source", "en", 0, 8), "It is. " * 200)
    async with opened("chain", size=(120, 20)) as reader:
        await reader.press("right_square_bracket")
        view, table = reader.main.query_one(EntryView), reader.main.query_one(EvidenceTable)
        assert view.current_annotation.id == "chain-1" and table.shown
        await reader.press("enter")
        assert not table.shown and view.current_annotation.id == "chain-1"
        await reader.press("r")
        view.scroll_end(animate=False)
        await reader.settle()
        table = reader.main.query_one(EvidenceTable)
        assert table.text == "✓ 1 of 1 values confirmed · now ▸" and not rows_in_sight(view, table)
        await reader.press("enter")
        assert table.shown and rows_in_sight(view, table)


def test_the_head_of_figures_explains_the_ends_of_names(interface):
    row = FigureRow((1,), "error_p5", "", "3", "✓", "", True, False)
    said = {"en": "figure (p5, p95: percentiles)", "fa": "عدد (p5 و p95: صدک)"}[interface]
    assert said in listed([row, row._replace(figure="error")])
    assert said not in listed([row._replace(figure="error")])


def test_a_counted_value_of_an_annotation_is_called_an_exact_count(library, interface):
    proof = (Evidence("one", "left", 1.0, basis="counted"),)
    shown = EvidenceTable(replace(library.show("chain").annotations[0], evidence=proof), {})
    assert {"en": "exact count", "fa": "شمارش دقیق"}[interface] in shown.text


@pytest.mark.parametrize("focused", [EntryView, SnippetView])
async def test_tab_goes_on_from_the_result_of_a_run(opened, library, monkeypatch, focused):
    def run(name, *, on_output, stop):
        on_output("stdout", "a line\n")
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(120, 24), whole=True) as reader:
        reader.main.query_one(focused).focus()
        await reader.press("r", "tab")
        assert reader.main.query_one(RunPanel) in reader.app.focused.ancestors
        await reader.press("tab")
        assert reader.main.query_one(RunPanel) not in reader.app.focused.ancestors


async def test_a_run_is_followed_though_it_ends_after_its_layout_and_before_the_scrolling_to_it(
    opened, library, monkeypatch, gate
):
    def run(name, *, on_output, stop):
        gate.pass_through()
        on_output("stdout", "a line\n")
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(120, 24), whole=True) as reader:
        view = reader.main.query_one(EntryView)
        view.focus()
        with monkeypatch.context() as held:
            held.setattr(view.follower, "_bring", lambda: None)
            await reader.pilot.press("r")
            await gate.reached()
            await reader.until(lambda: view.query_one(RunPanel).size.height)
            gate.open()
            await reader.settle()
        view.follower._bring()
        await reader.press("tab")
        assert view.query_one(RunPanel) in reader.app.focused.ancestors
