"""Whoosh, ranked by its BM25F."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.bench.engine import Search
from tests.bench.judged import Document
from tests.bench.words import MARKED, UNSPACED, WORD, terms


def make(documents: Sequence[Document], lang: str, title: int = 1) -> Search:
    """Index with the analyzer of a language; any word may match."""
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.filedb.filestore import RamStorage
    from whoosh.qparser import MultifieldParser, OrGroup, WhitespacePlugin

    headline = TEXT(analyzer=_analyzer(lang), field_boost=float(title))
    schema = Schema(id=ID(stored=True), title=headline, text=TEXT(analyzer=_analyzer(lang)))
    index = RamStorage().create_index(schema)
    writer = index.writer()
    for document in documents:
        writer.add_document(id=document.id, title=document.title, text=document.text)
    writer.commit()
    searcher = index.searcher()
    parser = MultifieldParser(
        ["title", "text"], schema, group=OrGroup, plugins=[WhitespacePlugin()]
    )

    def search(query: str, most: int) -> list[str]:
        asked = parser.parse(" ".join(terms(query, lang, 2)))
        return [hit["id"] for hit in searcher.search(asked, limit=most)]

    return search


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
