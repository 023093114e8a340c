"""Colours: legible in both themes, with sixteen of them and with none."""

from __future__ import annotations

from itertools import product

import pytest
from rich._palettes import STANDARD_PALETTE
from rich.color import ColorSystem
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from kb.library import Library
from tui.app import DaneshApp
from tui.themes import MEANINGS, plain_code, themes
from tui.widgets.chip import Chip

TEXTS = ("foreground", "text", "text-muted", "text-disabled", "text-primary", "text-secondary",
         "text-accent", "text-warning", "text-error", "text-success", *MEANINGS)  # fmt: skip
GROUNDS = ("background", "surface", "panel", "surface-lighten-1")
CURSORS = ("cursor-background", "cursor-blurred-background")
LEAST = 4.5


def luminance(colour: Color) -> float:
    """Relative luminance (WCAG 2.2)."""
    shares = [c / 255 for c in colour.rgb]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted(map(luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def variables(theme: Theme) -> dict[str, str]:
    return {**theme.to_color_system().generate(), **theme.variables}


def colour(value: str, ground: Color) -> Color:
    """Return a colour as it is seen on a ground."""
    name, _, alpha = value.partition(" ")
    share = float(alpha.rstrip("%")) / 100 if alpha else 1.0
    if name == "auto":
        return ground.blend(ground.get_contrast_text(share), share, alpha=1)
    parsed = Color.parse(name)
    return ground.blend(parsed, parsed.a * share, alpha=1)


def all_themes(**wanted: bool) -> list[Theme]:
    return list(themes(**wanted))


@pytest.mark.parametrize("theme", all_themes(few=False, none=False), ids=lambda t: t.name)
def test_every_text_is_legible_on_every_ground_and_under_the_cursor(theme: Theme) -> None:
    known = variables(theme)
    grounds = {name: colour(known[name], Color(0, 0, 0)) for name in GROUNDS}
    for name, below in product(CURSORS, GROUNDS[:1]):
        grounds[f"{name} on {below}"] = colour(known[name], grounds[below])
    for (name, ground), text in product(grounds.items(), TEXTS):
        found = contrast(colour(known[text], ground), ground)
        assert found >= LEAST or text == "text-disabled", (text, name, round(found, 2))
        assert found >= 3, (text, name, round(found, 2))
    seen_through = ("surface", "panel", "background")
    for text, ground in product(plain_code(""), [grounds[name] for name in seen_through]):
        tints = [ground, ground.blend(colour(known["foreground"], ground), 0.06, alpha=1)]
        assert min(contrast(colour(known[text], each), each) for each in tints) >= LEAST, text
    for kind in ("block-cursor", "block-cursor-blurred"):
        ground = colour(known[f"{kind}-background"], grounds["surface"])
        assert contrast(colour(known[f"{kind}-foreground"], ground), ground) >= LEAST


@pytest.mark.parametrize("none", [False, True])
@pytest.mark.parametrize("place", [0, 1], ids=["dark", "light"])
def test_of_sixteen_colours_each_is_sent_as_itself_and_is_legible(place: int, none: bool) -> None:
    known = variables(all_themes(few=True, none=none)[place])
    ground = colour(known["background"], Color(0, 0, 0))
    for text in (*TEXTS, *plain_code("")):
        asked = colour(known[text], ground)
        sent = asked.rich_color.downgrade(ColorSystem.STANDARD)
        assert asked.rgb == STANDARD_PALETTE[sent.number or 0], text
        assert contrast(asked, ground) >= LEAST, text
        if none:
            grey = asked.monochrome
            assert contrast(grey, ground.monochrome) >= LEAST, text


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    for name in ("NO_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in request.param.items():
        monkeypatch.setenv(name, value)


POOR = [{"NO_COLOR": "1"}, {"TERM": "xterm-16color"}, {"TERM": "xterm", "NO_COLOR": "1"}]


@pytest.mark.long
@pytest.mark.parametrize("told", POOR, indirect=True, ids=str)
@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
async def test_the_row_under_the_cursor_differs_without_colours(opened, told, theme):
    async with opened(size=(80, 24)) as reader:
        reader.app.theme = theme
        await reader.settle()
        listing = reader.main.query_one("#list")

        def looks(y: int) -> tuple[bool, bool]:
            style = listing.render_line(y)._segments[-1].style
            return bool(style.reverse), bool(style.bold)

        assert (looks(1), looks(3)) == ((True, False), (False, False))
        await reader.press("slash")
        assert (looks(1), looks(3)) == ((False, True), (False, False))


@pytest.mark.parametrize("told", POOR, indirect=True, ids=str)
async def test_the_filter_in_focus_differs_without_colours(opened, told):
    async with opened(size=(120, 40)) as reader:
        await reader.press("f")
        focused, *others = [chip for chip in reader.main.query(Chip) if chip.display]
        assert focused.visual_style.reverse
        assert not any(chip.visual_style.reverse for chip in others)


@pytest.mark.parametrize("told", [{"NO_COLOR": ""}], indirect=True)
async def test_an_empty_wish_for_no_colours_is_none(opened, told):
    async with opened() as reader:
        assert not reader.app.no_color
        strips = reader.app.screen._compositor.render_strips()
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        shown = [style.color.triplet for style in styles if style.color]
        assert any(len(set(triplet)) > 1 for triplet in shown)


@pytest.mark.parametrize(
    ("environ", "few"),
    [
        ({"TERM": "xterm", "COLORTERM": ""}, True),
        ({"TERM": "xterm-16color", "COLORTERM": ""}, True),
        ({"TERM": "xterm-256color", "COLORTERM": ""}, False),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, False),
    ],
)
def test_a_terminal_of_sixteen_colours_gets_colours_among_these(library, monkeypatch, environ, few):
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    app = DaneshApp(library)
    assert (app.current_theme.panel == "#000000") is few


def test_a_theme_for_all_programs_of_textual_is_not_that_of_this_one(monkeypatch) -> None:
    monkeypatch.setattr(vars(App)["theme"], "_default", "nord")
    assert DaneshApp(lambda progress: Library.__new__(Library)).theme == "textual-dark"
