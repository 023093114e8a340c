"""Where in an entry that is opened from a search the first of what matched stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from textual.containers import VerticalScroll

from tui.reading import Places
from tui.widgets.scrolling import line_of
from tui.widgets.text_block import TextBlock

_ABOVE = 2
"""So many lines are seen above what matched, to read where it stands."""


class FirstMatch(NamedTuple):
    """The first of what a search matched, by role and language: a place to begin to read at."""

    matched: Mapping[tuple[str, str], Places]


def go_to_match(pane: VerticalScroll, wanted: FirstMatch) -> None:
    """Bring the first match into sight, unless one is there already."""
    lines = list(_lines(pane, wanted))
    top, room = int(pane.scroll_target_y), pane.scrollable_content_region.height
    if lines and not any(top <= line < top + room for line in lines):
        pane.scroll_to(y=max(0, lines[0] - _ABOVE), animate=False, force=True, immediate=True)


def _lines(pane: VerticalScroll, wanted: FirstMatch) -> Iterator[int]:
    """Yield in which line of the pane each passage has its first match."""
    for block in pane.query(TextBlock):
        shown = block.lines_showing(wanted.matched.get((block.role, block.lang), ()))
        if shown is not None:
            yield line_of(pane, block) + block.gutter.top + shown.start
