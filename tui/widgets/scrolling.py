"""A pane that scrolls by commands, and the visible part of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partialmethod
from typing import ClassVar, TypeVar

from textual.containers import VerticalScroll
from textual.widget import Widget

from tui.commands import Place, bindings
from tui.mirror import BarAtEdge

Part = TypeVar("Part", bound=Widget)


class ScrollingForm(BarAtEdge, VerticalScroll, can_focus=False):
    """A scrollable container of form fields, which take the focus."""


class ScrollingPane(ScrollingForm, can_focus=True):
    """A pane for reading."""

    PLACES: ClassVar[tuple[Place, ...]] = ("pane",)
    BINDINGS = bindings("reading")

    action_down = partialmethod(VerticalScroll.scroll_down, animate=False)
    action_up = partialmethod(VerticalScroll.scroll_up, animate=False)
    action_top = partialmethod(VerticalScroll.scroll_home, animate=False)
    action_bottom = partialmethod(VerticalScroll.scroll_end, animate=False)


def rows_in_sight(pane: VerticalScroll, part: Widget, height: int | None = None) -> int:
    """Return the number of visible lines of a widget, or of its first lines."""
    top = line_of(pane, part)
    bottom = top + (part.outer_size.height if height is None else height)
    first, room = pane.scroll_target_y, pane.scrollable_content_region.height
    return max(0, int(min(bottom, first + room) - max(top, first)))


def most_in_sight(pane: VerticalScroll, parts: Iterable[Part]) -> Part | None:
    """Return the widget with most visible lines, if any."""
    shown = [(rows_in_sight(pane, part), part) for part in parts]
    rows, part = max(shown, key=lambda pair: pair[0], default=(0, None))
    return part if rows else None


def bring(pane: VerticalScroll, part: Widget) -> None:
    """Scroll as little as possible to show a widget, or its start if it is too tall."""
    top = line_of(pane, part)
    bottom = top + part.outer_size.height
    y = min(top, max(pane.scroll_target_y, bottom - pane.scrollable_content_region.height))
    pane.scroll_to(y=y, animate=False, force=True, immediate=True)


def line_of(pane: Widget, part: Widget) -> int:
    """Return the first line of a widget in its pane, independent of scrolling."""
    top = part.virtual_region.y
    around = part.parent
    while isinstance(around, Widget) and around is not pane:
        top += around.virtual_region.y
        around = around.parent
    return top
