"""What came of runs, verifications, imports, checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kb.contract.codec import FLAG, NUMBER, TEXT, WHOLE, ByName, Many, Maybe, Texts, Words
from kb.contract.shape import Key, Shape
from kb.records import (
    Backup,
    Check,
    Dropped,
    FileReading,
    GlossaryReport,
    ImportedEntry,
    ImportReport,
    LearnedReport,
    Outcome,
    Program,
    Salvaged,
    Verification,
)

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
"""What can come of verifying an annotation."""

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
"""What an import did with one of the paths it was given."""


def verifications(results: Sequence[Verification]) -> dict[str, Any]:
    """Return the document of ``kb verify --json``."""
    counts = Counter(result.status for result in results)
    return {
        "checked": len(results),
        **{state.replace("-", "_"): counts[state] for state in STATES},
        "results": Many(VERIFICATION).write(results),
    }


def imports(files: Sequence[ImportReport], dry_run: bool) -> dict[str, Any]:
    """Return the document of ``kb import --json``: one for all paths, and each by itself."""
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
