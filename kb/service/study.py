"""Studying: due exercises, the next exercise, answers and statistics.

Everything is derived from the log, to which `grade` and similar methods add rows. A session has
no state of its own: ratings are stored at once, and the next exercise is chosen from the stored
data.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from kb.errors import Message, NotFound, UsageError
from kb.evidence.parameters import SEED
from kb.evidence.runner import Limits, check_level, run_snippet
from kb.evidence.trust import check_trust
from kb.model.entry import Review
from kb.model.reports import Outcome as Ran
from kb.model.study import (
    AGAIN,
    CONFIDENCE,
    HARD,
    RATINGS,
    Asked,
    Calibration,
    Card,
    Due,
    DueIn,
    Exercise,
    Fitted,
    Graded,
    Mode,
    Outcome,
    Row,
    Scheduler,
    Statistics,
)
from kb.model.values import EXERCISES
from kb.present.annotated import anchored
from kb.present.titles import first_words
from kb.service.base import Base, Service, clean, clean_names, collection_name, one_of
from kb.service.programs import consent
from kb.settings import WEEKDAYS, Settings, read_settings
from kb.store.sqlite.studies import Asking
from kb.study.exercises import exercises, review_numbers, with_other_values
from kb.study.log import memory_of, replayed, step_of
from kb.study.rating import Rated, error_of, prediction, rate
from kb.study.schedule import Schedule, spread, study_day

_VERSION = "1"
"""Raise this if the replay of memory states changes."""

_CHANGED_A_DAY = 10
"""The maximum number of exercises a day that come back because somebody else changed them."""

_LOOKED_AT = 500
"""So many altered entries are looked at at once."""

_AGAIN_AFTER = 10 * 60 * 1000
"""Milliseconds after which a forgotten exercise comes before all others."""

_LONGEST_TAKEN = 10 * 60 * 1000
_NEVER = 1 << 40
"""The due day of an exercise that its entry no longer has."""

_PATIENCE = 30.0
"""Seconds that a prediction's program may run."""

_HINT = 60
_BUT_THE_FIRST = re.compile(r"(?<=[^\W\d_])[^\W\d_]|\d")
_WEEKS, _DAYS, _MEASURED = 8, 365, 30


class _Today(NamedTuple):
    """The current time in milliseconds, its zone in minutes east of UTC, and its study day."""

    at: int
    zone: int
    day: int


