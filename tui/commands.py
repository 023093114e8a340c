"""Everything a reader can ask for, declared once.

Bindings, the command bar, its tooltips, the palette and the help screen are made from
this list; `Command.available` decides for all of them what can be done now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from textual.binding import Binding, BindingType

from tui.i18n import N_, right_to_left

Place = Literal[
    "app", "screen", "search", "chip", "list", "reading", "link",
    "dialog", "confirm", "help", "note", "words", "code",
]  # fmt: skip


class Situation(NamedTuple):
    """What a screen holds at the moment, as far as commands depend on it."""

    typing: bool = False
    editing: bool = False
    reading: bool = False
    entry: bool = False
    listed: bool = False
    languages: int = 0
    runnable: bool = False
    running: bool = False
    hidden_answer: bool = False
    suggestion: bool = False
    notes: bool = False
    answers: int = 0
    earlier: bool = False
    later: bool = False
    own: bool = False
    own_note: bool = False
    changed: bool = False
    filtered: bool = False


def _always(_: Situation) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a reader can ask for.

    ``label`` names it in the command bar, ``description`` is the sentence in tooltip,
    palette and help. ``action`` is looked up on the widgets of ``places``. ``bar`` says
    whether the command bar offers it, ``palette`` whether the palette does.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    description: str
    group: str
    action: str
    places: tuple[Place, ...] = ("screen",)
    available: Callable[[Situation], bool] = _always
    bar: bool = False
    palette: bool = True
    priority: bool = False


MOVING = N_("Moving about")
FINDING = N_("Finding")
READING = N_("Reading")
RUNNING = N_("Running")
WRITING = N_("Notes and programs of your own")
APP = N_("The app")
GROUPS = (FINDING, MOVING, READING, RUNNING, WRITING, APP)

_INNER: tuple[Place, ...] = ("list", "reading")

COMMANDS: tuple[Command, ...] = (
    Command("stop", ("x",), N_("Stop"), N_("Stop the snippet that is running."), RUNNING,
            "stop_run", available=lambda s: s.running, bar=True),
    Command("reveal", ("space",), N_("Show answer"), N_("Show the answer of this card."), READING,
            "reveal", available=lambda s: s.hidden_answer, bar=True),
    Command("search", ("slash",), N_("Search"), N_("Type what to look for."), FINDING,
            "search", available=lambda s: not s.typing, bar=True, priority=True),
    Command("filter", ("f",), N_("Filter"),
            N_("Narrow the list: language, collection, level, verdict."), FINDING,
            "filter", available=lambda s: not s.typing, bar=True),
    Command("next-value", ("enter",), N_("Next value"),
            N_("Narrow by the next value of this field."), FINDING,
            "next_value", ("chip",), palette=False),
    Command("value-before", ("shift+up",), N_("Value before"),
            N_("Narrow by the value before."), FINDING,
            "value_before", ("chip",), palette=False),
    Command("no-filter", ("delete", "backspace"), N_("No filter"),
            N_("Take all filters away."), FINDING,
            "no_filter", available=lambda s: s.filtered),
    Command("chip-right", ("right",), N_("Next filter"), N_("Go to the next filter."), FINDING,
            "app.focus_next", ("chip",), palette=False),
    Command("chip-left", ("left",), N_("Filter before"), N_("Go to the filter before."), FINDING,
            "app.focus_previous", ("chip",), palette=False),
    Command("older-search", ("up",), N_("Earlier search"),
            N_("Bring back what was searched for before."), FINDING,
            "older_search", ("search",), palette=False),
    Command("suggestion", ("s",), N_("Did you mean"), N_("Search for the suggested spelling."),
            FINDING, "take_suggestion", available=lambda s: s.suggestion, bar=True),
    Command("run", ("r",), N_("Run"),
            N_("Run the snippet: the one in focus, or the main one of this entry."), RUNNING,
            "run_snippet", available=lambda s: s.runnable and not s.running, bar=True),
    Command("language", ("l",), N_("Language"),
            N_("Show this entry's texts in the other language."), READING,
            "other_language", available=lambda s: s.languages > 1, bar=True),
    Command("both", ("b",), N_("Side by side"),
            N_("Show two languages beside each other, or one."), READING,
            "both", available=lambda s: s.languages > 1),
    Command("answer", ("o",), N_("Other answer"),
            N_("Show the source's answer alone, the reference answer alone, or both."), READING,
            "other_answer", available=lambda s: s.answers > 1),
    Command("next-note", ("right_square_bracket",), N_("Next note"),
            N_("Go to the next annotation of this entry."), READING,
            "next_note", available=lambda s: s.notes),
    Command("note-before", ("left_square_bracket",), N_("Note before"),
            N_("Go to the annotation before."), READING,
            "note_before", available=lambda s: s.notes),
    Command("annotate", ("a",), N_("Note"),
            N_("Write a note on words of this entry, with a verdict or without."), WRITING,
            "annotate", available=lambda s: s.entry, bar=True),
    Command("edit-note", ("i",), N_("Edit note"),
            N_("Change your own note: the one that [ and ] went to."), WRITING,
            "edit_note", available=lambda s: s.own_note, bar=True),
    Command("withdraw", ("d",), N_("Withdraw"),
            N_("Take back your own note or program: the one in focus."), WRITING,
            "withdraw", available=lambda s: s.own),
    Command("change-code", ("c",), N_("Change code"),
            N_("Change the snippet's code in its place: the one in focus, or the main one."),
            WRITING, "change_code", available=lambda s: s.runnable),
    Command("reset-code", ("u",), N_("Undo changes"),
            N_("Put the snippet's code back as it was."), WRITING,
            "reset_code", available=lambda s: s.changed),
    Command("run-code", ("f5", "ctrl+r"), N_("Run"), N_("Run the code as it is changed."),
            WRITING, "run_code", ("code",), available=lambda s: s.editing, bar=True,
            palette=False, priority=True),
    Command("keep-code", ("ctrl+s",), N_("Keep"),
            N_("Keep the changed code as a program of your own, or renew it."),
            WRITING, "keep_code", ("code",), available=lambda s: s.editing, bar=True,
            palette=False, priority=True),
    Command("leave-code", ("escape",), N_("Back"),
            N_("Leave the code; what was changed stays until you leave the entry."),
            WRITING, "leave_code", ("code",), available=lambda s: s.editing, bar=True,
            palette=False, priority=True),
    Command("word-right", ("right",), N_("Word to the right"),
            N_("Choose the word at the right."), WRITING, "word_right", ("words",), palette=False),
    Command("word-left", ("left",), N_("Word to the left"),
            N_("Choose the word at the left."), WRITING, "word_left", ("words",), palette=False),
    Command("more-right", ("shift+right", "L"), N_("More to the right"),
            N_("Choose the word at the right, too."), WRITING,
            "more_right", ("words",), palette=False),
    Command("more-left", ("shift+left", "H"), N_("More to the left"),
            N_("Choose the word at the left, too."), WRITING,
            "more_left", ("words",), palette=False),
    Command("passage-after", ("down", "j"), N_("Next paragraph"),
            N_("Go to the next paragraph of the entry."), WRITING,
            "passage_after", ("words",), palette=False),
    Command("passage-before", ("up", "k"), N_("Paragraph before"),
            N_("Go to the paragraph before."), WRITING,
            "passage_before", ("words",), palette=False),
    Command("keep-note", ("ctrl+s",), N_("Keep"), N_("Keep the note."), WRITING,
            "keep", ("note",)),
    Command("agree", ("enter",), N_("Yes"), N_("Agree to what is asked."), APP,
            "agree", ("confirm",)),
    Command("close-help", ("escape", "q", "question_mark", "f1"), N_("Back"),
            N_("Close the help."), APP, "close", ("help",)),
    Command("cancel", ("escape",), N_("Back"), N_("Leave a form and do nothing."), APP,
            "cancel", ("dialog",)),
    Command("next", ("n",), N_("Next"), N_("Open the next entry of the list."), MOVING,
            "next_entry", available=lambda s: s.listed and s.entry, bar=True),
    Command("previous", ("p",), N_("Previous"), N_("Open the previous entry of the list."), MOVING,
            "previous_entry", available=lambda s: s.listed and s.entry),
    Command("earlier", ("alt+left", "less_than_sign"), N_("Earlier entry"),
            N_("Go back to the entry that was read before."), MOVING,
            "earlier", available=lambda s: s.earlier),
    Command("later", ("alt+right", "greater_than_sign"), N_("Later entry"),
            N_("Go forward again to the entry that was left."), MOVING,
            "later", available=lambda s: s.later),
    Command("export", ("e",), N_("Export"), N_("Write this entry, or what is listed, to a file."),
            READING, "export", available=lambda s: s.entry or s.listed),
    Command("back", ("escape",), N_("Back"),
            N_("Stop a run, leave the entry or the search box, or clear the search."), MOVING,
            "back", available=lambda s: not s.editing, bar=True),
    Command("panes", ("tab",), N_("Next pane"),
            N_("Go to the next part of the screen: search box, list, entry, snippets."), MOVING,
            "app.focus_next", palette=False),
    Command("panes-back", ("shift+tab",), N_("Previous pane"),
            N_("Go to the part of the screen before this one."), MOVING,
            "app.focus_previous", palette=False),
    Command("open", ("enter",), N_("Open"), N_("Open what is under the cursor."), MOVING,
            "open", ("list", "link"), palette=False),
    Command("to-list", ("down",), N_("To the list"),
            N_("Go from the search box to what was found."), FINDING,
            "to_list", ("search",), palette=False),
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
    Command("verify", ("v",), N_("Verify"),
            N_("Run the evidence of the entry that is read, or all evidence."), RUNNING,
            "verify", available=lambda s: s.listed or s.entry),
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
            "app.show('help')", bar=True),
    Command("palette", ("ctrl+p",), N_("Commands"), N_("List what can be done now."), APP,
            "command_palette", ("app",), palette=False, priority=True),
    Command("quit", ("q",), N_("Quit"), N_("Leave danesh; a running snippet is stopped."), APP,
            "app.quit", available=lambda s: not s.typing),
    Command("leave", ("ctrl+q",), N_("Quit at once"), N_("Leave danesh from anywhere."), APP,
            "quit", ("app",), palette=False, priority=True),
)  # fmt: skip

BY_ID = {command.id: command for command in COMMANDS}
BY_ACTION = {command.action: command for command in COMMANDS}

_GROUPS = {group: Binding.Group(group) for group in GROUPS}

# The letters that stand on the same keys of a Persian keyboard (ISIRI 9147).
_PERSIAN_KEYS = {
    **dict(zip("qertuiopasdfgjklxcvbn", "ضثقفعهخحشسیبلتنمطزرذد", strict=True)),
    "question_mark": "؟", "left_square_bracket": "ج", "right_square_bracket": "چ",
}  # fmt: skip


def bindings(place: Place) -> list[BindingType]:
    """Return the bindings of the commands of one place, for a class's ``BINDINGS``."""
    return [
        Binding(
            ",".join(_with_persian(command.keys)),
            action_of(command),
            command.label,
            show=command.bar,
            tooltip=command.description,
            id=command.id,
            group=_GROUPS[command.group],
            priority=command.priority,
        )
        for command in COMMANDS
        if place in command.places
    ]


