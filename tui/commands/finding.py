"""What finds entries and narrows the list."""

from __future__ import annotations

from kb.i18n import N_
from tui.commands.command import FINDING, Command

COMMANDS: tuple[Command, ...] = (
    Command("search", ("slash",), N_("Search"), N_("Type what to look for."), FINDING,
            "search", available=lambda s: not s.typing,
            bar={"list": 30, "reading": 120, "link": 30, "chip": 60}, priority=True),
    Command("filter", ("f",), N_("Filter"),
            N_("Narrow the list: language, collection, level, verdict, tag."), FINDING,
            "filter", available=lambda s: not s.typing, bar={"list": 40}),
    Command("pick-value", ("enter",), N_("Pick"),
            N_("Pick a value of this field from a list."), FINDING,
            "pick_value", ("chip",), palette=False, bar={"chip": 10}),
    Command("next-value", ("shift+down",), N_("Next value"),
            N_("Take the next value of this field."), FINDING,
            "next_value", ("chip",), palette=False, bar={"chip": 30}, short=N_("Values"),
            twin="value-before"),
    Command("value-before", ("shift+up",), N_("Previous value"),
            N_("Take the previous value."), FINDING,
            "value_before", ("chip",), palette=False),
    Command("no-filter", ("delete", "backspace"), N_("No filter"),
            N_("Take all filters away."), FINDING,
            "no_filter", available=lambda s: s.filtered,
            bar={"chip": 40, "list": 45}),
    Command("chip-right", ("right",), N_("Filter at the right"),
            N_("Go to the filter at the right."), FINDING,
            "filter_right", ("chip",), palette=False, bar={"chip": 20}, short=N_("Fields"),
            twin="chip-left"),
    Command("chip-left", ("left",), N_("Filter at the left"),
            N_("Go to the filter at the left."), FINDING,
            "filter_left", ("chip",), palette=False),
    Command("older-search", ("up",), N_("Earlier search"),
            N_("Bring back what was searched for before."), FINDING,
            "older_search", ("search",), palette=False, bar={"search": 20}, short=N_("Earlier")),
    Command("suggestion", ("s", "ctrl+t"), N_("Did you mean"),
            N_("Search for the suggested spelling."), FINDING,
            "take_suggestion", available=lambda s: s.suggestion, bar={"list": 25}),
    Command("to-list", ("down",), N_("To the list"),
            N_("Go from the search box to what was found."), FINDING,
            "to_list", ("search",), palette=False, bar={"search": 10}, twin="found"),
    Command("found", ("enter",), N_("Found"),
            N_("Go to what was found; where that is nothing, search for the suggested spelling."),
            FINDING, "submit", ("search",), palette=False),
)  # fmt: skip
