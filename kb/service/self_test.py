"""Tests this installation with the bundled content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kb.errors import Message
from kb.model import Check, Progress
from kb.service.base import Base
from kb.service.find import Find
from kb.service.verify import Verify

SEARCHES: Mapping[str, str] = {
    "vanishing gradient": "numerical-instability-causes",
    "order of matrix chain multiplication": "matrix-chain-many",
    "mean of a million floats": "accurate-mean",
    "gpus_vs_TPU": "gpus-and-tpus",
    "NP-hard": "intractable-problem",
    "بی‌ثباتی عددی": "numerical-instability-causes",
    "ضرب زنجیره اي ماتريس": "matrix-chain-many",
    "تحمل خطا": "error-tolerance",
    "پس‌انتشار در شبکهٔ بازگشتی": "rnn-backprop-complexity",
    "گلوگاه پیش پردازش": "preprocessing-bottleneck",
}
"""Queries, and the bundled entry that each must find first."""


def examine_bundled(base: Base, progress: Progress) -> Sequence[Check]:
    """Test search and evidence in a database with only the bundled content."""
    return (_searches(base), _evidence(base, progress))


def _searches(base: Base) -> Check:
    found = {query: _first(base, query) for query in SEARCHES}
    missed = [query for query, wanted in SEARCHES.items() if found[query] != wanted]
    said = Message(
        "{found} of {total} known searches find their entry first",
        found=len(SEARCHES) - len(missed),
        total=len(SEARCHES),
    )
    if missed:
        others = "; ".join(f"{query}: {found[query] or 'nothing'}" for query in missed)
        said = Message("{said}: {others}", said=said, others=others)
    return Check("search", not missed, said, _REMEDY)


def _first(base: Base, query: str) -> str:
    hits = Find(base).search(query, limit=1).hits
    return hits[0].id if hits else ""


def _evidence(base: Base, progress: Progress) -> Check:
    results = Verify(base).verify(progress=progress)
    counts = Counter(result.status for result in results)
    said = Message(
        "{confirmed} of {results} annotations and answers with evidence are confirmed",
        confirmed=counts["confirmed"],
        results=len(results),
    )
    well = bool(results) and counts["confirmed"] == len(results)
    failed = next((each for each in results if each.status != "confirmed"), None)
    if failed:
        why = Message(failed.reason, place=failed.annotation)
        said = Message("{said}; {why}", said=said, why=why)
    return Check("evidence", well, said, _REMEDY)


_REMEDY = Message(
    "Install danesh again. If that does not help, report it with the output of 'kb info'."
)
