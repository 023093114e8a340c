"""A session: what is asked when, what is kept, and that nothing but the log decides it."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from kb import Library, NotFound
from kb.errors import UsageError
from kb.model.entry import Review
from kb.model.study import SURE
from tests.databases import new_library
from tests.study.learner import PLAIN, Learner, import_questions, many


@pytest.fixture
def reader(empty: Library, tmp_path: Path) -> Learner:
    """A reader of forty questions, each of its own."""
    import_questions(empty, tmp_path, many(40))
    return Learner(empty)


def test_what_is_remembered_is_what_replaying_the_log_gives(reader: Learner) -> None:
    """Whatever was rated, undone, suspended, in whatever order and with whatever clock."""
    rng = random.Random(7)
    names = [f"cards/{each}" for each in many(40)]
    for _ in range(250):
        match rng.choice(("answer",) * 12 + ("undo", "undo", "suspend", "resume", "sleep", "back")):
            case "answer":
                reader.answer(rng.randint(1, 4), confidence=rng.randint(0, 3))
            case "undo":
                reader.study.undo()
            case "suspend":
                reader.study.suspend([rng.choice(names)])
            case "resume":
                reader.study.resume([rng.choice(names)])
            case "sleep":
                reader.pass_time(days=rng.randint(1, 9))
            case _:
                reader.pass_time(hours=-rng.randint(1, 90))
    before = reader.memory()
    assert len(before) > 10
    reader.study.replay()
    assert reader.memory() == before


def test_undoing_all_leaves_nothing_remembered_and_the_log_whole(reader: Learner) -> None:
    states = [reader.memory()]
    for rating in (3, 1, 4, 2, 3):
        reader.answer(rating)
        states.append(reader.memory())
    for state in reversed(states[:-1]):
        assert reader.study.undo() is not None
        assert reader.memory() == state
    assert reader.study.undo() is None
    assert reader.log() == ["grade"] * 5 + ["undo"] * 5


def test_a_session_undoes_its_own_rating_though_another_rated_since(reader: Learner) -> None:
    mine = reader.answer(4)
    theirs = reader.answer(2)
    assert mine is not None and theirs is not None
    assert reader.study.undo(mine.id) == (mine.entry, mine.exercise)
    assert [row[0] for row in reader.memory()] == [theirs.entry]
    assert reader.study.undo(mine.id) is None


def test_a_row_of_the_log_is_never_changed(reader: Learner) -> None:
    reader.answer()
    with pytest.raises(Exception, match="never changed"):
        reader.library._base.store.connection.run("UPDATE study_log SET rating = 4")


def test_a_day_holds_no_more_new_exercises_and_reviews_than_the_limits(
    empty: Library, tmp_path: Path
) -> None:
    import_questions(empty, tmp_path, many(60))
    reader = Learner(empty, replace(PLAIN, study_new=7, study_reviews=9))
    for _ in range(25):
        day = reader.study.due().day
        done = reader.day(rating=2)
        seen = {(each.entry, each.exercise) for each in done}
        known = {
            row.entry
            for row in reader.library._base.store.studies.rows()
            if row.day < day.toordinal()
        }
        assert len([each for each in seen if each[0] not in known]) <= 7
        assert len([each for each in seen if each[0] in known]) <= 9


def test_after_a_month_away_the_backlog_is_spread_and_the_longest_due_come_first(
    reader: Learner,
) -> None:
    reader.study.settings = replace(PLAIN, study_new=40, study_reviews=10)
    reader.day(rating=3)
    reader.pass_time(days=30)
    due = reader.study.due()
    assert (due.reviews, due.new, due.overdue) == (10, 0, 40)
    days = [reader.day() for _ in range(4)]
    assert [len(each) for each in days] == [10, 10, 10, 10]
    assert len({each.entry for day in days for each in day}) == 40


def test_nothing_overdue_starves_while_more_comes_every_day(empty: Library, tmp_path: Path) -> None:
    """With room for five reviews a day, whatever was due is asked before what came due later."""
    import_questions(empty, tmp_path, many(30))
    reader = Learner(empty, replace(PLAIN, study_new=30, study_reviews=5))
    reader.day()
    waited = {}
    for _ in range(40):
        for each in reader.day():
            waited[each.entry] = reader.now
    longest = min(waited.values())
    assert len(waited) == 30 and reader.now - longest < timedelta(days=30)


def test_exercises_of_one_entry_come_on_different_days(bundled: Library) -> None:
    reader = Learner(bundled, replace(PLAIN, study_new=200))
    for _ in range(4):
        entries = [each.entry for each in reader.day()]
        assert len(entries) == len(set(entries)) and entries
    together = Learner(bundled, replace(PLAIN, study_new=200, study_siblings="together"))
    together.now = reader.now
    entries = [each.entry for each in together.day(most=60)]
    assert len(entries) > len(set(entries))


def test_as_many_are_told_to_be_new_as_can_be_asked_today(bundled: Library) -> None:
    reader = Learner(bundled, replace(PLAIN, study_new=200))

    def told() -> int:
        return sum(each.new for each in reader.study.due().collections)

    count = told()
    assert len(list(iter(lambda: reader.answer(3), None))) == count > 30
    assert told() == 0
    reader.pass_time(days=1)
    assert 0 < told() <= count  # at most one more exercise of each entry


def test_what_was_forgotten_comes_back_the_same_day_after_the_rest(reader: Learner) -> None:
    forgotten = reader.answer(1)
    assert forgotten is not None and forgotten.interval == 0
    rest = reader.day(most=20)
    assert rest[0].entry != forgotten.entry
    assert forgotten.entry in [each.entry for each in rest]


def test_what_was_forgotten_too_often_is_suspended_until_it_is_resumed(reader: Learner) -> None:
    reader.study.settings = replace(PLAIN, study_new=1, study_leech=2)
    first = reader.answer(3)
    assert first is not None
    for _ in range(2):
        reader.now = datetime.combine(
            date.fromordinal(reader.study._base.store.studies.card(first.entry, "recall").due),
            reader.now.timetz(),
        )
        asked = reader.study.exercise(first.entry, "recall")
        last = reader.study.grade(asked.exercise.entry, "recall", 1)
        reader.study.grade(asked.exercise.entry, "recall", 3)
        reader.pass_time(days=1)
    assert last.leech and reader.study.due().leeches == 1
    reader.pass_time(days=50)
    assert first.entry not in {each.entry for each in reader.day()}
    reader.study.resume([first.entry])
    assert reader.study.due().leeches == 0
    assert first.entry in {each.entry for each in reader.day()}


def test_a_suspended_entry_is_not_asked_until_it_is_resumed(reader: Learner) -> None:
    reader.study.suspend(["cards/q000"])
    assert "cards/q000" not in {each.entry for each in reader.day()}
    reader.study.resume(["cards/q000"])
    assert reader.answer().entry == "cards/q000"  # type: ignore[union-attr]
    with pytest.raises(NotFound):
        reader.study.suspend(["nothing"])


def test_a_note_is_studied_only_once_it_was_added(empty: Library, tmp_path: Path) -> None:
    (tmp_path / "attention.md").write_text("# Attention\n\nIt weighs values.\n", encoding="utf-8")
    empty.import_file(tmp_path / "attention.md", collection="notes")
    (note,) = (hit.id for hit in empty.list().hits)
    reader = Learner(empty)
    assert reader.next() is None and reader.study.due().new == 0
    reader.study.add([note])
    asked = reader.next()
    assert asked is not None and asked.exercise.entry == note
    reader.study.undo()
    assert reader.next() is None


def test_a_deleted_entry_keeps_its_log_and_an_undo_brings_its_schedule_back(
    reader: Learner,
) -> None:
    graded = reader.answer(4)
    assert graded is not None
    before = reader.memory()
    reader.library.edit.remove([graded.entry])
    assert reader.log() == ["grade"]
    assert reader.study.statistics().reviews == 1
    reader.pass_time(days=400)
    assert graded.entry not in {each.entry for each in reader.day(most=30)}
    reader.library.changes.undo()
    assert before[0] in reader.memory()


def test_two_sessions_at_once_keep_what_both_rated(reader: Learner) -> None:
    reader.study.settings = replace(PLAIN, study_new=40)
    with new_library(reader.library.path) as other:
        second = Learner(other, reader.study.settings)
        for _ in range(20):
            reader.answer()
            second.answer()
        assert reader.log() == ["grade"] * 40
        assert reader.memory() == second.memory()
        assert len({row.id for row in other._base.store.studies.rows()}) == 40


def test_a_clock_that_goes_back_loses_nothing_and_keeps_the_order(reader: Learner) -> None:
    first = reader.answer(3)
    assert first is not None
    reader.pass_time(days=-60)
    second = reader.study.grade(first.entry, first.exercise, 3)
    assert second.id > first.id and second.due >= first.due - timedelta(days=60)
    before = reader.memory()
    reader.study.replay()
    assert reader.memory() == before


def test_a_journey_to_the_west_makes_no_second_day(reader: Learner) -> None:
    """The study day is that of the place where the reader is."""
    reader.answer()
    assert reader.study.due().done == 1
    reader.now = (reader.now + timedelta(hours=20)).astimezone(timezone(timedelta(hours=-8)))
    assert reader.study.due().day == date(2026, 3, 1)
    assert reader.study.due().done == 1
    (row,) = reader.library._base.store.studies.rows()
    assert row.zone == 210


def test_a_day_begins_at_the_hour_of_the_settings(reader: Learner) -> None:
    reader.now = reader.now.replace(hour=3, minute=59)
    assert reader.study.due().day == date(2026, 2, 28)
    reader.pass_time(minutes=1)
    assert reader.study.due().day == date(2026, 3, 1)


def test_an_error_made_while_sure_comes_back_within_a_week(reader: Learner) -> None:
    graded = reader.answer(4)
    assert graded is not None
    named = (graded.entry, graded.exercise)
    for _ in range(3):  # a memory of months
        reader.now += graded.due - reader.study.due().day
        graded = reader.study.grade(*named, 4)
    assert graded.interval > 60
    reader.now += graded.due - reader.study.due().day
    for confidence, most in ((1, 1000), (SURE, 7)):
        reader.study.grade(*named, 1, confidence=confidence)
        found = reader.study.exercise(*named).intervals
        assert max(found.values()) <= most
        reader.study.undo()
    reader.study.grade(*named, 1, confidence=SURE)
    day = reader.study.due().day
    again = reader.study.grade(*named, 4)
    assert 0 < (again.due - day).days <= 7
    reader.now += again.due - reader.study.due().day
    assert max(reader.study.exercise(*named).intervals.values()) >= again.interval


def test_before_an_exam_everything_comes_back_once_more(reader: Learner) -> None:
    reader.study.settings = replace(PLAIN, study_exam="2026-03-04")
    asked = reader.next()
    assert asked is not None and asked.intervals[4] == 2
    reader.study.settings = replace(PLAIN, study_exam="2026-01-01")
    asked = reader.next()
    assert asked is not None and asked.intervals[4] > 2


def test_a_better_rating_comes_back_later(reader: Learner) -> None:
    for _ in range(30):
        asked = reader.next()
        if asked is None:
            reader.pass_time(days=1)
            continue
        assert asked.intervals[1] == 0
        assert asked.intervals[2] < asked.intervals[3] < asked.intervals[4]
        reader.answer(random.Random(3).randint(1, 4))


def test_previewing_and_cramming_keep_nothing(reader: Learner) -> None:
    reader.day(most=5)
    before, log = reader.memory(), reader.log()
    for mode in ("preview", "cram"):
        seen: list[tuple[str, str]] = []
        while (asked := reader.next(mode=mode, skip=seen)) is not None and len(seen) < 50:
            seen.append((asked.exercise.entry, asked.exercise.key))
        assert len(seen) == len(set(seen)) == (35 if mode == "preview" else 5)
    assert (reader.memory(), reader.log()) == (before, log)


def test_what_somebody_else_changed_comes_back_once_and_says_why(
    reader: Learner, tmp_path: Path
) -> None:
    reader.study.settings = replace(PLAIN, study_new=40)
    reader.day(rating=4)
    changed = {key: f"Another {text}" for key, text in many(15).items()}
    import_questions(reader.library, tmp_path, {**many(40), **changed})
    due = reader.study.due()
    assert reader.log().count("changed") == 10
    assert sum(each.due for each in due.collections) == 10
    asked = reader.next()
    assert asked is not None and asked.state == "changed"
    assert asked.exercise.answer.startswith("Another")
    assert len(reader.day(rating=4)) == 10
    assert len(reader.day(rating=4)) == 5
    assert reader.study.due().reviews == 0


def test_what_the_reader_changed_keeps_its_schedule(reader: Learner) -> None:
    graded = reader.answer(4)
    assert graded is not None
    before = reader.memory()
    reader.pass_time(minutes=5)
    draft = reader.library.edit.draft_of(graded.entry)
    changed = replace(draft, answers={"source": {"en": "My own words."}})
    reader.library.edit.edit(graded.entry, changed)
    reader.pass_time(days=1)
    assert reader.study.due().reviews == 0
    assert reader.memory() == before and reader.log() == ["grade"]


def test_reviews_of_anki_count_as_history(reader: Learner) -> None:
    """They are dated by the study day of the reader, and what was crammed there tells nothing."""
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    reviews = [
        Review(
            0, int((start + timedelta(days=days)).timestamp() * 1000), 3, interval, 2500, 1, kind
        )
        for days, interval, kind in ((0, 3, 0), (3, 12, 1), (15, 40, 1))
    ]
    crammed = reviews[-1]._replace(at=reviews[-1].at + 86_400_000, rating=1, ease=0, kind=3)
    with reader.library._base.store.transaction():
        reader.library._base.store.reviews.put({"cards/q001": [*reviews, crammed]})
    due = reader.study.due()
    assert due.overdue == 1 and due.collections[0].due == 1
    asked = reader.next()
    assert asked is not None and asked.exercise.entry == "cards/q001"
    assert asked.intervals[3] > 60
    before = reader.memory()
    reader.study.replay()
    assert reader.memory() == before


def test_no_export_holds_the_log_and_a_backup_does(reader: Learner, tmp_path: Path) -> None:
    reader.answer(1, confidence=SURE)
    for name in reader.library.exports.formats():
        target = tmp_path / f"out-{name}"
        reader.library.export(name, target)
        if name == "sqlite":
            with sqlite3.connect(target) as copy:
                for table in ("study_log", "study_card", "study_memory", "study_scheduler"):
                    assert copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0
    kept = reader.library.backups.make(tmp_path / "kept.db")
    with new_library(kept.path) as copied:
        assert Learner(copied).log() == ["grade"]


def test_an_export_with_reviews_brings_what_was_studied_to_another_copy(
    reader: Learner, tmp_path: Path
) -> None:
    """Imported where it came from, it counts once."""
    for _ in range(3):
        reader.day(rating=3, most=5)
    reader.library.export("json", tmp_path / "kb.json", reviews=True)
    assert '"reviews"' in (tmp_path / "kb.json").read_text(encoding="utf-8")
    reader.library.export("json", tmp_path / "bare.json")
    assert '"reviews"' not in (tmp_path / "bare.json").read_text(encoding="utf-8")
    before = [(row[0], *row[2:6]) for row in reader.memory()]
    with new_library(tmp_path / "other.db") as other:
        report = other.import_file(tmp_path / "kb.json")
        assert [each.reason for each in report.dropped] == [
            "15 reviews, which --with-reviews imports"
        ]
        second = Learner(other)
        second.study.due()
        assert second.memory() == []
        other.import_file(tmp_path / "kb.json", reviews=True)
        second.study.due()
        assert [(row[0], *row[2:6]) for row in second.memory()] == before
    reader.library.import_file(tmp_path / "kb.json", reviews=True)
    reader.study.due()
    assert [(row[0], *row[2:6]) for row in reader.memory()] == before


@pytest.mark.parametrize("at", [-(10**18), 1 << 46, 253_402_300_800_000, 10**18])
def test_a_stored_review_at_an_impossible_time_does_not_count(reader: Learner, at: int) -> None:
    before = reader.study.due()
    entry = reader.library.list().hits[0].id
    store = reader.library._base.store
    with store.transaction():
        store.reviews.put({entry: [Review(0, at, 3, 4, 2500, 900, 1)]})
    assert reader.study.due() == before


@pytest.mark.parametrize("rating", [0, 5, -1])
def test_a_rating_that_is_none_is_refused(reader: Learner, rating: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 4"):
        reader.answer(rating)
    assert reader.log() == []


def test_an_exercise_that_is_none_is_refused_with_those_there_are(reader: Learner) -> None:
    with pytest.raises(NotFound, match="no exercise 'predict:x'") as told:
        reader.study.grade("cards/q000", "predict:x", 3)
    assert "recall" in told.value.hint


def test_statistics_tell_retention_weeks_and_calibration(reader: Learner) -> None:
    reader.study.settings = replace(PLAIN, study_new=40)
    for _ in range(4):
        reader.answer(3, confidence=SURE)
    reader.answer(1, confidence=1)
    reader.answer(1, confidence=SURE)
    found = reader.study.statistics()
    assert (found.reviews, found.cards, found.retention) == (6, 6, None)
    assert found.weeks[0] == 6 and sum(found.weeks) == 6
    assert [(each.confidence, each.answers, each.right) for each in found.calibration] == [
        (1, 1, 0.0),
        (3, 5, 0.8),
    ]
    assert found.brier == pytest.approx((0.3**2 + 4 * 0.05**2 + 0.95**2) / 6)
    reader.pass_time(days=3)
    reader.day(rating=3, most=6)
    assert reader.study.statistics().retention == 1.0


def test_other_weights_are_replayed_at_once(reader: Learner) -> None:
    reader.answer(3)
    before = reader.memory()
    again = Learner(reader.library, replace(PLAIN, study_weights=tuple([1.0] * 19)))
    again.study.due()
    assert again.memory() != before
    reader.study.due()
    assert reader.memory() == before
