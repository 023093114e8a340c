"""What moves about: in lists, entries, panes."""

from __future__ import annotations

from kb.i18n import N_
from tui.commands.command import BACK, MOVING, Command, Place

_INNER: tuple[Place, ...] = ("list", "reading")

COMMANDS: tuple[Command, ...] = (
    Command("next", ("n",), N_("Next"), N_("Open the next entry of the list."), MOVING,
            "next_entry", available=lambda s: s.listed and s.entry,
            bar={"reading": 110}, short=N_("Entries"), twin="previous"),
    Command("previous", ("p",), N_("Previous"), N_("Open the previous entry of the list."), MOVING,
            "previous_entry", available=lambda s: s.listed and s.entry),
    Command("earlier", ("alt+left", "less_than_sign"), N_("Earlier entry"),
            N_("Go back to the entry that was read before."), MOVING,
            "earlier", available=lambda s: s.earlier),
    Command("later", ("alt+right", "greater_than_sign"), N_("Later entry"),
            N_("Go forward again to the entry that was left."), MOVING,
            "later", available=lambda s: s.later),
    Command("back", ("escape",), N_("Back"),
            N_("Stop a run, leave the entry or the search box, or clear the search."), MOVING,
            "back", available=lambda s: not s.editing,
            bar=dict.fromkeys(("list", "reading", "link", "search", "chip"), BACK)),
    Command("panes", ("tab",), N_("Next pane"),
            N_("Go to the next part of the screen: search box, list, entry, programs."), MOVING,
            "app.focus_next", palette=False),
    Command("panes-back", ("shift+tab",), N_("Previous pane"),
            N_("Go to the part of the screen before this one."), MOVING,
            "app.focus_previous", palette=False),
    Command("open", ("enter",), N_("Open"), N_("Open what is under the cursor."), MOVING,
            "open", ("list", "link"), palette=False, bar={"list": 20, "link": 10},
            short=N_("Read")),
    Command("down", ("j", "down"), N_("Down"), N_("Go a line or a row down."), MOVING,
            "down", _INNER, palette=False),
    Command("up", ("k", "up"), N_("Up"), N_("Go a line or a row up."), MOVING,
            "up", _INNER, palette=False),
    Command("page-down", ("pagedown", "ctrl+d"), N_("Page down"), N_("Go a page down."), MOVING,
            "page_down", _INNER, palette=False),
    Command("page-up", ("pageup", "ctrl+u"), N_("Page up"), N_("Go a page up."), MOVING,
            "page_up", _INNER, palette=False),
    Command("top", ("g", "home"), N_("Top"), N_("Go to the beginning."), MOVING,
            "top", _INNER, palette=False),
    Command("bottom", ("G", "end"), N_("Bottom"), N_("Go to the end."), MOVING,
            "bottom", _INNER, palette=False),
    Command("code-right", ("right",), N_("Code to the right"),
            N_("Scroll the code of the program in focus to the right."), MOVING,
            "scroll_code(1)", ("snippet",), palette=False),
    Command("code-left", ("left",), N_("Code to the left"),
            N_("Scroll the code of the program in focus to the left."), MOVING,
            "scroll_code(-1)", ("snippet",), palette=False),
)  # fmt: skip
