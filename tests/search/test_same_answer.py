"""The same documents answer the same, however they came in and whatever the clock says."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from kb import Library
from kb.model.draft import Amendment
from kb.model.results import Filters, Hit, Results
from tests.databases import new_library

_ENGLISH = "gradient descent matrix network layer memory kernel tensor loss model batch norm"
_PERSIAN = "گرادیان کاهشی ماتریس شبکه لایه حافظه هسته تنسور زیان مدل دسته هنجار"
_MANY = 2_600
"""More than one evaluator takes, so that parts of either kind are asked."""

Row = Mapping[str, str]


def _rows(count: int) -> list[Row]:
    """Return documents in both languages; many are alike, so that ids decide."""
    drawn = random.Random(7)
    rows = []
    for number in range(count):
        lang, words = ("en", _ENGLISH.split()) if number % 2 else ("fa", _PERSIAN.split())
        some = [drawn.choice(words) for _ in range(drawn.choice((2, 2, 3, 6)))]
        joined = " the ".join(some) if lang == "en" else " و ".join(some)
        filler = "Of it there is more. " if lang == "en" else "این هم هست. "
        text = f"{filler * drawn.choice((1, 1, 9))}{joined}."
        id = f"{drawn.randrange(1 << 30):x}-{number}"
        rows.append({"id": id, "lang": lang, "title": some[0], "text": text})
    rows.append({"id": "zebra", "lang": "en", "title": "Zebra", "text": "A zebra, and np.float16."})
    rows.append({"id": "gourkhar", "lang": "fa", "title": "گورخر", "text": "گورخر می‌دود."})
    return rows


ROWS = _rows(_MANY)

QUERIES = (
    "gradient", "gradient descent", "what is the gradient", "the", "matrix network memory",
    '"gradient the descent"', "grad*", "gradi", "matrix AND network", "kernel OR tensor -loss",
    "lang:fa model", "np.float16", "zebro", "zebr", "lhjvds", "لقشیهثدف", "gourkhar", "shabake",
    "model model loss",
    "گرادیان", "گرادیان کاهشی", "گرادیان چیست", "و", "ماتریس شبکه حافظه", '"گرادیان و کاهشی"',
    "گرا*", "گرادی", "ماتریس AND شبکه", "هسته OR تنسور -زیان", "lang:en مدل", "گورخز",
    "مدل مدل زیان", "شبکه ها",
)  # fmt: skip


def _fill(library: Library, folder: Path, name: str, rows: Sequence[Row]) -> None:
    file = folder / f"{name}.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    library.import_file(file, collection="n")


def _edited_on_the_way(library: Library, folder: Path) -> None:
    """Import the documents in two halves, each first with another text, and with others beside."""
    shuffled = random.Random(3).sample(ROWS, len(ROWS))
    beside = [{**row, "id": f"beside-{row['id']}"} for row in ROWS[:40]]
    slips = [
        {"id": f"slip-{n}", "lang": "en", "title": f"zebr{letter}", "text": f"zebr{letter}"}
        for n, letter in enumerate("bcdfghjklm")
    ]
    first, second = shuffled[:900], shuffled[900:]
    _fill(library, folder, "first", [*first, *beside, *slips])
    _fill(library, folder, "second", second)
    for row in (*first[:20], *second[:20]):
        id = f"n/{row['id']}"
        library.edit.amend(id, Amendment(question="Otter شنگ", lang=row["lang"]))
        library.edit.amend(id, Amendment(question=row["title"], lang=row["lang"]))
    library.edit.remove([f"n/{row['id']}" for row in (*beside, *slips)])


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Library]]:
    folder = tmp_path_factory.mktemp("same")
    with (
        new_library(folder / "1.db") as straight,
        new_library(folder / "2.db") as backwards,
        new_library(folder / "3.db") as edited,
    ):
        _fill(straight, folder, "all", ROWS)
        _fill(backwards, folder, "back", ROWS[::-1])
        _edited_on_the_way(edited, folder)
        yield {"straight": straight, "backwards": backwards, "edited": edited}


def _told(results: Results) -> object:
    return results.total, results.suggestion, results.notice, list(map(_shown, results.hits))


def _shown(hit: Hit) -> object:
    return hit.id, hit.lang, hit.via, pytest.approx(hit.score, rel=1e-9), hit.excerpt


@pytest.mark.long
@pytest.mark.parametrize("other", ["backwards", "edited"])
@pytest.mark.parametrize("query", QUERIES)
def test_the_way_in_changes_no_answer(
    filled: Mapping[str, Library], other: str, query: str
) -> None:
    for limit, offset in ((10, 0), (30, 40)):
        one, two = (
            filled[name].search(query, limit=limit, offset=offset) for name in ("straight", other)
        )
        assert _told(one) == _told(two)


@pytest.mark.long
@pytest.mark.parametrize("other", ["backwards", "edited"])
@pytest.mark.parametrize("query", QUERIES)
def test_the_way_in_changes_nothing_that_comes_as_one_types(
    filled: Mapping[str, Library], other: str, query: str
) -> None:
    one, two = (list(filled[name].search_typed(query)) for name in ("straight", other))
    assert list(map(_told, one)) == list(map(_told, two))


@pytest.mark.parametrize("other", ["backwards", "edited"])
@pytest.mark.parametrize("query", ["memory the", "حافظه و"])
def test_the_way_in_changes_no_answer_that_is_narrowed(
    filled: Mapping[str, Library], other: str, query: str
) -> None:
    for lang in ("en", "fa"):
        narrowed = Filters(lang=lang)
        one, two = (filled[name].search(query, filters=narrowed) for name in ("straight", other))
        assert _told(one) == _told(two)
    assert filled["straight"].find.ids(query) == filled[other].find.ids(query)


def test_the_queries_are_answered_in_every_way(filled: Mapping[str, Library]) -> None:
    results = [filled["straight"].search(query) for query in QUERIES]
    ways = {hit.via for found in results for hit in found.hits}
    assert ways >= {"text", "spelling", "transliteration", "layout", "translation"}
    assert any(found.suggestion for found in results)


@pytest.mark.long
def test_the_control_another_text_or_another_id_is_another_answer(
    filled: Mapping[str, Library], tmp_path: Path
) -> None:
    whole = _told(filled["straight"].search("gradient descent"))
    first = filled["straight"].search("gradient descent").hits[0].id.removeprefix("n/")
    for change in ({"text": "Otter."}, {"id": "another"}):
        rows = [{**row, **change} if row["id"] == first else row for row in ROWS]
        with new_library(tmp_path / f"{next(iter(change))}.db") as changed:
            _fill(changed, tmp_path, "changed", rows)
            assert _told(changed.search("gradient descent")) != whole


@pytest.mark.parametrize("query", QUERIES)
def test_a_clock_that_runs_wild_changes_no_answer(
    filled: Mapping[str, Library], monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    library = filled["straight"]
    calm = [_told(library.search(query)), *map(_told, library.search_typed(query))]
    hours = itertools.cycle((0, 36_000, -7_200, 360_000))
    for name in ("monotonic", "perf_counter", "time", "thread_time", "process_time"):
        monkeypatch.setattr(time, name, lambda: float(next(hours)))
        monkeypatch.setattr(time, f"{name}_ns", lambda: next(hours) * 10**9)
    wild = [_told(library.search(query)), *map(_told, library.search_typed(query))]
    monkeypatch.undo()
    assert wild == calm


def test_what_was_asked_before_changes_no_answer(
    filled: Mapping[str, Library], tmp_path: Path
) -> None:
    warm = filled["straight"]
    for query in QUERIES:
        with new_library(warm.path) as cold:
            assert _told(cold.search(query)) == _told(warm.search(query))
