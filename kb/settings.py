"""What a reader has settled: one small TOML file, read by both front ends, written by the app.

A setting that cannot be read is told and left out; it never keeps anyone from starting.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb.errors import BadData, Message, joined_sentences, nearest
from kb.foreign import read_text, unix
from kb.limits import FORM

BIDI = ("auto", "app", "terminal", "off")
"""Who turns right-to-left text: found out, the app, the terminal, or nobody."""

LANGUAGES = ("en", "fa")
THEMES = ("dark", "light")


@dataclass(frozen=True)
class Settings:
    """The settings, each at its default unless the file says otherwise.

    A line for each, which docs/reference/settings.md shows.

    bidi: Who reorders right-to-left text. `auto` detects the terminal, `off` is nobody.
    language: Language of the interface. If not set, `$LANG` decides.
    theme: Colours of the app. If not set, the app starts dark.
    keys: Other keys for commands of the app, by command id.
    sqlite_search: Whether other programs can search the file. `auto` is up to 50,000 entries.
    """

    bidi: str = "auto"
    language: str = ""
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    sqlite_search: str = "auto"


CHOICES = {
    "bidi": BIDI,
    "language": LANGUAGES,
    "theme": THEMES,
    "sqlite_search": ("auto", "always", "never"),
}


def settings_path() -> Path:
    """Return where the settings lie: ``$KB_SETTINGS``, or the platform's configuration folder."""
    named = os.environ.get("KB_SETTINGS")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("kb", appauthor=False)) / "settings.toml"


def read_settings() -> tuple[Settings, tuple[str, ...]]:
    """Return the settings, and a sentence for each that could not be read."""
    path = settings_path()
    try:
        return _checked(path, _parsed(path, _text(path)))
    except (BadData, OSError) as error:
        problem = error.message if isinstance(error, BadData) else _unreadable(path, error)
        return Settings(), (problem,)


def change_settings(changes: Mapping[str, str]) -> None:
    """Store settings by name, and leave everything else in the file as it stands.

    Raises `BadData` where the file is no TOML, which is not written over; and `OSError`.
    """
    path = settings_path()
    text = _text(path)
    _parsed(path, text)
    lines = text.removesuffix("\n").split("\n") if text else []
    for name, value in changes.items():
        _put(lines, name, f"{name} = {json.dumps(value)}")
    _parsed(path, "\n".join(lines))
    write_lines(path, lines)


def _put(lines: list[str], name: str, line: str) -> None:
    """Put a line in place of the one of this name; where there is none, before the first table."""
    tables = (n for n, each in enumerate(lines) if each.lstrip().startswith("["))
    end = next(tables, len(lines))
    for place in range(end):
        if lines[place].partition("=")[0].strip() == name:
            lines[place] = line
            return
    lines.insert(end, line)


def _text(path: Path) -> str:
    """Return what stands in the file, nothing where there is none."""
    if not path.exists():
        return ""
    try:
        return unix(read_text(path, FORM))
    except BadData as error:
        raise BadData(_unreadable(path, error.message.without_place(path))) from error


def _parsed(path: Path, text: str) -> dict[str, object]:
    if not text:
        return {}  # most readers have no settings, and need no parser to start
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadData(_unreadable(path, error)) from error


def _unreadable(path: Path, error: object) -> Message:
    return Message("the settings cannot be read ({error})", place=path, error=error)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file whole or not at all, and its folder where there is none. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(path)


def _checked(path: Path, values: Mapping[str, object]) -> tuple[Settings, tuple[str, ...]]:
    known = [each.name for each in dataclasses.fields(Settings)]
    good: dict[str, object] = {}
    problems: list[str] = []
    for name, value in values.items():
        if name not in known:
            missing = Message("there is no setting '{name}'.", place=path, name=name)
            problems.append(joined_sentences(missing, nearest(name, known)))
        elif name == "keys":
            keys = value if isinstance(value, dict) else {}
            good["keys"] = {k: v for k, v in keys.items() if isinstance(v, str)}
        elif value in CHOICES[name]:
            good[name] = value
        else:
            choices = ", ".join(CHOICES[name])
            problems.append(
                Message(
                    "{name} must be one of {known}, not {value}.",
                    place=path,
                    name=name,
                    known=choices,
                    value=repr(value),
                )
            )
    settings = dataclasses.replace(Settings(), **good)  # type: ignore[arg-type]  # checked above
    return settings, tuple(problems)
