"""Golden rankings: what each query of `golden/rankings.toml` finds, in which order.

The name of a case says which rule it holds. Where you change a rule, read both orders that a
failing case prints, and write the better one into the table.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from kb import Library
from kb.model.results import Filters, Hit, Results
from kb.work import Budget
from tests.databases import new_library

GOLDEN = Path(__file__).parent / "golden"
CASES: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (GOLDEN / "rankings.toml").read_text(encoding="utf-8")
)
WORK = {
    "arnoldi": 1588.2,
    'what is the "areas equal" of کپلر': 2352.1,
    "(ellipses OR areas) AND kepler -proved": 999.3,
    "ellip* کپلر level:E tag:orbit": 560.5,
    "tag:orbit": 397.7,
    "kepler -(areas OR tag:orbit)": 986.8,
    "kepler -tag:مدار -level:H verdict:wrong": 345.9,
    "quasi-newton np.float8": 1982.2,
    "clepsydra gnomon": 2264.8,
    "گاف ژرف تر": 2748.6,
    "whitning colesky": 5798.8,
    "barg shakhe pardazesh": 7646.7,
    "زاخمثقش": 1045.2,
    "Kantorovich شمیدهوبر": 3874.9,
    "梯度 ellipſes": 1090.0,
    "?!": 232.7,
}
"""Units of work that a query takes, with the passages that are shown."""
KEYS = {"query", "filters", "typed", "limit", "offset", "finds", "total", "suggests", "marks"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("golden")
    # The nearest words are computed, so a new table would change what is expected here.
    without = patch("kb.service.answer.nearest_words", lambda word: ())
    with without, new_library(folder / "golden.db") as opened:
        fill(opened, folder)
        yield opened


@pytest.mark.parametrize("name", CASES)
def test_golden(library: Library, name: str) -> None:
    case = CASES[name]
    assert case.keys() <= KEYS, f"unknown keys: {case.keys() - KEYS}"
    results = ask(library, case)
    expected, found = case["finds"], list(map(told, results.hits))
    assert found == expected, side_by_side(name, case["query"], expected, results.hits)
    assert results.suggestion == case.get("suggests")
    assert results.total == case.get("total", len(expected))
    if "marks" in case:
        assert marked(results.hits[0]) == case["marks"]


@pytest.mark.parametrize("query", WORK)
def test_work_is_counted_to_the_unit(library: Library, query: str) -> None:
    spent: list[float] = []
    count = Budget.spend

    def spend(budget: Budget, units: float) -> None:
        spent.append(units)
        count(budget, units)

    with patch.object(Budget, "spend", spend):
        library.search(query)
    assert round(sum(spent), 1) == WORK[query]


def ask(library: Library, case: Mapping[str, Any]) -> Results:
    """Search as a case says; one that is ``typed`` gives what is shown first."""
    filters = Filters(**case["filters"]) if "filters" in case else None
    if case.get("typed"):
        return next(library.search_typed(case["query"], filters=filters))
    page = {name: case[name] for name in ("limit", "offset") if name in case}
    return library.search(case["query"], filters=filters, **page)


def told(hit: Hit) -> str:
    """Return a hit as the table names it: its id, its language if it has several, how found."""
    spoken = f" in {hit.lang}" if len(hit.question) > 1 else ""
    return f"{hit.id}{spoken}" + ("" if hit.via in ("text", None) else f" by {hit.via}")


def marked(hit: Hit) -> list[str]:
    """Return what is marked in the passage of a hit."""
    assert hit.excerpt is not None
    return [hit.excerpt.text[start:end] for start, end in hit.excerpt.marks]


def side_by_side(name: str, query: str, expected: Sequence[str], hits: Sequence[Hit]) -> str:
    """Return both orders as a table, for who has to say which is better."""
    rows = [("expected", "found", "score")]
    found = [(told(hit), f"{hit.score:.4f}") for hit in hits]
    rows += [(one or "", *(other or ("", ""))) for one, other in zip_longest(expected, found)]
    width = max(len(row[0]) for row in rows)
    lines = [f"{row[0]:{width}}  {row[2]:>8}  {row[1]}" for row in rows]
    return "\n".join([f"{name}: {query!r}", *lines])


def fill(library: Library, folder: Path) -> None:
    """Import the base, and the reader's dictionary that stands in it."""
    base = tomllib.loads((GOLDEN / "base.toml").read_text(encoding="utf-8"))
    pairs = base.pop("dictionary")["pairs"]
    entries = [entry(id, row) for id, row in base.items()]
    document = {"schema_version": 1, "entries": entries}
    (folder / "base.json").write_text(json.dumps(document), encoding="utf-8")
    library.import_file(folder / "base.json")
    (folder / "own.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    library.glossary.add(folder / "own.tsv")


def entry(id: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry of the base in danesh's own JSON."""
    texts = {lang: row[lang] for lang in ("en", "fa", "zh") if lang in row}
    made: dict[str, Any] = {
        "id": id,
        "kind": row.get("kind", "question"),
        "collection": row.get("collection", "golden"),
        **{name: row[name] for name in ("level", "topic", "tags") if name in row},
        "question": by_language(texts, "question"),
        "wording": by_language(texts, "wording"),
        "answers": [
            {"role": role, "lang": lang, "text": text[role]}
            for lang, text in texts.items()
            for role in ("source", "reference")
            if role in text
        ],
        "annotations": [],
        "snippets": [],
    }
    if "code" in row:
        title = by_language(texts, "program")
        made["snippets"] = [{"id": f"{id}-program", "title": title, "code": row["code"]}]
    if notes := by_language(texts, "note"):
        lang, quote = next(iter(made["question"].items()))
        target = {"role": "question", "lang": lang, "quote": quote, "start": 0, "end": len(quote)}
        made["annotations"] = [
            {
                "id": f"{id}-note",
                "target": target,
                "verdict": row.get("verdict", "note"),
                "severity": "low",
                "note": notes,
                "own": True,
            }
        ]
    return made


def by_language(texts: Mapping[str, Mapping[str, str]], name: str) -> dict[str, str]:
    """Return the texts of one name by language."""
    return {lang: text[name] for lang, text in texts.items() if name in text}
