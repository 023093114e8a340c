"""FTS5 over terms that `kb.text` has analysed, in the file of the store.

``expressions``  clauses in FTS5's language
``schema``       its tables
``engine``       what the port asks for: candidates, documents, upkeep
``vocabulary``   the words of the index
``positions``    each document's terms in order, to look closer at the best few
``integrity``    whether the index holds what the stored texts give
"""

from kb.index.fts5.engine import Fts5Index
from kb.index.fts5.expressions import matching
from kb.index.fts5.schema import prepare

__all__ = ["Fts5Index", "matching", "prepare"]
