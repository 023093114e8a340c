"""Verdicts in colours that differ for all who read, measured as the eye measures."""

from __future__ import annotations

from itertools import combinations

import pytest
from textual.color import Color, Lab, rgb_to_lab

from tui.phrases import VERDICTS
from tui.themes import DARK, LIGHT

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
# Deficiency, IEEE TVCG 15(6), 2009: severity 1.0, on linear shares of red, green and blue.
EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
LEAST = 10.0
"""In CIE L*a*b* (1976), where 2.3 is just noticed: signs and bars are small."""

ONE_KIND = {"$verdict-lost-in-extraction", "$verdict-typo"}


def seen(colour: Color, eye: str) -> Color:
    """Return a colour as an eye sees it."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized
    ]
    mixed = [sum(w * c for w, c in zip(row, linear, strict=True)) for row in EYES[eye]]
    kept = [min(1.0, max(0.0, c)) for c in mixed]
    bent = [c * 12.92 if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in kept]
    return Color(*(round(255 * c) for c in bent))


def distance(one: Color, other: Color) -> float:
    first, second = rgb_to_lab(one), rgb_to_lab(other)
    return sum((a - b) ** 2 for a, b in zip(astuple(first), astuple(second), strict=True)) ** 0.5


def astuple(lab: Lab) -> tuple[float, float, float]:
    return lab.L, lab.a, lab.b


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_no_two_verdicts_look_alike_however_one_sees_colours(colours, eye):
    styles = {verdict.style for verdict in VERDICTS.values()}
    for one, other in combinations(sorted(styles), 2):
        if {one, other} == ONE_KIND:
            continue
        pair = [seen(Color.parse(colours[style[1:]]), eye) for style in (one, other)]
        assert distance(*pair) >= LEAST, (one, other, round(distance(*pair), 1))


def test_each_meaning_has_a_colour_of_its_own():
    for colours in (DARK, LIGHT):
        alike = [pair for pair in combinations(colours, 2) if colours[pair[0]] == colours[pair[1]]]
        assert alike == [("verdict-typo", "verdict-lost-in-extraction")]


def test_what_is_alike_to_who_sees_no_red_is_measured_as_alike():
    red, green = Color(200, 80, 60), Color(90, 110, 60)
    assert distance(red, green) > 5 * LEAST
    assert distance(seen(red, "protanopia"), seen(green, "protanopia")) < LEAST
