"""A year of study by a learner with another memory than the scheduler, and fitted weights."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from kb import Library
from kb.errors import UsageError
from kb.settings import Settings
from tests.study.learner import Learner, import_questions, many

CARDS, NEW, REVIEWS = 220, 5, 40
AWAY = range(180, 210)


class Memories:
    """What a learner truly remembers: it fades by another curve, and grows by another rule.

    FSRS forgets by a power of time. Here the chance falls by a stretched exponential, each card
    is easier or harder than others, and what was just seen grows little.
    """

    def __init__(self) -> None:
        self.rng = random.Random(11)
        self.known: dict[str, tuple[float, int]] = {}
        self.gift: dict[str, float] = defaultdict(lambda: self.rng.uniform(0.6, 1.5))

    def rating(self, entry: str, day: int) -> int:
        """Answer, and return how it is rated."""
        strength, before = self.known.get(entry, (0.0, day))
        passed = day - before
        chance = 0.9 ** ((passed / strength) ** 0.8) if strength else 0.4
        if self.rng.random() > chance:
            self.known[entry] = (max(0.35 * strength, 0.8 * self.gift[entry]), day)
            return 1
        grown = 1 + 0.9 * self.gift[entry] * min(passed / strength, 1.5) if strength else 0.0
        self.known[entry] = (strength * grown or 2.5 * self.gift[entry], day)
        return self.rng.choice((2, 3, 3, 3, 3, 4))


class Year:
    """A learner's days, and what they showed."""

    def __init__(self, reader: Learner) -> None:
        self.reader, self.memories = reader, Memories()
        self.recalled: Counter[bool] = Counter()
        self.waited = 0

    def study(self, days: Iterable[int], away: range = range(0)) -> None:
        """Study day after day; hold the daily limits, and note how long reviews waited."""
        reader = self.reader
        for number in days:
            if number in away:
                reader.pass_time(days=1)
                continue
            day = reader.study.due().day.toordinal()
            new, reviewed = set(), set()
            while (asked := reader.next()) is not None:
                entry = asked.exercise.entry
                card = reader.study._base.store.studies.card(entry, "recall")
                rating = self.memories.rating(entry, day)
                if asked.state == "due":
                    reviewed.add(entry)
                    self.recalled[rating > 1] += 1
                    self.waited = max(self.waited, day - card.due)
                elif asked.state == "new":
                    new.add(entry)
                reader.pass_time(seconds=20)
                reader.study.grade(entry, "recall", rating)
            assert len(new) <= NEW and len(reviewed) <= REVIEWS
            reader.now = reader.now.replace(hour=9, minute=0, second=0)
            reader.pass_time(days=1)


@pytest.mark.long
def test_a_year_keeps_limits_and_starves_nothing_and_fitted_weights_keep_retention(
    empty: Library, tmp_path: Path
) -> None:
    """A month away is in the middle of it."""
    import_questions(empty, tmp_path, many(CARDS))
    settings = Settings(study_new=NEW, study_reviews=REVIEWS)
    reader = Learner(empty, settings)
    year = Year(reader)
    year.study(range(365), AWAY)
    assert reader.study.statistics().cards == CARDS
    assert year.waited <= len(AWAY) + CARDS // REVIEWS + 1
    before = reader.memory()
    reader.study.replay()
    assert reader.memory() == before

    pytest.importorskip("fsrs_rs_python")
    for days in (120, 300):  # what the weights before planned is done in the first
        found = year.reader.study.fit()
        assert len(found.weights) == 21 and found.after < found.before
        year.recalled.clear()
        fitted = Learner(empty, replace(settings, study_weights=found.weights))
        fitted.now, year.reader = year.reader.now, fitted
        year.study(range(days))
    assert sum(year.recalled.values()) > 400
    retention = year.recalled[True] / sum(year.recalled.values())
    assert abs(retention - settings.study_retention) < 0.03


def test_few_reviews_fit_no_weights(empty: Library, tmp_path: Path) -> None:
    pytest.importorskip("fsrs_rs_python")
    import_questions(empty, tmp_path, many(3))
    reader = Learner(empty)
    for _ in range(3):
        reader.day()
    with pytest.raises(UsageError, match="400 reviews or more"):
        reader.study.fit()
