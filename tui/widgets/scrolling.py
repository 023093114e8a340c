"""A pane that scrolls by the commands of the registry, and what of it is in sight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from textual.containers import VerticalScroll
from textual.widget import Widget

from tui.commands import bindings
from tui.mirror import BarAtEdge

Part = TypeVar("Part", bound=Widget)


class ScrollingForm(BarAtEdge, VerticalScroll):
    """What holds the fields of a form, and scrolls where they need more room."""


class ScrollingPane(ScrollingForm, can_focus=True):
    """A pane for reading; its subclasses say which bindings it answers to."""

    def action_down(self) -> None:
        """Scroll a line down."""
        self.scroll_down(animate=False)

    def action_up(self) -> None:
        """Scroll a line up."""
        self.scroll_up(animate=False)

    def action_top(self) -> None:
        """Scroll to the beginning."""
        self.scroll_home(animate=False)

    def action_bottom(self) -> None:
        """Scroll to the end."""
        self.scroll_end(animate=False)


class ReadingPane(ScrollingPane):
    """A text over all else, which the keys of a reader scroll at once."""

    BINDINGS = bindings("reading")

    def __init__(self, *children: Widget) -> None:
        super().__init__(*children, id="changes")

    def on_mount(self) -> None:
        """Let keys scroll at once."""
        self.focus()


def rows_in_sight(pane: VerticalScroll, part: Widget, height: int | None = None) -> int:
    """Count the lines of a part that are in sight, of all or of the first so many."""
    top = line_of(pane, part)
    bottom = top + (part.outer_size.height if height is None else height)
    first, room = pane.scroll_target_y, pane.scrollable_content_region.height
    return max(0, int(min(bottom, first + room) - max(top, first)))


def most_in_sight(pane: VerticalScroll, parts: Iterable[Part]) -> Part | None:
    """Return the part with most lines in sight, if any is."""
    shown = [(rows_in_sight(pane, part), part) for part in parts]
    rows, part = max(shown, key=lambda pair: pair[0], default=(0, None))
    return part if rows else None


def bring(pane: VerticalScroll, part: Widget) -> None:
    """Scroll no further than it takes to see a part; the beginning of one too high for the pane."""
    top = line_of(pane, part)
    bottom = top + part.outer_size.height
    y = min(top, max(pane.scroll_target_y, bottom - pane.scrollable_content_region.height))
    pane.scroll_to(y=y, animate=False, force=True, immediate=True)


def line_of(pane: Widget, part: Widget) -> int:
    """Return where a part begins among the lines of its pane, however far that is scrolled."""
    top = part.virtual_region.y
    around = part.parent
    while isinstance(around, Widget) and around is not pane:
        top += around.virtual_region.y
        around = around.parent
    return top
