"""Xapian, ranked by its BM25Weight; Debian packages its Python binding, PyPI does not."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Sequence
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tests.bench.engine import Search
from tests.bench.judged import Document
from tests.bench.words import UNSPACED, terms

_DEBIAN = Path("/usr/lib/python3/dist-packages/xapian")


def is_here() -> bool:
    """Say whether Xapian can be imported, if need be from Debian's ``python3-xapian``.

    Only that package is taken from there, and only if it is built for this Python.
    """
    if find_spec("xapian"):
        return True
    if not (_DEBIAN / f"_xapian{sysconfig.get_config_var('EXT_SUFFIX')}").exists():
        return False
    spec = spec_from_file_location("xapian", _DEBIAN / "__init__.py")
    assert spec is not None and spec.loader is not None
    sys.modules["xapian"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["xapian"])
    return True


def make(documents: Sequence[Document], lang: str, title: int = 1) -> Search:
    """Index words and stems in memory, Chinese by n-grams; any word may match."""
    import xapian as engine  # type: ignore[import-not-found]

    try:
        stemmer = engine.Stem(lang)
    except engine.InvalidArgumentError:
        stemmer = engine.Stem("none")
    database = _index(documents, stemmer, title)
    parser = engine.QueryParser()
    parser.set_stemmer(stemmer)
    parser.set_stemming_strategy(engine.QueryParser.STEM_SOME)
    parser.set_database(database)
    parser.set_default_op(engine.Query.OP_OR)

    def search(query: str, most: int) -> list[str]:
        words = " ".join(terms(query, lang, 2)) if lang in UNSPACED else query
        enquire = engine.Enquire(database)
        enquire.set_query(parser.parse_query(words, engine.QueryParser.FLAG_CJK_NGRAM))
        return [match.document.get_data().decode() for match in enquire.get_mset(0, most)]

    return search


def _index(documents: Sequence[Document], stemmer: Any, title: int) -> Any:
    import xapian as engine

    database = engine.WritableDatabase("", engine.DB_BACKEND_INMEMORY)
    generator = engine.TermGenerator()
    generator.set_stemmer(stemmer)
    generator.set_flags(engine.TermGenerator.FLAG_CJK_NGRAM)
    for document in documents:
        row = engine.Document()
        row.set_data(document.id)
        generator.set_document(row)
        generator.index_text(document.title, title)
        generator.increase_termpos()
        generator.index_text(document.text)
        database.add_document(row)
    return database
