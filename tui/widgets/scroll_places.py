"""Where a reader is in an entry, and where to go in it.

A `Landmark` is found again when the parts of the pane are made anew. In an entry that is opened
from a search, `go_to_match` goes to the first of what matched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from textual.containers import ScrollableContainer, VerticalScroll
from textual.widget import Widget

from tui.reading import Places
from tui.widgets.scrolling import line_of
from tui.widgets.text_block import TextBlock

_ABOVE = 2
"""So many lines are seen above what matched, to read where it stands."""


class Landmark(NamedTuple):
    """A part of a pane that has a name, and in which line of what is in sight it begins."""

    name: str
    y: int


def landmark(pane: ScrollableContainer) -> Landmark | None:
    """Return the first part with a name that begins in sight, or the last one above.

    At the beginning of a pane there is none: who has not gone anywhere stays there.
    """
    if not pane.scroll_offset.y:
        return None
    named = _named(pane)
    in_sight = [each for each in named if 0 <= each.y < pane.scrollable_content_region.height]
    above = [Landmark(each.name, 0) for each in named if each.y < 0]
    return next(iter(in_sight + above[::-1]), None)


def go_to(pane: ScrollableContainer, wanted: Landmark) -> None:
    """Scroll to where a part stands in its line again; to the beginning, if there is none."""
    found = (each.y for each in _named(pane) if each.name == wanted.name)
    by = next(found, None)
    y = pane.scroll_target_y + by - wanted.y if by is not None else 0
    pane.scroll_to(y=y, animate=False, force=True, immediate=True)


def _named(pane: ScrollableContainer) -> list[Landmark]:
    parts = [part for part in pane.walk_children(Widget) if part.name and part.region]
    top = pane.scroll_offset.y
    return [Landmark(str(part.name), line_of(pane, part) - top) for part in parts]


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
