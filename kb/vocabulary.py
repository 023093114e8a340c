"""The words that records may use for their kinds, levels, roles, verdicts and states."""

SCHEMA_VERSION = 1
"""The version of every JSON document, in and out."""

KINDS = ("question", "card", "note")
LEVELS = ("E", "M", "H")
ROLES = ("source", "reference")
TARGET_ROLES = ("question", "source")
SEVERITIES = ("high", "medium", "low")
VERDICTS = (
    "wrong",
    "misleading",
    "incomplete",
    "outdated",
    "typo",
    "translation-error",
    "lost-in-extraction",
)
STATUSES = ("confirmed", "refuted", "stale", "cannot-run", "unverified", "no-evidence")
RTL_LANGUAGES = ("ar", "ckb", "dv", "fa", "he", "prs", "ps", "sd", "ug", "ur", "yi")
"""The languages that are written from right to left."""
