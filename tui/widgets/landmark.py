"""Where a reader is in a pane, so that it can be found again when its parts are made anew."""

from __future__ import annotations

from typing import NamedTuple

from textual.containers import ScrollableContainer
from textual.widget import Widget

from tui.widgets.scrolling import line_of


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
