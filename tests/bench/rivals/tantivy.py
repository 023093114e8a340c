"""Tantivy by way of its Python binding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.bench.engine import Make, Search
from tests.bench.judged import Document
from tests.bench.words import MARKED, UNSPACED, terms

if TYPE_CHECKING:
    import tantivy as engine

_STEMMERS = {
    "ar": "arabic", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "ro": "romanian", "ru": "russian", "tr": "turkish",
}  # fmt: skip
_LONGEST = 40  # bytes of a word, as in Tantivy's own `default` and `en_stem`


def tantivy(stemmed: bool, title: int = 1) -> Make:
    """Return what makes a Tantivy index, of stems where it has the language's stemmer."""

    def make(documents: Sequence[Document], lang: str) -> Search:
        import tantivy as engine

        builder = engine.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for field in ("title", "text"):
            builder.add_text_field(field, tokenizer_name="own")
        index = engine.Index(builder.build())
        index.register_tokenizer("own", _analyzer(lang, stemmed))
        writer = index.writer()
        for document in documents:
            values = {"id": document.id, "title": document.title, "text": document.text}
            writer.add_document(engine.Document(**values))
        writer.commit()
        index.reload()
        searcher = index.searcher()

        def search(query: str, most: int) -> list[str]:
            words = " ".join(terms(query, lang, 2)) if lang in UNSPACED else query
            boosts = {"title": float(title)}
            asked, _ = index.parse_query_lenient(words, ["title", "text"], field_boosts=boosts)
            found = searcher.search(asked, most).hits
            return [searcher.doc(address)["id"][0] for _, address in found]

        return search

    return make


def _analyzer(lang: str, stemmed: bool) -> engine.TextAnalyzer:
    """Return ``default``, or ``en_stem`` for another language, on tokens that suit its script."""
    import tantivy as engine

    if lang in UNSPACED:
        tokens = engine.Tokenizer.ngram(2, 2)
    else:
        simple = lang not in MARKED
        tokens = engine.Tokenizer.simple() if simple else engine.Tokenizer.regex(r"\w+")
    builder = engine.TextAnalyzerBuilder(tokens)
    builder = builder.filter(engine.Filter.remove_long(_LONGEST))
    builder = builder.filter(engine.Filter.lowercase())
    if stemmed and lang in _STEMMERS:
        builder = builder.filter(engine.Filter.stemmer(_STEMMERS[lang]))
    return builder.build()
