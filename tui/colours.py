"""The colours that mean something, each one thing, dark and light.

Verdicts differ from each other for readers who see no red, no green or no blue, too; what was
lost and what was mistyped are one kind of fault and share a colour. Of sixteen colours there
are too few for all: signs tell apart what shares one there.

What a search matched has a style in place of a colour.
"""

from __future__ import annotations

from collections.abc import Mapping

MATCHED = "bold reverse"
"""The style of what a search matched: no colour, since every colour means something else."""

MEANINGS = (
    "verdict-wrong",
    "verdict-misleading",
    "verdict-incomplete",
    "verdict-outdated",
    "verdict-translation",
    "verdict-lost",
    "verdict-typo",
    "verdict-remark",
    "key",
    "link",
)
"""The names of the variables."""


def _named(*colours: str) -> Mapping[str, str]:
    return dict(zip(MEANINGS, colours, strict=True))


DARK = _named(
    "#FE7484", "#EAA950", "#F5E560", "#72E9E8", "#CAA6F7",
    "#9CA4B6", "#9CA4B6", "#C1EAA6", "#F0A3CF", "#8DB0FF",
)  # fmt: skip
LIGHT = _named(
    "#BB2A50", "#703200", "#6C6400", "#1A6A70", "#7431A6",
    "#37465C", "#37465C", "#08391D", "#8E1462", "#0A48A8",
)  # fmt: skip
DARK_OF_SIXTEEN = _named(
    "#FF5555", "#FFFF55", "#FFFF55", "#00AAAA", "#FF55FF",
    "#AAAAAA", "#AAAAAA", "#00AA00", "#55FF55", "#55FFFF",
)  # fmt: skip
LIGHT_OF_SIXTEEN = _named(
    "#AA0000", "#AA5500", "#AA5500", "#0000AA", "#AA00AA",
    "#555555", "#555555", "#0000AA", "#AA00AA", "#0000AA",
)  # fmt: skip


def all_alike(colour: str) -> Mapping[str, str]:
    """Return every meaning in one colour, where no colours are wanted or known."""
    return dict.fromkeys(MEANINGS, colour)
