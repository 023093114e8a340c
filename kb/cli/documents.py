"""The JSON documents of commands, each a function named after its command or record.

The fields of records that are written whole are keys of public JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what writes them has loaded them
    from kb.model.changes import Change
    from kb.model.entry import Program
    from kb.model.reports import Backup, Check, ImportReport, Outcome, Verification
    from kb.model.results import Hit, Results
    from kb.model.study import Due, Graded, Statistics

STATES = ("confirmed", "refuted", "stale", "cannot-run")
"""The possible results of verifying an annotation."""

_OUTCOME = (
    "snippet", "status", "exit_code", "stdout", "stderr", "truncated", "seconds",
    "peak_memory_bytes", "isolation", "level", "figures",
)  # fmt: skip
_FILE = ("collection", "added", "updated", "unchanged", "dry_run")
_HIT = (
    "id", "kind", "collection", "number", "level", "lang", "score", "via", "excerpt", "question",
    "verdicts", "snippets", "cards", "section",
)  # fmt: skip
_SELDOM = ("score", "via", "excerpt", "cards", "section")
"""The keys of a hit that are left out without a value; listed hits have only some of them."""


def _told(record: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def outcome(found: Outcome) -> dict[str, Any]:
    """Return the document of ``kb run --json``."""
    return _told(found, _OUTCOME)


def program(found: Program) -> dict[str, Any]:
    """Return the document of ``kb show --json`` for a program."""
    told = _told(found, ("code", "digest", "whose", "file", "entries", "asks"))
    return {"id": found.name, **told, "file": found.file or None}


def backup(made: Backup) -> dict[str, Any]:
    """Return the document of ``kb backup --json`` and ``kb restore --json``."""
    return {**made._asdict(), "kept": made.kept or None}


def checks(found: Iterable[Check]) -> dict[str, Any]:
    """Return the document of ``kb doctor --json`` and ``kb self-test --json``."""
    keys = ("check", "ok", "found", "remedy")
    return {"checks": [dict(zip(keys, check, strict=True)) for check in found]}


def verifications(results: Sequence[Verification]) -> dict[str, Any]:
    """Return the document of ``kb verify --json``."""
    counts = Counter(result.status for result in results)
    told = (_told(each, ("annotation", "status", "figures", "reason")) for each in results)
    return {
        "checked": len(results),
        **{state.replace("-", "_"): counts[state] for state in STATES},
        "results": [{**each, "reason": each["reason"] or None} for each in told],
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
        "entries": [entry._asdict() for file in files for entry in file.entries],
        "dropped": [d._asdict() for file in files for d in (*file.dropped, *file.bad)],
        "disbelieved": [d._asdict() for file in files for d in file.disbelieved],
        "unfit": [d._asdict() for file in files for d in file.unfit],
        "files": [{"path": file.file, **_told(file, _FILE)} for file in files],
        "readings": [each._asdict() for file in files for each in file.readings],
        "change": next((file.change for file in files if file.change), None),
    }


# What searches and lists find.


def search(found: Results) -> dict[str, Any]:
    """Return the document of ``kb search --json``."""
    told = _told(found, ("query", "took_ms", "total", "suggestion", "notice"))
    explanation = {"explanation": found.explanation} if found.explanation else {}
    return {**told, **explanation, "hits": list(map(_hit, found.hits))}


def listed(found: Results) -> dict[str, Any]:
    """Return the document of ``kb list --json``."""
    return {"total": found.total, "hits": list(map(_hit, found.hits))}


def _hit(found: Hit) -> dict[str, Any]:
    told = _told(found, _HIT)
    if found.excerpt is not None:
        told["excerpt"] = found.excerpt._asdict()
    return {k: v for k, v in told.items() if k not in _SELDOM or v not in (None, ())}


def changes(found: Iterable[Change]) -> dict[str, Any]:
    """Return the document of ``kb log --json`` and ``kb history --json``: one row per field."""
    return {"changes": [row for change in found for row in _rows(change)]}


def _rows(change: Change) -> Iterable[dict[str, Any]]:
    head = {"at": change.at, "what": change.action}
    tail = {"change": change.id, "who": change.who, "kind": change.what, "state": change.state,
            "of": change.of}  # fmt: skip
    names = ("entry", "field", "before", "after")
    for field in change.fields:
        yield {"id": field.id, **head, **_told(field, names), **tail}
    if not change.fields:
        yield {"id": change.id, **head, **dict.fromkeys(names), **tail}


# Studying: what is due, a session, and how it went.


def due(found: Due) -> dict[str, Any]:
    """Return the document of ``kb due --json``."""
    told = found._asdict()
    told["day"] = found.day.isoformat()
    told["collections"] = [
        {"id": each.collection, "title": each.title, "due": each.due, "again": each.again,
         "new": each.new}
        for each in found.collections
    ]  # fmt: skip
    return told


def session(graded: Iterable[Graded], left: Due) -> dict[str, Any]:
    """Return the document of ``kb study --json``."""
    rows = [{**each._asdict(), "due": each.due.isoformat()} for each in graded]
    return {"graded": rows, "left": left.reviews + left.new, "tomorrow": left.tomorrow}


def statistics(found: Statistics) -> dict[str, Any]:
    """Return the document of ``kb stats --json``."""
    return {
        **found._asdict(),
        "day": found.day.isoformat(),
        "weeks": list(found.weeks),
        "days": {day.isoformat(): count for day, count in found.days.items()},
        "calibration": [each._asdict() for each in found.calibration],
    }
