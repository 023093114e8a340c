"""The index of postings: exact by both evaluators, whatever was added, taken out and merged."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb import Library
from kb.errors import Cancelled
from kb.model.clauses import (
    Candidates,
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Phrase,
    Predicate,
    Scoring,
)
from kb.model.documents import COLUMNS, Document
from kb.model.draft import Draft
from kb.model.entry import Answer, Entry
from kb.model.results import Filters, silent
from kb.search.index import arrays, bulk, merging, segments
from kb.search.index.building import built
from kb.search.index.codec import (
    MOST_SHORT,
    packed,
    packed_numbers,
    unpacked,
    unpacked_numbers,
)
from kb.search.index.postings import Cache
from kb.service.write import put_entry, remove_entry
from tests.behind import damaged, make_thirteenth, raw
from tests.databases import new_library, passing_library
from tests.plugin import times
from tests.search.index.memory import MemoryIndex

WEIGHTS = {"question": 4.0, "wording": 2.0, "source": 1.0, "reference": 1.0, "notes": 0.7,
           "code": 0.4, "keywords": 2.0}  # fmt: skip
SCORING = Scoring(WEIGHTS)
WORDS = ("network", "gradient", "deep", "learning", "matrices", "شبکه", "عصبی", "گرادیان")
TERMS = ("network", "gradient", "deep", "learn", "matrix", "شبکه", "عصب", "گرادیان")
EVALUATORS = {"plain": 10**9, "vector": 0, "both": 3}


def text(most: int = 9) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=most).map(" ".join)


ENTRIES = st.lists(
    st.tuples(text(), text(), st.booleans(), st.sampled_from("EMH")), min_size=1, max_size=12
)
PHRASES = st.one_of(
    st.sampled_from(TERMS).map(lambda term: Phrase((term,))),
    st.sampled_from(TERMS).map(lambda term: Phrase((term[:2],), open=True)),
    st.lists(st.sampled_from(TERMS), min_size=2, max_size=3).map(lambda of: Phrase(tuple(of))),
)
CLAUSES = st.lists(PHRASES.map(lambda phrase: Clause((phrase,))), min_size=1, max_size=4)
PREDICATES = st.sampled_from(
    [
        Every(),
        Has("level", "h"),
        Has("lang", "fa"),
        Lacks(Matches(Clause((Phrase(("deep",)),)))),
        Every((Has("collection", "c"), Matches(Clause((Phrase(("network",)),))))),
    ]
)


def entry(id: str, question: str, answer: str, both: bool, level: str) -> Entry:
    titles = {"en": question, "fa": answer} if both else {"en": question}
    return Entry(
        id, "question", "c", titles, answers=(Answer("source", "en", answer),), level=level
    )


def put(library: Library, entries: list[Entry]) -> None:
    base = library._base
    with base.store.transaction():
        base.store.collections.put("c", {})
        for each in entries:
            put_entry(base, each, "user")


def oracle(library: Library) -> MemoryIndex:
    plain = MemoryIndex()
    plain.add(library._base.store.entries.documents())
    return plain


def alike(one: Candidates, other: Candidates) -> None:
    """Say that both hold the same entries with the same scores, and the first in order."""
    assert one.total == other.total
    assert list(one.found) == sorted(one.found, key=lambda each: (-each.score, each.entry))
    scores = [each.score for each in other.found]
    assert [each.score for each in one.found] == pytest.approx(scores, rel=1e-6, abs=1e-9)
    last = round(scores[-1], 6) if scores else 0
    firm = [{each.entry for each in of.found if round(each.score, 6) > last} for of in (one, other)]
    assert firm[0] == firm[1]


@pytest.mark.long
@settings(
    max_examples=times(6),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    first=ENTRIES,
    second=ENTRIES,
    asked=CLAUSES,
    predicate=PREDICATES,
    limit=st.sampled_from([3, 10, 200, None]),
    few=st.sampled_from(list(EVALUATORS.values())),
    seed=st.integers(0, 99),
)
def test_it_finds_and_ranks_what_reading_everything_does_after_any_edits(
    first: list[tuple[str, str, bool, str]],
    second: list[tuple[str, str, bool, str]],
    asked: list[Clause],
    predicate: Predicate,
    limit: int | None,
    few: int,
    seed: int,
) -> None:
    draw = random.Random(seed)
    with passing_library() as library, patch.object(segments, "FEW", few):
        put(library, [entry(f"e{n}", *each) for n, each in enumerate(first)])
        put(library, [entry(f"e{draw.randrange(20)}", *each) for each in second])
        base = library._base
        with base.store.transaction():
            remove_entry(base, f"e{draw.randrange(len(first))}")
        if seed % 3 == 0:
            base.index.tidy(silent)
        plain = oracle(library)
        alike(
            base.index.candidates(asked, predicate, SCORING, limit),
            plain.candidates(asked, predicate, SCORING, limit),
        )
        assert list(map(base.index.frequency, asked)) == list(map(plain.frequency, asked))
        assert damaged(library) == []


@pytest.mark.long
@pytest.mark.parametrize("few", EVALUATORS.values(), ids=EVALUATORS)
@pytest.mark.parametrize("limit", [10, 200])
def test_the_best_of_many_are_exact_where_most_are_never_scored(few: int, limit: int) -> None:
    draw = random.Random(limit)
    words = [f"w{n}" for n in range(40)]
    shares = [1 / (n + 1) for n in range(40)]
    entries = [
        entry(
            f"e{n:04}",
            " ".join(draw.choices(words, shares, k=draw.randint(1, 12))),
            "so",
            False,
            "E",
        )
        for n in range(600)
    ]
    with passing_library() as library, patch.object(segments, "FEW", few):
        put(library, entries)
        library._base.index.tidy(silent)
        plain = oracle(library)
        for _ in range(5):
            asked = [Clause((Phrase((term,)),)) for term in dict.fromkeys(draw.choices(words, k=4))]
            alike(
                library._base.index.candidates(asked, Every(), SCORING, limit),
                plain.candidates(asked, Every(), SCORING, limit),
            )


def test_the_control_of_these_comparisons_is_a_score_that_forgets_the_length() -> None:
    with passing_library() as library:
        put(library, [entry("a", "network", "so", False, "E"),
                      entry("b", "network " + "deep " * 9, "so", False, "E")])  # fmt: skip
        plain = oracle(library)
        asked = [Clause((Phrase(("network",)),))]
        with (
            patch("kb.search.index.evaluation.B", 0.0),
            pytest.raises(AssertionError),
        ):
            alike(
                library._base.index.candidates(asked, Every(), SCORING, 10),
                plain.candidates(asked, Every(), SCORING, 10),
            )


@pytest.mark.parametrize("few", EVALUATORS.values(), ids=EVALUATORS)
def test_equal_scores_are_in_the_order_of_ids_however_they_came(few: int) -> None:
    with passing_library() as library, patch.object(segments, "FEW", few):
        for name in ("m", "z", "a", "k"):
            put(library, [entry(name, "network", "so", False, "E")])
        found = library._base.index.candidates(
            [Clause((Phrase(("network",)),))], Every(), SCORING, 3
        )
        assert [each.entry for each in found.found] == ["a", "k", "m"]


SIZES = st.sampled_from([5, 100, 1000, MOST_SHORT, MOST_SHORT + 1, 3 * MOST_SHORT])


@given(size=SIZES, seed=st.integers(0, 999))
@settings(max_examples=times(12))
def test_lists_come_back_from_their_bytes_by_either_way_of_reading(size: int, seed: int) -> None:
    draw = random.Random(seed)
    groups = [
        (pattern, sorted(draw.sample(range(size), min(size, draw.choice([1, 3, 70, 4000])))))
        for pattern in draw.sample(range(300), draw.randint(1, 4))
    ]
    data = packed(groups, size)
    assert [(pattern, list(some)) for pattern, some in unpacked(data, size)] == groups
    everywhere = numpy.ones(size, numpy.bool_)
    forms = [(len(COLUMNS) + number,) for number in range(300)]  # which have no positions
    read = arrays.blocks_with_places(data, b"", size, forms, everywhere)
    assert [(forms.index(pattern), some.tolist()) for pattern, some, _ in read] == groups
    places = [draw.randrange(draw.choice([10, 1000, 100_000])) for _ in range(draw.randint(0, 9))]
    assert list(unpacked_numbers(packed_numbers(places))) == places


@pytest.mark.parametrize("many", [63, 64, 127, 128, 200, 3_000])
@pytest.mark.parametrize("size", [MOST_SHORT, 2 * MOST_SHORT])
def test_lists_of_any_length_are_united_with_short_ones(many: int, size: int) -> None:
    short, long = [1, 5, size - 1], list(range(2, 2 + 17 * many, 17))
    lists = [packed([(0, short)], size), packed([(1, long)], size), packed([(0, [5])], size)]
    ordinals, worth = arrays.union(lists, size, numpy.array([1.0, 10.0]))
    assert ordinals.tolist() == sorted({*short, *long})
    expected = {n: short.count(n) + (n == 5) + 10 * long.count(n) for n in ordinals.tolist()}
    assert worth.tolist() == list(expected.values())


def test_lists_have_these_bytes() -> None:
    assert packed([(3, [0, 7])], 10).hex() == "01030200000700"
    assert packed([(200, [1]), (0, [2])], 10).hex() == "02c80101000101000200"
    assert packed_numbers([1, 300]).hex() == "0201002c01"
    for size, width in ((MOST_SHORT, 2), (MOST_SHORT + 1, 4)):
        assert len(packed([(0, range(64))], size)) == 3 + width * 64
    for most in (255, 256, 65_535, 65_536):
        assert list(unpacked_numbers(packed_numbers([most]))) == [most]


def test_the_page_about_the_index_draws_the_bytes_that_are_stored() -> None:
    texts = (
        ("What is a neural network?", "A network of neurons"),
        ("Why does a gradient vanish?", "In deep networks"),
        ("What is a deep network?", "Layers"),
    )
    made = built(
        Document(number, str(number), "en", {"question": question, "source": answer}, {})
        for number, (question, answer) in enumerate(texts)
    )
    posting = next(each for each in made.postings if each.term == "network")
    page = (Path(__file__).parents[3] / "docs/search-index.md").read_text(encoding="utf-8")
    drawn = dict(re.findall(r"^  (documents|places) +((?:[0-9a-f]{2}\b *)+)", page, re.MULTILINE))
    assert bytes.fromhex(drawn["documents"]) == posting.documents
    assert bytes.fromhex(drawn["places"]) == posting.places
    assert json.dumps(made.patterns, separators=(",", ":")) in page


@pytest.fixture
def parted(tmp_path: Path) -> Iterator[Library]:
    with new_library(tmp_path / "kb.db") as library:
        for n in range(11):
            put(library, [entry(f"e{n}", f"network {n}", "شبکه عصبی", n % 2 > 0, "E")])
        yield library


def parts(library: Library) -> list[int]:
    rows = raw(library).execute("SELECT size FROM index_segment WHERE live = 1").fetchall()
    return [row[0] for row in rows]


@pytest.mark.parametrize("terms", [2, 500])
def test_what_is_tidied_is_found_as_before_and_lies_in_one_part(
    parted: Library, monkeypatch: pytest.MonkeyPatch, terms: int
) -> None:
    monkeypatch.setattr(merging, "_TERMS", terms)
    told: list[tuple[int, int]] = []
    before = parted.search("network شبکه")
    assert len(parts(parted)) > 1
    parted._base.index.tidy(lambda *step: told.append(step))
    assert len(parts(parted)) == 1
    assert told[-1][0] == told[-1][1] > 0 and told == sorted(told)
    assert parted.search("network شبکه").hits == before.hits
    assert parted.search("عصبی").total == 11  # a term that was not read before
    assert damaged(parted) == []


def test_what_an_undone_import_brought_is_hidden_in_a_merged_segment(
    parted: Library, tmp_path: Path
) -> None:
    (tmp_path / "cards.md").write_text("## What is a gimbal?\n\nA support.\n\n## Why?\n\nSo.\n")
    parted.import_file(tmp_path / "cards.md")
    parted._base.index.tidy(silent)
    assert len(parts(parted)) == 1
    parted.changes.undo()
    assert (parted.search("gimbal").total, parted.search("network").total) == (0, 11)
    parted.changes.redo()
    assert (parted.search("gimbal").total, parted.search("network").total) == (1, 11)
    assert damaged(parted) == []


def test_compacting_a_database_merges_its_segments(parted: Library) -> None:
    assert len(parts(parted)) > 1
    parted.changes.compact()
    assert len(parts(parted)) == 1


@pytest.mark.parametrize("turn", [0.0, 1_000.0])
def test_a_long_merge_lets_others_write_after_each_turn(parted: Library, turn: float) -> None:
    told: list[tuple[int, int]] = []
    with patch.object(merging, "_TERMS", 1), patch.object(merging, "_TURN", turn):
        parted._base.index.tidy(lambda *step: told.append(step))
    assert (len(told) == 1) is (turn > 0) and told[-1][0] == told[-1][1]


@pytest.mark.parametrize(("most", "sizes"), [(8, [8, 4, 1, 1]), (7, [4, 4, 4, 1, 1])])  # fmt: skip
def test_four_parts_are_merged_where_the_smaller_ones_are_together_as_large_as_the_last(
    tmp_path: Path, most: int, sizes: list[int]
) -> None:
    with (
        patch.object(merging, "_AT_ONCE", most),
        new_library(tmp_path / "kb.db") as library,
    ):
        for n in range(14):
            put(library, [entry(f"e{n}", "network", "so", False, "E")])
        assert parts(library) == sizes


@pytest.mark.parametrize(("gone", "sizes"), [(2, [10, 1]), (3, [7, 1]), (10, [1])])
def test_a_part_is_written_again_where_more_than_a_fifth_of_it_is_gone(
    tmp_path: Path, gone: int, sizes: list[int]
) -> None:
    with new_library(tmp_path / "kb.db") as library:
        base = library._base
        put(library, [entry(f"e{n}", "network", "so", False, "E") for n in range(10)])
        library.rebuild()
        with base.store.transaction():
            for n in range(gone):
                remove_entry(base, f"e{n}")
        put(library, [entry("new", "gradient", "so", False, "E")])
        assert sorted(parts(library), reverse=True) == sizes
        assert library.search("network").total == 10 - gone


def test_what_is_indexed_together_is_found_as_before(parted: Library) -> None:
    inner, before = parted._base, parted.search("network شبکه")
    documents = list(inner.store.entries.documents())
    with inner.store.transaction():
        inner.index.remove(documents)
        inner.index.add(documents)
    after = parted.search("network شبکه")
    assert (after.hits, after.total) == (before.hits, before.total)
    assert damaged(parted) == []


def test_what_is_cached_is_what_was_used_last_and_no_more_than_fits() -> None:
    cache = Cache(12)
    for key, size in (("a", 6), ("b", 6), ("a", 6)):
        cache.put(key, key.upper(), size)
    assert (cache.get("a"), cache.get("b")) == ("A", "B")
    assert cache.get("a") == "A"
    assert cache.get("b") == "B"
    cache.put("c", "C", 1)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (None, "B", "C")
    cache.put("a", "A", 6)
    assert cache.get("b") is None
    cache.put("c", "long", 13)
    assert (cache.get("a"), cache.get("c")) == (None, "long")  # the last one is always kept
    cache.put("d", "D", 12)
    assert (cache.get("c"), cache.get("d")) == (None, "D")


def test_the_positions_of_many_words_are_read_in_as_many_steps_as_those_of_one(
    parted: Library,
) -> None:
    documents = [each.id for each in parted._base.store.entries.documents()]
    read: list[int] = []
    for terms in (["network"], [*map(str, range(11)), "شبکه", "عصب"]):
        asked: list[str] = []
        raw(parted).set_trace_callback(asked.append)
        assert any(parted._base.index.occurrences(documents, terms))
        read.append(sum("index_posting" in each for each in asked))
    assert read[0] == read[1] > 0


def test_a_small_base_is_changed_and_searched_without_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("arrays", "vector"):
        monkeypatch.setitem(sys.modules, f"kb.search.index.{name}", None)
    with new_library(tmp_path / "kb.db") as library:
        kept, gone = (library.edit.new(Draft({"en": f"A yak {n}"}, {})).ids[0] for n in range(2))
        library.edit.remove([gone])
        assert [hit.id for hit in library.search("yak").hits] == [kept]


def test_a_merge_that_is_interrupted_leaves_all_as_it_was_and_the_next_one_ends_it(
    parted: Library,
) -> None:
    before, left = parted.search("network"), parts(parted)

    def stop(done: int, total: int) -> None:
        raise Cancelled("stopped")

    with patch.object(merging, "_TERMS", 1), patch.object(merging, "_TURN", 0.0):
        parted._base.index.tidy(stop)
    assert parts(parted) == left
    assert parted.search("network").hits == before.hits
    parted._base.index.tidy(silent)
    assert len(parts(parted)) == 1
    assert raw(parted).execute("SELECT count(*) FROM index_segment").fetchone()[0] == 1


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("begins", [False, True])
def test_a_merge_whose_new_part_another_has_removed_ends_and_loses_nothing(
    parted: Library, step: int, begins: bool
) -> None:
    left, told = parts(parted), list[int]()

    def stop(done: int, total: int) -> None:
        raise Cancelled("stopped")

    def tidy(done: int, total: int) -> None:
        told.append(done)
        if len(told) == step:
            with new_library(parted.path) as other:
                other._base.index.tidy(stop)
                if not begins:
                    raw(other).execute("DELETE FROM index_segment WHERE live = 0")

    with patch.object(merging, "_TERMS", 3), patch.object(merging, "_TURN", 0.0):
        parted._base.index.tidy(tidy)
    assert (parts(parted), len(told)) == (left, step)
    assert damaged(parted) == []


@pytest.mark.parametrize("others", [0, 3])
def test_what_an_import_hides_is_hidden_however_its_part_was_merged(
    tmp_path: Path, others: int
) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": "x", "title": "A zebra"}\n')
    with new_library(tmp_path / "kb.db") as library:
        change = library.import_file(tmp_path / "x.jsonl", collection="animals").change
        library.edit.new(Draft({"en": "A quagga"}, {}, collection="c"))
        library.rebuild()
        for n in range(others):
            library.edit.new(Draft({"en": f"A yak {n}"}, {}, collection="c"))
        library._base.index.tidy(silent)
        assert len(parts(library)) == 1
        library.changes.undo(change=change)
        assert [library.search(each).total for each in ("zebra", "quagga")] == [0, 1]


def test_what_changes_while_parts_are_merged_is_kept(parted: Library) -> None:
    base = parted._base

    def change(done: int, total: int) -> None:
        with base.store.transaction():
            remove_entry(base, "e3")
        put(parted, [entry("e99", "network late", "so", False, "E")])

    with patch.object(merging, "_TERMS", 3), patch.object(merging, "_TURN", 0.0):
        base.index.tidy(change)
    found = {hit.id for hit in parted.search("network", limit=None).hits}
    assert "e3" not in found and "e99" in found
    assert damaged(parted) == []


def test_a_posting_that_is_lost_is_told_and_mended(parted: Library) -> None:
    parted._base.index.tidy(silent)
    raw(parted).execute("DELETE FROM index_posting WHERE term = 'network'")
    assert damaged(parted)
    parted.rebuild()
    assert damaged(parted) == []
    assert parted.search("network").total == 11


def test_an_index_of_an_older_form_is_built_again_with_an_older_file(parted: Library) -> None:
    raw(parted).execute("UPDATE index_revision SET form = form - 1")
    raw(parted).execute("UPDATE index_posting SET documents = x'00'")
    parted.close()
    make_thirteenth(parted.path)
    with new_library(parted.path) as again:
        assert damaged(again) == []
        assert again.search("network").total == 11


def test_a_collection_is_found_by_the_name_it_has_now(parted: Library) -> None:
    base = parted._base
    with base.store.transaction():
        base.index.rename_collection("c", "d")
    found = base.index.candidates(
        [Clause((Phrase(("network",)),))], Has("collection", "d"), SCORING, 3
    )
    assert found.total == 11


def test_a_collection_that_only_begins_like_a_renamed_one_keeps_its_name(tmp_path: Path) -> None:
    with new_library(tmp_path / "kb.db") as library:
        base = library._base
        for name in ("c", "c/a", "c0", "c-d"):
            library.edit.new(Draft({"en": "A network?"}, collection=name))
        with base.store.transaction():
            base.index.rename_collection("c", "d")
        clause = Clause((Phrase(("network",)),))
        for name, count in {"d": 2, "d/a": 1, "c0": 1, "c-d": 1, "c": 0}.items():
            found = base.index.candidates([clause], Has("collection", name), SCORING, 9)
            assert found.total == count, name


def test_another_process_builds_what_this_one_does(parted: Library) -> None:
    documents = list(parted._base.store.entries.documents())
    with bulk.Worker() as there:
        there.take(documents[:3])
        there.take(documents[3:])
        assert there.built().result() == built(documents)
        there.take(documents[:3])
        assert there.built().result() == built(documents[:3])


def test_where_the_other_process_ends_that_is_told(parted: Library) -> None:
    documents = list(parted._base.store.entries.documents())
    with bulk.Worker() as there:
        there.take(documents)
        there.built().result()
        assert there._process is not None
        there._process.kill()
        there._process.wait()
        there.take(documents)
        assert there.built().result() is None


def _lines(path: Path) -> Path:
    path.write_text(
        "".join(
            f'{{"id": "{n}", "lang": "{lang}", "title": "{title} {n}"}}\n'
            for n in range(400)
            for lang, title in ((("en", "A zebra"), ("fa", "یک گورخر"))[n % 2],)
        ),
        encoding="utf-8",
    )
    return path


def test_an_import_is_whole_where_the_process_that_analyses_ends(tmp_path: Path) -> None:
    def lose(self: bulk.Worker) -> object:
        assert self._process is not None
        self._process.kill()
        return received(self)

    received = bulk.Worker._received
    with (
        patch.object(bulk, "_WORTH", 1),
        patch.object(bulk.Worker, "_received", lose),
        new_library(tmp_path / "kb.db") as library,
    ):
        library.import_file(_lines(tmp_path / "many.jsonl"), collection="animals")
        assert library.search("zebra").total == library.search("گورخر").total == 200
        assert damaged(library) == []


def test_with_one_core_an_import_finds_the_same(tmp_path: Path) -> None:
    with (
        patch("os.cpu_count", lambda: 1),
        new_library(tmp_path / "kb.db") as library,
    ):
        library.import_file(_lines(tmp_path / "many.jsonl"), collection="animals")
        assert library.search("zebra").total == library.search("گورخر").total == 200
        assert damaged(library) == []


def test_what_a_rebuild_has_indexed_meanwhile_is_not_indexed_twice(tmp_path: Path) -> None:
    finish = bulk.Bulk.finish

    def rebuilt(self: bulk.Bulk) -> None:
        if not again:
            again.append(new_library(tmp_path / "kb.db"))
            again[0].rebuild()
        finish(self)

    again: list[Library] = []
    many = _lines(tmp_path / "many.jsonl")
    with (
        patch.object(bulk.Bulk, "finish", rebuilt),
        new_library(tmp_path / "kb.db") as library,
    ):
        library.import_file(many, collection="animals")
        again[0].close()
        assert library.search("zebra").total == library.search("گورخر").total == 200
        assert library._base.index.term_frequencies(["zebra"]) == {"zebra": 200}
        assert parts(library) == [400]
        assert damaged(library) == []


def test_of_many_documents_those_are_indexed_that_are_not_yet(parted: Library) -> None:
    index, documents = parted._base.index, list(parted._base.store.entries.documents())
    numbers, some = [each.id for each in documents], documents[2:5]
    assert index.unknown([*numbers, 10**6]) == [10**6]
    with parted._base.store.transaction():
        index.remove(some)
    assert index.unknown(numbers) == [each.id for each in some]
    for found in (len(parts(parted)) + 1, len(parts(parted)) + 1):
        with index.bulk() as indexing:
            indexing.take(documents)
            indexing.finish()
        assert index.unknown(numbers) == []
        assert index.term_frequencies(["network"]) == {"network": 11}
        assert (len(parts(parted)), damaged(parted)) == (found, [])


def test_an_entry_that_has_the_number_of_one_that_is_gone_is_indexed(tmp_path: Path) -> None:
    with new_library(tmp_path / "kb.db") as library:
        kept, gone = (
            library.edit.new(Draft({"en": f"A yak {word}"}, {})).ids[0] for word in ("here", "gone")
        )
        library.edit.remove([gone])
        library.import_file(_lines(tmp_path / "many.jsonl"), collection="animals")
        assert library.search("zebra").total == library.search("گورخر").total == 200
        assert [hit.id for hit in library.search("yak").hits] == [kept]
        assert damaged(library) == []


def test_what_was_stored_and_not_indexed_is_when_the_import_goes_on(tmp_path: Path) -> None:
    def stop(self: bulk.Bulk) -> None:
        raise KeyboardInterrupt

    many = _lines(tmp_path / "many.jsonl")
    with new_library(tmp_path / "kb.db") as library:
        with patch.object(bulk.Bulk, "finish", stop), pytest.raises(KeyboardInterrupt):
            library.import_file(many, collection="animals")
        assert library.search("zebra").total == 0
        library.import_file(many, collection="animals")
        assert library.search("zebra").total == library.search("گورخر").total == 200
        assert damaged(library) == []


def test_what_is_taken_back_is_neither_found_nor_counted(tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_text('{"id": "x", "title": "What is a zebra?"}\n{"id": "y", "title": "A zebra."}\n')
    with new_library(tmp_path / "kb.db") as library:
        library.import_file(many, collection="animals")
        assert library._base.index.term_frequencies(["zebra"]) == {"zebra": 2}
        library.changes.undo()
        assert library._base.index.term_frequencies(["zebra"]) == {"zebra": 0}
        assert library.search("zebra", filters=Filters(collection="animals")).total == 0
        library.changes.redo()
        assert library.search("zebra", filters=Filters(collection="animals")).total == 2
