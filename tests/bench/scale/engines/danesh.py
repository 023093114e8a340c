"""danesh: its index, and its library by the one door."""

from __future__ import annotations

from pathlib import Path

from kb import Library, open_library
from kb.model.clauses import Scoring
from kb.search.compile import Analysis, Plan, make_plan
from kb.search.index import vector  # noqa: F401  # fifty documents need none
from kb.search.parser import parse
from kb.search.rerank import FIELD_WEIGHTS
from tests.bench.engines import COLLECTION
from tests.bench.scale.asks import PREFIX, Ask, Source
from tests.bench.scale.engines import DEPTH, Opened, Run

SCORING = Scoring(FIELD_WEIGHTS)


def library_in(folder: Path) -> Library:
    """Open the knowledge base in a folder, or make an empty one."""
    return open_library(folder / "kb.db", bundled=False)


def build(source: Source, folder: Path, level: str) -> None:
    """Import the documents as a reader does."""
    with library_in(folder) as library:
        library.import_file(source.docs, collection=COLLECTION)


def plan_of(library: Library, expression: str) -> Plan:
    """Return the plan of a query, of all of its words, as it was written."""
    node = parse(expression).node
    assert node is not None
    return make_plan(node, Analysis(library._base.store.catalog.languages()))


def opened(folder: Path, level: str) -> Opened:
    """Ask the index alone, or the whole door, or what it finds at once while one types."""
    library = library_in(folder)
    stopped: list[str] = []

    def ids(ask: Ask) -> Run:
        index, plan = library._base.index, plan_of(library, ask.expression)
        asked = (plan.clauses, plan.predicate, SCORING, DEPTH)
        return lambda: [each.document for each in index.candidates(*asked).found]

    def door(ask: Ask) -> Run:
        def run() -> list[int]:
            if ask.kind == PREFIX:
                *_, results = library.search_typed(ask.typed, limit=DEPTH)
            else:
                results = library.search(ask.typed, limit=DEPTH)
            if results.notice:
                stopped.append(ask.typed)
            return []

        return run

    def first(ask: Ask) -> Run:
        def run() -> list[int]:
            next(library.search_typed(ask.typed, limit=DEPTH))
            return []

        return run

    return Opened({"ids": ids, "door": door, "first": first}[level], stopped)
