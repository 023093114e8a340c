"""The colours of code, one set for reading and changing it, legible on every ground."""

from __future__ import annotations

from collections.abc import Mapping

_DARK = {
    "code-keyword": "#8AB8F8",
    "code-name": "#7FD1C4",
    "code-builtin": "#7FD1C4",
    "code-string": "#A9D08E",
    "code-number": "#E3B98F",
    "code-comment": "#A8AFB8",
}
_LIGHT = {
    "code-keyword": "#0B3F7D",
    "code-name": "#004A4F",
    "code-builtin": "#004A4F",
    "code-string": "#1D4D26",
    "code-number": "#663300",
    "code-comment": "#444A52",
}
CODE_COLOURS: Mapping[str, Mapping[str, str]] = {"textual-dark": _DARK, "textual-light": _LIGHT}
"""By the name of a theme and the variable."""


def plain_code(colour: str) -> dict[str, str]:
    """Return all of them as one colour, for who has few or wants none."""
    return dict.fromkeys(_DARK, colour)
