"""The last filter before the terminal: no line of the app contains control characters.

Textual writes the characters of a strip unchanged. Widgets make text safe when they lay it out.
This filter stops anything that still comes through.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from kb.terminal import in_one_line, is_safe


class SafeLines(LineFilter):
    """Shows control characters as signs, and removes addresses from styles."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return segments that give the terminal only text and styles."""
        return list(map(_safe, segments))


def _safe(segment: Segment) -> Segment:
    text, style, control = segment
    if not control and is_safe_line(text) and not (style and style.link):
        return segment
    return Segment(in_one_line(text), style.update_link(None) if style else None)


def is_safe_line(text: str) -> bool:
    r"""Return whether a line may be written unchanged.

    >>> is_safe_line("متن"), is_safe_line("a\tb"), is_safe_line("\x1b]0;")
    (True, False, False)
    """
    return text.isprintable() or (is_safe(text) and in_one_line(text) == text)
