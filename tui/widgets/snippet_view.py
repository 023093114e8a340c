"""A program: title, folded code, and the panel of its run."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical

from kb.i18n import _, ahead, ngettext, of_language
from kb.model import Snippet
from kb.present.claims import Claim
from kb.present.programs import parameters_of
from tui.bidi import edge_of
from tui.commands import bindings
from tui.commands.command import Steps
from tui.messages import CodeLeft, DraftChanged, RunSnippet
from tui.phrases import value_of
from tui.widgets.bidi_text import BidiText
from tui.widgets.links import Fold, Link
from tui.widgets.program_code import ProgramCode, SidewaysScroll
from tui.widgets.run_panel import RunPanel, SnippetRun

_COLUMNS_AT_ONCE = 8


class SnippetView(Steps, Vertical, can_focus=True):
    """A runnable program; a click on its title runs it."""

    BINDINGS = bindings("snippet")

    def __init__(
        self, snippet: Snippet, lang: str, claims: Sequence[Claim], run: SnippetRun | None
    ) -> None:
        super().__init__(name=snippet.id, classes="snippet")
        self.snippet = snippet
        self._lang = lang
        self._claims = claims
        self._run = run
        self.draft: str | None = None
        self.fold = f"code of {snippet.id}"
        self.unfolded = False

    @property
    def code(self) -> str:
        """The displayed code: the program's, or the reader's changed one."""
        return self.snippet.code if self.draft is None else self.draft

    def compose(self) -> ComposeResult:
        """Compose title, code and, after a run, its panel."""
        yield SnippetTitle(self._title())
        if values := ", ".join(map(value_of, parameters_of(self.snippet.code))):
            yield ValuesLine(values)
        yield Fold(self.fold, self._counted(), shown=self._shows_code)
        if self._shows_code:
            yield ProgramCode(self.code)
        if self._run:
            yield RunPanel(self._run, self._claims)

    @property
    def _shows_code(self) -> bool:
        """Whether the code is unfolded: changed code always is."""
        return self.unfolded or self.draft is not None

    def _counted(self) -> str:
        return ngettext("code · {n} line", "code · {n} lines", len(self.code.splitlines()))

    def _title(self) -> str:
        title = of_language(self.snippet.title, self._lang)[1]
        own = _("your own") if self.snippet.own else ""
        changed = _("changed") if self.draft is not None else ""
        said = " · ".join(filter(None, [self.snippet.id, title, own, changed]))
        return f"{ahead('▶')} {said}"

    async def edit(self) -> None:
        """Edit the code in place."""
        from tui.widgets.code_area import CodeArea  # editing is not needed to start

        area = CodeArea(self.snippet, self.code)
        async with self.batch():
            await self.query(".code").remove()
            await self.mount(area, after=self.query_one(Fold))
        area.focus()

    async def reset(self) -> None:
        """Restore the original code."""
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
        async with self.batch():
            await self.query(".code").remove()
            fold = self.query_one(Fold)
            fold.tell(self._counted(), self._shows_code)
            if self._shows_code:
                await self.mount(ProgramCode(self.code), after=fold)
        self.query_one(SnippetTitle).show(self._title())

    async def follow(self, run: SnippetRun) -> RunPanel:
        """Show a new run, and return its panel."""
        for panel in self.query(RunPanel):
            panel.take(run)
            return panel
        await self.mount(panel := RunPanel(run, self._claims))
        return panel

    def step_right(self, step: int) -> None:
        """Scroll the code and the output right or left."""
        for lines in self.query(SidewaysScroll):
            lines.scroll_relative(x=step * _COLUMNS_AT_ONCE, animate=False)


class ValuesLine(Link):
    """The parameters of a program, and the way to run it with others."""

    def __init__(self, values: str) -> None:
        super().__init__(_("{values}: run with other values", values=values), classes="fold")

    def action_open(self) -> None:
        """Ask for the values."""
        self.call_later(self.screen.run_action, "do('run_with')")


class SnippetTitle(BidiText):
    """The title of a program; a click runs it."""

    def __init__(self, title: str) -> None:
        super().__init__(title, classes="title", direction=edge_of())

    def on_click(self, event: events.Click) -> None:
        """Run the program, or the reader's changed code."""
        event.stop()
        view = self.query_ancestor(SnippetView)
        self.post_message(RunSnippet(view.snippet.id, view.draft, based_on=view.snippet.code))
