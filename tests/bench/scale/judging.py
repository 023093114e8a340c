"""A process that holds what engines found against the exact ranking.

``python -m tests.bench.scale.judging SOURCE ASKS DANESH``: reads cases as a line of JSON each
(``label, formula, kind, found``), and prints the mean recall of each as a line of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb import Library
from kb.model.clauses import Clause, Every, Matches, Phrase, Predicate, weights_of
from kb.search.rerank import FIELD_WEIGHTS
from kb.text.analyzer import indexed
from tests.bench.scale.asks import ALL, PHRASE, PREFIX, Ask, Source, lines_of, read_asks
from tests.bench.scale.engines.danesh import library_in, plan_of
from tests.bench.scale.oracle import Asked, Oracle, Texts, best_of_each, recall

Case = dict[str, Any]
Groups = NDArray[np.int64]


def main(source: str, asks: str, danesh: str) -> None:
    """Judge the cases of danesh by what its store holds, all others by the terms they got."""
    cases = [json.loads(line) for line in sys.stdin]
    queries = read_asks(Path(asks))
    ours = [case for case in cases if case["ours"]]
    theirs = [case for case in cases if not case["ours"]]
    if ours:
        with library_in(Path(danesh)) as library:
            oracle, entries = oracle_of(library)
            _judge(oracle, ours, queries, lambda ask: asked_of(library, ask), entries)
    if theirs:
        rows = enumerate(lines_of(Source.of(Path(source)).terms))
        oracle = Oracle(((number, {"terms": row.split()}) for number, row in rows), {"terms": 1.0})
        _judge(oracle, theirs, queries, asked)


def asked(ask: Ask) -> Asked:
    """Return what a query asks of a rival.

    >>> asked(Ask(PREFIX, "", "", ("a", "b"))).phrases[-1]
    Phrase(terms=('b',), open=True)
    """
    if ask.kind == PHRASE:
        return Asked([Phrase(ask.terms)])
    phrases = [Phrase((term,)) for term in ask.terms]
    if ask.kind == PREFIX:
        phrases[-1] = phrases[-1]._replace(open=True)
    return Asked(phrases, [Clause((each,)) for each in phrases] if ask.kind == ALL else [])


def asked_of(library: Library, ask: Ask) -> Asked:
    """Return what a query asks of danesh's index."""
    plan = plan_of(library, ask.expression)
    must = list(dict.fromkeys(_demanded(plan.predicate)))
    weights = weights_of(plan.clauses)
    return Asked([*weights], must, weights)


def _demanded(predicate: Predicate) -> Iterator[Clause]:
    """Yield the clauses that a document must match."""
    match predicate:
        case Every(of):
            for each in of:
                yield from _demanded(each)
        case Matches(clause):
            yield clause


def oracle_of(library: Library) -> tuple[Oracle, Groups]:
    """Return what ranks the documents of a knowledge base, and which of them are of one entry."""
    entries: dict[str, int] = {}
    groups: list[int] = []

    def documents() -> Iterator[tuple[int, Texts]]:
        for each in library._base.store.entries.documents():
            groups.append(entries.setdefault(each.entry, len(entries)))
            texts = ((name, text) for name, text in each.texts.items() if text)
            terms = ((name, *indexed(text, each.lang)) for name, text in texts)
            # Other forms stand nowhere: as columns of their own they follow no term.
            yield (
                each.id,
                {
                    n: of
                    for name, *both in terms
                    for n, of in zip(_columns(name), both, strict=True)
                },
            )

    weights = {n: weight for name, weight in FIELD_WEIGHTS.items() for n in _columns(name)}
    return Oracle(documents(), weights), np.array(groups, np.int64)


def _columns(name: str) -> tuple[str, str]:
    return name, f"{name}, other forms"


def _judge(
    oracle: Oracle,
    cases: list[Case],
    queries: dict[str, list[Ask]],
    means: Callable[[Ask], Asked],
    groups: Groups | None = None,
) -> None:
    key = itemgetter("kind", "formula")
    for (kind, formula), some in groupby(sorted(cases, key=key), key):
        judged = list(some)
        shares: list[list[float]] = [[] for _ in judged]
        for place in range(len(judged[0]["found"])):
            scores = oracle.scores(means(queries[kind][place]), formula)
            if groups is not None:
                scores = best_of_each(scores, groups)
            for case, of in zip(judged, shares, strict=True):
                share = recall(case["found"][place], oracle.numbers, scores)
                if share is not None:
                    of.append(share)
        for case, of in zip(judged, shares, strict=True):
            told = {"label": case["label"], "kind": kind, "recall": fmean(of) if of else None}
            print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
