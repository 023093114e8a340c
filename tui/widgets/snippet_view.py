"""A snippet: its title, its code in colours, and what its run wrote and measured."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from kb.present.claims import measured
from kb.present.programs import shown_code
from tui.bidi import StyledSpan
from tui.i18n import _, number, of_language
from tui.messages import CodeLeft, ColourCode, DraftChanged, RunSnippet
from tui.phrases import annotation_sign, comparison, result
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.present.claims import Claim
    from kb.records import Outcome, Snippet

_MOST_SHOWN = 40_000


@dataclass
class SnippetRun:
    """A run in progress, or ended: what it wrote so far and what came of it."""

    number: int
    snippet: str
    stop: threading.Event = field(default_factory=threading.Event)
    output: str = ""
    outcome: Outcome | None = None
    refusal: str = ""
    began: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.outcome is None and not self.refusal


class RunPanel(Vertical):
    """The output of a run, how it ended, and the figures beside what was claimed."""

    @dataclass
    class Grew(Message):
        """The panel is laid out, from so many lines to more."""

        panel: RunPanel
        before: int

    _height = 0
    _clock: Timer | None = None

    def __init__(self, run: SnippetRun, claims: Sequence[Claim]) -> None:
        super().__init__(name=f"run of {run.snippet}", classes="run")
        self.run = run
        self._claims = claims

    def compose(self) -> ComposeResult:
        """Put output, ending and figures together."""
        yield BidiText(classes="output", direction="ltr")
        yield BidiText(classes="ending")
        yield BidiText(classes="figures")

    def on_mount(self) -> None:
        """Show what there is, and how long it takes."""
        self.follow()
        if self.run.running:
            self._clock = self.set_interval(1, self.follow)

    def on_resize(self, event: events.Resize) -> None:
        """Tell how high the panel was."""
        before, self._height = self._height, event.size.height
        if self._height > before:
            self.post_message(self.Grew(self, before))

    def follow(self) -> None:
        """Show what the run has written, and its end when it has come."""
        if self._clock is not None and not self.run.running:
            self._clock.stop()
        output = self.run.output[-_MOST_SHOWN:].rstrip("\n")
        self.query_one(".output", BidiText).show(output)
        ending = self.query_one(".ending", BidiText)
        ending.show(self._ending())
        ending.set_class(self._failed(), "-failed")
        self.query_one(".figures", BidiText).show("\n".join(self._figures()))

    def _ending(self) -> str:
        if self.run.outcome:
            return result(self.run.outcome)
        if self.run.refusal:
            return self.run.refusal
        seconds = int(time.monotonic() - self.run.began)
        so_far = _("{figure} s").format(figure=number(seconds)) if seconds else ""
        return " ".join(filter(None, [_("running…"), so_far, _("(x stops it, F5 in the code)")]))

    def _failed(self) -> bool:
        outcome = self.run.outcome
        return bool(self.run.refusal) or (outcome is not None and outcome.status != "ok")

    def _figures(self) -> list[str]:
        figures = self.run.outcome.figures if self.run.outcome else {}
        return [
            f"{annotation_sign(claim.number)} {comparison(each)} ({claim.evidence.figure})"
            for each in measured(self._claims, figures)
            for claim in (each.claim,)
        ]


class SnippetView(Vertical, can_focus=True):
    """A snippet that can be run; a click on its title runs it."""

    def __init__(
        self, snippet: Snippet, lang: str, claims: Sequence[Claim], run: SnippetRun | None
    ) -> None:
        super().__init__(name=snippet.id, classes="snippet")
        self.snippet = snippet
        self._lang = lang
        self._claims = claims
        self._run = run
        self.draft: str | None = None

    @property
    def code(self) -> str:
        """The code as it is shown and run: the snippet's, or what the reader made of it."""
        return self.snippet.code if self.draft is None else self.draft

    def compose(self) -> ComposeResult:
        """Put title, code and, if there was a run, its panel together."""
        yield SnippetTitle(self._title())
        yield BidiText(shown_code(self.code), direction="ltr", classes="code")
        if self._run:
            yield RunPanel(self._run, self._claims)

    def _title(self) -> str:
        title = of_language(self.snippet.title, self._lang)[1]
        own = _("your own") if self.snippet.own else ""
        changed = _("changed") if self.draft is not None else ""
        return "▶ " + " · ".join(filter(None, [self.snippet.id, title, own, changed]))

    def on_mount(self) -> None:
        """Ask for the colours."""
        self.post_message(ColourCode(self.code))

    def colour(self, marks: Sequence[StyledSpan]) -> None:
        """Show the code in its colours, unless the view is just being put up or taken away."""
        for code in self.query(".code").results(BidiText):
            code.show(shown_code(self.code), marks)

    async def edit(self) -> None:
        """Let the reader change the code in its place."""
        from tui.widgets.code_area import CodeArea  # editing is not needed to start

        area = CodeArea(self.snippet, self.code)
        async with self.batch():
            await self.query(".code").remove()
            await self.mount(area, after=self.query_one(SnippetTitle))
        area.focus()

    async def reset(self) -> None:
        """Put the code back as it was."""
        self.draft = None
        self.post_message(DraftChanged(self.snippet.id, None))
        await self._show_code()

    @on(CodeLeft)
    async def _leave(self, message: CodeLeft) -> None:
        message.stop()
        await self._show_code()
        self.focus()

    @on(DraftChanged)
    def _changed(self, message: DraftChanged) -> None:
        self.draft = message.code
        self.query_one(SnippetTitle).show(self._title())

    async def _show_code(self) -> None:
        shown = BidiText(shown_code(self.code), direction="ltr", classes="code")
        async with self.batch():
            await self.query(".code").remove()
            await self.mount(shown, after=self.query_one(SnippetTitle))
        self.query_one(SnippetTitle).show(self._title())
        self.post_message(ColourCode(self.code))

    async def follow(self, run: SnippetRun) -> None:
        """Show a run from now on."""
        await self.query(RunPanel).remove()
        await self.mount(RunPanel(run, self._claims))


class SnippetTitle(BidiText):
    """The title of a snippet; a click runs it."""

    def __init__(self, title: str) -> None:
        super().__init__(title, classes="title")

    def on_click(self, event: events.Click) -> None:
        """Run the snippet, or what the reader made of it."""
        event.stop()
        view = self.query_ancestor(SnippetView)
        self.post_message(RunSnippet(view.snippet.id, view.draft, begun_from=view.snippet.code))
