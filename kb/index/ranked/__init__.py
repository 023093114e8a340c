"""A ranked index of our own, in the file of the store.

Documents are indexed in segments that never change; terms have lists of documents in them,
grouped by the columns they stand in. Small segments are merged into larger ones.

``schema``       its tables; ``codec`` lists as bytes, ``rows`` what is stored of a segment
``building``     documents to a segment: pure; ``worker`` does so in another process
``snapshot``     the segments at one moment; ``snapshots`` the last that was looked at
``reading``      postings by their terms; ``cache`` what was read and made is kept
``scoring``      BM25
``searching``    what an evaluator does with a segment
``plain``        the evaluator for little
``vector``       the evaluator for much, over ``arrays``; ``lists`` and ``topk`` rank,
                 ``inverse`` finds documents
``occurrences``  where terms stand in a few documents; ``occurrences_arrays`` in large segments
``narrowing``    predicates
``engine``       what the port asks for
``writing``      documents added and taken out
``merging``      segments made into one, term by term by ``regrouping``; ``tidying`` in short steps
``checking``     whether the index holds what the stored texts give
"""

from kb.index.ranked.engine import RankedIndex
from kb.index.ranked.schema import prepare

__all__ = ["RankedIndex", "prepare"]
