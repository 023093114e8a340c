"""The search index in the database file: our own engine behind an interface, and SQLite's.

Documents are indexed in segments that never change. A segment has one posting list per term, with
one block of documents for each pattern of columns. Small segments are merged into larger ones.
`docs/search-index.md` draws what is stored, and says why FTS5 alone is not enough.

``port``        what any engine must do
``engine``      what services ask for
``schema``      its tables, and what is stored of a segment beside its posting lists
``codec``       posting lists as bytes
``building``    documents to a segment: pure
``bulk``        much indexed at once: segments built in another process
``writing``     documents added, taken out, and checked against the stored texts
``merging``     segments made into one, at once or in short steps
``snapshot``    the segments at one moment, the small ones as one
``postings``    posting lists by their terms, read once and cached
``evaluation``  BM25 and predicates, and the evaluator for little in plain Python
``vector``      the evaluator for much: numpy over ``arrays``
``topk``        the best documents by upper bounds, for ``vector``
``fts5``        SQLite's own full-text index beside it, for other programs
"""
