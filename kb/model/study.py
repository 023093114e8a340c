"""Studying: the rows of its log, what is asked, what an answer came to, and what is due."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

from kb.model.entry import Annotation, Evidence, Snippet

What = Literal["grade", "undo", "add", "suspend", "resume", "changed"]
"""What a row of the log says: a rating, one taken back, or what is to be studied or not."""

Kind = Literal["recall", "cloze", "fault", "predict"]
KINDS: tuple[Kind, ...] = ("recall", "cloze", "fault", "predict")

Mode = Literal["study", "preview", "cram"]
"""By the schedule, or without touching it: what is new, or whatever there is."""

UNSURE, FAIRLY_SURE, SURE = 1, 2, 3
CONFIDENCE: Mapping[int, float] = {UNSURE: 0.3, FAIRLY_SURE: 0.7, SURE: 0.95}
"""How sure a reader said to be before the answer, and the probability that it stands for."""


class Row(NamedTuple):
    """A row of the log, which is never changed. Numbers are 0 and texts empty where none is told.

    The ``id`` sorts by time. ``exercise`` is the key of what was asked, or empty of what is said
    of a whole entry. ``at`` is in milliseconds since 1970, ``zone`` minutes east of UTC, ``day``
    the study day. ``outcome`` is what the answer came to, as JSON; ``took`` milliseconds,
    ``interval`` the days until the next, ``shown`` the digest of what was asked and answered,
    ``scheduler`` the number of a `Scheduler`, and ``of`` the row that is undone.
    """

    id: int
    what: str
    entry: str
    exercise: str
    at: int
    zone: int
    day: int
    rating: int = 0
    interval: int = 0
    confidence: int = 0
    took: int = 0
    outcome: str = ""
    shown: str = ""
    scheduler: int = 0
    of: int = 0


class Scheduler(NamedTuple):
    """What ratings were scheduled by: weights of FSRS-6, desired retention, when a day begins."""

    weights: tuple[float, ...]
    retention: float
    begins: int


class Card(NamedTuple):
    """What is remembered of an exercise, all of it replayed from the log.

    ``day`` is the study day of the last review, 0 of what was never reviewed; ``due`` the day on
    which it comes back. ``lapses`` are those since it was last resumed. Until the day ``cap`` it
    comes back, because an error was made with confidence.
    """

    entry: str
    exercise: str
    stability: float = 0.0
    difficulty: float = 0.0
    day: int = 0
    due: int = 0
    at: int = 0
    reviews: int = 0
    lapses: int = 0
    cap: int = 0
    suspended: bool = False
    changed: bool = False
    shown: str = ""


class Exercise(NamedTuple):
    """What is asked of an entry, in one language, and what is shown then.

    ``key`` names it within the entry and stays; ``kind`` is its part before the colon. Texts are
    Markdown. ``passage`` is what a fault is looked for in; ``annotation`` what is wrong there, or
    nothing of a sound one, whose ``reason`` says why. ``evidence`` is the figure to predict, which
    ``snippet`` measures. ``shown`` is the digest of what is asked and answered in all languages.
    """

    entry: str
    key: str
    kind: Kind
    lang: str
    question: str
    answer: str
    passage: str = ""
    reason: str = ""
    annotation: Annotation | None = None
    evidence: Evidence | None = None
    snippet: Snippet | None = None
    shown: str = ""
    collection: str = ""


class Outcome(NamedTuple):
    """What an answer came to. Only what its kind of exercise has is told.

    ``right`` of a fault says that it was found, or that a ``sound`` passage was called so. Of one
    that was found, ``error`` says how well the correction meets ours: 0, partly 0.1, or not 1. Of
    a prediction it is the distance from ``measured``, relative to that; ``tolerance`` is what
    counts as exact. ``hint`` says that one was taken. Where a program failed ``problem`` says how,
    and nothing is to be rated.
    """

    right: bool | None = None
    sound: bool = False
    error: float | None = None
    tolerance: float = 0.0
    hint: bool = False
    given: str = ""
    measured: float | None = None
    problem: str = ""


class Asked(NamedTuple):
    """An exercise that is up, why, and when it comes back by the rating it gets, in days.

    ``state`` is ``new``, ``due``, ``again`` (of today) or ``changed``: somebody else changed
    what it asks or answers. Interval 0 is today. ``left`` counts what today's session has left.
    """

    exercise: Exercise
    state: str
    intervals: Mapping[int, int]
    left: int


class Graded(NamedTuple):
    """A rating that was kept: its row, and the interval and day of the next review."""

    id: int
    entry: str
    exercise: str
    rating: int
    interval: int
    due: date
    leech: bool


class DueIn(NamedTuple):
    """What a collection holds to study today, without what lies in others below it."""

    collection: str
    title: Mapping[str, str]
    due: int
    again: int
    new: int


class Due(NamedTuple):
    """What is due on a study day, by collection, and what the daily limits leave of it.

    ``reviews`` and ``new`` are what today's limits leave; ``overdue`` counts what was due before
    today, ``done`` the exercises of today, ``tomorrow`` what is due then.
    """

    day: date
    reviews: int
    new: int
    overdue: int
    done: int
    tomorrow: int
    suspended: int
    leeches: int
    collections: tuple[DueIn, ...]


class Calibration(NamedTuple):
    """How often answers were right that a reader was so sure of."""

    confidence: int
    expected: float
    right: float
    answers: int


class Statistics(NamedTuple):
    """How studying went and what is to come.

    ``weeks`` counts what is due in each of the next 8 weeks, ``days`` the reviews of each of the
    last 365 days that had any, ``retention`` how many of the reviews of the last 30 days that
    came back after a day or more were recalled. ``brier`` is the Brier score of confidence.
    """

    day: date
    reviews: int
    cards: int
    weeks: tuple[int, ...]
    days: Mapping[date, int]
    retention: float | None
    desired: float
    measured: int
    brier: float | None
    calibration: tuple[Calibration, ...]
    seconds: float
