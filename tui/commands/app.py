"""What concerns the app as a whole."""

from __future__ import annotations

from kb.i18n import N_
from tui.commands.command import APP, BACK, HELP, Command, Place

_EVERYWHERE: tuple[Place, ...] = (
    "list", "reading", "link", "search", "chip", "code", "dialog", "shown",
)  # fmt: skip

COMMANDS: tuple[Command, ...] = (
    Command("agree", ("enter",), N_("Yes"), N_("Agree to what is asked."), APP,
            "agree", ("confirm",), bar={"confirm": 10}),
    Command("close-help", ("escape", "question_mark", "f1"), N_("Back"),
            N_("Leave the search in the help, or close it."), APP, "close", ("help",),
            bar={"help": BACK}),
    Command("close", ("escape", "q"), N_("Back"), N_("Close what is shown."), APP,
            "close", ("shown",), bar={"shown": BACK}),
    Command("cancel", ("escape",), N_("Back"), N_("Leave a form and do nothing."), APP,
            "cancel", ("dialog",), bar={"dialog": BACK}),
    Command("stop-building", ("escape", "q"), N_("Stop"),
            N_("Stop making the knowledge base; nothing is stored then."), APP,
            "cancel", ("building",), bar={"building": BACK}),
    Command("import", ("ctrl+o",), N_("Import"),
            N_("Read questions, answers and cards from a file or a folder."), APP,
            "import_file", bar={"list": 170, "search": 60}),
    Command("interface", ("f2",), N_("Interface"),
            N_("Speak the other language in menus and messages."), APP, "app.other_interface"),
    Command("direction", ("f3",), N_("Direction"),
            N_("See which way Persian reads right in this terminal, and keep to it."), APP,
            "app.direction"),
    Command("theme", ("t",), N_("Light or dark"),
            N_("Change the theme: light or dark colours."), APP, "app.other_theme"),
    Command("help", ("question_mark", "f1"), N_("Help"),
            N_("Explain the keys, the signs and what can be searched for."), APP,
            "app.help", ("screen", "dialog", "shown"), bar=dict.fromkeys(_EVERYWHERE, HELP)),
    Command("welcome", ("W",), N_("Welcome"),
            N_("Say once more what danesh is, what the signs say and which keys come first."), APP,
            "welcome", available=lambda s: not s.typing),
    Command("palette", ("ctrl+p",), N_("Commands"), N_("List what can be done now."), APP,
            "command_palette", ("app",), palette=False, priority=True,
            bar={"list": 180, "reading": 150, "search": 50}),
    Command("quit", ("q",), N_("Quit"), N_("Leave danesh; a running program is stopped."), APP,
            "app.quit", available=lambda s: not s.typing),
    Command("leave", ("ctrl+q",), N_("Quit at once"), N_("Leave danesh from anywhere."), APP,
            "quit", ("app",), palette=False, priority=True),
)  # fmt: skip
