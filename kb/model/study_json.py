"""The JSON of due exercises, sessions and study statistics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.model.study import Due, Graded, Statistics


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
