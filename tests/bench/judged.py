"""Judged sets of documents and queries, and the measures taken over them.

A set is a folder with ``docs.jsonl`` and ``queries.jsonl`` (``id lang title text``, a line
each) and ``qrels.tsv`` (query, 0, document, grade).
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Document(NamedTuple):
    """A document as every engine gets it."""

    id: str
    lang: str
    title: str
    text: str


class Query(NamedTuple):
    """A query, and the grade of each document that answers it."""

    id: str
    lang: str
    text: str
    grades: Mapping[str, float]


class Judged(NamedTuple):
    """A set: documents, and the queries that were drawn from it."""

    name: str
    documents: Sequence[Document]
    queries: Sequence[Query]


def read_set(folder: Path, most: int, half: int, qrels: str = "qrels.tsv") -> Judged:
    """Read a set and draw at most so many queries of one half (0 to choose by, 1 to report)."""
    documents = [
        Document(row["id"], row.get("lang", "en"), row.get("title") or "", row.get("text") or "")
        for row in _rows(folder / "docs.jsonl")
        if (row.get("title") or "").strip() or (row.get("text") or "").strip()
    ]
    grades: dict[str, dict[str, float]] = {}
    for line in (folder / qrels).read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split("\t")
        if float(grade) > 0:
            grades.setdefault(query, {})[document] = float(grade)
    queries = [
        Query(row["id"], row.get("lang", "en"), row["text"], grades[row["id"]])
        for row in _rows(folder / "queries.jsonl")
        if row["id"] in grades
    ]
    queries.sort(key=lambda query: query.id)
    random.Random(20).shuffle(queries)
    return Judged(folder.name, documents, queries[half::2][:most])


def ndcg(found: Sequence[str], grades: Mapping[str, float], depth: int = 10) -> float:
    """Return the normalised discounted cumulative gain at ``depth``.

    Gain 2^grade - 1, discount log2(rank + 1): Järvelin and Kekäläinen, "Cumulated
    gain-based evaluation of IR techniques", ACM TOIS 20(4), 2002; in Burges's form.
    """
    return _dcg([grades.get(each, 0) for each in found[:depth]]) / _dcg(
        sorted(grades.values(), reverse=True)[:depth]
    )


def reciprocal_rank(found: Sequence[str], grades: Mapping[str, float], depth: int = 10) -> float:
    """Return one over the rank of the first document that answers, or 0."""
    for rank, each in enumerate(found[:depth], 1):
        if each in grades:
            return 1 / rank
    return 0.0


def randomisation(ours: Sequence[float], theirs: Sequence[float], turns: int = 2000) -> float:
    """Return the p of a paired randomisation test, two-sided (Smucker et al., CIKM 2007)."""
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    seen = abs(sum(differences))
    draw = random.Random(7)
    extreme = sum(
        abs(sum(d if draw.random() < 0.5 else -d for d in differences)) >= seen - 1e-12
        for _ in range(turns)
    )
    return (extreme + 1) / (turns + 1)


def _dcg(grades: Sequence[float]) -> float:
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
