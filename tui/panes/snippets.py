"""Running programs, one at a time and never left running; the pane that runs those of an entry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import work
from textual.worker import WorkerError

from kb.errors import Untrusted
from kb.i18n import N_, _
from tui.messages import PartsChanged, RunSnippet
from tui.panes.pane import Pane
from tui.phrases import changes, error_sentence
from tui.session import Session, Tell, cancelled
from tui.widgets.entry_view import EntryView
from tui.widgets.snippet_view import SnippetRun, SnippetView

if TYPE_CHECKING:
    from kb.model.entry import Program
    from kb.model.reports import Outcome

REFUSED = N_("Not run: this code is untrusted and needs your consent.")


class Runner:
    """Runs one program at a time: ``begin`` shows a new run, ``progress`` its output and result."""

    def __init__(
        self,
        session: Session,
        begin: Callable[[SnippetRun], Awaitable[None]],
        progress: Callable[[SnippetRun], None],
    ) -> None:
        self._session, self._begin, self._progress = session, begin, progress
        self.run: SnippetRun | None = None

    @property
    def running(self) -> bool:
        """Whether a program is running."""
        return self.run is not None and self.run.running

    def stop(self) -> None:
        """Stop a running program; its outcome still arrives."""
        if self.run is not None:
            self.run.stop.set()

    async def ask(self, entry: str, asked: RunSnippet) -> None:
        """Run a program to its end, after consent if it is untrusted."""
        programs = await self.start(entry, asked)
        if programs:
            from tui.screens.consent import consent

            yes = await consent(self._session, programs)
            if yes and not self.running:
                await self.start(entry, asked, yes)

    async def start(
        self, entry: str, asked: RunSnippet, yes: frozenset[str] = frozenset()
    ) -> Sequence[Program]:
        """Run a program to its end, or return the programs that need consent."""
        run = self.run = SnippetRun(asked.snippet, change=_change(asked))
        await self._begin(run)
        work = partial(self._work, entry, asked, run, yes)
        try:
            return await self._session.start(work, "run", exclusive=True).wait()
        except WorkerError:  # which the screen shows
            return ()

    def _work(
        self, entry: str, asked: RunSnippet, run: SnippetRun, yes: frozenset[str], tell: Tell
    ) -> Sequence[Program]:
        library, name = self._session.library, f"{entry}::{asked.snippet}"
        execute: Callable[..., Outcome] = partial(library.run, name)
        asking = partial(library.programs.of_run, name)
        if asked.code is not None:
            told: dict[str, Any] = {"name": asked.snippet, "based_on": asked.based_on}
            execute = partial(library.run_code, asked.code, **told)
            asking = partial(library.programs.of_code, asked.code, **told)
        if yes:
            execute = partial(execute, yes=yes)

        def arrived(_stream: str, text: str) -> None:
            if cancelled():
                run.stop.set()
            run.output += text
            tell(self._told, run)

        try:
            run.outcome = execute(on_output=arrived, stop=run.stop)
        except Untrusted as error:
            programs = [each for each in asking() if each.asks]
            run.refusal = _(REFUSED) if programs else _(error.message)
            return programs
        except Exception as error:
            run.refusal = error_sentence(error)
            raise
        finally:
            tell(self._told, run)
        if asked.code is None:
            results = library.judge_run(name, run.outcome)
            if not all(each.stored for each in results):  # what a kept program has proved
                tell(self._session.say_not_stored)
            tell(self._session.screen.post_message, PartsChanged())
        return ()

    def _told(self, run: SnippetRun) -> None:
        if run is self.run:
            self._progress(run)


class SnippetPane(Pane):
    """Runs, stops and changes the programs of the displayed entry."""

    def __init__(self, session: Session, view: EntryView) -> None:
        super().__init__(session)
        self._view = view
        self._runner = Runner(session, view.follow, self._progress)

    @property
    def running(self) -> bool:
        """Whether a program is running."""
        return self._runner.running

    def facts(self, in_sight: bool = True) -> Mapping[str, Any]:
        """Return the facts about running; ``in_sight`` tells if the entry is visible."""
        reading = self._view.reading if in_sight else None
        chosen = self._view.chosen_snippet() if reading is not None else None
        return {
            "running": self.running,
            "parameters": chosen is not None and "# parameter: " in chosen.code,
            "ran": chosen is not None and self._ran(chosen.id),
            "runnable": bool(reading and reading.programs and not reading.hidden),
            "unproven": reading is not None and chosen is None,
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
        if self._view.reading is not None:
            await self._runner.ask(self._view.reading.entry.id, asked)

    def stop_running(self) -> None:
        """Stop a running program; its outcome still arrives."""
        self._runner.stop()

    action_stop_run = on_unmount = stop_running

    def _progress(self, run: SnippetRun) -> None:
        self._view.progress(run)
        if not run.running:
            self.screen.refresh_bindings()

    def action_run_snippet(self) -> None:
        """Run the focused program, the note's, the visible one, or the default one.

        What has run prints the same again, so it is run with other values if it takes any.
        """
        snippet = self._view.chosen_snippet()
        if snippet is not None and self._ran(snippet.id) and "# parameter: " in snippet.code:
            self.action_run_with()
        elif snippet is not None:
            draft = self._view.drafts.get(snippet.id)
            self._view.post_message(RunSnippet(snippet.id, draft, based_on=snippet.code))
        else:
            self.session.say(_("This annotation has no program."))

    def _ran(self, name: str) -> bool:
        """Return whether a program has run to its end as it is now."""
        run = self._view.runs.get(name)
        done = run is not None and run.outcome is not None and run.outcome.status == "ok"
        return done and name not in self._view.drafts

    @work(exit_on_error=False)
    async def action_run_with(self) -> None:
        """Ask for other values of the program's parameters, and run it with them."""
        from tui.screens.note import RunningScreen

        snippet = self._view.chosen_snippet()
        if snippet is None:
            return
        code = self._view.drafts.get(snippet.id) or snippet.code
        chosen = await self.app.push_screen_wait(RunningScreen(snippet, code))
        if chosen is not None:
            draft = None if chosen == snippet.code else chosen
            self._view.post_message(RunSnippet(snippet.id, draft, based_on=snippet.code))

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
    if asked.code is None or asked.code == asked.based_on:
        return ""
    return changes(asked.based_on or "", asked.code) or _("your changes")
