"""The app's colours, dark and light: based on Textual's, and legible everywhere.

Every text colour has a contrast of at least 4.5 (WCAG 2.2, 1.4.3) on every background it is used
on, including the cursor's. For terminals with sixteen colours they are chosen among these, since
the nearest ones would be illegible; their shades are the terminal's own. There, and without
colours, selections are shown in reverse video, with the same contrast.

Widgets style their lines piece by piece, without a background: muted text has fixed colours,
since ``auto`` would become white.

The app's own variables are ``cursor-background`` and ``cursor-style`` for the focused widget,
``cursor-blurred-background`` and ``cursor-blurred-style`` for others, and those of `MEANINGS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from textual.theme import BUILTIN_THEMES, Theme

from kb.present.annotated import SIGNS
from tui.bidi import StyledSpan

MATCHED = "bold reverse"
"""The style of search matches: without colour, since every colour has another meaning."""

MEANINGS = (*(f"verdict-{verdict}" for verdict in SIGNS), "key", "link")
"""The variables of colours with a meaning.

Verdicts also differ for colour-blind readers; lost text and typos share a colour, as similar
faults. Sixteen colours are too few for all: signs distinguish those that share one.
"""


def _named(*colours: str) -> Mapping[str, str]:
    return dict(zip(MEANINGS, colours, strict=True))


DARK = _named(
    "#FE7484", "#EAA950", "#F5E560", "#72E9E8", "#9CA4B6",
    "#CAA6F7", "#9CA4B6", "#C1EAA6", "#F0A3CF", "#8DB0FF",
)  # fmt: skip
LIGHT = _named(
    "#BB2A50", "#703200", "#6C6400", "#1A6A70", "#37465C",
    "#7431A6", "#37465C", "#08391D", "#8E1462", "#0A48A8",
)  # fmt: skip
DARK_OF_SIXTEEN = _named(
    "#FF5555", "#FFFF55", "#FFFF55", "#00AAAA", "#AAAAAA",
    "#FF55FF", "#AAAAAA", "#00AA00", "#55FF55", "#55FFFF",
)  # fmt: skip
LIGHT_OF_SIXTEEN = _named(
    "#AA0000", "#AA5500", "#AA5500", "#0000AA", "#555555",
    "#AA00AA", "#555555", "#0000AA", "#AA00AA", "#0000AA",
)  # fmt: skip


def _code(*colours: str) -> Mapping[str, str]:
    kinds = ("keyword", "name", "builtin", "string", "number", "comment")
    return {f"code-{kind}": colour for kind, colour in zip(kinds, colours, strict=True)}


_DARK = _code("#8AB8F8", "#7FD1C4", "#7FD1C4", "#A9D08E", "#E3B98F", "#A8AFB8")
_LIGHT = _code("#0B3F7D", "#004A4F", "#004A4F", "#1D4D26", "#663300", "#444A52")
CODE_COLOURS: Mapping[str, Mapping[str, str]] = {"textual-dark": _DARK, "textual-light": _LIGHT}
"""The colours of code by theme name and variable."""

_CODE_STYLES = {
    "comment": "$code-comment italic",
    "keyword": "$code-keyword bold",
    "number": "$code-number",
    "string": "$code-string",
    "doc": "$code-string italic",
    "builtin": "$code-builtin",
    "name": "$code-name bold",
}
CODE_STYLES = frozenset(_CODE_STYLES.values())
"""The styles of all kinds of code tokens."""


def _grounds(*colours: str) -> Mapping[str, str]:
    return dict(zip(("background", "surface", "panel", "foreground"), colours, strict=True))


_GROUNDS: Mapping[str, Mapping[str, str]] = {
    "textual-dark": _grounds("#12161C", "#1C232D", "#232C38", "#DFE4EA"),
    "textual-light": _grounds("#FAFBFC", "#E9EEF4", "#DFE6EE", "#1B232C"),
}

_FULL: Mapping[str, Mapping[str, str]] = {
    "textual-dark": {
        **DARK,
        "text-primary": "#6CB4EE",
        "text-secondary": "#8FB8D6",
        "text-accent": "#6CB4EE",
        "text-error": "#E8A0B0",
        "text-warning": "#E8A0B0",
        "text-muted": "#A3ADB9",
        "text-disabled": "#9AA4B1",
        "border": "#4C9BE0",
        "scrollbar": "#33404F",
        "scrollbar-hover": "#455466",
        "scrollbar-active": "#4C9BE0",
        "border-blurred": "#394554",
        "block-cursor-background": "#0178D4 45%",
        "cursor-background": "#183A58",
        "cursor-blurred-background": "#1B2C3D",
    },
    "textual-light": {
        **LIGHT,
        "text-primary": "#00528F",
        "text-accent": "#00528F",
        "text-error": "#962138",
        "text-warning": "#962138",
        "text-success": "#1B552D",
        "text-secondary": "#00457A",
        "text-muted": "#4A5663",
        "text-disabled": "#515D6A",
        "border": "#0A6CBD",
        "scrollbar": "#C3CDD8",
        "scrollbar-hover": "#A9B6C4",
        "scrollbar-active": "#0A6CBD",
        "border-blurred": "#BCC7D3",
        "block-cursor-blurred-background": "#D6E6F7",
        "cursor-background": "#D6E6F7",
        "cursor-blurred-background": "#E1E9F2",
    },
}

_BACKGROUNDS = (
    *("scrollbar-background", "scrollbar-background-hover", "scrollbar-background-active"),
    "scrollbar-corner-color",
)
"""The variables that are the background of the screen."""

# The sixteen as Rich knows them: each is then sent as itself.
_BLACK, _GREY, _SILVER, _WHITE = "#000000", "#555555", "#AAAAAA", "#FFFFFF"

_RED, _BLUE, _MAGENTA = "#AA0000", "#0000AA", "#AA00AA"

_LIGHT_RED, _LIGHT_GREEN, _YELLOW, _LIGHT_CYAN = "#FF5555", "#55FF55", "#FFFF55", "#55FFFF"

_KINDS = ("primary", "secondary", "accent", "warning", "error", "success")

_SIXTEEN: Mapping[str, tuple[str, ...]] = {
    "textual-dark": (_LIGHT_CYAN, _LIGHT_CYAN, _YELLOW, _YELLOW, _LIGHT_RED, _LIGHT_GREEN),
    "textual-light": (_BLUE, _BLUE, _MAGENTA, _MAGENTA, _RED, _BLUE),
}


def plain_code(colour: str) -> dict[str, str]:
    """Return all code colours as one, for few or no colours."""
    return dict.fromkeys(_DARK, colour)


def themes(*, few: bool, none: bool) -> Iterator[Theme]:
    """Yield the themes for a terminal: with ``few`` colours, or ``none``."""
    for name in _FULL:
        theme = BUILTIN_THEMES[name]
        if few:
            yield _of_sixteen(theme, none)
        else:
            grounds = _GROUNDS[name]
            styles = {"cursor-style": "bold", "cursor-blurred-style": "none"}
            plain = _reversed(grounds["background"]) if none else styles
            code = plain_code(grounds["foreground"]) if none else CODE_COLOURS[name]
            same = dict.fromkeys(_BACKGROUNDS, grounds["background"])
            variables = {**theme.variables, **same, **_FULL[name], **code, **plain}
            yield replace(theme, **grounds, variables=variables)  # type: ignore[arg-type]


def _of_sixteen(theme: Theme, none: bool) -> Theme:
    ground, foreground = (_BLACK, _WHITE) if theme.dark else (_WHITE, _BLACK)
    near, far = (_GREY, _SILVER) if theme.dark else (_SILVER, _GREY)
    of_kind = (foreground,) * len(_KINDS) if none else _SIXTEEN[theme.name]
    kinds: dict[str, Any] = dict(zip(_KINDS, of_kind, strict=True))
    muted = foreground if none else far
    of_sixteen = DARK_OF_SIXTEEN if theme.dark else LIGHT_OF_SIXTEEN
    meanings = dict.fromkeys(MEANINGS, foreground) if none else of_sixteen
    return Theme(
        theme.name,
        dark=theme.dark,
        **kinds,
        foreground=foreground,
        background=ground,
        surface=ground,
        panel=ground,
        variables={
            **{f"text-{kind}": colour for kind, colour in kinds.items()},
            **meanings,
            **_reversed(ground),
            "border": foreground,
            "border-blurred": far if theme.dark else near,
            **plain_code(foreground),
            "text": foreground,
            **dict.fromkeys(("text-muted", "text-disabled"), muted),
            "surface-lighten-1": ground,
            "scrollbar": far,
            "scrollbar-background": ground,
            "block-cursor-foreground": ground if none else _WHITE,
            "block-cursor-background": far if none else _BLUE,
            "block-cursor-text-style": "none" if none else "bold",
            "block-cursor-blurred-background": near,
            "input-selection-background": far,
            "input-selection-foreground": ground,
        },
    )


def _reversed(ground: str) -> dict[str, str]:
    return {
        "cursor-background": ground,
        "cursor-style": "reverse",
        "cursor-blurred-background": ground,
        "cursor-blurred-style": "bold",
    }


def coloured(code: str, language: str) -> tuple[StyledSpan, ...]:
    """Return the styles of code by position; none for an unknown language."""
    from kb.present.syntax import tokens  # Pygments is loaded with the first code

    return tuple(StyledSpan(s, e, _CODE_STYLES[kind]) for s, e, kind in tokens(code, language))
