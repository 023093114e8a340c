"""The help: every command with its keys, the signs, the query language, the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult

from kb.display import Support
from tui import terminal
from tui.bidi import StyledSpan
from tui.commands import bindings, by_group, shown_keys, written_key
from tui.i18n import N_, _
from tui.phrases import VERDICTS
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingPane

QUERIES = (
    ("gradient vanishing", N_("as many of the words as possible, best first")),
    ('"batch size"', N_("these words side by side")),
    ("regular*", N_("words that begin so")),
    ("gpu -tpu", N_("the first word without the second")),
    ("rnn OR lstm", N_("either word")),
    ("level:H  tag:numpy  verdict:wrong", N_("only such entries; also lang, topic, kind and id")),
)


class HelpText(ScrollingPane):
    """The text of the help, scrolled by the keys of a reader."""

    BINDINGS = bindings("reading")

    def compose(self) -> ComposeResult:
        """Put the sections together."""
        for group, commands in by_group().items():
            yield BidiText(_(group), classes="caption")
            for command in commands:
                keys = ", ".join(map(written_key, shown_keys(command)))
                yield described(f"{_(command.label)} ({keys})", _(command.description))
        yield from self._legend()

    def _legend(self) -> Iterator[BidiText]:
        yield BidiText(_("What can be searched for"), classes="caption")
        for query, meaning in QUERIES:
            yield described(query, _(meaning))
        yield BidiText(_("Signs of annotations"), classes="caption")
        for verdict in VERDICTS.values():
            sign = f"{verdict.sign} {_(verdict.name)}"
            yield BidiText(sign, [StyledSpan(0, 1, f"{verdict.style} bold")], classes="item")
        yield BidiText(_("This terminal"), classes="caption")
        yield described(terminal.support().terminal, turning(terminal.support()))


class HelpScreen(CommandingModal[None]):
    """The help, until a key or a click outside closes it."""

    CSS_PATH = "help.tcss"
    PLACES = ("help",)
    BINDINGS = bindings("help")

    def compose(self) -> ComposeResult:
        """Show the text."""
        yield HelpText(id="help")

    def action_close(self) -> None:
        """Close the help."""
        self.dismiss(None)


SCREEN = HelpScreen


def turning(seen: Support) -> str:
    """Return the sentence on who puts right-to-left text in order."""
    if seen.mode == "terminal":
        return _("It puts right-to-left text in order by itself.")
    if seen.switch:
        return _("It is asked to leave right-to-left text alone; danesh puts it in order.")
    return _("danesh puts right-to-left text in order for it.")


def described(name: str, sentence: str) -> BidiText:
    """Return a line that names something and says what it is."""
    return BidiText(f"{name}: {sentence}", [StyledSpan(0, len(name), "bold")], classes="item")
