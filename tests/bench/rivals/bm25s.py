"""bm25s with PyStemmer, as its documentation shows."""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.engine import Search
from tests.bench.judged import Document
from tests.bench.words import MARKED, UNSPACED, WORD, grams_pattern

_STOP_WORDS = frozenset({"en", "de", "es", "ru", "tr", "zh"})
_WORD = r"(?u)\b\w\w+\b"  # bm25s's own


def make(documents: Sequence[Document], lang: str, title: int = 1) -> Search:
    """Index stems, without stop words, where the language has them."""
    import bm25s as engine
    import Stemmer

    try:
        stemmer = Stemmer.Stemmer(lang)
    except KeyError:
        stemmer = None
    options = {
        "stopwords": lang if lang in _STOP_WORDS else None,
        "stemmer": stemmer,
        "token_pattern": _pattern(lang),
        "show_progress": False,
    }
    index = engine.BM25()
    # It has one field: a title that counts twice stands there twice.
    texts = [f"{f'{each.title} ' * title}\n{each.text}" for each in documents]
    index.index(engine.tokenize(texts, **options), show_progress=False)

    def search(query: str, most: int) -> list[str]:
        depth = min(most, len(documents))
        asked = engine.tokenize([query], **options)
        places, scores = index.retrieve(asked, k=depth, show_progress=False)
        found = zip(places[0], scores[0], strict=True)
        return [documents[place].id for place, score in found if score > 0]

    return search


def _pattern(lang: str) -> str:
    if lang in UNSPACED:
        return grams_pattern(2)
    return WORD if lang in MARKED else _WORD
