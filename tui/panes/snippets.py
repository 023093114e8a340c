"""The pane that runs snippets: one at a time, and never left running."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import on, work

from tui.messages import ConsentAsked, OutputArrived, RunEnded, RunSnippet
from tui.panes.pane import Pane
from tui.running import Answer, Running, Started
from tui.session import Session
from tui.widgets.entry_view import EntryView
from tui.widgets.run_panel import SnippetRun
from tui.widgets.snippet_view import SnippetView

if TYPE_CHECKING:
    from kb.model import Program


class SnippetPane(Pane):
    """Runs, stops and changes the snippets of the entry that a view shows."""

    takes_room = False

    def __init__(self, session: Session, view: EntryView) -> None:
        super().__init__(session)
        self._view = view
        self._run: SnippetRun | None = None
        self._runs = 0
        self._asked = RunSnippet("")

    @property
    def running(self) -> bool:
        """Whether a snippet runs at the moment."""
        return self._run is not None and self._run.running

    def facts(self, in_sight: bool = True) -> Mapping[str, Any]:
        """Return what can be run, as far as the entry is ``in_sight``."""
        reading = self._view.reading if in_sight else None
        chosen = self._view.chosen_snippet() if reading is not None else None
        return {
            "running": self.running,
            "runnable": bool(reading and reading.entry.snippets and not reading.hidden),
            "changed": chosen is not None and chosen.id in self._view.drafts,
        }

    async def start(self, message: RunSnippet) -> None:
        """Run a snippet; while one runs nothing is begun, but it may be stopped."""
        if self.running:
            if message.stops:
                self.stop_running()
            return
        await self._begin(message, Answer())

    async def _begin(self, message: RunSnippet, answer: Answer) -> None:
        reading = self._view.reading
        if reading is None:
            return
        self._runs += 1
        self._run, self._asked = SnippetRun(self._runs, message.snippet), message
        await self._view.follow(self._run)
        started = Started(reading.entry.id, message.snippet, message.code, message.begun_from)
        Running(self.session).run(self, started, answer, self._run.number, self._run.stop)
        self.screen.refresh_bindings()

    @on(ConsentAsked)
    def _consent_asked(self, message: ConsentAsked) -> None:
        if self._run is not None and message.number == self._run.number:
            self._ask(message.programs, self._asked)

    @work(exit_on_error=False)
    async def _ask(self, programs: Sequence[Program], asked: RunSnippet) -> None:
        """Show the code that is to run, and run it after a yes."""
        from tui.screens.consent import ConsentScreen

        answer = await self.app.push_screen_wait(ConsentScreen(programs))
        if answer.yes and not self.running:
            await self._begin(asked, answer)

    def stop_running(self) -> None:
        """Tell a running snippet to end; its outcome still arrives."""
        if self._run is not None:
            self._run.stop.set()

    def on_unmount(self) -> None:
        """Leave nothing running behind."""
        self.stop_running()

    @on(OutputArrived)
    def _arrived(self, message: OutputArrived) -> None:
        if self._run is not None and message.number == self._run.number:
            self._run.output += message.text
            self._view.progress(self._run)

    @on(RunEnded)
    def _ended(self, message: RunEnded) -> None:
        if self._run is not None and message.number == self._run.number:
            self._run.outcome, self._run.refusal = message.outcome, message.refusal
            self._view.progress(self._run)
            self.screen.refresh_bindings()

    def action_run_snippet(self) -> None:
        """Run the snippet in focus, of the note, in sight, or the main one of the entry."""
        snippet = self._view.chosen_snippet()
        if snippet is not None:
            draft = self._view.drafts.get(snippet.id)
            self._view.post_message(RunSnippet(snippet.id, draft, begun_from=snippet.code))

    def action_stop_run(self) -> None:
        """Stop the snippet that is running."""
        self.stop_running()

    async def action_change_code(self) -> None:
        """Let the reader change the code of the snippet that would be run."""
        view = await self._snippet_view()
        if view is not None:
            await view.edit()

    async def action_reset_code(self) -> None:
        """Put the code of the snippet that would be run back as it was."""
        view = await self._snippet_view()
        if view is not None:
            await view.reset()

    async def _snippet_view(self) -> SnippetView | None:
        chosen = self._view.chosen_snippet()
        return await self._view.unfolded(chosen.id) if chosen else None
