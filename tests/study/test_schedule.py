"""The schedule: held against Anki's own memory, and its days, weights and intervals."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from fsrs import Rating, Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS, LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS

from kb.errors import UsageError
from kb.model.study import AGAIN, GOOD
from kb.study.schedule import LONGEST, Memory, Schedule, converted, spread, study_day

DAY = 86400
FSRS_5 = (
    0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925,
    1.9395, 0.11, 0.29605, 2.2698, 0.2315, 2.9898, 0.51655, 0.6621,
)  # fmt: skip
FSRS_4 = (
    0.4872, 1.4003, 3.7145, 13.8206, 5.1618, 1.2298, 0.8975, 0.031, 1.6474, 0.1367, 1.0461, 2.1072,
    0.0793, 0.3246, 1.587, 0.2272, 2.8755,
)  # fmt: skip
OUT_OF_BOUNDS = tuple(1.3 * each for each in DEFAULT_PARAMETERS)


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[Any]:
    pytest.importorskip("anki")
    from anki.collection import Collection

    collection = Collection(str(tmp_path / "collection.anki2"))
    collection.set_config("fsrs", True)
    yield collection
    collection.close()


def schedule_by(anki: Any, weights: Sequence[float]) -> None:
    """Let Anki's default deck be scheduled by weights, under the name of their version."""
    options = anki.decks.config_dict_for_deck_id(1)
    for count, name in ((17, "fsrsWeights"), (19, "fsrsParams5"), (21, "fsrsParams6")):
        options[name] = [*weights] if len(weights) == count else []
    options["desiredRetention"] = 0.9
    anki.decks.update_config(options)


def random_log(rng: random.Random) -> list[tuple[int, int]]:
    """Return ratings of one card, each with its seconds since 1970, none in the future.

    None is in the first second of an hour: Anki counts that of a study day to the day before.
    """
    hour = int(time.time()) // 3600 - 24 * rng.randint(400, 700) + rng.randint(0, 24)
    at = 3600 * hour + rng.randint(1, 599)
    log: list[tuple[int, int]] = []
    for _ in range(rng.randint(1, 12)):
        log.append((rng.choice((1, 2, 3, 3, 3, 4)), at))
        at += rng.choice((600, 3600 * rng.randint(1, 30), DAY * rng.randint(1, 30)))
        if at > time.time():
            break
    return log


def replayed(plan: Schedule, reviews: Iterable[tuple[int, int]]) -> Memory | None:
    """Return the memory after reviews in order, each a rating and a study day."""
    memory = None
    for rating, day in reviews:
        memory = plan.after(memory, rating, day)
    return memory


