"""What finds entries and narrows the list."""

from __future__ import annotations

from tui.commands.command import FINDING, Command
from tui.i18n import N_

COMMANDS: tuple[Command, ...] = (
    Command("search", ("slash",), N_("Search"), N_("Type what to look for."), FINDING,
            "search", available=lambda s: not s.typing, bar=30, priority=True),
    Command("filter", ("f",), N_("Filter"),
            N_("Narrow the list: language, collection, level, verdict, tag."), FINDING,
            "filter", available=lambda s: not s.typing, bar=40),
    Command("pick-value", ("enter",), N_("Pick"),
            N_("Pick a value of this field from a list."), FINDING,
            "pick_value", ("chip",), palette=False),
    Command("next-value", ("shift+down",), N_("Next value"),
            N_("Take the next value of this field."), FINDING,
            "next_value", ("chip",), palette=False),
    Command("value-before", ("shift+up",), N_("Value before"),
            N_("Take the value before."), FINDING,
            "value_before", ("chip",), palette=False),
    Command("no-filter", ("delete", "backspace"), N_("No filter"),
            N_("Take all filters away."), FINDING,
            "no_filter", available=lambda s: s.filtered),
    Command("chip-right", ("right",), N_("Filter at the right"),
            N_("Go to the filter at the right."), FINDING,
            "filter_right", ("chip",), palette=False),
    Command("chip-left", ("left",), N_("Filter at the left"),
            N_("Go to the filter at the left."), FINDING,
            "filter_left", ("chip",), palette=False),
    Command("older-search", ("up",), N_("Earlier search"),
            N_("Bring back what was searched for before."), FINDING,
            "older_search", ("search",), palette=False),
    Command("suggestion", ("s",), N_("Did you mean"), N_("Search for the suggested spelling."),
            FINDING, "take_suggestion", available=lambda s: s.suggestion, bar=50),
    Command("to-list", ("down",), N_("To the list"),
            N_("Go from the search box to what was found."), FINDING,
            "to_list", ("search",), palette=False),
)  # fmt: skip
