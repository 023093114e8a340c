"""The words that records may use for their kinds, levels, roles, verdicts and states."""

SCHEMA_VERSION = 1
"""The version of every JSON document, in and out."""

KINDS = ("question", "card", "note")
LEVELS = ("E", "M", "H")
NEWLINES = ("lf", "crlf", "cr", "mixed")
ROLES = ("source", "reference")
TARGET_ROLES = ("question", "source")
OWN_TARGET_ROLES = (*TARGET_ROLES, "reference")
"""What a reader's own annotation may speak of."""

SEVERITIES = ("high", "medium", "low")
"""How much harm the words do, whatever the verdict. ``high``: who says this fails the question,
or a program made from it breaks, or is wrong without a word. ``medium``: a listener who knows
would correct it, or a decision made by it costs time or money. ``low``: the meaning survives."""

BASES = ("counted", "measured", "simulated", "definition")
"""What a figure is: counted exactly, measured in a run of the computation itself, got from a
model with assumed constants, or what follows from a definition."""

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
"""The verdict of a reader's annotation that passes none."""

OWN_VERDICTS = (NOTE, *VERDICTS)
STATUSES = ("confirmed", "refuted", "stale", "cannot-run", "unverified", "no-evidence", "orphaned")
