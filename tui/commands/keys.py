"""How keys are written, and which of a Persian keyboard stand where others do."""

from __future__ import annotations

from collections.abc import Iterable

# What stands on the same keys of a Persian keyboard (ISIRI 9147), without Shift and with it.
_PERSIAN_KEYS = {
    **dict(zip("qwertyuiopasdfghjklzxcvbnm", "ضصثقفغعهخحشسیبلاتنمظطزرذدپ", strict=True)),
    "question_mark": "؟", "left_square_bracket": "ج", "right_square_bracket": "چ",
    "E": "\u064d", "U": "\u064e", "G": "أ", "J": "ة", "K": "»", "L": "«",
}  # fmt: skip


def with_persian(keys: Iterable[str]) -> list[str]:
    """Return keys, each with what the same key types on a Persian keyboard.

    >>> with_persian(["z", "f4"])
    ['z', 'ظ', 'f4']
    """
    return [key for own in keys for key in (own, _PERSIAN_KEYS.get(own)) if key]


def without_persian(key: str) -> str:
    """Return the key of an English keyboard that stands where this one of a Persian does.

    >>> without_persian("ظ"), without_persian("z")
    ('z', 'z')
    """
    return next((own for own, persian in _PERSIAN_KEYS.items() if persian == key), key)


def types_nothing(shown: str) -> bool:
    """Say whether a key, as it is shown, leaves what is typed alone."""
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
