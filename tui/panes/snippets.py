"""The pane that runs programs: one at a time, and never left running."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from textual import work

from kb.errors import Untrusted
from kb.i18n import N_, _
from tui.messages import Proved, RunSnippet
from tui.panes.pane import Pane
from tui.phrases import error_sentence
from tui.session import Session, Tell, cancelled
from tui.widgets.entry_view import EntryView
from tui.widgets.run_panel import SnippetRun
from tui.widgets.snippet_view import SnippetView

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model import Outcome, Program
    from tui.screens.consent import Answer

REFUSED = N_("Not run: this code is untrusted and needs your consent.")


class Started(NamedTuple):
    """A program to run, or the reader's changed code."""

    library: Library
    entry: str
    asked: RunSnippet

    @property
    def name(self) -> str:
        """The unambiguous name of the program."""
        return f"{self.entry}::{self.asked.snippet}"

    def run(self, answer: Answer | None, **options: Any) -> Outcome:
        """Run it with the reader's consent."""
        if answer is not None:
            options["yes"] = answer.yes
            if answer.always:
                self.library.programs.allow(answer.yes)
        if self.asked.code is None:
            return self.library.run(self.name, **options)
        return self.library.run_code(
            self.asked.code, name=self.asked.snippet, based_on=self.asked.based_on, **options
        )

    def asking(self) -> list[Program]:
        """Return the programs that need consent first."""
        known, asked = self.library.programs, self.asked
        if asked.code is None:
            programs = known.of_run(self.name)
        else:
            programs = known.of_code(asked.code, name=asked.snippet, based_on=asked.based_on)
        return [each for each in programs if each.asks]


class SnippetPane(Pane):
    """Runs, stops and changes the programs of the displayed entry."""

    takes_room = False

    def __init__(self, session: Session, view: EntryView) -> None:
        super().__init__(session)
        self._view = view
        self._run: SnippetRun | None = None

    @property
    def running(self) -> bool:
        """Whether a program is running."""
        return self._run is not None and self._run.running

    def facts(self, in_sight: bool = True) -> Mapping[str, Any]:
        """Return the facts about running; ``in_sight`` tells if the entry is visible."""
        reading = self._view.reading if in_sight else None
        chosen = self._view.chosen_snippet() if reading is not None else None
        return {
            "running": self.running,
            "parameters": chosen is not None and "# parameter: " in chosen.code,
            "runnable": bool(reading and reading.programs and not reading.hidden),
            "changed": chosen is not None and chosen.id in self._view.drafts,
        }

    @work(exit_on_error=False)
    async def start(self, asked: RunSnippet) -> None:
        """Run a program, after consent if it is untrusted.

        While one runs, none is started, but it may be stopped.
        """
        if self.running:
            if asked.stops:
                self.stop_running()
            return
        programs = await self._begin(asked)
        if programs:
            from tui.screens.consent import ConsentScreen

            answer = await self.app.push_screen_wait(ConsentScreen(programs))
            if answer.yes and not self.running:
                await self._begin(asked, answer)

    async def _begin(self, asked: RunSnippet, answer: Answer | None = None) -> list[Program]:
        """Run a program to its end, or return the programs that need consent."""
        reading = self._view.reading
        if reading is None:
            return []
        run = self._run = SnippetRun(asked.snippet, change=_change(asked))
        await self._view.follow(run)
        self.screen.refresh_bindings()
        started = Started(self.session.library, reading.entry.id, asked)
        work = partial(self._work, started, run, answer)
        return await self.session.start(work, "run", exclusive=True).wait()

    def _work(
        self, started: Started, run: SnippetRun, answer: Answer | None, tell: Tell
    ) -> list[Program]:
        def arrived(_stream: str, text: str) -> None:
            if cancelled():
                run.stop.set()
            tell(self._arrived, run, text)

        end = partial(tell, self._ended, run)
        try:
            outcome = started.run(answer, on_output=arrived, stop=run.stop)
        except Untrusted as error:
            programs = started.asking()
            end(None, _(REFUSED) if programs else _(error.message))
            return programs
        except Exception as error:
            end(None, error_sentence(error))
            raise
        end(outcome)
        if started.asked.code is None:
            results = started.library.judge_run(started.name, outcome)
            if results:  # what a kept program has proved is remembered
                stored = all(each.stored for each in results)
                tell(self.post_message, Proved(started.entry, stored))
        return []

    def stop_running(self) -> None:
        """Stop a running program; its outcome still arrives."""
        if self._run is not None:
            self._run.stop.set()

    def on_unmount(self) -> None:
        """Stop running programs."""
        self.stop_running()

    def _arrived(self, run: SnippetRun, text: str) -> None:
        if run is self._run:
            run.output += text
            self._view.progress(run)

    def _ended(self, run: SnippetRun, outcome: Outcome | None, refusal: str = "") -> None:
        if run is self._run:
            run.outcome, run.refusal = outcome, refusal
            self._view.progress(run)
            self.screen.refresh_bindings()

    def action_run_snippet(self) -> None:
        """Run the focused program, the note's, the visible one, or the default one."""
        snippet = self._view.chosen_snippet()
        if snippet is not None:
            draft = self._view.drafts.get(snippet.id)
            self._view.post_message(RunSnippet(snippet.id, draft, based_on=snippet.code))

    @work(exit_on_error=False)
    async def action_run_with(self) -> None:
        """Ask for other values of the program's parameters, and run it with them."""
        from tui.screens.running import RunningScreen

        snippet = self._view.chosen_snippet()
        if snippet is None:
            return
        code = self._view.drafts.get(snippet.id) or snippet.code
        chosen = await self.app.push_screen_wait(RunningScreen(snippet, code))
        if chosen is not None:
            draft = None if chosen == snippet.code else chosen
            self._view.post_message(RunSnippet(snippet.id, draft, based_on=snippet.code))

    def action_stop_run(self) -> None:
        """Stop the running program."""
        self.stop_running()

    async def action_change_code(self) -> None:
        """Edit the code of the current program."""
        view = await self._snippet_view()
        if view is not None:
            await view.edit()
            self._view.turn_to(view)

    async def action_reset_code(self) -> None:
        """Restore the original code of the current program."""
        view = await self._snippet_view()
        if view is not None:
            await view.reset()

    async def _snippet_view(self) -> SnippetView | None:
        chosen = self._view.chosen_snippet()
        return await self._view.unfolded(chosen.id) if chosen else None


def _change(asked: RunSnippet) -> str:
    """Describe what the reader changed in a program; nothing if it runs as it is."""
    from tui.screens.running import changes

    if asked.code is None or asked.code == asked.based_on:
        return ""
    return changes(asked.based_on or "", asked.code) or _("your changes")
