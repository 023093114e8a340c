"""Running snippets: streamed output, figures, stopping, refusal."""

from __future__ import annotations

import asyncio
import threading

from textual.events import Key

from kb.records import Outcome
from tui.widgets.entry_view import EntryView
from tui.widgets.snippet_view import SnippetView


def outcome(status="ok", **figures) -> Outcome:
    return Outcome(
        "chain_cost", status, 0, "", "", False, 0.25, 64 << 20, ("fs", "net"), figures, "good"
    )


async def test_output_streams_in_and_figures_stand_beside_the_claim(opened, library, monkeypatch):
    go, written = threading.Event(), threading.Event()

    def run(name, *, on_output, stop):
        on_output("stdout", "first line\n")
        written.set()
        go.wait(10)
        on_output("stdout", "second line\n")
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(120, 70)) as reader:
        await reader.pilot.press("r")
        while not written.is_set():
            await reader.pilot.pause()
        await reader.pilot.pause()
        assert "first line" in reader.text()
        assert "second line" not in reader.text()
        assert "running… (x stops it, F5 in the code)" in reader.text()
        go.set()
        await reader.settle()
        text = reader.text()
        assert "second line" in text
        assert "finished · 0.25 s · 64 MiB at most · sandbox good: files, network" in text
        figures = reader.main.query_one(".figures").text
        assert figures == (
            "⟨1⟩ source 1,000,000 · measured 500,000 · ✓ source wrong, evidence holds (left)"
        )


async def test_the_end_of_a_run_comes_into_sight_and_leaves_who_reads_elsewhere_alone(
    opened, library, monkeypatch
):
    go, written = threading.Event(), threading.Event()

    def run(name, *, on_output, stop):
        on_output("stdout", "".join(f"line {n}\n" for n in range(100)))
        written.set()
        go.wait(10)
        on_output("stdout", "much more\n" * 100)
        return outcome(left=500_000.0)

    monkeypatch.setattr(library, "run", run)
    for stays in (True, False):
        written.clear(), go.clear()
        async with opened("chain", size=(80, 24)) as reader:
            await reader.pilot.press("r")
            async with asyncio.timeout(60):
                while "line 99" not in reader.text():
                    await reader.pilot.pause()
            assert "running…" in reader.text()
            if not stays:
                await reader.pilot.press("g")
            go.set()
            await reader.settle()
            assert ("evidence holds" in reader.text()) == stays


async def test_a_run_says_how_long_it_takes(opened, library, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(library, "run", lambda *_, **__: go.wait(30) and outcome())
    async with opened("chain", size=(120, 70)) as reader:
        await reader.pilot.press("r")
        async with asyncio.timeout(60):
            while "running… 1 s (x stops it, F5 in the code)" not in reader.text():
                await reader.pilot.pause(0.1)
        go.set()
        await reader.settle()
        assert "running…" not in reader.text()


async def test_a_figure_that_differs_is_said_to_differ(opened, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(left=7.0))
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r")
        figures = reader.main.query_one(".figures").text
        assert "measured 7 · expected 500,000 · ✗ the evidence does not hold" in figures


async def test_x_and_escape_and_leaving_stop_a_run(opened, library, monkeypatch):
    stops = []

    def run(name, *, on_output, stop):
        stops.append(stop)
        stop.wait(10)
        return outcome("killed")

    monkeypatch.setattr(library, "run", run)
    for key in ("x", "escape"):
        async with opened("chain", size=(120, 70)) as reader:
            await reader.pilot.press("r")
            while not reader.main.situation.running:
                await reader.pilot.pause()
            await reader.press(key)
            assert "stopped" in reader.text()
            assert not reader.main.situation.running
    async with opened("chain") as reader:
        await reader.pilot.press("r")
        while not reader.main.situation.running:
            await reader.pilot.pause()
    assert all(stop.is_set() for stop in stops)


async def test_what_runs_is_stopped_from_the_code_too_and_all_that_was_typed_runs(
    opened, library, monkeypatch
):
    ran, stops = [], []

    def run_code(code, *, name, begun_from, on_output, stop):
        ran.append(code)
        stops.append(stop)
        stop.wait(10)
        return outcome("killed")

    monkeypatch.setattr(library, "run_code", run_code)
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("c", "ctrl+home")
        for char in "# one":
            reader.app.post_message(Key("space" if char == " " else char, char))
        reader.app.post_message(Key("f5", None))
        async with asyncio.timeout(60):
            while not stops:
                await reader.pilot.pause()
        assert ran[0].startswith("# one")
        await reader.press("f5")
        assert stops[0].is_set() and len(ran) == 1


async def test_opening_another_entry_stops_the_run(opened, library, monkeypatch):
    def run(name, *, on_output, stop):
        return outcome("killed") if stop.wait(10) else outcome()

    monkeypatch.setattr(library, "run", run)
    async with opened("chain") as reader:
        await reader.pilot.press("r")
        while not reader.main.situation.running:
            await reader.pilot.pause()
        await reader.press("n")
        assert reader.main.query_one(EntryView).reading.entry.id == "flash"
        assert not reader.main.situation.running


async def test_a_snippet_that_did_not_come_with_danesh_is_refused_with_a_sentence(opened):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r", "escape")
        panel = reader.main.query_one(".ending")
        assert "only after your yes" in panel.text
        assert "running" not in panel.text
        assert panel.has_class("-failed")


async def test_a_bundled_snippet_really_runs(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, size=(120, 50)) as reader:
        await reader.press("r")
        assert "left_first_multiplications: 500000" in reader.main.query_one(".output").text
        assert "finished" in reader.main.query_one(".ending").text


async def test_a_run_stays_in_sight_when_the_language_changes(opened, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(left=7.0))
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r", "l", "l")
        assert "measured 7" in reader.text()


async def test_code_is_coloured_and_persian_in_it_stays_at_the_left(opened):
    async with opened("chain", size=(120, 70)) as reader:
        code = reader.main.query_one(SnippetView).query_one(".code")
        strings = {s.style.color for y in range(3) for s in code.render_line(y) if "left" in s.text}
        names = {s.style.color for y in range(3) for s in code.render_line(y) if "print" in s.text}
        assert strings and names and strings != names
        assert code.render_line(1).text.startswith("print(")


async def test_a_click_on_the_title_runs_the_snippet(opened, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome())
    async with opened("chain", size=(120, 70)) as reader:
        await reader.pilot.click("SnippetTitle")
        await reader.settle()
        assert "finished" in reader.text()


async def test_a_run_that_breaks_says_so_in_its_panel_and_aloud(opened, library, monkeypatch):
    def run(*_, **__):
        raise RuntimeError("[/ broken")

    monkeypatch.setattr(library, "run", run)
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press("r")
        assert "RuntimeError: [/ broken" in reader.main.query_one(".ending").text
        assert "[/ broken" in reader.notices()
        assert not reader.main.situation.running