@pytest.mark.long
@pytest.mark.parametrize("weights", [DEFAULT_PARAMETERS, FSRS_5, FSRS_4, OUT_OF_BOUNDS])
def test_memory_and_intervals_are_those_of_anki(anki: Any, weights: Sequence[float]) -> None:
    """250 random logs for each kind of weights; Anki counts in floats of 32 bits."""
    schedule_by(anki, weights)
    plan, rng = Schedule(weights), random.Random(len(weights))
    note = anki.new_note(anki.models.by_name("Basic"))
    note["Front"] = "?"
    anki.add_note(note, 1)
    card = note.cards()[0].id
    for _ in range(250):
        log = random_log(rng)
        anki.db.execute("DELETE FROM revlog")
        for place, (rating, at) in enumerate(log):
            row = (1000 * at + place, card, -1, rating, 1, 1, 2500, 1000, min(place, 1))
            anki.db.execute("INSERT INTO revlog VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)
        theirs = anki._backend.compute_memory_state(card).state
        days = (study_day(datetime.fromtimestamp(at).astimezone(), 4) for _, at in log)
        ours = replayed(plan, zip((rating for rating, _ in log), days, strict=True))
        assert ours is not None
        assert ours.stability == pytest.approx(theirs.stability, rel=1e-4, abs=1e-4)
        assert ours.difficulty == pytest.approx(theirs.difficulty, abs=1e-4)
        exact = plan.exact(ours.stability)
        same = plan.interval(ours.stability) == max(round(plan.exact(theirs.stability)), 1)
        assert same or abs(exact % 1 - 0.5) < 1e-3


@pytest.mark.parametrize("weights", [DEFAULT_PARAMETERS, FSRS_5, FSRS_4, OUT_OF_BOUNDS])
def test_each_step_is_that_of_py_fsrs(weights: Sequence[float]) -> None:
    """To the last digits, which Anki's floats do not tell."""
    plan, rng = Schedule(weights), random.Random(5)
    theirs: Any = Scheduler(plan.weights, 0.9, enable_fuzzing=False)
    memory = plan.after(None, GOOD, 1)
    assert memory.stability == theirs._initial_stability(rating=Rating.Good)
    for _ in range(2000):
        rating, passed = Rating(rng.randint(1, 4)), rng.choice((0, 1, 3, 20, 400))
        after = plan.after(memory, rating, memory.day + passed)
        known: dict[str, Any] = {"stability": memory.stability, "rating": rating}
        if passed:
            recalled = (1 + theirs._FACTOR * passed / memory.stability) ** theirs._DECAY
            stability = theirs._next_stability(
                **known, difficulty=memory.difficulty, retrievability=recalled
            )
        else:
            stability = theirs._short_term_stability(**known)
        difficulty = theirs._next_difficulty(difficulty=memory.difficulty, rating=rating)
        assert after.stability == pytest.approx(min(stability, LONGEST), rel=1e-12)
        assert after.difficulty == pytest.approx(difficulty, rel=1e-12)
        memory = after


def test_days_between_reviews_are_study_days_and_not_periods_of_24_hours() -> None:
    """A review late in the evening and one the next morning are a day apart."""
    here = timezone(timedelta(hours=3, minutes=30))
    evening, morning = datetime(2026, 3, 1, 23, tzinfo=here), datetime(2026, 3, 2, 8, tzinfo=here)
    night = datetime(2026, 3, 2, 3, 59, tzinfo=here)
    assert study_day(morning, 4) - study_day(evening, 4) == 1
    assert study_day(night, 4) == study_day(evening, 4)
    plan = Schedule()
    first = plan.after(None, GOOD, 1)
    assert plan.after(first, GOOD, 2).stability > plan.after(first, GOOD, 1).stability


def test_a_review_without_a_rating_counts_as_forgotten() -> None:
    schedule, known = Schedule(), Memory(5.0, 5.0, 10)
    for memory in (None, known):
        assert schedule.after(memory, 0, 20) == schedule.after(memory, 1, 20)


def test_a_clock_that_went_back_counts_as_the_same_day() -> None:
    plan = Schedule()
    memory = plan.after(None, GOOD, 100)
    assert plan.after(memory, GOOD, 40) == plan.after(memory, GOOD, 100)


@pytest.mark.parametrize("count", [1, 16, 18, 20, 22, 35])
def test_weights_of_another_number_are_refused(count: int) -> None:
    with pytest.raises(UsageError, match=f"17, 19 or 21 weights, not {count}"):
        converted([0.5] * count)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(bad: float) -> None:
    with pytest.raises(UsageError, match="finite"):
        converted([*DEFAULT_PARAMETERS[:-1], bad])


def test_weights_out_of_bounds_are_brought_within_them_as_anki_does() -> None:
    bounds = zip(
        LOWER_BOUNDS_PARAMETERS, converted([9.0] * 21), UPPER_BOUNDS_PARAMETERS, strict=True
    )
    assert all(least <= each <= most for least, each, most in bounds)


@pytest.mark.parametrize("retention", [0, 1, 0.69, 0.995, -1, float("nan")])
def test_a_retention_of_none_or_all_is_refused(retention: float) -> None:
    with pytest.raises(UsageError, match=r"from 0\.7 to 0\.99"):
        Schedule(retention=retention)


def test_more_desired_retention_means_shorter_intervals_and_never_none() -> None:
    intervals = [Schedule(retention=each).interval(30.0) for each in (0.99, 0.95, 0.9, 0.8, 0.7)]
    assert intervals == sorted(intervals) and intervals[2] == 30
    assert Schedule().interval(0.001) == 1
    assert Schedule().interval(10.0**9) == LONGEST


def test_intervals_are_spread_by_their_seed_and_around_what_they_were() -> None:
    many = [spread(100, 0, str(seed)) for seed in range(500)]
    assert 93 <= min(many) < 96 and 104 < max(many) <= 107
    assert 98 < sum(many) / 500 < 102
    assert spread(100, 0, "a") == spread(100, 0, "a")
    assert [spread(n, 0, "a") for n in (0, 1, 2)] == [0, 1, 2]


def test_an_easy_day_is_taken_only_where_all_near_are_easy() -> None:
    for seed in range(100):
        assert (10 + spread(20, 10, str(seed), {4, 5}) - 1) % 7 not in (4, 5)
    assert spread(20, 10, "a", set(range(7))) in range(16, 25)
    assert spread(1, 10, "a", {(10 + 1 - 1) % 7}) == 1


def test_again_never_makes_memory_more_stable() -> None:
    plan, rng = Schedule(), random.Random(3)
    for _ in range(200):
        reviews = [(rng.choice((1, 2, 3, 4)), rng.randint(0, 9)) for _ in range(5)]
        memory = replayed(plan, reviews)
        assert memory is not None
        assert plan.after(memory, AGAIN, memory.day + 9).stability <= memory.stability
