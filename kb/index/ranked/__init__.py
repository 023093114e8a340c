"""A ranked index of our own, in the file of the store.

Documents are indexed in segments that never change. A segment has a posting list for each term:
blocks of documents, one for each pattern of columns that the term stands in. Small segments are
merged into larger ones. `docs/index.md` draws what is stored, and says why it is not FTS5.

``engine``      what services ask for
``schema``      its tables, and what is stored of a segment beside its posting lists
``codec``       posting lists as bytes
``building``    documents to a segment: pure
``bulk``        much indexed at once: segments built in another process
``writing``     documents added, taken out, and checked against the stored texts
``merging``     segments made into one, at once or in short steps
``snapshot``    the segments at one moment, the small ones as one
``postings``    posting lists by their terms, read once and cached
``evaluation``  BM25, predicates, and what both evaluators do with segments
``plain``       the evaluator for little: plain Python
``vector``      the evaluator for much: numpy over ``arrays``
``topk``        the best documents by upper bounds, for ``vector``
"""

from kb.index.ranked.engine import RankedIndex
from kb.index.ranked.schema import prepare

__all__ = ["RankedIndex", "prepare"]
