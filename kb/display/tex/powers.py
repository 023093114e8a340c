"""Powers as they are written without TeX: ``ℝ^(100×5)`` for ℝ¹⁰⁰ˣ⁵, in prose of any language."""

from __future__ import annotations

from kb.display.tex.glyphs import Glyph, is_pair
from kb.display.tex.symbols import SUPERSCRIPTS

POWER = (
    r"(?<=[\w)\]])(?P<power>\^"
    r"(?:\([^()\n]{1,60}\)|[+\-−]?\d{1,12}(?![\w.,]?\w)|[A-Za-z](?![\w(^{])))"
)
"""A pattern: brackets, a number or a letter, right behind what is raised to it."""


def raised(power: str, place: int) -> list[Glyph]:
    """Return a power raised, if all of it has raised forms; ``place`` is where it begins.

    >>> "".join(glyph.char for glyph in raised("^(100×5)", 0)), raised("^(xⱼ−m)", 0)
    ('¹⁰⁰ˣ⁵', [])
    """
    inner = [Glyph(char, place + at) for at, char in enumerate(power) if at]
    if is_pair(power[1:]):
        inner = inner[1:-1]
    if not all(glyph.char in SUPERSCRIPTS for glyph in inner):
        return []
    return [Glyph(SUPERSCRIPTS[glyph.char], glyph.place) for glyph in inner]
