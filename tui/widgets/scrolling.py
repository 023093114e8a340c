"""A pane that scrolls by the commands of the registry."""

from __future__ import annotations

from textual.containers import VerticalScroll

from tui.mirror import BarAtEdge


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
