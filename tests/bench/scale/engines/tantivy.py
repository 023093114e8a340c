"""Tantivy by its Python binding: ids alone, with how many match, with texts and snippets.

Where nothing is counted it passes over documents that cannot be among the best.
"""

from __future__ import annotations

from pathlib import Path

from tests.bench.scale.asks import ALL, PHRASE, PREFIX, Ask, Source, lines_of
from tests.bench.scale.engines import DEPTH, Opened, Run


def build(source: Source, folder: Path, level: str) -> None:
    """Index the terms, with the binding's own number of threads and size of heap."""
    import tantivy as engine

    schema = engine.SchemaBuilder()
    schema.add_integer_field("number", fast=True)
    schema.add_text_field("terms", tokenizer_name="terms", stored=level == "texts")
    index = _with_terms(engine.Index(schema.build(), path=str(folder)))
    writer = index.writer()
    for number, terms in enumerate(lines_of(source.terms)):
        writer.add_document(engine.Document(number=number, terms=terms))
    writer.commit()
    writer.wait_merging_threads()


def opened(folder: Path, level: str) -> Opened:
    """Rank; a beginning counts the same wherever it stands, since it has no other query for it."""
    import tantivy as engine

    index = _with_terms(engine.Index.open(str(folder)))
    schema, searcher = index.schema, index.searcher()

    def query(ask: Ask) -> engine.Query:
        if ask.kind == PHRASE:
            return engine.Query.phrase_query(schema, "terms", list(ask.terms))
        each = [engine.Query.term_query(schema, "terms", term) for term in ask.terms]
        if ask.kind == PREFIX:
            each[-1] = engine.Query.regex_query(schema, "terms", f"{ask.terms[-1]}.*")
        occurs = engine.Occur.Must if ask.kind == ALL else engine.Occur.Should
        return engine.Query.boolean_query([(occurs, one) for one in each])

    def ids(ask: Ask) -> Run:
        def run() -> list[int]:
            found = searcher.search(query(ask), DEPTH, count=level == "total").hits
            return searcher.fast_field_values("number", [address for _, address in found])

        return run

    def texts(ask: Ask) -> Run:
        def run() -> list[int]:
            asked = query(ask)
            snippets = engine.SnippetGenerator.create(searcher, asked, schema, "terms")
            for _, address in searcher.search(asked, DEPTH).hits:
                snippets.snippet_from_doc(searcher.doc(address)).to_html()
            return []

        return run

    return Opened(texts if level == "texts" else ids, [])


def _with_terms(index: engine.Index) -> engine.Index:  # noqa: F821
    import tantivy as engine

    analyzer = engine.TextAnalyzerBuilder(engine.Tokenizer.whitespace()).build()
    index.register_tokenizer("terms", analyzer)
    return index
