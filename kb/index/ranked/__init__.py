"""A ranked index of our own, in the file of the store.

Documents are indexed in segments that never change; terms have lists of documents in them,
grouped by the columns they stand in. Small segments are merged into larger ones.

``engine``      what services ask for
``schema``      its tables, and what is stored of a segment beside its posting lists
``codec``       posting lists as bytes
``building``    documents to a segment: pure; ``worker`` does so, here or in another process
``bulk``        much indexed at once, with both
``writing``     documents added and taken out
``merging``     segments made into one; ``compaction`` does so in short steps
``snapshot``    the segments at one moment, the small ones as one
``postings``    posting lists by their terms, read once and cached
``evaluation``  BM25, predicates, and what both evaluators do with a segment
``plain``       the evaluator for little: plain Python
``vector``      the evaluator for much: numpy over ``arrays``; ``lists`` and ``topk`` find the best
                by upper bounds
``checking``    whether the index holds what the stored texts give
"""

from kb.index.ranked.engine import RankedIndex
from kb.index.ranked.schema import prepare

__all__ = ["RankedIndex", "prepare"]
