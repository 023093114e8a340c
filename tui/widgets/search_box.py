"""The search box, and what came of what was typed in it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from tui import history
from tui.bidi import label
from tui.commands import BY_ID, bar_key, bindings, written_key
from tui.i18n import _, ngettext
from tui.messages import TakeSuggestion
from tui.phrases import meant, notice, verified
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.records import Results, Verification


class Context(NamedTuple):
    """What is said of a list beside its length."""

    marked: int = 0
    narrowed: bool = False
    hidden: bool = False
    verified: Sequence[Verification] | None = None


class QueryInput(BidiInput):
    """The input of the search, which remembers what was searched for."""

    BINDINGS = bindings("search")

    def __init__(self) -> None:
        super().__init__(id="query", compact=True, select_on_focus=False)
        self._back = 0

    def remember(self) -> None:
        """Keep what was searched for."""
        words = self.value.strip()
        if words:
            with suppress(OSError):  # where nothing can be kept, one can search all the same
                history.remember(words)
        self._back = 0

    def action_older_search(self) -> None:
        """Bring back what was searched for before; beyond the first, the latest again."""
        past = [
            each
            for each in reversed(history.searches())
            if each != self.value.strip() or self._back
        ]
        if past:
            self.value = past[self._back % len(past)]
            self._back += 1
            self.cursor_position = len(self.value)

    def action_to_list(self) -> None:
        """Go to what was found."""
        self.screen.query_one("#list").focus()


class StatusLine(BidiText):
    """What came of a search; a click takes the spelling that it suggests."""

    def on_click(self, event: events.Click) -> None:
        """Take the suggestion."""
        event.stop()
        self.post_message(TakeSuggestion())


class SearchBox(Vertical):
    """The input and its status."""

    def compose(self) -> ComposeResult:
        """Put the two lines together."""
        yield QueryInput()
        yield StatusLine(id="status")

    def on_mount(self) -> None:
        """Show what can be typed."""
        self.translate()

    def translate(self) -> None:
        """Speak the language of the interface."""
        command = BY_ID["search"]
        self.query_one(Input).placeholder = label(
            f"{_(command.label)} ({written_key(bar_key(command, typing=False))})"
        )

    def lay_out_again(self) -> None:
        """Show what is typed, or can be, after it was settled who turns it."""
        self.translate()
        self.query_one(QueryInput).refresh()

    def remember(self) -> None:
        """Keep what was searched for, to be brought back."""
        self.query_one(QueryInput).remember()

    def tell(self, results: Results | None, context: Context) -> None:
        """Say how much was found, and what may have been meant."""
        self.query_one(StatusLine).show(status(results, context) if results else _("Looking…"))


def status(results: Results, context: Context) -> str:
    """Return the sentence on what was found."""
    parts = [_counted(results, context)]
    if context.marked:
        parts.append(ngettext("{n} marked", "{n} marked", context.marked))
    if results.suggestion:
        key = bar_key(BY_ID["suggestion"], typing=False) if results.hits else "Enter"
        parts.append(meant(results.suggestion, written_key(key)))
    if results.notice:
        parts.append(notice(results.notice))
    if context.verified is not None:
        parts.append(verified(context.verified))
    return " · ".join(parts)


def _counted(results: Results, context: Context) -> str:
    if context.hidden:
        return ngettext("{n} hidden entry", "{n} hidden entries", results.total)
    if not results.total:
        looked = results.query.strip() or context.narrowed
        return _("Nothing matches") if looked else _("There are no entries yet")
    return ngettext("{n} entry", "{n} entries", results.total)
