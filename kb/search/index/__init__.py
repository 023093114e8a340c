"""The search index in the database file: our own engine, and SQLite's.

Documents are indexed in segments that never change. A segment has one posting list per term, with
one block of documents for each pattern of columns. Small segments are merged into larger ones.
`docs/search-index.md` draws what is stored, and says why FTS5 alone is not enough.

``engine``      our engine, which services use
``segments``    the tables of its segments, and those of one moment
``codec``       posting lists as bytes
``building``    documents to a segment, without I/O
``bulk``        bulk indexing: segments built in another process
``writing``     adds and removes documents, and checks them against the stored texts
``merging``     merges segments, in one or many short steps
``postings``    posting lists by their terms, read once and cached
``evaluation``  BM25 and predicates, and the evaluator for small segments in plain Python
``vector``      the evaluator for large segments: numpy over ``arrays``
``topk``        the best documents by upper bounds, for ``vector``
``fts5``        SQLite's own full-text index beside it, for other programs
"""
