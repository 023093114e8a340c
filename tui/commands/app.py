"""What concerns the app as a whole."""

from __future__ import annotations

from tui.commands.command import APP, Command
from tui.i18n import N_

COMMANDS: tuple[Command, ...] = (
    Command("agree", ("enter",), N_("Yes"), N_("Agree to what is asked."), APP,
            "agree", ("confirm",)),
    Command("close-help", ("escape", "q", "question_mark", "f1"), N_("Back"),
            N_("Close the help."), APP, "close", ("help",)),
    Command("cancel", ("escape",), N_("Back"), N_("Leave a form and do nothing."), APP,
            "cancel", ("dialog",)),
    Command("import", ("ctrl+o",), N_("Import"),
            N_("Read questions, answers and cards from a file or a folder."), APP,
            "import_file"),
    Command("interface", ("f2",), N_("Interface"),
            N_("Speak the other language in menus and messages."), APP, "other_interface"),
    Command("direction", ("f3",), N_("Direction"),
            N_("See which way Persian reads right in this terminal, and keep to it."), APP,
            "app.direction"),
    Command("theme", ("t",), N_("Light or dark"), N_("Change between light and dark colours."),
            APP, "app.other_theme"),
    Command("help", ("question_mark", "f1"), N_("Help"),
            N_("Explain the keys, the signs and what can be searched for."), APP,
            "app.show('help')", bar=990),
    Command("palette", ("ctrl+p",), N_("Commands"), N_("List what can be done now."), APP,
            "command_palette", ("app",), palette=False, priority=True),
    Command("quit", ("q",), N_("Quit"), N_("Leave danesh; a running program is stopped."), APP,
            "app.quit", available=lambda s: not s.typing),
    Command("leave", ("ctrl+q",), N_("Quit at once"), N_("Leave danesh from anywhere."), APP,
            "quit", ("app",), palette=False, priority=True),
)  # fmt: skip
