"""Xapian on its file format, ranked by its BM25Weight with the parameters of all.

It runs in whatever Python has the binding, which Debian's ``python3-xapian`` gives the system's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.scale.asks import ALL, PHRASE, PREFIX, Ask, Source, lines_of
from tests.bench.scale.engines import DEPTH, K1, B, Opened, Run


def build(source: Source, folder: Path, level: str) -> None:
    """Index the terms with their places, and compact the file."""
    import xapian as engine  # type: ignore[import-not-found]

    made = folder / "made"
    database = engine.WritableDatabase(str(made), engine.DB_CREATE)
    for terms in lines_of(source.terms):
        document = engine.Document()
        for place, term in enumerate(terms.split(), 1):
            document.add_posting(term, place)
        database.add_document(document)
    database.commit()
    database.compact(str(folder / "docs"))
    database.close()
    for file in made.iterdir():
        file.unlink()
    made.rmdir()


def opened(folder: Path, level: str) -> Opened:
    """Rank; the terms that a beginning stands for are synonyms, whose frequency is estimated."""
    import xapian as engine

    database = engine.Database(str(folder / "docs"))
    weight = engine.BM25Weight(K1, 0, 1, B, 0)

    def prepare(ask: Ask) -> Run:
        def run() -> list[int]:
            enquire = engine.Enquire(database)
            enquire.set_weighting_scheme(weight)
            enquire.set_query(_query(ask))
            return [match.docid - 1 for match in enquire.get_mset(0, DEPTH)]

        return run

    return Opened(prepare, [])


def _query(ask: Ask) -> Any:
    import xapian as engine

    kinds = engine.Query
    if ask.kind == PHRASE:
        return kinds(kinds.OP_PHRASE, list(ask.terms))
    each = [kinds(term) for term in ask.terms]
    if ask.kind == PREFIX:
        each[-1] = kinds(kinds.OP_WILDCARD, ask.terms[-1], 0, kinds.WILDCARD_LIMIT_ERROR)
    return kinds(kinds.OP_AND if ask.kind == ALL else kinds.OP_OR, each)
