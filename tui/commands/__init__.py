"""All commands of the app, declared once.

Key bindings, command bar, tooltips, palette and help come from this table; `Command.available`
decides what is available now.

``table``  what a command is, the situation it depends on, and all commands
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from textual.binding import Binding, BindingType

from kb.i18n import LRM, right_to_left
from tui.commands.table import COMMANDS, GROUPS, Command, Place, Situation

__all__ = ["COMMANDS", "Command", "Place", "Situation"]  # with what is defined below


BY_ID = {command.id: command for command in COMMANDS}
BY_ACTION = {command.action: command for command in COMMANDS}

_GROUPS = {group: Binding.Group(group) for group in GROUPS}


def bindings(place: Place) -> list[BindingType]:
    """Return the key bindings of one place, for a class's ``BINDINGS``.

    Where words are chosen, letters are typed text.
    """
    return [
        Binding(
            ",".join(with_persian(key for key in command.keys if place != "words" or len(key) > 1))
            or f"no-key-of-{command.id}",
            action_of(command, place),
            command.label,
            show=bool(command.bar),
            tooltip=command.description,
            id=command.id,
            group=_GROUPS[command.group],
            priority=place in command.priority,
        )
        for command in COMMANDS
        if place in command.places
    ]


def action_of(command: Command, place: Place) -> str:
    """Return the action of a command in a place with its keys.

    A screen's action is done by the screen or one of its panes.
    """
    shared = place == "screen" and not command.action.startswith("app.")
    return f"do('{command.action}')" if shared else command.action


def offered(situation: Situation, places: Iterable[Place]) -> Iterable[Command]:
    """Return the commands of these places that the palette offers now."""
    here = set(places)
    return (each for each in COMMANDS if here & set(each.places) and each.available(situation))


def in_bar(situation: Situation, places: Iterable[Place]) -> list[Command]:
    """Return the commands in the bar of these places by rank; help is last.

    While typing, only commands with a non-letter key are offered.
    """
    here = {*places, "app"}
    ranked = [
        (min(each.bar[place] for place in here & each.bar.keys()), each)
        for each in COMMANDS
        if here & each.bar.keys() and here & set(each.places)
        if each.available(situation) and each.told(situation)
    ]
    offered = [each for _rank, each in sorted(ranked, key=lambda pair: pair[0])]
    replaced = {each.twin for each in offered if not each.keys}  # its key does something else now
    return [
        each
        for each in offered
        if each.id not in replaced and bar_keys(each, typing=situation.typing)
    ]


def bar_keys(command: Command, *, typing: bool) -> list[str]:
    """Return the keys in the bar: that of a command's opposite, if any, and its own.

    The opposite is left out if it is the same key with Shift.

    >>> bar_keys(BY_ID["next-note"], typing=False), bar_keys(BY_ID["stop"], typing=True)
    (['[', ']'], ['Esc'])
    """
    keys = [bar_key(each, typing=typing) for each in with_twin(command)]
    return [key for key in keys if key and not key.endswith(f"+{keys[-1]}")]


def bar_name(command: Command, here: Iterable[Place]) -> str:
    """Return the name of a command in the bar of these places, innermost last.

    >>> bar_name(BY_ID["open"], ("screen", "list")), bar_name(BY_ID["open"], ("dialog", "pick"))
    ('Read', 'Choose')
    """
    named = (command.named[place] for place in reversed([*here]) if place in command.named)
    return next(named, command.label)


def with_twin(command: Command) -> list[Command]:
    """Return the command whose key precedes this one's, if any, and this one."""
    return [BY_ID[command.twin], command] if command.twin else [command]


def bar_key(command: Command, *, typing: bool) -> str:
    """Return the key in the bar: the first, or while typing, one that types nothing.

    >>> bar_key(BY_ID["help"], typing=False), bar_key(BY_ID["help"], typing=True)
    ('?', 'F1')
    """
    return next((key for key in shown_keys(command) if not typing or types_nothing(key)), "")


