"""What the forms and lists over the main screen answer to."""

from __future__ import annotations

from kb.i18n import N_
from tui.commands.command import APP, ENTRIES, Command

COMMANDS: tuple[Command, ...] = (
    Command("save", ("ctrl+s",), N_("Save"), N_("Save the entry."), ENTRIES, "save", ("form",),
            bar={"form": 10}),
    Command("add-language", ("ctrl+l",), N_("Add a language"),
            N_("Write question and answer in another language, too."), ENTRIES,
            "add_language", ("form",), bar={"form": 20}),
    Command("keep-tags", ("ctrl+s",), N_("Keep"), N_("Give the entries these tags."), ENTRIES,
            "keep_tags", ("tags",), bar={"tags": 10}),
    Command("keep-columns", ("ctrl+s",), N_("Go on"),
            N_("Look through the table with its columns as they are named."), APP,
            "keep_columns", ("columns",), bar={"columns": 10}),
    Command("pick", ("enter",), N_("Pick"), N_("Take the line under the cursor."), APP,
            "submit", ("pick",), palette=False, bar={"pick": 50}),
    Command("pick-down", ("down",), N_("Down"), N_("Go to the next line."), APP,
            "pick_down", ("pick",), palette=False, bar={"pick": 60}, short=N_("Up/down"),
            twin="pick-up"),
    Command("pick-up", ("up",), N_("Up"), N_("Go to the previous line."), APP,
            "pick_up", ("pick",), palette=False),
    Command("pick-page-down", ("pagedown",), N_("Page down"), N_("Go a page down."), APP,
            "pick_page_down", ("pick",), palette=False),
    Command("pick-page-up", ("pageup",), N_("Page up"), N_("Go a page up."), APP,
            "pick_page_up", ("pick",), palette=False),
    Command("new-collection", ("f7",), N_("New collection"),
            N_("Make a collection; slashes in its name make a tree."), ENTRIES,
            "new_collection", ("tree",), bar={"tree": 10}),
    Command("rename-collection", ("f6",), N_("Rename"),
            N_("Give this collection, and all below it, another name."), ENTRIES,
            "rename_collection", ("tree",), bar={"tree": 20}),
    Command("remove-collection", ("f8",), N_("Remove"),
            N_("Remove this collection; it must be empty."), ENTRIES,
            "remove_collection", ("tree",), bar={"tree": 30}),
    Command("take-in", ("enter",), N_("Import"), N_("Import what is shown."), APP,
            "take_in", ("preview",), bar={"preview": 10}),
    Command("mine", ("m",), N_("Mine"), N_("What you made of it stays."), ENTRIES,
            "mine", ("sides",), available=lambda s: s.contested, bar={"sides": 10}),
    Command("theirs", ("t",), N_("The file's"), N_("What the file says takes its place."), ENTRIES,
            "theirs", ("sides",), available=lambda s: s.contested, bar={"sides": 20}),
)  # fmt: skip
