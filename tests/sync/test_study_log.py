"""``kb sync FILE --with-reviews``: two copies of one reader end with one study log."""

from __future__ import annotations

import json
import random

import pytest

from kb import open_library
from kb.service.study_log import MARK
from tests.study.learner import Learner, import_questions, many


@pytest.fixture
def readers(tmp_path):
    """One reader's two machines with the same forty questions, and the path of a file."""
    with (
        open_library(tmp_path / "a.db", bundled=False) as one,
        open_library(tmp_path / "b.db", bundled=False) as other,
    ):
        for library, folder in ((one, "a"), (other, "b")):
            (tmp_path / folder).mkdir()
            import_questions(library, tmp_path / folder, many(40))
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
    assert [str(each.reason) for each in done.aside] == ["a line is damaged"]
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
    assert len(done.aside) == 1 and rows(one) == rows(other)


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
