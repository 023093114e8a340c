"""Safe terminal text for both front ends.

``safe``       makes control characters and direction marks visible
``bidi``       a line in visual order (UAX #9), shaped, with the position of every character
``tex``        readable formulas in a text, with the position of every character
``numerals``   digits as a language writes them, and figures for display
``layout``     a text in lines of cells
``terminal``   how this terminal handles right-to-left text
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.terminal.bidi.direction import (
        ISOLATE,
        ISOLATE_END,
        Direction,
        base_direction,
        base_of,
        direction_of,
        formula_runs,
        has_rtl,
        turn,
    )
    from kb.terminal.layout import (
        Line,
        first_lines,
        isolate,
        lay_out,
        lines_of,
        pieces_of,
        readable,
        text_width,
        unisolated,
    )
    from kb.terminal.numerals import in_digits, in_numerals
    from kb.terminal.terminal import Support, in_one_line, safe
    from kb.terminal.tex.formulas import Formula, Shown, formulas_of, isolated, whole

__all__ = [
    "ISOLATE", "ISOLATE_END", "Direction", "Formula", "Line", "Shown", "Support", "base_direction",
    "base_of", "direction_of", "first_lines", "formula_runs", "formulas_of",
    "has_rtl", "in_digits", "in_numerals", "in_one_line", "isolate", "isolated", "lay_out",
    "lines_of", "pieces_of", "readable", "safe", "text_width", "turn", "unisolated",
    "whole",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what is asked for: to make a text safe needs neither layout nor formulas."""
    for module in ("terminal", "bidi.direction", "numerals", "tex.formulas", "layout"):
        known = vars(import_module(f"kb.terminal.{module}")) if name in __all__ else {}
        if name in known:
            return globals().setdefault(name, known[name])
    raise AttributeError(f"module 'kb.terminal' has no attribute {name!r}")
