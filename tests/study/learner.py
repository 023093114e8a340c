"""A reader who studies by a clock that can be moved, and what is kept of it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from kb import Library
from kb.model.study import Asked, Graded
from kb.service.study import Study
from kb.settings import Settings

TEHRAN = timezone(timedelta(hours=3, minutes=30))
PLAIN = Settings(study_fuzz="off")


class Learner:
    """A reader who studies in a library; the first day is the first of March 2026, a Sunday."""

    def __init__(self, library: Library, settings: Settings = PLAIN) -> None:
        self.library = library
        self.now = datetime(2026, 3, 1, 9, tzinfo=TEHRAN)
        self.study = Study(library._base, settings)
        vars(self.study)["_now"] = lambda: self.now

    def pass_time(self, **passed: float) -> None:
        self.now += timedelta(**passed)

    def next(self, **options: Any) -> Asked | None:
        return self.study.next(**options)

    def answer(self, rating: int = 3, **told: Any) -> Graded | None:
        """Answer what comes next, if anything does, in a minute."""
        asked = self.study.next()
        if asked is None:
            return None
        self.pass_time(minutes=1)
        return self.study.grade(asked.exercise.entry, asked.exercise.key, rating, **told)

    def day(self, rating: int = 3, most: int = 1000) -> list[Graded]:
        """Answer all that comes on a day, and sleep until the next morning."""
        done = []
        while len(done) < most and (graded := self.answer(rating)):
            done.append(graded)
        morning = self.now.replace(hour=9, minute=0, second=0, microsecond=0)
        self.now = morning + timedelta(days=1)
        return done

    def memory(self) -> list[tuple[object, ...]]:
        """Return what is remembered, of what was asked at all."""
        rows = self.library._base.store.connection.rows(
            "SELECT c.entry, c.exercise, m.stability, m.difficulty, m.day, m.due, m.at, m.reviews, "
            "m.lapses, m.cap, m.suspended, m.changed, m.shown FROM study_memory m "
            "JOIN study_card c ON c.card = m.card ORDER BY 1, 2"
        )
        return [tuple(row) for row in rows if row["reviews"] or row["suspended"]]

    def log(self) -> list[str]:
        """Return what the rows of the log say, in order."""
        return [row.what for row in self.library._base.store.studies.rows()]


def import_questions(library: Library, folder: Path, answers: dict[str, str]) -> list[str]:
    """Import questions by their ids, each with its answer, and return the ids they get."""
    file = folder / "cards.jsonl"
    rows = (
        {"id": id, "lang": "en", "title": f"{id}?", "text": text} for id, text in answers.items()
    )
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    library.import_file(file, collection="cards")
    return [f"cards/{id}" for id in answers]


def many(count: int) -> dict[str, str]:
    """Return answers of so many questions."""
    return {f"q{n:03}": f"Answer {n}." for n in range(count)}
