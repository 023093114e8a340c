"""A year of study by a learner whose memory is not the scheduler's."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from kb import Library
from kb.settings import Settings
from kb.study.schedule import Memory, Schedule
from tests.study.learner import Learner, import_questions, many
from tests.study.test_schedule import FSRS_5

CARDS, NEW, REVIEWS = 90, 5, 25
AWAY = range(180, 210)


class Memories:
    """What a learner truly remembers: by other weights, and each card more or less than others."""

    def __init__(self) -> None:
        self.rng = random.Random(11)
        self.plan = Schedule(FSRS_5)
        self.known: dict[str, Memory] = {}
        self.gift: dict[str, float] = defaultdict(lambda: self.rng.uniform(0.7, 1.4))

    def rating(self, entry: str, day: int) -> int:
        """Answer, and return how it is rated."""
        memory = self.known.get(entry)
        chance = 0.0
        if memory is not None:
            stronger = memory._replace(stability=memory.stability * self.gift[entry])
            chance = self.plan.recalled(stronger, day)
        rating = 1 if self.rng.random() > chance else self.rng.choice((2, 3, 3, 3, 3, 4))
        self.known[entry] = self.plan.after(memory, rating, day)
        return rating


@pytest.mark.long
def test_a_year_keeps_limits_and_retention_and_lets_nothing_starve(
    empty: Library, tmp_path: Path
) -> None:
    """With weights that were fitted to the learner; a month away is in the middle of it."""
    import_questions(empty, tmp_path, many(CARDS))
    settings = Settings(study_new=NEW, study_reviews=REVIEWS, study_weights=FSRS_5)
    reader, memories = Learner(empty, settings), Memories()
    recalled: Counter[bool] = Counter()
    waited = 0
    for number in range(365):
        if number in AWAY:
            reader.pass_time(days=1)
            continue
        day = reader.study.due().day.toordinal()
        new, reviewed = set(), set()
        while (asked := reader.next()) is not None:
            entry = asked.exercise.entry
            card = reader.study._base.store.studies.card(entry, "recall")
            rating = memories.rating(entry, day)
            if asked.state == "due":
                reviewed.add(entry)
                recalled[rating > 1] += number > 60 and number not in range(210, 250)
                waited = max(waited, day - card.due)
            elif asked.state == "new":
                new.add(entry)
            reader.pass_time(seconds=20)
            reader.study.grade(entry, "recall", rating)
        assert len(new) <= NEW and len(reviewed) <= REVIEWS
        reader.now = reader.now.replace(hour=9, minute=0, second=0) + timedelta(days=1)
    assert reader.study.due().day == date(2027, 3, 1)
    found = reader.study.statistics()
    assert found.cards == CARDS and sum(recalled.values()) > 300
    retention = recalled[True] / sum(recalled.values())
    assert abs(retention - settings.study_retention) < 0.03
    assert waited <= len(AWAY) + CARDS // REVIEWS + 1
    before = reader.memory()
    reader.study.settings = replace(settings)
    reader.study.replay()
    assert reader.memory() == before
