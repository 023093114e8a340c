"""Whoosh, ranked by its BM25F."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.bench.engine import Engine
from tests.bench.judged import Document
from tests.bench.words import MARKED, UNSPACED, WORD, terms


def make(documents: Sequence[Document], lang: str) -> Engine:
    """Index with the analyzer of a language; any word may match."""
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.filedb.filestore import RamStorage
    from whoosh.qparser import AndGroup, MultifieldParser, OrGroup, PrefixPlugin, WhitespacePlugin

    analysed = TEXT(analyzer=_analyzer(lang))
    schema = Schema(id=ID(stored=True), title=analysed, text=analysed)
    index = RamStorage().create_index(schema)
    writer = index.writer()
    for document in documents:
        writer.add_document(id=document.id, title=document.title, text=document.text)
    writer.commit()
    searcher = index.searcher()
    fields, space = ["title", "text"], WhitespacePlugin()
    either = MultifieldParser(fields, schema, group=OrGroup, plugins=[space])
    every = MultifieldParser(fields, schema, group=AndGroup, plugins=[space, PrefixPlugin()])

    def search(query: str, most: int) -> list[str]:
        asked = either.parse(" ".join(terms(query, lang, 2)))
        return [hit["id"] for hit in searcher.search(asked, limit=most)]

    def typed(query: str, most: int) -> Iterator[list[str]]:
        asked = every.parse(" ".join(terms(query, lang, 2)) + "*")
        yield [hit["id"] for hit in searcher.search(asked, limit=most)]

    return Engine(search, typed)


def _analyzer(lang: str) -> Any:
    """Return the analyzer of a language; one Whoosh knows nothing of gets that of any text."""
    from whoosh.analysis import LanguageAnalyzer, NgramAnalyzer, StandardAnalyzer, StemmingAnalyzer
    from whoosh.lang import has_stemmer, has_stopwords

    if lang in UNSPACED:
        return NgramAnalyzer(2)
    if lang == "en":
        return StemmingAnalyzer()
    if has_stemmer(lang) or has_stopwords(lang):
        return LanguageAnalyzer(lang)
    return StandardAnalyzer(WORD) if lang in MARKED else StandardAnalyzer()
