"""The reader's settings: one TOML file, read by both front ends and written by the app.

An invalid setting is reported and ignored; it never prevents a start.
"""

from __future__ import annotations

import dataclasses
import datetime
import math
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.errors import BadData, KbError, Message, joined_sentences, nearest
from kb.foreign import read_text, unix
from kb.limits import FORM, WHOLE

BIDI = ("auto", "app", "terminal", "off")
"""Who reorders right-to-left text: detected, the app, the terminal, or nobody."""

LANGUAGES = ("en", "fa")
THEMES = ("dark", "light")


@dataclass(frozen=True)
class Settings:
    """The settings, with defaults.

    docs/reference/settings.md shows a line for each.

    bidi: Who reorders right-to-left text. `auto` detects the terminal, `off` means nobody.
    language: Language of the interface. If not set, `$LANG` decides.
    theme: Colours of the app. If not set, the app starts dark.
    keys: Other keys for commands of the app, by command id.
    sqlite_search: Whether other programs can search the file. `auto` means up to 50,000 entries.
    sync: Whether the app syncs in the background with the places that you synced with before.
    meaning: Whether search by meaning is used where it is installed.
    meaning_weights: The folder with the file `e5-small-q4.bin`, if not from the package.
    study_retention: How likely you want to recall a card when it comes back.
    study_new: New exercises a day, at most.
    study_reviews: Reviews a day, at most. What is left comes on the next days.
    study_day_begins: The hour at which a study day begins.
    study_first: What comes first each day.
    study_order: The order of new entries: by their position, or at random.
    study_siblings: Whether exercises of one entry come on different days.
    study_leech: The number of lapses after which an exercise is suspended.
    study_across: Whether to also ask in one language what you answer in the other.
    study_fuzz: Whether intervals are varied a little, so that cards do not stay together.
    study_easy_days: Days with as few reviews as possible, such as `fri sat`.
    study_exam: The day of an exam, such as `2026-06-01`. Everything comes back before it.
    study_weights: The 17, 19 or 21 weights of FSRS, from Anki or from your own log.
    """

    bidi: str = "auto"
    language: str = ""
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    sqlite_search: str = "auto"
    sync: str = "off"
    meaning: str = "on"
    meaning_weights: str = ""
    study_retention: float = 0.9
    study_new: int = 20
    study_reviews: int = 200
    study_day_begins: int = 4
    study_first: str = "reviews"
    study_order: str = "place"
    study_siblings: str = "apart"
    study_leech: int = 8
    study_across: str = "off"
    study_fuzz: str = "on"
    study_easy_days: str = ""
    study_exam: str = ""
    study_weights: tuple[float, ...] = ()


CHOICES = {
    "bidi": BIDI,
    "language": LANGUAGES,
    "theme": THEMES,
    "sqlite_search": ("auto", "always", "never"),
    "sync": ("on", "off"),
    "meaning": ("on", "off"),
    "study_first": ("reviews", "new"),
    "study_order": ("place", "chance"),
    "study_siblings": ("apart", "together"),
    "study_across": ("on", "off"),
    "study_fuzz": ("on", "off"),
}

RANGES: Mapping[str, tuple[float, float]] = {
    "study_retention": (0.7, 0.99),
    "study_new": (0, 9999),
    "study_reviews": (0, 9999),
    "study_day_begins": (0, 23),
    "study_leech": (1, 999),
}
"""The numeric settings with their minimum and maximum. A setting with a whole minimum is a whole
number.
"""

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEIGHTS = (17, 19, 21)
"""The number of weights in FSRS 4.5, 5 and 6."""


def settings_path() -> Path:
    """Return the settings path: ``$KB_SETTINGS``, or the platform's configuration folder."""
    named = os.environ.get("KB_SETTINGS")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("kb", appauthor=False)) / "settings.toml"


def read_settings() -> tuple[Settings, tuple[str, ...]]:
    """Return the settings, and a message for each invalid one."""
    path = settings_path()
    try:
        return _checked(path, _parsed(path, _text(path)))
    except (BadData, OSError) as error:
        problem = error.message if isinstance(error, BadData) else _unreadable(path, error)
        return Settings(), (problem,)


