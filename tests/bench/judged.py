"""Judged sets of documents and queries.

A set is a folder with ``docs.jsonl`` and ``queries.jsonl`` (``id lang title text``, a line
each) and ``qrels.tsv`` (query, 0, document, grade).
"""

from __future__ import annotations

import json
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

    @property
    def lang(self) -> str:
        """The language of all documents, "en" where they are in several."""
        langs = {document.lang for document in self.documents}
        return langs.pop() if len(langs) == 1 else "en"

    def within(self, lang: str, most: int) -> Judged:
        """Return the documents and at most so many queries of one language, 0 for all."""
        documents = [document for document in self.documents if document.lang == lang]
        queries = [query for query in self.queries if query.lang == lang]
        return Judged(self.name, documents, queries[: most or None])


def read_set(folder: Path, most: int, half: int, qrels: str = "qrels.tsv") -> Judged:
    """Read a set and draw at most so many queries of one half (0 to choose by, 1 to report).

    ``most`` is 0 for all of the half.
    """
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
    return Judged(folder.name, documents, queries[half::2][: most or None])


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