def by_group() -> dict[str, list[Command]]:
    """Return all commands by group, in the order of the help."""
    return {group: [each for each in COMMANDS if each.group == group] for group in GROUPS}


FORMER_IDS: Mapping[str, str] = {
    former: now
    for now, ids in {
        "open": ("pick-value", "found", "pick", "take-in"),
        "agree": ("allow-once", "mine"),
        "refuse": ("theirs",),
        "back": ("close", "close-help", "cancel", "stop-building", "leave-code"),
        "save": ("keep-tags", "keep-columns", "keep-program", "keep-code", "keep-note"),
        "run": ("run-code",),
        "language": ("add-language",),
        "down": ("next-value", "to-list", "pick-down", "passage-after"),
        "up": ("value-before", "older-search", "pick-up", "passage-before"),
        "right": ("chip-right", "code-right", "word-right"),
        "left": ("chip-left", "code-left", "word-left"),
        "page-down": ("pick-page-down",),
        "page-up": ("pick-page-up",),
        "quit": ("leave",),
        "theme-light": ("theme",),
    }.items()
    for former in ids
}
"""The current ids of commands by earlier ones, which settings name still."""

FORMER_KEYS: Mapping[Place, Mapping[str, str]] = {
    "screen": {
        "n": "next", "p": "previous", "s": "suggestion", "ctrl+t": "suggestion",
        "delete": "no-filter", "backspace": "no-filter", "alt+left": "earlier",
        "less_than_sign": "earlier", "alt+right": "later", "greater_than_sign": "later",
        "l": "language", "o": "answer", "e": "export", "w": "write", "f4": "edit",
        "insert": "mark", "asterisk": "mark-all", "ctrl+a": "mark-all", "f6": "move",
        "f9": "tag", "f8": "delete", "equals_sign": "show-again", "f7": "collections",
        "y": "redo", "h": "history", "ctrl+k": "conflicts", "x": "stop", "v": "verify",
        "i": "edit-note", "C": "new-program", "M": "make-main", "c": "change-code",
        "z": "reset-code", "ctrl+o": "import", "f2": "interface", "f3": "direction",
        "t": "theme-light", "W": "welcome",
    },
    "tree": {"f7": "new-collection", "f6": "rename-collection", "f8": "remove-collection"},
    "sides": {"m": "agree", "t": "refuse", "f": "refuse"},
    "chip": {"shift+down": "down", "shift+up": "up"},
}  # fmt: skip
"""The former keys of a place, by the current id of the command.

The first press of one explains what it does now: this can be removed in the next version.
"""

_REBOUND: dict[str, tuple[str, ...]] = {}


def by_current_id(keys: Mapping[str, str]) -> dict[str, str]:
    """Return the reader's keys by the current ids of commands.

    >>> by_current_id({"keep-note": "ctrl+w", "search": "ctrl+f"})
    {'save': 'ctrl+w', 'search': 'ctrl+f'}
    """
    return {FORMER_IDS.get(id, id): written for id, written in keys.items()}


def rebind(keys: Mapping[str, str]) -> None:
    """Set other keys for commands, by id, separated by commas."""
    _REBOUND.clear()
    _REBOUND.update({id: tuple(written.split(",")) for id, written in keys.items()})


def moved(
    key: str, here: Sequence[Place], situation: Callable[[], Situation]
) -> tuple[Command, Command | None] | None:
    """Return what a key did here in an earlier version and does now, if it has changed."""
    key = without_persian(key)
    ids = [FORMER_KEYS[place][key] for place in here if key in FORMER_KEYS.get(place, {})]
    if not ids or ids[-1] in _REBOUND:
        return None
    before, now = BY_ID[ids[-1]], situation()
    if not before.available(now):
        return None
    answers = (
        each
        for place in reversed(here)
        for each in COMMANDS
        if place in each.places and key in _keys_of(each) and each.available(now)
    )
    return before, next(answers, None)


