"""An area in which a snippet's code is changed in its place."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.widgets import TextArea

from kb.records import Snippet
from tui.commands import Place, bindings
from tui.messages import CodeLeft, DraftChanged, KeepCode, RunSnippet
from tui.widgets.text_area import SafeArea


class CodeArea(SafeArea):
    """Python code with its colours; it tells what the reader made of it."""

    PLACES: ClassVar[tuple[Place, ...]] = ("code",)
    BINDINGS = bindings("code")

    def __init__(self, snippet: Snippet, code: str) -> None:
        super().__init__(
            code,
            language="python",
            tab_behavior="indent",
            soft_wrap=False,
            show_line_numbers=True,
            compact=True,
            classes="code",
        )
        self._snippet = snippet

    def on_mount(self) -> None:
        """Take colours that suit the theme of the app."""
        self.theme = "vscode_dark" if self.app.current_theme.dark else "github_light"

    @property
    def draft(self) -> str | None:
        """The code where it differs from the snippet's."""
        return None if self.text.rstrip() == self._snippet.code.rstrip() else self.text

    @on(TextArea.Changed)
    def _tell(self) -> None:
        self.post_message(DraftChanged(self._snippet.id, self.draft))

    def action_run_code(self) -> None:
        """Run the code as it is, once all that was typed is in it; stop what runs."""
        self.call_later(self._run)

    def _run(self) -> None:
        before = self._snippet.code
        self.post_message(RunSnippet(self._snippet.id, self.draft, stops=True, begun_from=before))

    def action_keep_code(self) -> None:
        """Keep the code as a program of one's own, with all that was typed."""
        self.call_later(self._keep)

    def _keep(self) -> None:
        self.post_message(KeepCode(self._snippet, self.text))

    def action_leave_code(self) -> None:
        """Leave the code; the changes stay."""
        self.post_message(CodeLeft())
