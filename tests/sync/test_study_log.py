"""``kb sync FILE --with-reviews``: two copies of one reader end with one study log."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime

import pytest

from kb.service.study_log import MARK, SETTINGS
from tests.databases import new_library
from tests.study.learner import Learner, import_questions, many


@pytest.fixture(params=[2], ids=["few"])
def readers(tmp_path, request):
    """One reader's two machines with the same questions, and the path of a file."""
    with (
        new_library(tmp_path / "a.db") as one,
        new_library(tmp_path / "b.db") as other,
    ):
        for library, folder in ((one, "a"), (other, "b")):
            (tmp_path / folder).mkdir()
            import_questions(library, tmp_path / folder, many(request.param))
        yield Learner(one), Learner(other), tmp_path / "stick.sync"


def exchange(path, *readers, reviews=True):
    return [each.library.sync.sync_file(path, reviews=reviews) for each in readers]


def rows(reader):
    """Return the log without what only numbers it here."""
    return sorted(row[1:-2] for row in map(tuple, reader.library._base.store.studies.rows()))


def memory(reader):
    """Return what is remembered once it is asked for."""
    reader.next()
    return reader.memory()


def lines(path):
    return [line for line in path.read_text().splitlines() if line.startswith(MARK)]


@pytest.mark.parametrize("readers", [40], indirect=True)
def test_both_logs_become_one_and_memory_follows_from_it(readers):
    one, other, path = readers
    rng = random.Random(3)
    other.pass_time(seconds=7)
    for reader in (one, other):
        for _ in range(30):
            reader.answer(rng.randint(1, 4), confidence=rng.randint(0, 3))
            reader.pass_time(hours=rng.randint(1, 20))
        reader.study.undo()
        reader.pass_time(days=2)
    exchange(path, one, other, one)
    assert rows(one) == rows(other) and len(rows(one)) == 62
    assert memory(one) == memory(other)
    assert [row.of > 0 for row in one.library._base.store.studies.rows()].count(True) == 2
    before = path.read_bytes()
    assert [each.sent + each.received for each in exchange(path, one, other)] == [0, 0]
    assert path.read_bytes() == before


def test_the_log_goes_nowhere_unless_told_to_and_stays_in_the_file(readers):
    one, other, path = readers
    one.answer(3)
    exchange(path, one, reviews=False)
    assert not lines(path)
    exchange(path, one)
    assert len(lines(path)) == 1
    other.library.edit.tag([other.library.list().hits[0].id], ["more"])
    exchange(path, other, reviews=False)
    assert len(lines(path)) == 1 and not rows(other)


def test_later_syncs_with_the_same_file_carry_the_log_too(readers):
    one, other, path = readers
    one.answer(3)
    exchange(path, one, other)
    other.answer(4)
    other.library.sync.sync_known()
    one.library.sync.sync_known()
    assert rows(one) == rows(other) and len(rows(one)) == 2


def test_what_comes_later_from_elsewhere_does_not_hide_the_last_review_from_undo(readers):
    one, other, path = readers
    other.answer(1)
    one.pass_time(days=1)
    one.answer(4)
    exchange(path, other, one)
    one.study.undo()
    ratings = {row.id: row.rating for row in one.library._base.store.studies.rows()}
    (of,) = [row.of for row in one.library._base.store.studies.rows() if row.of]
    assert ratings[of] == 4


def test_a_review_by_a_clock_before_1970_reaches_the_other_copy(readers):
    one, other, path = readers
    one.now = datetime(1966, 3, 1, 9, tzinfo=UTC)
    one.answer(3)
    exchange(path, one)
    (done,) = exchange(path, other)
    assert done.aside == () and rows(one) == rows(other) and len(rows(one)) == 1


@pytest.mark.parametrize(
    "values",
    [
        {"at": -1}, {"at": 1 << 60}, {"day": 0}, {"day": 9_999_999}, {"rating": 9}, {"zone": 9999},
        {"confidence": 4}, {"took": -1}, {"what": "erase"}, {"entry": ""}, {"entry": "x" * 2000},
        {"outcome": "[1]"}, {"outcome": "{"}, {"of": "1" * 64}, {"what": "undo", "of": "1" * 64},
        {"weights": [1.0]}, {"more": 1},
        {"weights": ["a"]}, {"begins": 24}, {"retention": 2.0}, {"at": "1"}, {"at": True},
    ],
    ids=str,
)  # fmt: skip
def test_a_line_that_is_no_review_is_set_aside(readers, values):
    one, other, path = readers
    one.answer(3)
    exchange(path, one)
    (line,) = lines(path)
    said = json.loads(line)
    said["study"] |= values
    bad = json.dumps(said, separators=(",", ":"))
    path.write_text(path.read_text().replace(line, bad + "\n" + line))
    (done,) = exchange(path, other)
    (skipped,) = done.aside
    assert str(skipped.reason) == "a line is damaged" and skipped.text == bad[:200]
    assert rows(one) == rows(other) and memory(one) == memory(other)


