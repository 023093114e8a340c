"""danesh and its rivals by name, each through its public interface.

A rival that is not installed is left out, and the tables say so.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from kb import Library, open_library
from kb.records import Results
from tests.bench.engine import Make, Search
from tests.bench.judged import Document
from tests.bench.rivals import bm25s, whoosh, xapian
from tests.bench.rivals.fts5 import fts5
from tests.bench.rivals.tantivy import tantivy

COLLECTION = "set"


def fill(library: Library, documents: Sequence[Document]) -> None:
    """Import documents into a knowledge base; entries keep their ids, behind `COLLECTION`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "set.jsonl"
        rows = (json.dumps(document._asdict(), ensure_ascii=False) for document in documents)
        file.write_text("\n".join(rows), encoding="utf-8")
        library.import_file(file, collection=COLLECTION)


def danesh(documents: Sequence[Document], lang: str) -> Search:
    """Import the documents into an empty knowledge base; each brings its own language."""
    library = open_library(Path(tempfile.mkdtemp()) / "kb.db", bundled=False)
    fill(library, documents)

    def search(query: str, most: int) -> list[str]:
        return ids(library.search(query, limit=most))

    return search


def ids(results: Results) -> list[str]:
    """Return the ids the documents had; tell of a query that was stopped for its time."""
    if results.notice:
        print(f"danesh: {results.query}: {results.notice}", file=sys.stderr)
    return [hit.id.removeprefix(f"{COLLECTION}/") for hit in results.hits]


ENGINES: dict[str, tuple[str, Make]] = {
    "danesh": ("kb", danesh),
    "sqlite-utils FTS5": ("sqlite_utils", fts5("unicode61")),
    "sqlite-utils FTS5 porter": ("sqlite_utils", fts5("porter")),
    "Whoosh stemming": ("whoosh", whoosh.make),
    "Tantivy": ("tantivy", tantivy(stemmed=False)),
    "Tantivy stemming": ("tantivy", tantivy(stemmed=True)),
    "bm25s + PyStemmer": ("bm25s", bm25s.make),
    "Xapian": ("xapian", xapian.make),
}
"""Each engine under its name, with the package it needs."""


def installed() -> dict[str, Make]:
    """Return the engines whose packages are here."""
    return {name: make for name, (package, make) in ENGINES.items() if _is_here(package)}


def tell_missing() -> None:
    """Print which engines are not installed."""
    for name in sorted(set(ENGINES) - set(installed())):
        print(f"\nnot installed, so not in the table: {name}")


def _is_here(package: str) -> bool:
    return xapian.is_here() if package == "xapian" else find_spec(package) is not None