def change_settings(changes: Mapping[str, object]) -> None:
    """Store settings by name, and leave the rest of the file unchanged.

    Raises `BadData` if the file is not TOML, which is not overwritten, and `OSError`.
    """
    import json  # every start reads settings, and few write them

    path = settings_path()
    text = _text(path)
    _parsed(path, text)
    lines = text.removesuffix("\n").split("\n") if text else []
    for name, value in changes.items():
        _put(lines, name, f"{name} = {json.dumps(value)}")
    _parsed(path, "\n".join(lines))
    write_lines(path, lines)


def _put(lines: list[str], name: str, line: str) -> None:
    """Replace the line of this name, or insert it before the first table."""
    tables = (n for n, each in enumerate(lines) if each.lstrip().startswith("["))
    end = next(tables, len(lines))
    for place in range(end):
        if lines[place].partition("=")[0].strip() == name:
            lines[place] = line
            return
    lines.insert(end, line)


def _text(path: Path) -> str:
    """Return the text of the file, or nothing."""
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


def remembered(name: str) -> list[str]:
    """Return the lines of a file beside the settings that are not blank; none if unreadable."""
    try:
        lines = read_text(settings_path().parent / name, WHOLE).split("\n")
        return [line for line in lines if line.strip()]
    except KbError:
        return []


def remember(name: str, lines: Iterable[str]) -> None:
    """Write a file beside the settings; what cannot be stored is forgotten."""
    with suppress(OSError):
        write_lines(settings_path().parent / name, lines)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file, or the one a link leads to, and its folder, atomically. Raises `OSError`."""
    path = Path(os.path.realpath(path))
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
        elif wanted := _wanted(name, value):
            problems.append(
                Message(
                    "{name} must be {wanted}, not {value}.",
                    place=path,
                    name=name,
                    wanted=wanted,
                    value=repr(value),
                )
            )
        else:
            date = value.isoformat() if isinstance(value, datetime.date) else value
            good[name] = tuple(value) if isinstance(value, list) else date
    settings = dataclasses.replace(Settings(), **good)  # type: ignore[arg-type]  # checked above
    return settings, tuple(problems)


def is_setting(name: str, value: object) -> bool:
    """Return whether this is the name of a setting and a valid value of it.

    >>> is_setting("study_new", 5), is_setting("study_new", "5"), is_setting("study_old", 5)
    (True, False, False)
    """
    known = any(each.name == name for each in dataclasses.fields(Settings))
    return known and name != "keys" and _wanted(name, value) is None


def _wanted(name: str, value: object) -> Message | None:
    """Return the valid values of a setting, for an error."""
    if name in CHOICES:
        known = Message("one of {known}", known=", ".join(CHOICES[name]))
        return None if value in CHOICES[name] else known
    if name in RANGES:
        least, most = RANGES[name]
        kinds = int if isinstance(least, int) else int | float
        fits = isinstance(value, kinds) and type(value) is not bool and least <= value <= most
        return None if fits else Message("a number from {least} to {most}", least=least, most=most)
    if name == "meaning_weights":
        return None if isinstance(value, str) and "\0" not in value else Message("a folder")
    if name == "study_weights":
        numbers: list[Any] = value if isinstance(value, list) else [None]
        plain = all(type(each) in (int, float) and math.isfinite(each) for each in numbers)
        fits = plain and len(numbers) in (0, *WEIGHTS)
        return None if fits else Message("a list of 17, 19 or 21 numbers")
    if name == "study_easy_days":
        fits = isinstance(value, str) and set(value.split()) <= set(WEEKDAYS)
        return None if fits else Message("days of the week, such as 'fri sat'")
    with suppress(ValueError):
        dated = isinstance(value, str | datetime.date)  # TOML has dates, too
        if dated and (value == "" or datetime.date.fromisoformat(str(value))):
            return None
    return Message("a date, such as '2026-06-01'")
