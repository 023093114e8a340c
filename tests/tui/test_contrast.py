"""Every text that is drawn, on every screen, stands out from its ground: WCAG 2.2, 1.4.3."""

from __future__ import annotations

import dataclasses

import pytest
from rich.style import Style
from textual.color import Color
from textual.screen import Screen
from textual.strip import Strip

from tests.tui.sample import CHAIN, annotation
from tests.tui.test_colours import LEAST, all_themes, contrast
from tests.tui.test_running import outcome
from tui.phrases import VERDICTS
from tui.reading import Reading
from tui.widgets.chip import FilterBar
from tui.widgets.entry_view import EntryView

DIALOGS = {
    "question_mark": "HelpScreen",
    "ctrl+p": "Palette",
    "a": "NoteScreen",
    "n": "WritingScreen",
    "x": "ExportScreen",
}
SIGNS = {verdict.sign for verdict in VERDICTS.values()}


def in_front(screen: Screen) -> list[Strip]:
    """Return what is drawn of a screen, without what is dimmed behind a dialog."""
    strips = screen._compositor.render_strips()
    shown = [each.region.intersection(screen.region) for each in screen.children if each.display]
    return [
        strip.crop(x, x + width)
        for x, y, width, height in shown
        for strip in strips[y : y + height]
    ]


def faint(strips: list[Strip]) -> set[tuple[str, str, str, float]]:
    """Return the texts that stand out too little, each with its colours and their contrast."""
    found = set()
    for segment in (each for strip in strips for each in strip if each.style is not None):
        if any(char.isalnum() or char in SIGNS for char in segment.text):
            one, other = colours(segment.style)
            if contrast(one, other) < LEAST:
                measured = round(contrast(one, other), 2)
                found.add((segment.text.strip(), one.hex, other.hex, measured))
    return found


def colours(style: Style) -> tuple[Color, Color]:
    assert style.color is not None and style.bgcolor is not None
    return Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)


async def look_at(reader, *seen: str) -> None:
    """Hold what is drawn against the promise; what is meant must be among it."""
    await reader.settle()
    strips = in_front(reader.app.screen)
    drawn = "\n".join(strip.text for strip in strips)
    assert all(each in drawn for each in seen), drawn
    assert not faint(strips)


@pytest.fixture(params=[("dark", "en"), ("light", "en"), ("light", "fa")], ids="-".join)
async def reader(request, opened, monkeypatch):
    """Open the app in a theme and a language, in a terminal of all colours."""
    theme, language = request.param
    monkeypatch.setenv("KB_LANG", language)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    async with opened("chain", size=(150, 80)) as reader:
        reader.app.theme = f"textual-{theme}"
        await reader.settle()
        yield reader


@pytest.mark.long
async def test_the_first_screen_a_search_and_its_matches_stand_out(reader):
    await look_at(reader, "Cards", "✗")
    await reader.type("operations")
    await look_at(reader, "operations")
    await reader.press("escape", "escape", "slash", *"througput")
    await look_at(reader, "throughput")
    await reader.press("escape", "escape", "f")
    assert reader.main.query_one(FilterBar).display
    await look_at(reader)


@pytest.mark.long
async def test_notes_of_every_verdict_stand_out_also_where_one_goes_to_them(reader):
    words = ("Method 1", "takes", "1,000,000", "operations", "Method 2", "50,000", "So", "choose")
    notes = tuple(
        annotation(verdict, spoken_of, verdict, references=("Somebody, 1999",))
        for verdict, spoken_of in zip(VERDICTS, words, strict=True)
    )
    entry = dataclasses.replace(CHAIN, annotations=notes)
    reader.main.query_one(EntryView).show(Reading(entry, "en", opened=frozenset({"source"})))
    await look_at(reader, *SIGNS, "Somebody, 1999")
    for _ in notes:
        await reader.press("right_square_bracket")
        await look_at(reader, *SIGNS)


@pytest.mark.long
async def test_help_the_palette_and_forms_stand_out(reader):
    for key, screen in DIALOGS.items():
        await reader.press(key)
        assert type(reader.app.screen).__name__ == screen
        await look_at(reader)
        await reader.press("escape")


@pytest.mark.long
async def test_a_run_and_what_came_of_it_stand_out(reader, library, monkeypatch):
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome(left=500_000.0))
    await reader.press("r")
    await look_at(reader, "✓")
    monkeypatch.setattr(library, "run", lambda *_, **__: outcome("failed"))
    await reader.press("r")
    await look_at(reader)


@pytest.mark.parametrize("theme", all_themes(few=False, none=False), ids=lambda theme: theme.name)
def test_a_note_lifts_from_the_ground(theme):
    note, ground = Color.parse(theme.surface or ""), Color.parse(theme.background or "")
    assert contrast(note, ground) > 1.1