def clashes() -> list[tuple[str, Command, Command]]:
    """Return the reader's keys that another command also uses, with both commands.

    >>> rebind({"filter": "n"})
    >>> [(key, one.id, other.id) for key, one, other in clashes()]
    [('n', 'filter', 'write')]
    >>> rebind({})
    """
    return [
        (key, BY_ID[id], other)
        for id, keys in _REBOUND.items()
        if id in BY_ID
        for key in keys
        for other in COMMANDS
        if other.id != id
        if key in _keys_of(other) and {*BY_ID[id].places, "app", "screen"} & {*other.places}
    ]


def _keys_of(command: Command) -> tuple[str, ...]:
    return _REBOUND.get(command.id, command.keys)


def shown_keys(command: Command) -> list[str]:
    """Return a command's keys as printed on a keyboard."""
    return [KEY_NAMES.get(key, key) for key in _keys_of(command)]


def written_key(key: str) -> str:
    """Return a key for use in a sentence, so that Persian does not mirror a bracket."""
    return f"{LRM}{key}{LRM}" if right_to_left() else key


# What stands on the same keys of a Persian keyboard (ISIRI 9147), without Shift and with it.
_PERSIAN_KEYS = {
    **dict(zip("qwertyuiopasdfghjklzxcvbnm", "ضصثقفغعهخحشسیبلاتنمظطزرذدپ", strict=True)),
    "question_mark": "؟", "left_square_bracket": "ج", "right_square_bracket": "چ",
    "E": "\u064d", "U": "\u064e", "G": "أ", "L": "«",
}  # fmt: skip


def with_persian(keys: Iterable[str]) -> list[str]:
    """Return keys, each with what the same key types on a Persian keyboard.

    >>> with_persian(["z", "f4"])
    ['z', 'ظ', 'f4']
    """
    return [key for own in keys for key in (own, _PERSIAN_KEYS.get(own)) if key]


def without_persian(key: str) -> str:
    """Return the key of an English keyboard at the position of a Persian one.

    >>> without_persian("ظ"), without_persian("z")
    ('z', 'z')
    """
    return next((own for own, persian in _PERSIAN_KEYS.items() if persian == key), key)


def types_nothing(shown: str) -> bool:
    """Return whether a key types no text."""
    return shown in "↑↓←→" or (len(shown) > 1 and shown not in ("Space", "Backspace", "Del"))


KEY_NAMES = {
    "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]", "question_mark": "?",
    "escape": "Esc", "enter": "Enter", "space": "Space", "delete": "Del",
    "backspace": "Backspace", "down": "↓", "up": "↑", "left": "←", "right": "→",
    "shift+up": "Shift+↑", "shift+left": "Shift+←", "shift+right": "Shift+→",
    "pagedown": "PgDn", "pageup": "PgUp", "home": "Home", "end": "End",
    "alt+left": "Alt+←", "alt+right": "Alt+→", "less_than_sign": "<", "greater_than_sign": ">",
    "tab": "Tab", "shift+tab": "Shift+Tab", "ctrl+p": "Ctrl+P", "ctrl+q": "Ctrl+Q",
    "ctrl+d": "Ctrl+D", "ctrl+u": "Ctrl+U", "ctrl+r": "Ctrl+R", "ctrl+s": "Ctrl+S",
    "ctrl+o": "Ctrl+O", "ctrl+t": "Ctrl+T", "f1": "F1", "f2": "F2", "f3": "F3", "f4": "F4",
    "f5": "F5", "f6": "F6", "f7": "F7", "f8": "F8", "f9": "F9", "ctrl+a": "Ctrl+A",
    "ctrl+k": "Ctrl+K", "ctrl+l": "Ctrl+L", "ctrl+y": "Ctrl+Y", "ctrl+z": "Ctrl+Z",
    "insert": "Ins", "asterisk": "*", "equals_sign": "=", "shift+down": "Shift+↓",
}  # fmt: skip