class Study(Service):
    """The use cases of studying."""

    def __init__(self, base: Base, settings: Settings | None = None) -> None:
        super().__init__(base)
        self._given = settings
        self._followed = 0

    @cached_property
    def settings(self) -> Settings:
        """The settings of this session."""
        return self._given or read_settings()[0]

    # What is due.

    def waiting(self) -> int:
        """Count today's reviews as `due` does, without catching up: cheap."""
        today = self._today()
        due, again = self._base.store.studies.waiting(today.day, self.settings.study_leech)
        return min(self._left(today)[0], due) + again

    def due(self) -> Due:
        """Return what is due today, by collection, and what the daily limits allow."""
        self._followed = 0
        today = self._caught_up()
        store, leech = self._base.store, self.settings.study_leech
        titles = store.catalog.collections()
        apart = self.settings.study_siblings == "apart"
        counts = store.studies.counts(today.day, leech, apart=apart)
        reviews, new = self._left(today)
        overdue, tomorrow, suspended, leeches = store.studies.standing(today.day, leech)
        return Due(
            date.fromordinal(today.day),
            min(reviews, sum(due for _, due, _, _ in counts))
            + sum(again for *_, again, _ in counts),
            min(new, sum(fresh for *_, fresh in counts)),
            overdue,
            sum(store.studies.done(today.day)),
            tomorrow,
            suspended,
            leeches,
            tuple(DueIn(name, titles.get(name, {}), *told) for name, *told in counts),
        )

    def next(
        self,
        collection: str = "",
        *,
        lang: str = "en",
        kinds: Iterable[str] = (),
        mode: Mode = "study",
        skip: Iterable[tuple[str, str]] = (),
    ) -> Asked | None:
        """Return the next exercise, or nothing if none is left today.

        It is from a ``collection`` and those below it, and of one of ``kinds``, if given.
        ``skip`` are entries and keys to leave out. ``mode`` is ``study``, ``preview`` (new
        exercises) or ``cram`` (earlier ones, due or not). The last two change no schedule: their
        callers skip what was asked and store no ratings.
        """
        named = collection_name(collection) if collection else ""
        wanted = [one_of("an exercise", each, EXERCISES) for each in kinds]
        today, settings = self._caught_up(), self.settings
        asking = Asking(
            named, today.day, settings.study_siblings == "apart", settings.study_leech, wanted,
            list(skip),
        )  # fmt: skip
        left, cards = 0, self._new(asking, lang, today)
        if mode == "cram":
            cards = iter(self._base.store.studies.any_of(asking))
        elif mode == "study":
            left, cards = self._studied(asking, lang, today)
        for card in cards:
            found = self._exercise(card.entry, card.exercise, lang)
            if found is not None:  # its entry still has it
                state = "changed" if card.changed else "again" if card.day >= today.day else "due"
                state = state if card.reviews else "new"
                asked = with_other_values(found, card.reviews)
                return Asked(asked, state, self._intervals(card, today), left)
        return None

    def _studied(self, asking: Asking, lang: str, today: _Today) -> tuple[int, Iterator[Card]]:
        """Return how many reviews are left today, and all exercises in the order of asking."""
        due = self._base.store.studies.due(asking)
        again = [each for each in due if each.day >= today.day]
        reviews, new = self._left(today)
        waiting = [each for each in due if each.day < today.day][: max(reviews, 0)]
        ready = [each for each in again if today.at - each.at >= _AGAIN_AFTER]
        ways = [waiting, self._new(asking, lang, today) if new > 0 else ()]
        if self.settings.study_first != "reviews":
            ways.reverse()
        return min(reviews, len(waiting)) + len(again), chain(ready, *ways, again)

    def _left(self, today: _Today) -> tuple[int, int]:
        """Return how many reviews and new exercises today's limits allow.

        No new exercise is allowed while more reviews are overdue than the daily limit.
        """
        settings, studies = self.settings, self._base.store.studies
        new, reviewed = studies.done(today.day)
        left = max(settings.study_reviews - reviewed, 0)
        waiting, _again = studies.waiting(today.day, settings.study_leech)
        return left, 0 if waiting > left else max(settings.study_new - new, 0)

    def _new(self, asking: Asking, lang: str, today: _Today) -> Iterator[Card]:
        """Yield new exercises, beginning with started entries and with others by turns."""
        studies = self._base.store.studies
        begun, _ = studies.done(today.day)
        if begun % 2:
            yield from studies.further(asking)
        yield from self._untouched(asking, lang)
        if begun % 2 == 0:
            yield from studies.further(asking)

    def _untouched(self, asking: Asking, lang: str) -> Iterator[Card]:
        passed = {entry for entry, _ in asking.skipped} if asking.apart else set()
        by_chance = self.settings.study_order == "chance"
        while some := self._base.store.studies.untouched(
            asking.collection, sorted(passed), random=by_chance
        ):
            for id in some:
                for each in self._exercises(id, lang):
                    wanted = not asking.kinds or each.kind in asking.kinds
                    if wanted and (id, each.key) not in asking.skipped:
                        yield Card(id, each.key)
            passed |= {*some}

    def exercise(self, entry: str, key: str, *, lang: str = "en") -> Asked:
        """Return an exercise of an entry, due or not. Raises `NotFound`."""
        name = clean("an entry", entry)
        self._base.entry(name)
        found = self._exercise(name, clean("an exercise", key), lang)
        if found is None:
            keys = [each.key for each in self._exercises(name, lang)]
            hint = Message("It has: {keys}.", keys=", ".join(keys) or "-")
            raise NotFound("there is no exercise '{key}'", hint, place=name, key=key)
        card, today = self._base.store.studies.card(name, key), self._today()
        state = "due" if card.reviews else "new"
        asked = with_other_values(found, card.reviews)
        return Asked(asked, state, self._intervals(card, today), 0)

    def exercises(self, entry: str, *, lang: str = "en") -> tuple[Exercise, ...]:
        """Return all exercises of an entry. Raises `NotFound`."""
        return tuple(self._exercises(self._base.entry(entry).id, lang))

    def _exercise(self, entry: str, key: str, lang: str) -> Exercise | None:
        return next((each for each in self._exercises(entry, lang) if each.key == key), None)

    def _exercises(self, entry: str, lang: str) -> Sequence[Exercise]:
        found = self._base.store.entries.get([entry]).get(entry)
        across = self.settings.study_across == "on"
        return [] if found is None else exercises(anchored(found), lang, across=across)

    # What is rated.

    def grade(
        self,
        entry: str,
        key: str,
        rating: int,
        *,
        confidence: int = 0,
        took: int = 0,
        outcome: Outcome | None = None,
    ) -> Graded:
        """Store the rating of an answer, from 1 (again) to 4 (easy); return when it comes back.

        ``confidence`` is the reader's confidence before the answer: 1 unsure, 2 fairly sure, 3
        sure, 0 not asked. ``took`` is in milliseconds, ``outcome`` is the outcome of the answer.
        """
        if rating not in RATINGS:
            raise UsageError("a rating is a whole number from 1 to 4, not {rating}", rating=rating)
        if confidence and confidence not in CONFIDENCE:
            raise UsageError("confidence is 1, 2 or 3, not {given}", given=confidence)
        asked = self.exercise(entry, key).exercise
        base, today = self._base, self._caught_up()
        with base.store.transaction():
            self._meet(asked.entry)
            card = base.store.studies.card(asked.entry, asked.key)
            id = base.store.studies.add(
                Row(
                    0, "grade", asked.entry, asked.key, *today, rating,
                    self._intervals(card, today)[rating], confidence,
                    min(max(int(took), 0), _LONGEST_TAKEN), _told(outcome), asked.shown,
                    base.store.studies.scheduler(
                        Scheduler(
                            self._schedule.weights, self.settings.study_retention,
                            self.settings.study_day_begins,
                        )
                    ),
                )
            )  # fmt: skip
            after = self._replay(asked.entry, asked.key)
            base.store.studies.seen(asked.entry, asked.key)
        leech = after.lapses >= self.settings.study_leech
        interval, due = max(after.due - today.day, 0), date.fromordinal(after.due)
        return Graded(id, asked.entry, asked.key, rating, interval, due, leech)

    # What is judged.

    def predict(
        self,
        entry: str,
        key: str,
        typed: str,
        *,
        hint: bool = False,
        yes: Iterable[str] = (),
        stop: threading.Event | None = None,
        ran: Ran | None = None,
    ) -> Outcome:
        """Run the program of a prediction and return the outcome of the typed answer.

        Raises `UsageError` if it is not a number or range: ask again. If the program fails, the
        outcome has a ``problem`` and is not rated. It runs with the exercise's ``values``. Raises
        `Untrusted` as `kb.service.programs.Run.run` does, with the same ``yes``. If the program
        already ``ran`` with them, that outcome is judged.
        """
        made = self.exercise(entry, key).exercise
        if made.evidence is None or made.snippet is None:
            raise UsageError("nothing is predicted there", place=f"{entry} {key}")
        predicted = prediction(clean("a prediction", typed))
        if ran is None:
            allowed = consent(clean_names("digests", yes))
            check_trust(made.snippet, allowed)
            check_level(made.snippet, allowed)
            program = replace(made.snippet, code=made.code or made.snippet.code)
            ran = run_snippet(program, Limits(_PATIENCE), stop=stop)
        figure = ran.figures.get(made.evidence.figure)
        said = Outcome(hint=hint, given=typed, tolerance=made.evidence.tolerance)
        if ran.status != "ok" or figure is None:
            last = ran.stderr.strip().split("\n")[-1] or ran.status
            return said._replace(problem=Message("the program failed ({why})", why=last))
        return said._replace(error=error_of(predicted, figure), measured=figure)

    def find_fault(self, entry: str, key: str, *, wrong: bool, given: str = "") -> Outcome:
        """Return whether the reader judged a passage right.

        Only the reader can compare corrections: set `Outcome.error` afterwards.
        """
        made = self.exercise(entry, key).exercise
        sound = made.annotation is None
        return Outcome(right=wrong != sound, sound=sound, given=clean("a correction", given))

    def rate(self, outcome: Outcome, *, confidence: int = 0, took: int = 0) -> Rated:
        """Return the rating of an outcome and the reason: `kb.study.rating.rate`."""
        return rate(outcome, confidence, took)

    def check_prediction(self, typed: str) -> None:
        """Raise `UsageError` unless a prediction is a number or a range."""
        prediction(clean("a prediction", typed))

    def hint(self, entry: str, key: str, *, lang: str = "en") -> str:
        """Return a hint for an exercise: the start of a text, or the size of a figure.

        Of an answer to recall, each word has its first letter and a dot for each other one. With
        other values of parameters, it is the figure with those of the program.
        """
        made = self.exercise(entry, key, lang=lang).exercise
        if made.evidence is not None and made.values.keys() - {SEED}:
            return Message("Without that it is {figure:,.6g}.", figure=made.evidence.expected)
        if made.evidence is not None:
            tens = math.floor(math.log10(abs(made.evidence.expected) or 1))
            low, high = (10.0**each if each < 0 else 10**each for each in (tens, tens + 1))
            return Message("It is between {low:,} and {high:,}.", low=low, high=high)
        if made.kind == "recall":
            return _BUT_THE_FIRST.sub("·", first_words(made.answer, _HINT))
        return first_words(made.answer, _HINT)

    def undo(self, id: int | None = None) -> tuple[str, str] | None:
        """Undo the rating of an id, or the newest row; return its entry and exercise, or nothing.

        The exercise is empty for a row about a whole entry.
        """
        store, today = self._base.store, self._caught_up()
        with store.transaction():
            last = store.studies.undoable(id)
            if last is None:
                return None
            store.studies.add(Row(0, "undo", last.entry, last.exercise, *today, of=last.id))
            self._replay(last.entry, last.exercise)
        return last.entry, last.exercise

    def add(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Add notes to studying, and suspended entries again. Raises `NotFound`."""
        return self._say("add", ids)

    def suspend(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Suspend entries until they are resumed. Raises `NotFound`."""
        return self._say("suspend", ids)

    def resume(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Resume entries, including those forgotten too often. Raises `NotFound`."""
        return self._say("resume", ids)

    def _say(self, what: Any, ids: Iterable[str]) -> tuple[str, ...]:
        names = clean_names("ids", ids)
        for name in names:
            self._base.entry(name)
        store, today = self._base.store, self._caught_up()
        with store.transaction():
            for name in names:
                # A leech is one exercise: what is said of its entry is said of it, too.
                keys = store.studies.exercises(name) if what != "suspend" else []
                cards = [store.studies.card(name, key) for key in keys]
                leeches = [each.exercise for each in cards if each.lapses or each.suspended]
                for key in ("", *leeches):
                    said = "resume" if key else what
                    store.studies.add(Row(0, said, name, key, *today))
                    self._replay(name, key)
        return names

    # How it goes.

    def statistics(self) -> Statistics:
        """Return past results and upcoming reviews."""
        today = self._caught_up()
        studies, day = self._base.store.studies, today.day
        reviews, cards, took = studies.totals()
        due = studies.due_days(day, 7 * _WEEKS)
        weeks = [sum(due.get(day + 7 * week + n, 0) for n in range(7)) for week in range(_WEEKS)]
        asked, recalled = studies.recalled(day - _MEASURED)
        sure = studies.confidence()
        answers = sum(n for n, _ in sure.values())
        squares = sum(
            right * (1 - CONFIDENCE[level]) ** 2 + (n - right) * CONFIDENCE[level] ** 2
            for level, (n, right) in sure.items()
        )
        return Statistics(
            date.fromordinal(day), reviews, cards, tuple(weeks),
            {date.fromordinal(each): n for each, n in studies.days(day - _DAYS + 1).items()},
            recalled / asked if asked else None, self.settings.study_retention, asked,
            squares / answers if answers else None,
            tuple(
                Calibration(level, CONFIDENCE[level], right / n, n)
                for level, (n, right) in sure.items()
            ),
            round(took / 1000, 1),
        )  # fmt: skip

    def replay(self) -> int:
        """Rebuild all memory states from the log; return the number of exercises."""
        with self._base.store.transaction():
            return self._replay_all()

    def fit(self) -> Fitted:
        """Return weights fitted to the log. Raises `NotFound` without fsrs-rs-python."""
        from kb.study.schedule import fitted

        logs = (
            [step for step in self._steps(*card) if step.what == "grade"]
            for card in self._base.store.studies.cards()
        )
        return fitted(logs, self._schedule.weights)

    # When it comes back.

    def _now(self) -> datetime:
        return datetime.now().astimezone()

    def _today(self) -> _Today:
        now = self._now()
        offset = now.utcoffset() or timedelta()
        day = study_day(now, self.settings.study_day_begins)
        at = max(1, int(now.timestamp() * 1000))  # a clock may be set before 1970
        return _Today(at, int(offset.total_seconds() // 60), day)

    @cached_property
    def _schedule(self) -> Schedule:
        return Schedule(self.settings.study_weights, self.settings.study_retention)

    def _intervals(self, card: Card, today: _Today) -> Mapping[int, int]:
        """Return the next interval in days by rating; a better rating gives a longer one."""
        day, memory, found = max(today.day, card.day), memory_of(card), {AGAIN: 0}
        most = _before(self.settings.study_exam, day)
        if card.cap > day:
            most = min(most, card.cap - day)
        least = 1
        for rating in RATINGS[HARD - 1 :]:
            interval = self._schedule.interval(self._schedule.after(memory, rating, day).stability)
            if self.settings.study_fuzz == "on":
                seed = f"{card.entry}\n{card.exercise}\n{card.reviews}"
                interval = spread(interval, day, seed, self._easy_days)
            found[rating] = min(max(interval, least), most)
            least = found[rating] + 1
        return found

    @cached_property
    def _easy_days(self) -> frozenset[int]:
        return frozenset(map(WEEKDAYS.index, self.settings.study_easy_days.split()))

    # Memory, which follows from the log.

    def _caught_up(self) -> _Today:
        """Return today, after replaying memory states that are missing or outdated."""
        today, store = self._today(), self._base.store
        if store.connection.limit is not None:
            return today
        if self._followed != today.day and (altered := store.studies.altered(_LOOKED_AT)):
            with store.transaction():
                for id in altered:
                    self._follow(id, today)
        self._followed = today.day
        if store.studies.replayed_with() != self._replayed_with():
            with store.transaction():
                self._replay_all()
        return today

    def _replayed_with(self) -> str:
        begins = self.settings.study_day_begins
        return json.dumps([_VERSION, begins, *self._schedule.weights])

    def _meet(self, entry: str) -> None:
        """Register all exercises of an entry with an empty memory state."""
        studies = self._base.store.studies
        known = studies.exercises(entry)
        for each in self._exercises(entry, "en"):
            if each.key not in known:
                studies.remember(Card(entry, each.key))
                studies.seen(entry, each.key)

    def _replay(self, entry: str, key: str) -> Card:
        """Replay and store the memory state of one exercise."""
        card = replayed(entry, key, self._steps(entry, key), self._schedule)
        self._base.store.studies.remember(card)
        return card

    def _replay_all(self) -> int:
        store = self._base.store
        store.studies.forget()
        for id in store.reviews.entries():
            self._meet(id)
        cards = store.studies.cards()
        for card in cards:
            self._replay(*card)
        store.studies.end_replay(self._replayed_with())
        return len(cards)

    def _steps(self, entry: str, key: str) -> Sequence[Row]:
        """Return the rows of an exercise, with imported reviews of it."""
        here = self._base.store.studies.steps(entry, key)
        return _merged(self._elsewhere(entry).get(key, ()), here)

    def _elsewhere(self, entry: str) -> dict[str, list[Row]]:
        """Return imported reviews of an entry by exercise, as log rows."""
        found: dict[str, list[Row]] = {}
        reviews = self._base.store.reviews.of([entry]).get(entry, ())
        made = self._exercises(entry, "en") if reviews else ()
        numbers = review_numbers(each.key for each in made)
        keys = {number: key for key, number in numbers.items()}
        for review in reviews:
            moment = datetime.fromtimestamp(review.at / 1000, UTC).astimezone(self._now().tzinfo)
            step = step_of(review, study_day(moment, self.settings.study_day_begins))
            if step is not None and review.card in keys:
                found.setdefault(keys[review.card], []).append(step)
        return found

    def _follow(self, entry: str, today: _Today) -> None:
        """Let exercises of a changed entry come back, if somebody else changed them.

        The reader's own changes have no effect; new exercises are registered, and removed ones
        are no longer asked.
        """
        studies = self._base.store.studies
        made = {each.key: each for each in self._exercises(entry, "en")}
        self._meet(entry)
        for key in studies.exercises(entry):
            card = self._replay(entry, key)
            if key not in made:
                studies.remember(card._replace(due=_NEVER))
            elif card.shown not in ("", made[key].shown) and not self._is_own(card):
                if studies.changed_on(today.day) >= _CHANGED_A_DAY:
                    continue  # it is looked at again tomorrow
                studies.add(Row(0, "changed", entry, key, *today, shown=made[key].shown))
                self._replay(entry, key)
            studies.seen(entry, key)

    def _is_own(self, card: Card) -> bool:
        """Return whether the reader changed the entry since the exercise was rated."""
        since = datetime.fromtimestamp(card.at / 1000, UTC).isoformat(timespec="milliseconds")
        return self._base.store.studies.changed_by_reader(card.entry, since)


class Studied(Mapping[str, Sequence[Review]]):
    """How entries were studied, here and elsewhere, as reviews by their ids.

    A review's card is the number of its exercise: see `kb.study.exercises.review_numbers`.
    """

    def __init__(self, base: Base) -> None:
        self._base = base
        self._study = Study(base, Settings())
        self._ids = sorted({*base.store.reviews.entries(), *base.store.studies.rated()})

    def __getitem__(self, key: str) -> Sequence[Review]:
        found = {each.at: each for each in self._base.store.reviews.of([key]).get(key, ())}
        numbers = review_numbers(each.key for each in self._study.exercises(key))
        for exercise, number in numbers.items():
            first = True
            for step in self._base.store.studies.steps(key, exercise):
                if step.what == "grade":
                    found[step.at] = Review(
                        number, step.at, step.rating, step.interval, 0, 0, 0 if first else 1
                    )
                    first = False
        if not found:
            raise KeyError(key)
        return [found[at] for at in sorted(found)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def _merged(elsewhere: Sequence[Row], here: Sequence[Row]) -> Sequence[Row]:
    """Return imported and own rows in order; an own row may have been imported again."""
    known = {each.at for each in here}
    return sorted([*(e for e in elsewhere if e.at not in known), *here], key=attrgetter("at"))


def _told(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    return json.dumps({k: v for k, v in outcome._asdict().items() if v not in (None, "", 0, False)})


def _before(exam: str, day: int) -> int:
    """Return the days left before an exam, if one is set."""
    last = date.fromisoformat(exam).toordinal() - 1 if exam else 0
    return last - day if last > day else 1 << 20
