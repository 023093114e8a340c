"""danesh and its rivals, each through its public interface and in its best documented settings.

An engine is made from documents, and gives the ids of what it finds for a query, best
first. A rival that is not installed is left out, and the table says so.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from tests.bench.judged import Document

Search = Callable[[str, int], list[str]]
Make = Callable[[Sequence[Document]], Search]


def danesh(documents: Sequence[Document]) -> Search:
    """Import the documents into an empty knowledge base; entries keep their ids."""
    from kb import open_library

    folder = Path(tempfile.mkdtemp())
    file = folder / "set.jsonl"
    rows = (json.dumps(document._asdict(), ensure_ascii=False) for document in documents)
    file.write_text("\n".join(rows), encoding="utf-8")
    library = open_library(folder / "kb.db", bundled=False)
    library.import_file(file, collection="set")

    def search(query: str, most: int) -> list[str]:
        hits = library.search(query, limit=most).hits
        return [hit.id.removeprefix("set/") for hit in hits]

    return search


def fts5(tokenize: str) -> Make:
    """Return what makes a table with sqlite-utils' full-text search; any word may match."""

    def make(documents: Sequence[Document]) -> Search:
        from sqlite_utils import Database

        table = Database(sqlite3.connect(":memory:")).table("docs")
        table.insert_all(document._asdict() for document in documents)
        table.enable_fts(["title", "text"], tokenize=tokenize)

        def search(query: str, most: int) -> list[str]:
            words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
            rows = table.search(words, columns=["id"], limit=most) if words else ()
            return [row["id"] for row in rows]

        return search

    return make


def whoosh(documents: Sequence[Document]) -> Search:
    """Index with Whoosh's stemming analyzer, ranked by BM25F; any word may match."""
    from whoosh.analysis import StemmingAnalyzer
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.filedb.filestore import RamStorage
    from whoosh.qparser import MultifieldParser, OrGroup, plugins

    stemmed = TEXT(analyzer=StemmingAnalyzer())
    schema = Schema(id=ID(stored=True), title=stemmed, text=stemmed)
    index = RamStorage().create_index(schema)
    writer = index.writer()
    for document in documents:
        writer.add_document(id=document.id, title=document.title, text=document.text)
    writer.commit()
    searcher = index.searcher()
    parser = MultifieldParser(["title", "text"], schema, group=OrGroup, plugins=[
        plugins.WhitespacePlugin(),
    ])  # fmt: skip

    def search(query: str, most: int) -> list[str]:
        asked = parser.parse(" ".join(re.findall(r"\w+", query)))
        return [hit["id"] for hit in searcher.search(asked, limit=most)]

    return search


def tantivy(tokenizer: str) -> Make:
    """Return what makes a Tantivy index with this tokenizer."""

    def make(documents: Sequence[Document]) -> Search:
        import tantivy as engine

        builder = engine.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for field in ("title", "text"):
            builder.add_text_field(field, tokenizer_name=tokenizer)
        index = engine.Index(builder.build())
        writer = index.writer()
        for document in documents:
            values = {"id": document.id, "title": document.title, "text": document.text}
            writer.add_document(engine.Document(**values))
        writer.commit()
        index.reload()
        searcher = index.searcher()

        def search(query: str, most: int) -> list[str]:
            asked, _ = index.parse_query_lenient(query, ["title", "text"])
            found = searcher.search(asked, most).hits
            return [searcher.doc(address)["id"][0] for _, address in found]

        return search

    return make


def bm25s(documents: Sequence[Document]) -> Search:
    """Index with bm25s, stemmed by PyStemmer as its documentation shows."""
    import bm25s as engine
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: Sequence[str]) -> object:
        return engine.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = engine.BM25()
    texts = [f"{document.title}\n{document.text}" for document in documents]
    index.index(tokens(texts), show_progress=False)

    def search(query: str, most: int) -> list[str]:
        depth = min(most, len(documents))
        places, scores = index.retrieve(tokens([query]), k=depth, show_progress=False)
        found = zip(places[0], scores[0], strict=True)
        return [documents[place].id for place, score in found if score > 0]

    return search


ENGINES: dict[str, tuple[str, Make]] = {
    "danesh": ("kb", danesh),
    "sqlite-utils FTS5": ("sqlite_utils", fts5("unicode61")),
    "sqlite-utils FTS5 porter": ("sqlite_utils", fts5("porter")),
    "Whoosh stemming": ("whoosh", whoosh),
    "Tantivy": ("tantivy", tantivy("default")),
    "Tantivy en_stem": ("tantivy", tantivy("en_stem")),
    "bm25s + PyStemmer": ("bm25s", bm25s),
}
"""Each engine under its name, with the package it needs."""


def installed() -> dict[str, Make]:
    """Return the engines whose packages are here."""
    return {name: make for name, (package, make) in ENGINES.items() if find_spec(package)}