@pytest.mark.parametrize(
    "line", [MARK, MARK + "1}", MARK + "{}}", MARK + "null}", MARK + "[" * 9999]
)
def test_a_damaged_line_loses_no_other(readers, line):
    one, other, path = readers
    one.answer(3)
    exchange(path, one)
    path.write_text(path.read_text() + line + "\n")
    (done,) = exchange(path, other)
    assert [each.text for each in done.aside] == [line[:200]] and rows(one) == rows(other)


@pytest.mark.parametrize("more", [{}, {"rating": 4, "retention": 1}, {"weights": [1]}], ids=str)
def test_a_line_that_no_copy_would_write_like_this_does_not_come_in_again_and_again(readers, more):
    one, other, path = readers
    one.answer(3)
    exchange(path, one)
    (line,) = lines(path)
    said = {"study": json.loads(line)["study"] | more}
    path.write_text(path.read_text() + json.dumps(said, separators=(", ", ":  ")) + "\n")
    for _ in range(2):
        exchange(path, other, one)
        assert rows(one) == rows(other) and len(rows(one)) == 1


@pytest.fixture
def settings(readers, tmp_path, monkeypatch):
    """The files of settings of both machines; ``use`` is called with the number of one."""
    files = [tmp_path / "one.toml", tmp_path / "other.toml"]

    def sync(number, *, reviews=True):
        monkeypatch.setenv("KB_SETTINGS", str(files[number]))
        return exchange(readers[2], readers[number], reviews=reviews)[0].settings

    return files, sync


def test_the_settings_of_studying_reach_the_other_machine_and_no_others_do(settings):
    (one, other), sync = settings
    one.write_text('theme = "light"\nstudy_new = 5  # few\nstudy_exam = 2026-06-01\n')
    other.write_text('language = "fa"\n')
    assert sync(0) == ()
    assert sync(1) == ("study_new", "study_exam")
    assert other.read_text() == 'language = "fa"\nstudy_new = 5\nstudy_exam = "2026-06-01"\n'
    assert sync(0) == sync(1) == ()
    assert one.read_text().startswith('theme = "light"\nstudy_new = 5  # few')


def test_of_a_setting_that_both_machines_changed_the_later_change_counts(settings):
    (one, other), sync = settings
    one.write_text("study_new = 5\nstudy_leech = 3\n")
    assert sync(0) == ()
    other.write_text("study_new = 7\n")
    assert sync(1) == ("study_leech",)
    assert sync(0) == ("study_new",)
    assert one.read_text() == "study_new = 7\nstudy_leech = 3\n"
    one.write_text("study_leech = 3\n")  # the default again
    assert sync(0) == ()
    assert sync(1) == ("study_new",)
    assert other.read_text() == "study_new = 20\nstudy_leech = 3\n"


def test_weights_of_the_scheduler_reach_the_other_machine_and_can_be_reset(settings):
    (one, other), sync = settings
    one.write_text(f"study_weights = {[0.5] * 17}\n")
    sync(0)
    assert sync(1) == ("study_weights",)
    one.write_text("")
    sync(0)
    assert sync(1) == ("study_weights",) and other.read_text() == "study_weights = []\n"


def test_settings_go_nowhere_unless_told_to_and_stay_in_the_file(settings, readers):
    (one, other), sync = settings
    one.write_text("study_new = 5\n")
    sync(0, reviews=False)
    assert SETTINGS not in readers[2].read_text()
    sync(0)
    other.write_text("")
    readers[1].library.edit.tag([readers[1].library.list().hits[0].id], ["more"])
    assert sync(1, reviews=False) == () and SETTINGS in readers[2].read_text()
    assert other.read_text() == ""


def test_settings_that_cannot_be_read_are_left_alone_here_and_in_the_file(settings):
    (one, other), sync = settings
    one.write_text("study_new = 5\n")
    sync(0)
    other.write_text("study_new = \n")
    assert sync(1) == () and other.read_text() == "study_new = \n"
    other.write_text("")
    assert sync(1) == ("study_new",)


@pytest.mark.parametrize(
    "said",
    [
        "[]", "1", "{", '{"study_new": 5}', '{"study_new": [5]}', '{"study_new": ["5", 9]}',
        '{"study_new": [5, -1]}', '{"study_new": [5, 1.5]}', '{"study_new": [5, 99999999999999]}',
        '{"study_retention": [2.0, 9]}', '{"study_weights": [["a"], 9]}',
        '{"study_easy_days": ["\\u0000", 9]}',
    ],
)  # fmt: skip
def test_settings_that_are_none_are_set_aside(settings, readers, said):
    (one, other), sync = settings
    one.write_text("study_new = 5\n")
    sync(0)
    path = readers[2]
    (line,) = [each for each in path.read_text().splitlines() if each.startswith(SETTINGS)]
    path.write_text(path.read_text().replace(line, f"{SETTINGS}{said}}}"))
    other.write_text("study_leech = 3\n")
    assert sync(1) == () and other.read_text() == "study_leech = 3\n"
    assert sync(0) == ("study_leech",)  # the file is whole again