def _types_nothing(shown: str) -> bool:
    return len(shown) > 1 and shown not in ("Space", "Backspace", "Del")


def _with_persian(keys: Iterable[str]) -> list[str]:
    return [key for own in keys for key in (own, _PERSIAN_KEYS.get(own)) if key]


def action_of(command: Command) -> str:
    """Return the action that does a command where its keys are bound.

    That of a screen is done by the screen or by one of its panes.
    """
    shared = "screen" in command.places and not command.action.startswith("app.")
    return f"do('{command.action}')" if shared else command.action


def offered(situation: Situation, places: Iterable[Place]) -> Iterable[Command]:
    """Return the commands of these places that the palette offers now."""
    here = set(places)
    return (
        each
        for each in COMMANDS
        if each.palette and here & set(each.places) and each.available(situation)
    )


def in_bar(situation: Situation) -> list[Command]:
    """Return the commands that the bar offers now; help comes last, in its own corner.

    While one types, a letter is a letter, so only what has another key is offered.
    """
    offered = [each for each in COMMANDS if each.bar and each.available(situation)]
    return [each for each in offered if not situation.typing or bar_key(each, typing=True)]


def bar_key(command: Command, *, typing: bool) -> str:
    """Return the key that the bar names: the first, or one that types nothing while one types.

    >>> bar_key(BY_ID["help"], typing=False), bar_key(BY_ID["help"], typing=True)
    ('?', 'F1')
    """
    return next((key for key in shown_keys(command) if not typing or _types_nothing(key)), "")


