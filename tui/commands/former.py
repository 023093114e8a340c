"""Ids and keys of commands in earlier versions, with their current commands.

Settings name commands by id, so an old id still sets a command's key. The first press of a moved
key explains what it does now: `FORMER_KEYS` can be removed in the next version.
"""

from __future__ import annotations

from collections.abc import Mapping

from tui.commands.table import Place

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
"""The former keys of a place, by the current id of the command."""
