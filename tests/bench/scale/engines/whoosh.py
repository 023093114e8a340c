"""Whoosh-Reloaded, ranked by its BM25F with the parameters of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.scale.asks import ALL, PHRASE, PREFIX, Ask, Source, lines_of
from tests.bench.scale.engines import DEPTH, K1, B, Opened, Run

_MEMORY_MB = 256  # https://whoosh.readthedocs.io/en/latest/batch.html


def build(source: Source, folder: Path, level: str) -> None:
    """Index the terms in one process."""
    from whoosh.analysis import SpaceSeparatedTokenizer
    from whoosh.fields import STORED, TEXT, Schema
    from whoosh.index import create_in

    schema = Schema(number=STORED, terms=TEXT(analyzer=SpaceSeparatedTokenizer()))
    writer = create_in(folder, schema).writer(limitmb=_MEMORY_MB)
    for number, terms in enumerate(lines_of(source.terms)):
        writer.add_document(number=number, terms=terms)
    writer.commit()


def opened(folder: Path, level: str) -> Opened:
    """Rank; a beginning counts the same wherever it stands, as its query for it has it."""
    from whoosh.index import open_dir
    from whoosh.scoring import BM25F

    searcher = open_dir(folder).searcher(weighting=BM25F(B=B, K1=K1))

    def prepare(ask: Ask) -> Run:
        return lambda: [hit["number"] for hit in searcher.search(_query(ask), limit=DEPTH)]

    return Opened(prepare, [])


def _query(ask: Ask) -> Any:
    from whoosh.query import And, Or, Phrase, Prefix, Term

    if ask.kind == PHRASE:
        return Phrase("terms", list(ask.terms))
    each = [Term("terms", term) for term in ask.terms]
    if ask.kind == PREFIX:
        each[-1] = Prefix("terms", ask.terms[-1])
    return And(each) if ask.kind == ALL else Or(each)