def by_group() -> dict[str, list[Command]]:
    """Return all commands under their groups, in the order of the help."""
    return {group: [each for each in COMMANDS if each.group == group] for group in GROUPS}


_REBOUND: dict[str, tuple[str, ...]] = {}


def rebind(keys: Mapping[str, str]) -> None:
    """Show other keys for commands from now on: by id, separated by commas."""
    _REBOUND.clear()
    _REBOUND.update({id: tuple(written.split(",")) for id, written in keys.items()})


def clashes() -> list[tuple[str, Command, Command]]:
    """Return the keys that were given to a command though another answers to them, with both.

    >>> rebind({"filter": "n"})
    >>> [(key, one.id, other.id) for key, one, other in clashes()]
    [('n', 'filter', 'next')]
    >>> rebind({})
    """
    return [
        (key, BY_ID[id], other)
        for id, keys in _REBOUND.items()
        if id in BY_ID
        for key in keys
        for other in COMMANDS
        if other.id != id and key in _keys_of(other) and _meet(BY_ID[id], other)
    ]


def _meet(one: Command, other: Command) -> bool:
    """Say whether two commands can be asked for in one place."""
    return bool({*one.places, "app", "screen"} & {*other.places})


def _keys_of(command: Command) -> tuple[str, ...]:
    return _REBOUND.get(command.id, command.keys)


