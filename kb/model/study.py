"""Studying: log rows, exercises, outcomes and due dates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:  # what makes exercises has loaded them
    from kb.model.entry import Annotation, Evidence, Snippet

What = Literal["grade", "undo", "add", "suspend", "resume", "changed"]
"""The kind of a log row: a rating, an undo, or adding, suspending or resuming an entry."""

Kind = Literal["recall", "cloze", "fault", "predict"]

Mode = Literal["study", "preview", "cram"]
"""The mode of a session: by schedule, or new or earlier exercises without changing it."""

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
RATINGS = (AGAIN, HARD, GOOD, EASY)
"""How well an exercise went: what its next interval follows from."""

UNSURE, FAIRLY_SURE, SURE = 1, 2, 3
CONFIDENCE: Mapping[int, float] = {UNSURE: 0.3, FAIRLY_SURE: 0.7, SURE: 0.95}
"""The reader's confidence before the answer, and its probability."""


class Row(NamedTuple):
    """A row of the log, which never changes. Missing numbers are 0, missing texts empty.

    The ``id`` sorts by time. ``exercise`` is the key of the exercise, or empty for a whole entry.
    ``at`` is in milliseconds since 1970, ``zone`` minutes east of UTC, ``day`` the study day.
    ``outcome`` is the outcome as JSON; ``took`` is in milliseconds, ``interval`` in days until
    the next review, ``shown`` the digest of question and answer, ``scheduler`` the number of a
    `Scheduler`, and ``of`` the undone row.
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
    """The settings of a schedule: FSRS-6 weights, desired retention, start of the day."""

    weights: tuple[float, ...]
    retention: float
    begins: int


class Card(NamedTuple):
    """The memory state of an exercise, replayed from the log.

    ``day`` is the study day of the last review, 0 if there was none; ``due`` is the day of the
    next one. ``lapses`` count since it was last resumed. It comes back before the day ``cap``,
    because of an error made with confidence.
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
    """An exercise of an entry in one language, and its answer.

    ``key`` identifies it permanently within the entry; ``kind`` is the part before the colon.
    Texts are Markdown, the answer in ``answer_lang`` if that is another language. ``passage`` is
    the text to judge; ``annotation`` is its fault, or nothing for a sound one, whose ``reason``
    says why. ``evidence`` is the figure to predict, which ``snippet`` prints, with other
    ``values`` of its parameters in its ``code`` once it was asked before. ``shown`` is the digest
    of question and answer in all languages, ``topic`` what the entry is about.
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
    answer_lang: str = ""
    values: Mapping[str, float] = {}
    code: str | None = None
    topic: str = ""


class Outcome(NamedTuple):
    """The outcome of an answer. Only the fields of its kind of exercise are set.

    ``right`` for a fault means that it was found, or that a ``sound`` passage was recognized. For
    a found fault, ``error`` rates the correction: 0 same, 0.1 partly, 1 different. For a
    prediction it is the relative distance from ``measured``; ``tolerance`` counts as exact.
    ``hint`` means that one was used. If a program failed, ``problem`` says how, and there is no
    rating.
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
    """The current exercise, why it is asked, and its next interval in days by rating.

    ``state`` is ``new``, ``due``, ``again`` (today) or ``changed``: somebody else changed its
    question or answer. Interval 0 is today. ``left`` is the number of reviews left today.
    """

    exercise: Exercise
    state: str
    intervals: Mapping[int, int]
    left: int


class Graded(NamedTuple):
    """A stored rating: its row, and the interval and day of the next review."""

    id: int
    entry: str
    exercise: str
    rating: int
    interval: int
    due: date
    leech: bool


class DueIn(NamedTuple):
    """What is due today in a collection, without those below it."""

    collection: str
    title: Mapping[str, str]
    due: int
    again: int
    new: int


class Due(NamedTuple):
    """What is due on a study day, by collection and in total within the daily limits.

    ``reviews`` and ``new`` are within today's limits, and ``reviews`` has the exercises that are
    asked again; ``overdue`` was due earlier, ``done`` counts today's exercises, ``tomorrow`` what
    is due then.
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
    """How often answers with a given confidence were right."""

    confidence: int
    expected: float
    right: float
    answers: int


class Fitted(NamedTuple):
    """Fitted weights, the number of reviews behind them, and the log loss before and after."""

    weights: tuple[float, ...]
    reviews: int
    before: float
    after: float


class Statistics(NamedTuple):
    """Past results and upcoming reviews.

    ``weeks`` has the due reviews of the next 8 weeks, ``days`` the reviews of each of the last
    365 days with any, ``retention`` the share recalled among reviews after a day or more in the
    last 30 days. ``brier`` is the Brier score of confidence.
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
