"""The JSON of runs, verifications, imports and checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from kb.model.changes import Change, Collection
from kb.model.clauses import KINDS, LEVELS
from kb.model.entry import Program
from kb.model.json import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    ByName,
    Choice,
    Key,
    Many,
    Maybe,
    Shape,
    Texts,
    Words,
)
from kb.model.reports import (
    Backup,
    Check,
    Dropped,
    FileReading,
    GlossaryReport,
    ImportedEntry,
    ImportReport,
    LearnedReport,
    Outcome,
    Salvaged,
    Verification,
)
from kb.model.results import Excerpt, Hit, Results

OUTCOME = Shape(
    Outcome,
    Key("snippet", TEXT),
    Key("status", TEXT),
    Key("exit_code", Maybe(WHOLE)),
    Key("stdout", TEXT),
    Key("stderr", TEXT),
    Key("truncated", FLAG),
    Key("seconds", NUMBER),
    Key("peak_memory_bytes", WHOLE),
    Key("isolation", Words()),
    Key("level", TEXT),
    Key("figures", ByName(NUMBER)),
)

PROGRAM = Shape(
    Program,
    Key("id", TEXT, "name"),
    Key("code", TEXT),
    Key("digest", TEXT),
    Key("whose", TEXT),
    Key("file", Maybe(TEXT, "")),
    Key("entries", Words()),
    Key("asks", FLAG),
)

VERIFICATION = Shape(
    Verification,
    Key("annotation", TEXT),
    Key("status", TEXT),
    Key("figures", ByName(NUMBER)),
    Key("reason", Maybe(TEXT, "")),
)

STATES = ("confirmed", "refuted", "stale", "cannot-run")
"""The possible results of verifying an annotation."""

CHECK = Shape(
    Check,
    Key("check", TEXT, "name"),
    Key("ok", FLAG, "well"),
    Key("found", TEXT),
    Key("remedy", TEXT),
)

BACKUP = Shape(
    Backup,
    Key("path", TEXT),
    Key("entries", WHOLE),
    Key("bytes", WHOLE),
    Key("kept", Maybe(TEXT, "")),
)

SALVAGED = Shape(
    Salvaged,
    Key("path", TEXT),
    Key("saved", ByName(WHOLE)),
    Key("lost", ByName(WHOLE)),
    Key("partly", Words()),
    Key("complete", FLAG),
)

GLOSSARY = Shape(GlossaryReport, Key("name", TEXT), Key("pairs", WHOLE))

LEARNED = Shape(
    LearnedReport,
    Key("name", TEXT),
    Key("pairs", WHOLE),
    Key("sentences", WHOLE),
    Key("repeated", WHOLE),
    Key("too_long", WHOLE),
)

IMPORTED = Shape(
    ImportedEntry, Key("id", TEXT), Key("question", Texts()), Key("line", Maybe(WHOLE))
)

DROPPED = Shape(
    Dropped,
    Key("file", TEXT),
    Key("line", Maybe(WHOLE)),
    Key("reason", TEXT),
    Key("text", TEXT),
)

READING = Shape(
    FileReading,
    Key("file", TEXT),
    Key("taken_as", TEXT),
    Key("form", TEXT),
    Key("why", TEXT),
    Key("words", WHOLE),
    Key("lost", WHOLE),
)

FILE = Shape(
    ImportReport,
    Key("path", TEXT, "file"),
    Key("collection", TEXT),
    Key("added", WHOLE),
    Key("updated", WHOLE),
    Key("unchanged", WHOLE),
    Key("dry_run", FLAG),
)
"""What an import did with one of its paths."""


def verifications(results: Sequence[Verification]) -> dict[str, Any]:
    """Return the document of ``kb verify --json``."""
    counts = Counter(result.status for result in results)
    return {
        "checked": len(results),
        **{state.replace("-", "_"): counts[state] for state in STATES},
        "results": Many(VERIFICATION).write(results),
    }


def imports(files: Sequence[ImportReport], dry_run: bool) -> dict[str, Any]:
    """Return the document of ``kb import --json``: totals, and each path."""
    return {
        "added": sum(file.added for file in files),
        "updated": sum(file.updated for file in files),
        "unchanged": sum(file.unchanged for file in files),
        "conflicts": [id for file in files for id in file.conflicts],
        "gone": [id for file in files for id in file.gone],
        "dry_run": dry_run,
        "entries": [IMPORTED.write(entry) for file in files for entry in file.entries],
        "dropped": [DROPPED.write(d) for file in files for d in (*file.dropped, *file.bad)],
        "disbelieved": [DROPPED.write(d) for file in files for d in file.disbelieved],
        "unfit": [DROPPED.write(d) for file in files for d in file.unfit],
        "files": Many(FILE).write(files),
        "readings": [READING.write(each) for file in files for each in file.readings],
        "change": next((file.change for file in files if file.change), None),
    }


# What searches and lists find.


class _Place:
    """A span of a text as a list of start and end."""

    def write(self, value: tuple[int, int]) -> list[int]:
        """Return start and end."""
        return list(value)

    def read(self, value: Any, place: str, key: str) -> tuple[int, int]:
        """Return the place."""
        start, end = Many(WHOLE).read(value, place, key)
        return start, end


EXCERPT = Shape(Excerpt, Key("text", TEXT), Key("marks", Many(_Place())))

HIT = Shape(
    Hit,
    Key("id", TEXT),
    Key("kind", Choice(KINDS)),
    Key("collection", TEXT),
    Key("number", Maybe(TEXT)),
    Key("level", Maybe(Choice(LEVELS))),
    Key("lang", TEXT),
    Key("score", NUMBER, default=None, always=False),
    Key("via", TEXT, default=None, always=False),
    Key("excerpt", EXCERPT, default=None, always=False),
    Key("question", Texts()),
    Key("verdicts", ByName(WHOLE)),
    Key("snippets", Words()),
    Key("cards", Words(), default=(), always=False),
    Key("section", TEXT, default=None, always=False),
)
"""A hit; listed ones have no score, via or excerpt."""

SEARCH = Shape(
    Results,
    Key("query", TEXT),
    Key("took_ms", NUMBER),
    Key("total", WHOLE),
    Key("suggestion", Maybe(TEXT)),
    Key("notice", Maybe(TEXT)),
    Key("explanation", Words(), default=(), always=False),
    Key("hits", Many(HIT)),
)

LIST = Shape(lambda **values: Results("", **values), Key("total", WHOLE), Key("hits", Many(HIT)))


# What changed: actions, the journal, collections.


def edited(ids: Iterable[str], change: str | None) -> dict[str, Any]:
    """Return the document of a command that writes: the entries and the change id."""
    return {"ids": list(ids), "change": change}


def changes(found: Iterable[Change]) -> dict[str, Any]:
    """Return the document of ``kb log --json`` and ``kb history --json``: one row per field."""
    return {"changes": [row for change in found for row in _rows(change)]}


def collections(tree: Iterable[Collection]) -> dict[str, Any]:
    """Return the document of ``kb collection list --json``."""
    return {
        "collections": [
            {"id": c.id, "title": c.title, "entries": c.entries, "parent": c.parent} for c in tree
        ]
    }


def _rows(change: Change) -> Iterable[dict[str, Any]]:
    head = {"at": change.at, "what": change.action}
    tail = {"change": change.id, "who": change.who, "kind": change.what, "state": change.state,
            "of": change.of}  # fmt: skip
    told = {"entry": None, "field": None, "before": None, "after": None}
    for field in change.fields:
        row = {"entry": field.entry, "field": field.field, "before": field.before,
               "after": field.after}  # fmt: skip
        yield {"id": field.id, **head, **row, **tail}
    if not change.fields:
        yield {"id": change.id, **head, **told, **tail}
