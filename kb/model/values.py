"""The words that records use for their kinds, levels, roles, verdicts and states."""

from __future__ import annotations

SCHEMA_VERSION = 1
"""The version of every JSON document."""

KINDS = ("question", "card", "note")
EXERCISES = ("recall", "cloze", "fault", "predict")
LEVELS = ("E", "M", "H")
_EASY = (
    "easy beginner beginners basic basics fundamental fundamentals elementary simple junior novice"
    " entry entry-level introductory آسان ساده مقدماتی مبتدی پایه ابتدایی лёгкий легкий"
)
_MEDIUM = "medium intermediate mid mid-level moderate middle normal average متوسط میانی средний"
_HARD = (
    "hard advanced advance expert difficult senior challenging pro tough"
    " سخت دشوار پیشرفته حرفه‌ای خبره پیچیده сложный трудный"
)
LEVEL_WORDS = {
    **dict.fromkeys(_EASY.split(), "E"),
    **dict.fromkeys(_MEDIUM.split(), "M"),
    **dict.fromkeys(_HARD.split(), "H"),
}
"""The words for levels, in input and files."""
NEWLINES = ("lf", "crlf", "cr", "mixed")
ROLES = ("source", "reference")
TARGET_ROLES = ("question", "source")
LAYERS = ("short", "example", "mistakes", "further")
"""The texts of an entry beside its full answer, by language, in order."""

OWN_TARGET_ROLES = (*TARGET_ROLES, "reference", *LAYERS)
"""The targets of a reader's own annotation."""

SEVERITIES = ("high", "medium", "low")
"""The harm that the words do, independent of the verdict. ``high``: whoever says this fails the
question, or a program based on it breaks or is silently wrong. ``medium``: an expert would correct
it, or a decision based on it costs time or money. ``low``: the meaning survives."""

BASES = ("counted", "measured", "simulated", "definition")
"""The origin of a figure: counted exactly, measured in a run, simulated by a model with assumed
constants, or true by definition."""

VERDICTS = (
    "wrong",
    "misleading",
    "incomplete",
    "outdated",
    "typo",
    "translation-error",
    "lost-in-extraction",
)
NOTE = "note"
"""The verdict of a reader's annotation without a judgement."""

OWN_VERDICTS = (NOTE, *VERDICTS)
JUDGEMENTS = ("sound", "sound but thin", "flawed")
"""The assessments of a source answer. Only a flawed one has a wrong or misleading passage."""

NOTES = "notes"
"""The collection of entries and notes for which a reader names none."""

TITLES = {NOTES: {"en": "Notes", "fa": "یادداشت‌ها"}}
"""The titles of collections for which neither content nor reader has given one."""

STATUSES = ("confirmed", "refuted", "stale", "cannot-run", "unverified", "no-evidence", "orphaned")


def named_level(said: str) -> str | None:
    """Return the level for a letter or word, or nothing.

    >>> named_level("Hard"), named_level("متوسط"), named_level("e"), named_level("red")
    ('H', 'M', 'E', None)
    """
    word = said.strip().casefold()
    letter = word.upper()
    return LEVEL_WORDS.get(word) or (letter if letter in LEVELS else None)
