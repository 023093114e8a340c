"""``kb sync FILE``: copies that exchange through a file end equal, whatever happens between."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import random
import shutil

import pytest

from kb import Filters, open_library
from kb.errors import BadData, Conflict, NotFound
from kb.model.draft import Amendment, Draft
from kb.model.entry import TextSpan
from kb.model.entry_json import fields_of
from kb.service import merging
from kb.store.sqlite.syncs import Space
from kb.sync.rows import EXISTS, make_row, read_row
from tests.databases import new_library


@pytest.fixture
def pair(tmp_path):
    """Two empty copies and the path of a file."""
    with (
        new_library(tmp_path / "a.db") as one,
        new_library(tmp_path / "b.db") as other,
    ):
        yield one, other, tmp_path / "stick.sync"


def new(library, title="Attention", answer="one two three four\n", collection="c"):
    draft = Draft({"en": title}, {"source": {"en": answer}}, "question", collection)
    return library.edit.new(draft).ids[0]


def content(library):
    return {hit.id: fields_of(library.show(hit.id)) for hit in library.list().hits}


def sync(path, *libraries):
    return [library.sync.sync_file(path) for library in libraries]


def amend(library, id, **values):
    library.edit.amend(id, Amendment(**values))


def test_an_entry_a_change_and_a_deletion_reach_the_other_copy(pair):
    one, other, path = pair
    id = new(one)
    sync(path, one, other)
    assert content(one) == content(other)
    amend(other, id, level="H")
    sync(path, other, one)
    assert one.show(id).level == "H"
    one.edit.remove([id])
    sync(path, one, other)
    assert content(other) == {}


def test_of_a_file_no_more_is_read_at_once_than_fits_in_memory(pair, monkeypatch):
    one, other, path = pair
    for title in ("One", "Two", "Three"):
        new(one, title)
    sync(path, one)
    kept, keep = [], merging.Merging.keep
    monkeypatch.setattr("kb.service.sync._SENT", 1)
    monkeypatch.setattr(
        merging.Merging,
        "keep",
        lambda self, rows, **k: kept.append(len(rows)) or keep(self, rows, **k),
    )
    sync(path, other)
    assert kept == [1, 1, 1]
    assert content(one) == content(other)


def test_undo_and_redo_reach_the_other_copy(pair):
    one, other, path = pair
    id = new(one)
    sync(path, one, other)
    amend(one, id, level="H")
    sync(path, one, other)
    one.changes.undo()
    sync(path, one, other)
    assert other.show(id).level is None
    one.changes.redo()
    sync(path, one, other)
    assert other.show(id).level == "H"


def test_different_words_of_one_line_merge(pair):
    one, other, path = pair
    id = new(one)
    sync(path, one, other)
    amend(one, id, answer="ONE two three four", lang="en")
    amend(other, id, answer="one two three FOUR", lang="en")
    sync(path, one, other, one)
    assert content(one) == content(other)
    assert one.show(id).answers[0].text == "ONE two three FOUR"
    assert not one.files.contested()


@pytest.mark.parametrize("side", ["mine", "theirs"])
def test_a_conflict_is_shown_on_both_copies_and_its_resolution_reaches_both(pair, side):
    one, other, path = pair
    id = new(one)
    sync(path, one, other)
    amend(one, id, question="Why?", lang="en")
    amend(other, id, question="How?", lang="en")
    sync(path, one, other, one)
    assert content(one) == content(other)
    for library, mine, theirs in ((one, "Why?", "How?"), (other, "How?", "Why?")):
        (told,) = library.files.contested()
        assert (told.entry, told.field, told.base) == (id, "question.en", "Attention")
        assert (told.mine, told.theirs) == (mine, theirs)
    (told,) = one.files.contested([id])
    one.files.resolve([id], side)
    assert not one.files.contested()
    result, *_ = sync(path, one, other)
    assert result.disputed == 0
    assert not other.files.contested()
    assert content(one) == content(other)
    assert other.show(id).question["en"] == getattr(told, side)


def test_who_edits_a_conflict_sees_what_all_others_see(pair):
    one, other, path = pair
    ids = [new(one, f"Entry {n}") for n in range(4)]
    sync(path, one, other)
    for id in ids:
        amend(one, id, question="Why?", lang="en")
        amend(other, id, question="How?", lang="en")
    sync(path, one, other, one)
    for id in ids:
        amend(one, id, question="Why not?", lang="en")
    sync(path, one, other)
    assert content(one) == content(other)
    for told in (*one.files.contested(), *other.files.contested()):
        assert "Why not?" in (told.mine, told.theirs)  # it continues the version that was shown
    assert len(one.files.contested()) == len(ids)


def test_deletion_against_an_edit_keeps_the_entry_until_somebody_decides(pair):
    one, other, path = pair
    id = new(one)
    sync(path, one, other)
    one.edit.remove([id])
    amend(other, id, level="H")
    sync(path, one, other, one)
    assert id in content(one)
    assert [each.field for each in one.files.contested()] == ["exists"]
    other.files.resolve([id], "theirs")
    sync(path, other, one)
    assert content(one) == content(other) == {}


def test_two_copies_of_one_file_change_apart_and_end_equal(pair, tmp_path):
    one, _, path = pair
    ids = [new(one, f"Entry {n}") for n in range(5)]
    one.backups.make(tmp_path / "copy.db")
    with open_library(tmp_path / "copy.db") as copy:
        amend(one, ids[0], level="E")
        amend(copy, ids[1], level="M")
        amend(copy, ids[0], tag=("nets",))
        sync(path, one, copy, one)
        assert content(one) == content(copy)
        assert one.show(ids[0]).level == "E"
        assert one.show(ids[0]).tags == ("nets",)
        assert not one.files.contested()


def test_a_sync_without_news_writes_nothing(pair):
    one, _, path = pair
    new(one)
    sync(path, one)
    before, written = path.read_bytes(), path.stat().st_mtime_ns
    changes = len(one.changes.log(limit=None))
    (result,) = sync(path, one)
    assert (result.sent, result.received, result.entries) == (0, 0, ())
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, written)
    assert len(one.changes.log(limit=None)) == changes


def test_a_sync_parses_only_rows_that_are_not_known(pair, monkeypatch):
    one, other, path = pair
    for n in range(20):
        new(one, f"Entry {n}")
    sync(path, one, other)
    parsed = []

    def read(text, place):
        parsed.append(text)
        return read_row(text, place)

    monkeypatch.setattr(merging, "read_row", read)
    sync(path, one, other)
    assert not parsed
    new(other, "Entry 20")
    sync(path, other, one)
    assert len(parsed) == 1


def test_known_media_are_not_decoded_again(pair, monkeypatch):
    one, other, path = pair
    new(one)
    sync(path, one)
    sha256 = hashlib.sha256(b"picture").hexdigest()
    line = json.dumps({"data": base64.b64encode(b"picture").decode(), "media": sha256})
    path.write_text(path.read_text() + line + "\n")
    sync(path, other)
    assert other.sync._base.store.media.get(sha256) == b"picture"
    monkeypatch.delattr(base64, "b64decode")
    (result,) = sync(path, other)
    assert not result.aside


@pytest.mark.parametrize("compacted", [False, True])
def test_a_sync_without_news_takes_no_write_lock(pair, compacted):
    one, _, path = pair
    new(one)
    sync(path, one)
    if compacted:
        one.changes.compact(days=0)
        sync(path, one)
    statements = []
    one.sync._base.store.connection.raw.set_trace_callback(statements.append)
    sync(path, one)
    assert statements
    assert not [each for each in statements if each.startswith("BEGIN")]


def test_a_row_that_broke_the_rules_counts_once_they_allow_it(pair, monkeypatch):
    one, other, path = pair
    id = new(one)
    sync(path, one)

    def refuse(row, place):
        raise BadData("not allowed")

    with monkeypatch.context() as stricter:
        stricter.setattr(merging, "check_fields", refuse)
        sync(path, other)
        assert content(other) == {}
    sync(path, other)
    assert id in content(other)


def test_what_is_unsent_is_what_the_next_sync_sends(pair):
    one, other, path = pair
    id = new(one)
    assert one.files.unsynced() == (0, 0)  # no place was named yet
    sync(path, one, other)
    assert one.files.unsynced() == (0, 0)
    amend(one, id, level="H")
    assert one.files.unsynced() == (1, 0)
    one.changes.undo()
    assert one.files.unsynced() == (0, 0)
    new(one, "Memory")
    amend(one, id, question="Why?", lang="en")
    with pytest.raises(BadData):
        sync(path.with_name("absent") / "stick.sync", one)
    assert one.files.unsynced() == (2, 0)
    (result,) = sync(path, one)
    assert result.sent == 2
    assert one.files.unsynced() == (0, 0)
    amend(other, id, question="How?", lang="en")
    sync(path, other, one)
    assert one.files.unsynced() == other.files.unsynced() == (0, 1)
    one.files.resolve([id], "theirs")
    assert one.files.unsynced() == (1, 0)


def test_a_base_that_never_syncs_is_asked_once_what_is_unsent(pair):
    one, _, _ = pair
    new(one)
    statements = []
    one.files._base.store.connection.raw.set_trace_callback(statements.append)
    assert one.files.unsynced() == (0, 0)
    assert len(statements) == 1


def test_changed_bundled_entries_travel_and_unchanged_ones_do_not(bundled_path, tmp_path):
    shutil.copyfile(bundled_path, tmp_path / "a.db")
    shutil.copyfile(bundled_path, tmp_path / "b.db")
    path = tmp_path / "x.sync"
    with open_library(tmp_path / "a.db") as one, open_library(tmp_path / "b.db") as other:
        id, second = (hit.id for hit in one.list(limit=2).hits)
        amend(one, id, tag=("nets",))
        amend(other, id, level="H")
        one.edit.remove([second])
        sync(path, one, other, one)
        assert (one.show(id).tags, one.show(id).level) == (("nets",), "H")
        assert content(one)[id] == content(other)[id]
        assert other.show(second)  # hiding is each reader's own
        assert len(path.read_text().splitlines()) == 4


def test_compact_keeps_what_is_not_in_rows_yet(pair):
    one, other, path = pair
    id = new(one)
    sync(path, one, other)
    amend(one, id, level="H")
    one.changes.compact(days=0)
    sync(path, one, other)
    assert other.show(id).level == "H"


def test_own_notes_and_programs_travel_by_file_and_are_nobody_elses_own(pair):
    one, other, path = pair
    id = new(one)
    one.own.annotate(id, TextSpan("source", "en", 0, 3), "check this")
    sync(path, one, other, one)
    (mine,), (theirs,) = one.show(id).annotations, other.show(id).annotations
    assert mine.own
    assert not theirs.own
    (again,) = sync(path, other)
    assert (again.sent, again.received) == (0, 0)


def test_a_database_that_is_given_away_does_not_name_the_places_of_ones_syncs(pair, tmp_path):
    one, _, path = pair
    id = new(one)
    one.sync.sync_file(path, reviews=True)
    one._base.store.meta.put("hub", "postgresql://me@db.example.org/course")
    for name, filters in (("all.db", Filters()), ("some.db", Filters(collection="c"))):
        one.export("sqlite", tmp_path / name, filters=filters)
        data = (tmp_path / name).read_bytes()
        assert id.encode() in data
        assert b"stick.sync" not in data and b"db.example.org" not in data


def test_a_file_of_another_kind_changes_nothing(pair):
    one, _, path = pair
    new(one)
    path.write_text('{"id": 1}\n')
    with pytest.raises(BadData, match="not a file of 'kb sync'"):
        sync(path, one)
    path.write_text('{"danesh_sync": 99}\n')
    with pytest.raises(BadData, match="newer"):
        sync(path, one)
    with pytest.raises(Conflict):
        one.sync.sync_file(one.path)


def test_a_file_cut_at_any_byte_loses_nothing(pair):
    one, other, path = pair
    new(one, "A")
    sync(path, one, other)
    id = new(other, "B")
    sync(path, other)
    whole = path.read_bytes()
    rng = random.Random(36)
    for cut in [*rng.sample(range(30, len(whole)), 12), len(whole) - 1]:
        path.write_bytes(whole[:cut])
        sync(path, one, other, one)
        assert content(one) == content(other)
        assert id in content(one)


def bad(body: dict, **changed) -> str:
    return json.dumps({**body, **changed}, sort_keys=True, separators=(",", ":"))


@pytest.mark.long
@pytest.mark.parametrize(
    "fields",
    [
        {"exists": "yes"},
        {"level": "impossible"},
        {"id": "another"},
        {"answers": []},
        {"languages": 5},
        {"languages": [[]]},
        {"question.en": {"a": 1}},
        {"snippets.s": {"id": "s", "title": {}, "code": "a\r\nb"}},
        {"snippets.s": {"id": "s", "title": {}, "code": "a", "own": True}},
        {"answers.reference.en": {"role": "source", "lang": 3, "text": []}},
        {"collection": "a//b"},
        {"question.en": "x" * 5_000_000},
        {"tags": ["a"] * 100_000},
    ],
)
def test_a_row_that_breaks_our_rules_is_named_set_aside_and_passed_on(pair, fields):
    one, other, path = pair
    id = new(one)
    sync(path, one)
    lines = path.read_text().splitlines()
    row = bad(json.loads(lines[1]), fields=fields, parents=[])
    path.write_text("\n".join([*lines, row]) + "\n")
    results = sync(path, other, one)
    assert [each.text for result in results for each in result.aside][:1] == [id]
    assert content(one) == content(other)
    assert row in path.read_text()


@pytest.mark.parametrize(("collection", "aside"), [("c", 0), ("c/d", 0), (None, 0), ("cd", 1)])
def test_a_row_of_a_course_names_a_collection_of_it_or_removes_it(pair, collection, aside):
    base = pair[0]._base
    row = make_row(
        "a", (), "ada", "2026-01-01T00:00:00.000Z", {EXISTS: True, "collection": collection}
    )
    with base.store.transaction():
        merged = merging.Merging(base, base.store.syncs.put_space(Space("hub", "c", "ada")))
        merged.keep([(row.text, "ada", 0)], sent=False, place="hub")
    assert len(merged.tally.aside) == aside


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "", "null", "[]", "{", '{"entry":1}', '"\\ud800"', "9" * 5000, "[" * 5000,
        '{"at":"","author":"","entry":"a","fields":{},"parents":["x"]}',
        '{"at":"","author":"","entry":"","fields":{},"parents":[]}',
        '{"at":"","author":"","entry":"a","fields":{"x":1e999},"parents":[]}',
        '{"at":"","author":"","entry":"a","fields":{},"parents":[],"more":1}',
        '{"at":"","author":"","entry":"a", "fields":{},"parents":[]}',
        '{"at":"","author":"","entry":"\\ud800","fields":{},"parents":[]}',
        '{"at":"","author":"","entry":"a","fields":{},"parents":[],"review":{"row":"x"}}',
        '{"data":"AAAA","media":"00"}', '{"data":5}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_row_is_set_aside(pair, line):
    one, other, path = pair
    new(one)
    sync(path, one)
    path.write_text(path.read_text() + line + "\n")
    (result,) = sync(path, other)
    assert len(result.aside) == 1
    assert content(one) == content(other)


def test_programs_from_a_file_are_not_trusted(pair):
    one, other, path = pair
    id = new(one)
    one.own.save_snippet(id, "print(1)")
    sync(path, one, other)
    (snippet,) = other.show(id).snippets
    assert not snippet.own


def test_random_changes_of_three_copies_end_equal(tmp_path):
    rng = random.Random(36)
    paths = [tmp_path / f"{n}.db" for n in range(3)]
    stick = tmp_path / "stick.sync"
    steps = 0
    libraries = [new_library(path) for path in paths]
    try:
        for n in range(3):
            new(libraries[0], f"Entry {n}", "one two three four five six\n" * 3)
        sync(stick, *libraries)
        while steps < 80:
            library = rng.choice(libraries)
            steps += 1
            step(rng, library, stick)
        sync(stick, *libraries, *libraries)
        first, *others = map(content, libraries)
        assert all(each == first for each in others)
    finally:
        for library in libraries:
            library.close()


def step(rng, library, stick):
    ids = sorted(content(library))
    how = rng.random()
    if how < 0.2 and stick is not None:
        sync(stick, library)
    elif how < 0.25 or not ids:
        new(library, f"New {rng.randrange(1000)}")
    elif how < 0.3:
        library.edit.remove([rng.choice(ids)])
    elif how < 0.4:
        library.edit.move([rng.choice(ids)], rng.choice(["c", "c/d", "c/d/e"]))
    elif how < 0.5:
        library.edit.tag([rng.choice(ids)], [rng.choice("abc")], [rng.choice("abc")])
    elif how < 0.55 and library.files.contested():
        told = rng.choice(library.files.contested())
        library.files.resolve([told.entry], rng.choice(["mine", "theirs"]))
    elif how < 0.65:
        with contextlib.suppress(Conflict, NotFound):
            library.changes.undo()
    else:
        id = rng.choice(ids)
        text = next((a.text for a in library.show(id).answers), "one two three")
        words = text.split(" ")
        words[rng.randrange(len(words))] = f"w{rng.randrange(100)}"
        amend(library, id, answer=" ".join(words), lang="en")
