"""danesh and its rivals by name, each through its public interface.

A rival that is not installed is left out, and the tables say so.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from kb import Library, open_library
from kb.model.results import Results
from kb.service.meaning import PACKAGE
from kb.text.fold import fold
from tests.bench.engine import Make, Search
from tests.bench.judged import Document
from tests.bench.rivals import bm25s, whoosh, xapian
from tests.bench.rivals.fts5 import fts5
from tests.bench.rivals.tantivy import tantivy

COLLECTION = "set"
OTHERWISE = "danesh by meaning"
"""The engine with the extra that searches by meaning."""


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


def by_meaning(documents: Sequence[Document], lang: str) -> Search:
    """Import the documents, and encode them for search by meaning."""
    library = open_library(Path(tempfile.mkdtemp()) / "kb.db", bundled=False)
    fill(library, documents)
    library.meaning.encode()

    def search(query: str, most: int) -> list[str]:
        return ids(library.search(query, limit=most))

    return search


def ids(results: Results) -> list[str]:
    """Return the ids the documents had; tell of a query that was stopped for its time."""
    if results.notice:
        print(f"danesh: {results.query}: {results.notice}", file=sys.stderr)
    return [hit.id.removeprefix(f"{COLLECTION}/") for hit in results.hits]


def folded(make: Make) -> Make:
    """Return an engine that is handed texts and queries with their letters folded, as ours are."""

    def folding(documents: Sequence[Document], lang: str) -> Search:
        same = [each._replace(title=_same(each.title), text=_same(each.text)) for each in documents]
        search = make(same, lang)
        return lambda query, most: search(_same(query), most)

    return folding


def _same(text: str) -> str:
    return " ".join(map(fold, text.replace("\u200c", " ").split()))


class Rival(NamedTuple):
    """A rival: the package it needs, and an engine by how often a word of a title counts."""

    package: str
    engine: Callable[[int], Make]


class Setting(NamedTuple):
    """What a rival's interface allows beside what its documentation shows."""

    title: int = 1
    folds: bool = False


RIVALS = {
    "sqlite-utils FTS5": Rival("sqlite_utils", lambda title: fts5("unicode61", title)),
    "sqlite-utils FTS5 porter": Rival("sqlite_utils", lambda title: fts5("porter", title)),
    "Whoosh stemming": Rival("whoosh", lambda title: partial(whoosh.make, title=title)),
    "Tantivy": Rival("tantivy", lambda title: tantivy(stemmed=False, title=title)),
    "Tantivy stemming": Rival("tantivy", lambda title: tantivy(stemmed=True, title=title)),
    "bm25s + PyStemmer": Rival("bm25s", lambda title: partial(bm25s.make, title=title)),
    "Xapian": Rival("xapian", lambda title: partial(xapian.make, title=title)),
}
"""Each rival under its name."""

BEST = {
    "sqlite-utils FTS5": Setting(4),
    "sqlite-utils FTS5 porter": Setting(4, folds=True),
    "Whoosh stemming": Setting(2, folds=True),
    "Tantivy": Setting(folds=True),
    "Tantivy stemming": Setting(folds=True),
    "bm25s + PyStemmer": Setting(4),
    "Xapian": Setting(4, folds=True),
}
"""How each is set where it finds most, as ``--tables settings --half 0`` tells."""

TRIED = tuple(Setting(title, folds) for folds in (False, True) for title in (1, 2, 4))
"""The settings among which a rival's best is chosen."""


def made(rival: str, setting: Setting) -> Make:
    """Return a rival as it is set."""
    make = RIVALS[rival].engine(setting.title)
    return folded(make) if setting.folds else make


def documented() -> dict[str, Make]:
    """Return danesh, and the rivals whose packages are here as their documentation sets them."""
    ours = {"danesh": danesh} | ({OTHERWISE: by_meaning} if _is_here(PACKAGE) else {})
    return ours | {name: made(name, Setting()) for name in here()}


def at_their_best() -> dict[str, Make]:
    """Return those rivals in the settings that find most on the half weights are chosen by."""
    return {name: made(name, BEST[name]) for name in here()}


def here() -> list[str]:
    """Return the rivals whose packages are here."""
    return [name for name, rival in RIVALS.items() if _is_here(rival.package)]


def tell_missing() -> None:
    """Print which engines are not installed."""
    for name in sorted(set(RIVALS) - set(here())):
        print(f"\nnot installed, so not in the table: {name}")


def _is_here(package: str) -> bool:
    return xapian.is_here() if package == "xapian" else find_spec(package) is not None
