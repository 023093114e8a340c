"""What the app must do, by the keys and clicks of a reader."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from textual.widgets import Input

from kb import Library
from kb.errors import KbError
from kb.model import Results
from tests.tui.conftest import Open, screen_text, settled, until
from tui.screens.export import ExportScreen
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView


async def type_query(pilot, text: str) -> None:  # type: ignore[no-untyped-def]
    await pilot.press("slash")
    pilot.app.screen.query_one(Input).value = text
    await settled(pilot)


async def test_it_lists_everything_under_its_collections_with_levels_and_marks(
    opened: Open,
) -> None:
    async with opened(size=(160, 80)) as pilot:
        shown = screen_text(pilot)
        for part in (
            "33 entries",
            "Complexity and numerical analysis",
            "Systems for machine learning",
        ):
            assert part in shown
        assert "1.1 [E]" in shown
        assert "✗2" in shown


async def test_it_searches_as_one_types_in_both_languages(opened: Open) -> None:
    async with opened() as pilot:
        await pilot.press("slash", *"intracta")
        await settled(pilot)
        assert "intractable" in screen_text(pilot)
        assert pilot.app.screen.query_one(EntryList).ids[0] == "intractable-problem"
        await type_query(pilot, "بی ثباتی")
        assert "numerical-instability-causes" in pilot.app.screen.query_one(EntryList).ids


async def test_what_is_found_nowhere_is_said_and_a_suggestion_taken(opened: Open) -> None:
    async with opened() as pilot:
        await type_query(pilot, "intratable")
        assert "Nothing matches · did you mean “intractable”?" in screen_text(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert pilot.app.screen.query_one(Input).value == "intractable"
        assert "intractable-problem" in pilot.app.screen.query_one(EntryList).ids


async def test_a_late_answer_to_an_older_search_is_dropped(
    opened: Open, bundled: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = threading.Event()
    search = bundled.search

    def slow(query: str, **options: object) -> Results:
        if query == "gradient":
            release.wait(5)
        return search(query, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(bundled, "search", slow)
    async with opened() as pilot:
        await pilot.press("slash")
        box = pilot.app.screen.query_one(Input)
        box.value = "gradient"
        await pilot.pause()
        box.value = "throughput"
        await until(pilot, lambda: "training-metric" in pilot.app.screen.query_one(EntryList).ids)
        release.set()
        await settled(pilot)
        assert "training-metric" in pilot.app.screen.query_one(EntryList).ids


async def test_an_entry_shows_its_weak_spans_and_what_is_true(opened: Open) -> None:
    async with opened("matrix-chain-three", size=(160, 120)) as pilot:
        shown = screen_text(pilot)
        assert "100 x 5 x 200 + 100 x 200 x 20 = 1,000,000⟨" in shown
        assert "together 500,000" in shown
        assert "claimed 1,000,000 · measured 500,000" in shown
        assert "Restored: the source lost formulas" in shown


async def test_a_marked_span_has_a_style_besides_its_colour(opened: Open) -> None:
    async with opened("matrix-chain-three", size=(160, 120)) as pilot:
        strips = pilot.app.screen._compositor.render_strips()
        styles = [s.style for strip in strips for s in strip if "100 x 5 x 200 +" in s.text]
        assert any(style is not None and style.underline for style in styles)


async def test_the_language_of_an_entry_is_switched(opened: Open) -> None:
    async with opened("rnn-backprop-complexity") as pilot:
        assert "What are the time and space complexity" in screen_text(pilot)
        await pilot.press("l")
        await settled(pilot)
        assert "ﯽﻧﺎﻣﺯ ﯽﮔﺪﯿﭽﯿﭘ" in screen_text(pilot)
        await pilot.press("l")
        await settled(pilot)
        assert "What are the time and space complexity" in screen_text(pilot)


async def test_persian_is_turned_and_kept_to_the_right(opened: Open) -> None:
    async with opened("numerical-instability-causes", size=(80, 24)) as pilot:
        await pilot.press("l")
        await settled(pilot)
        line = next(t for t in screen_text(pilot).split("\n") if "ﺩﺪﻋ" in t)
        assert line.rstrip(" ▁▂▃▄▅▆▇█▕▐").endswith("ﺯﺍ ﯽﺧﺮﺑ")
        assert line.startswith("  ")


async def test_a_terminal_that_turns_text_itself_gets_it_in_logical_order(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KONSOLE_VERSION", "221203")
    async with opened("numerical-instability-causes", size=(80, 24)) as pilot:
        await pilot.press("l")
        await settled(pilot)
        assert "برخی از دلایل" in screen_text(pilot)


async def test_the_snippet_runs_and_its_figures_stand_beside_the_claims(opened: Open) -> None:
    async with opened("matrix-chain-three", size=(160, 60)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: "finished" in screen_text(pilot))
        shown = screen_text(pilot)
        assert "left_first_multiplications: 500000" in shown
        assert "claimed 1,000,000 · expected 500,000 · measured 500,000" in shown
        assert "limits on memory" in shown


async def test_output_streams_in_and_a_run_can_be_stopped(
    opened: Open, bundled: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "print('begun', flush=True)\nwhile True: pass"
    with bundled._database.writing() as connection:
        connection.execute("UPDATE snippet SET code = ? WHERE id = 'matrix_chain_order'", (code,))
    run = bundled.run
    monkeypatch.setattr(bundled, "run", lambda name, **options: run(name, trust=True, **options))
    async with opened("matrix-chain-three", size=(160, 60)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: "begun" in screen_text(pilot))
        await pilot.press("x")
        await until(pilot, lambda: "stopped" in screen_text(pilot))


async def test_code_that_is_not_trusted_is_refused_with_a_sentence(
    opened: Open, bundled: Library
) -> None:
    with bundled._database.writing() as connection:
        connection.execute("UPDATE snippet SET code = 'print(1)' WHERE id = 'matrix_chain_order'")
    async with opened("matrix-chain-three", size=(160, 60)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: "did not come with danesh" in screen_text(pilot))


async def test_a_card_keeps_its_answer_until_it_is_asked_for(opened: Open) -> None:
    async with opened("preprocessing-bottleneck", size=(80, 24)) as pilot:
        assert "What resource is the bottleneck" in screen_text(pilot)
        assert "CPU" not in screen_text(pilot)
        await pilot.press("space")
        await settled(pilot)
        assert "CPU" in screen_text(pilot)


async def test_what_is_shown_is_exported_on_a_key(opened: Open, tmp_path: Path) -> None:
    async with opened("radius-mask") as pilot:
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExportScreen))
        await pilot.pause()
        box = pilot.app.screen.query_one(Input)
        box.value = str(tmp_path / "mask.json")
        box.focus()
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "mask.json").exists())
        book = json.loads((tmp_path / "mask.json").read_text())
        assert [entry["id"] for entry in book["entries"]] == ["radius-mask"]


async def test_narrow_terminals_show_one_thing_at_a_time(opened: Open) -> None:
    async with opened(size=(80, 24)) as pilot:
        assert not pilot.app.screen.query_one(EntryView).display
        await pilot.press("enter")
        await settled(pilot)
        assert pilot.app.screen.query_one(EntryView).display
        assert not pilot.app.screen.query_one(EntryList).display
        await pilot.press("escape")
        await settled(pilot)
        assert pilot.app.screen.query_one(EntryList).display


async def test_it_follows_a_resize(opened: Open) -> None:
    async with opened(size=(80, 24)) as pilot:
        await pilot.resize_terminal(160, 50)
        await settled(pilot)
        assert pilot.app.screen.query_one(EntryView).display
        assert pilot.app.screen.query_one(EntryList).display
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert not pilot.app.screen.query_one(EntryView).display


async def test_vi_keys_and_arrows_both_move(opened: Open) -> None:
    async with opened() as pilot:
        listing = pilot.app.screen.query_one(EntryList)
        first = listing.chosen
        await pilot.press("j")
        second = listing.chosen
        await pilot.press("down", "k")
        assert (listing.chosen, first != second) == (second, True)


async def test_a_click_opens_a_row(opened: Open) -> None:
    async with opened() as pilot:
        await pilot.click(EntryList, offset=(10, 4))
        await settled(pilot)
        reading = pilot.app.screen.query_one(EntryView).reading
        assert reading is not None
        assert reading.entry.id == pilot.app.screen.query_one(EntryList).chosen


async def test_a_failed_worker_is_shown(
    opened: Open, bundled: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as pilot:

        def fail(query: str, **options: object) -> Results:
            raise KbError("the disk has gone", "Look for it.")

        monkeypatch.setattr(bundled, "search", fail)
        await type_query(pilot, "gradient")
        await until(pilot, lambda: "the disk has gone Look for it." in screen_text(pilot))


EVIL = "a[i][j] [/] [/red] [@click=app.quit]x[/] \x1b]52;c;aGk=\x07\x1b[2J [$primary] \u202eevil"


async def test_content_is_shown_as_it_is_written(
    opened: Open, empty: Library, tmp_path: Path
) -> None:
    file = tmp_path / "evil.jsonl"
    file.write_text(json.dumps({"id": EVIL, "title": f"What is {EVIL}?", "text": f"It is {EVIL}"}))
    empty.import_file(file, collection=EVIL)
    async with opened(library=empty, size=(200, 30)) as pilot:
        await pilot.press("enter")
        await settled(pilot)
        shown = screen_text(pilot)
        assert "a[i][j] [/] [/red] [@click=app.quit]x[/]" in shown
        assert not set(shown) & {"\x1b", "\x07", "\u202e"}


async def test_typing_persian_shows_it_in_order_below(opened: Open) -> None:
    async with opened() as pilot:
        await pilot.press("slash", *"شبکه")
        await settled(pilot)
        assert "ﻪﮑﺒﺷ" in screen_text(pilot)


async def test_commands_answer_to_the_same_keys_of_a_persian_keyboard(opened: Open) -> None:
    async with opened("rnn-backprop-complexity") as pilot:
        await pilot.press("م")
        await settled(pilot)
        assert "ﯽﮔﺪﯿﭽﯿﭘ" in screen_text(pilot)


async def test_the_interface_speaks_persian(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened() as pilot:
        shown = screen_text(pilot)
        assert "۳۳" in shown
        assert "33 entries" not in shown
