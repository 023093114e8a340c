"""The runs of an entry's programs, the last of them kept in sight while one stays with it."""

from __future__ import annotations

from textual.containers import VerticalScroll

from tui.widgets.run_panel import RunPanel, SnippetRun
from tui.widgets.scrolling import bring, rows_in_sight
from tui.widgets.snippet_view import SnippetView


class RunFollower:
    """Shows runs below their programs in a pane, and brings a new one into sight.

    What is in sight stays there as it grows and ends; who reads elsewhere is left alone.
    """

    def __init__(self, pane: VerticalScroll) -> None:
        self._pane = pane
        self._followed: RunPanel | None = None
        self._brought_to = 0.0

    @property
    def follows(self) -> bool:
        """Whether a run is in sight, and the reader has not gone elsewhere since."""
        return self._followed is not None and self._pane.scroll_target_y == self._brought_to

    def again(self) -> None:
        """Follow the same run in the panel that shows it now."""
        panels = self._pane.query(RunPanel)
        run = self._followed.run if self._followed is not None else None
        self._follow(next((panel for panel in panels if panel.run is run), None))

    async def begin(self, run: SnippetRun, view: SnippetView) -> None:
        """Show a new run below its program."""
        self._follow(await view.follow(run))
        self._bring()  # what ends at once is in sight already then

    def progress(self, run: SnippetRun) -> None:
        """Show what a run wrote, or how it ended."""
        for panel in self._pane.query(RunPanel):
            if panel.run is run:
                seen = not panel.size.height or rows_in_sight(self._pane, panel)
                panel.follow()
                self._follow(panel if seen else None)

    def _follow(self, panel: RunPanel | None) -> None:
        self._followed = panel
        self._pane.call_after_refresh(self._bring)

    def grew(self, panel: RunPanel, before: int) -> None:
        """Keep up with a panel that has become higher than ``before``, while it is in sight."""
        if panel is self._followed and (not before or rows_in_sight(self._pane, panel, before)):
            self._bring()

    def shifted(self) -> None:
        """Keep up with what is laid out anew around the panel, unless the reader went elsewhere."""
        if self.follows:
            self._pane.call_after_refresh(self._bring)

    def _bring(self) -> None:
        if self._followed is not None and self._followed.is_attached and self._followed.size:
            bring(self._pane, self._followed)
            self._brought_to = self._pane.scroll_target_y