def shown_keys(command: Command) -> list[str]:
    """Return a command's keys as they stand on a keyboard."""
    return [_KEY_NAMES.get(key, key) for key in _keys_of(command)]


def written_key(key: str) -> str:
    """Return a key as it is written in a sentence, so that Persian does not mirror a bracket."""
    return f"\u200e{key}\u200e" if right_to_left() else key


_KEY_NAMES = {
    "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]", "question_mark": "?",
    "escape": "Esc", "enter": "Enter", "space": "Space", "delete": "Del",
    "backspace": "Backspace", "down": "↓", "up": "↑", "left": "←", "right": "→",
    "shift+up": "Shift+↑", "shift+left": "Shift+←", "shift+right": "Shift+→",
    "pagedown": "PgDn", "pageup": "PgUp", "home": "Home", "end": "End",
    "alt+left": "Alt+←", "alt+right": "Alt+→", "less_than_sign": "<", "greater_than_sign": ">",
    "tab": "Tab", "shift+tab": "Shift+Tab", "ctrl+p": "Ctrl+P", "ctrl+q": "Ctrl+Q",
    "ctrl+d": "Ctrl+D", "ctrl+u": "Ctrl+U", "ctrl+r": "Ctrl+R", "ctrl+s": "Ctrl+S",
    "ctrl+o": "Ctrl+O", "f1": "F1", "f2": "F2", "f3": "F3", "f5": "F5",
}  # fmt: skip
