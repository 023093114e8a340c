"""A snippet: its title, its code in colours, and what its run wrote and measured."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from kb.model import Evidence, Outcome, Snippet
from tui.bidi import Mark
from tui.i18n import _, of_language
from tui.messages import ColourCode, RunSnippet
from tui.phrases import comparison, result
from tui.widgets.bidi_text import BidiText

_MOST_SHOWN = 40_000


@dataclass
class Run:
    """A run in progress, or ended: what it wrote so far and what came of it."""

    number: int
    snippet: str
    stop: threading.Event = field(default_factory=threading.Event)
    output: str = ""
    outcome: Outcome | None = None
    refusal: str = ""

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.outcome is None and not self.refusal


class RunPanel(Vertical):
    """The output of a run, how it ended, and the figures beside what was claimed."""

    def __init__(self, run: Run, evidence: Sequence[Evidence]) -> None:
        super().__init__(classes="run")
        self._run = run
        self._evidence = evidence

    def compose(self) -> ComposeResult:
        """Put output, ending and figures together."""
        yield BidiText(classes="output", direction="ltr")
        yield BidiText(classes="ending")
        yield BidiText(classes="figures")

    def on_mount(self) -> None:
        """Show what there is."""
        self.follow()

    def follow(self) -> None:
        """Show what the run has written, and its end when it has come."""
        output = self._run.output[-_MOST_SHOWN:].rstrip("\n")
        self.query_one(".output", BidiText).show(output)
        ending = self.query_one(".ending", BidiText)
        ending.show(self._ending())
        ending.set_class(self._failed(), "-failed")
        self.query_one(".figures", BidiText).show("\n".join(self._figures()))

    def _ending(self) -> str:
        if self._run.outcome:
            return result(self._run.outcome)
        return self._run.refusal or _("running… (x stops it)")

    def _failed(self) -> bool:
        outcome = self._run.outcome
        return bool(self._run.refusal) or (outcome is not None and outcome.status != "ok")

    def _figures(self) -> list[str]:
        measured = self._run.outcome.figures if self._run.outcome else {}
        return [
            f"{comparison(each, measured[each.figure])} ({each.figure})"
            for each in self._evidence
            if each.figure in measured
        ]


class SnippetView(Vertical, can_focus=True):
    """A snippet that can be run; a click on its title runs it."""

    def __init__(
        self, snippet: Snippet, lang: str, evidence: Sequence[Evidence], run: Run | None
    ) -> None:
        super().__init__(classes="snippet")
        self.snippet = snippet
        self._lang = lang
        self._evidence = evidence
        self._run = run

    def compose(self) -> ComposeResult:
        """Put title, code and, if there was a run, its panel together."""
        title = of_language(self.snippet.title, self._lang)[1]
        named = f"▶ {self.snippet.id}" + (f" · {title}" if title else "")
        yield SnippetTitle(self.snippet.id, named)
        yield BidiText(self.snippet.code.rstrip(), direction="ltr", classes="code")
        if self._run:
            yield RunPanel(self._run, self._evidence)

    def on_mount(self) -> None:
        """Ask for the colours."""
        self.post_message(ColourCode(self.snippet.code))

    def colour(self, marks: Sequence[Mark]) -> None:
        """Show the code in its colours, unless the view is just being put up or taken away."""
        for code in self.query(".code").results(BidiText):
            code.show(self.snippet.code.rstrip(), marks)

    async def follow(self, run: Run) -> None:
        """Show a run from now on."""
        await self.query(RunPanel).remove()
        await self.mount(RunPanel(run, self._evidence))


class SnippetTitle(BidiText):
    """The title of a snippet; a click runs it."""

    def __init__(self, snippet: str, title: str) -> None:
        super().__init__(title, classes="title")
        self._snippet = snippet

    def on_click(self, event: events.Click) -> None:
        """Run the snippet."""
        event.stop()
        self.post_message(RunSnippet(self._snippet))
