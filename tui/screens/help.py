"""The help: signs, commands with keys, query language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from kb.i18n import N_, _, in_all_languages
from kb.terminal.layout import text_width
from tui.bidi import StyledSpan, label
from tui.choices import matches
from tui.commands import (
    BY_ID,
    COMMANDS,
    Command,
    by_group,
    in_bar,
    shown_keys,
    with_persian,
    with_twin,
    written_key,
)
from tui.screens.commanding import Commanding, CommandingModal
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.help_lines import KeyLine, Legend
from tui.widgets.scrolling import ScrollingPane

QUERIES = (
    (N_("gradient vanishing"), N_("as many of the words as possible, best first")),
    (N_('"batch size"'), N_("these words side by side")),
    (N_("regular*"), N_("words that begin like this")),
    ("gpu -tpu", N_("the first word without the second")),
    ("rnn OR lstm", N_("either word")),
    (
        N_("level:H  tag:numpy  verdict:wrong"),
        N_("only such entries (also lang, topic, kind and id)"),
    ),
)
_HELP = ("?", "؟")


class HelpInput(BidiInput):
    """The filter of the help; while it is empty, the help key closes the help."""

    PLACES = ("pane",)

    def action_down(self) -> None:
        """Scroll the help."""
        self.screen.query_one(ScrollingPane).action_down()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Leave that key to the screen."""
        return not self._closes(character) and super().check_consume_key(key, character)

    def on_key(self, event: events.Key) -> None:
        """Do not type that key."""
        if self._closes(event.character):
            event.prevent_default()

    def _closes(self, character: str | None) -> bool:
        return not self.value and character in _HELP


class HelpLine(KeyLine):
    """A line of the help, found by its keys, or by words in any language."""

    def __init__(self, keys: Iterable[str], name: str, sentence: str, column: int) -> None:
        self.names = set(keys)
        shown = ", ".join(map(written_key, keys))
        text = f"{_(name)}: {_(sentence)}" if name else _(sentence)
        marks = [StyledSpan(0, len(_(name)), "bold")] if name else []
        super().__init__(shown, text, marks, column=column, classes="item")
        self.words = f"{shown} {in_all_languages(name)} {in_all_languages(sentence)}"


def _section(title: str, commands: Iterable[Command]) -> Iterator[BidiText]:
    column = max(text_width(", ".join(shown_keys(each))) for each in COMMANDS)
    yield BidiText(_(title), classes="caption")
    for each in sorted(commands, key=lambda each: not each.keys):
        yield HelpLine(shown_keys(each), each.label, each.description, column)


class HelpScreen(CommandingModal[None]):
    """The help for the screen ``below``, which typing filters, until a key closes it."""

    CSS_PATH = "help.tcss"
    PLACES = ("help",)

    def __init__(self, below: Commanding[object]) -> None:
        super().__init__()
        self._below = below

    def compose(self) -> ComposeResult:
        """Compose the sections, the current place's first."""
        offered = in_bar(self._below.situation, self._below.here)
        here = [one for each in offered for one in with_twin(each)]
        with ScrollingPane(id="help", can_focus=False) as pane:
            pane.border_title = Content(label(_("Help")))
            yield HelpInput(placeholder=label(_("Type a key or a word")), compact=True)
            yield Legend(classes="item")
            palette = written_key(shown_keys(BY_ID["palette"])[0])
            yield BidiText(_("Commands without a key are in {key}.", key=palette), classes="item")
            yield from _section(N_("Here"), here)
            for group, commands in by_group().items():
                yield from _section(group, [each for each in commands if each not in here])
            yield BidiText(_("How to search"), classes="caption")
            column = max(text_width(_(query)) for query, _meaning in QUERIES)
            for query, meaning in QUERIES:
                yield HelpLine([_(query)], "", meaning, column)
            yield BidiText(_("Nothing matches"), id="unmatched")

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        """Show lines with the typed key, else with the typed words, with their titles."""
        typed = event.value.strip()
        lines = list(self.query(HelpLine))
        keyed = {line for line in lines if typed in with_persian(line.names)}
        title: BidiText | None = None
        for each in self.query(BidiText):
            if isinstance(each, HelpLine):
                each.display = each in keyed if keyed else matches(each.words, typed)
                if title is not None and each.display:
                    title.display = True
            else:
                title = each if each.has_class("caption") else None
                each.display = not typed
        self.query_one("#unmatched").display = not any(line.display for line in lines)
        self.query_one(ScrollingPane).scroll_home(animate=False)
