"""Text made fit to be shown in a terminal, for both front ends.

``safe``       control characters and direction tricks made visible
``bidi``       the Unicode Bidirectional Algorithm (UAX #9), with ``classes``, ``runs``,
               ``brackets`` and ``mirroring``
``shaping``    Arabic letters in their joined forms
``direction``  a line turned, with the place of every character
``formulas``   those in TeX within a text, readable, with the place of every character:
               found by ``delimiters`` outside of ``code``, read by ``tex`` and ``commands``
               with ``structures`` and ``symbols`` into ``glyphs``
``layout``     a text in lines of cells
``terminal``   what this terminal does to direction by itself
"""

from kb.display.bidi.direction import Direction, base_direction, direction_of, has_rtl, is_rtl, turn
from kb.display.code import paragraphs
from kb.display.layout import Line, first_lines, lay_out, readable, text_width
from kb.display.safe import safe
from kb.display.terminal import Support, direction_support
from kb.display.tex.formulas import whole

__all__ = [
    "Direction",
    "Line",
    "Support",
    "base_direction",
    "direction_of",
    "direction_support",
    "first_lines",
    "has_rtl",
    "is_rtl",
    "lay_out",
    "paragraphs",
    "readable",
    "safe",
    "text_width",
    "turn",
    "whole",
]
