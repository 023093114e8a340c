"""The part of the main screen that runs snippets: one at a time, and never left running."""

from __future__ import annotations

from textual import on

from tui.messages import OutputArrived, RunEnded, RunSnippet
from tui.widgets.entry_view import EntryView
from tui.widgets.snippet_view import Run
from tui.workers import WorkingScreen


class RunningScreen(WorkingScreen):
    """A screen with an `EntryView` whose snippets can be run and stopped."""

    _run: Run | None = None
    _runs = 0

    @property
    def running(self) -> bool:
        """Whether a snippet runs at the moment."""
        return self._run is not None and self._run.running

    def action_run_snippet(self) -> None:
        """Run the snippet in focus, or the main one of the entry."""
        view = self.query_one(EntryView)
        snippet = view.chosen_snippet()
        if snippet is not None:
            self.post_message(RunSnippet(snippet.id, view.drafts.get(snippet.id)))

    def action_stop_run(self) -> None:
        """Stop the snippet that is running."""
        self.stop_running()

    def stop_running(self) -> None:
        """Tell a running snippet to end; its outcome still arrives."""
        if self._run is not None:
            self._run.stop.set()

    def on_unmount(self) -> None:
        """Leave nothing running behind."""
        self.stop_running()

    @on(RunSnippet)
    async def _start(self, message: RunSnippet) -> None:
        if self.running:
            if message.stops:
                self.stop_running()
            return
        self._runs += 1
        self._run = Run(self._runs, message.snippet)
        await self.query_one(EntryView).follow(self._run)
        self.run_code(message.snippet, message.code, self._run.number, self._run.stop)
        self.refresh_bindings()

    @on(OutputArrived)
    def _arrived(self, message: OutputArrived) -> None:
        if self._run is not None and message.number == self._run.number:
            self._run.output += message.text
            self.query_one(EntryView).progress(self._run)

    @on(RunEnded)
    def _ended(self, message: RunEnded) -> None:
        if self._run is not None and message.number == self._run.number:
            self._run.outcome, self._run.refusal = message.outcome, message.refusal
            self.query_one(EntryView).progress(self._run)
            self.refresh_bindings()
