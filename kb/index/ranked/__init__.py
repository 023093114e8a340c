"""A ranked index of our own, in the file of the store.

Documents are indexed in segments that never change; terms have lists of documents in them,
grouped by the columns they stand in. Small segments are merged into larger ones.

``schema``       its tables; ``codec`` lists as bytes, ``rows`` what is stored of a segment,
                 ``patterns`` its patterns
``building``     documents to a segment: pure; ``worker`` does so, here or in another process
``bulk``         much indexed at once, with both
``snapshot``     the segments at one moment, the small ones ``together`` as one; ``snapshots``
                 the last that was looked at; ``documents`` what the store knows of documents
``reading``      postings by their terms; ``cache`` what was read and made is kept
``scoring``      BM25
``searching``    what an evaluator does with a segment
``plain``        the evaluator for little
``vector``       the evaluator for much, over ``arrays``; ``lists`` and ``topk`` rank, ``champions``
                 does one phrase, ``uniting`` joins what begins alike, ``order`` finds phrases;
                 ``entries`` knows siblings, ``inverse`` finds documents
``occurrences``  where terms stand in a few documents; ``occurrences_arrays`` in large segments;
                 ``decoding`` reads the groups of many lists at once
``narrowing``    predicates
``engine``       what the port asks for
``writing``      documents added and taken out
``merging``      segments made into one, term by term by ``regrouping``; ``tidying`` in short steps
``checking``     whether the index holds what the stored texts give
"""

from kb.index.ranked.engine import RankedIndex
from kb.index.ranked.schema import prepare

__all__ = ["RankedIndex", "prepare"]
