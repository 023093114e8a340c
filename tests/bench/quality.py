"""How well danesh finds, beside its rivals: ``python -m tests.bench.quality --data PATH``.

Every engine answers the same queries in one run, and one table is printed: nDCG@10 and
MRR@10 for each judged set, and how many of the spelling variants are found. A ``*`` marks
a figure that differs from danesh's (paired randomisation test, p < 0.05). The rivals need
``pip install tantivy bm25s``.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from tests.bench.engines import ENGINES, Make, Search, installed
from tests.bench.judged import Document, Judged, ndcg, randomisation, read_set, reciprocal_rank

ROOT = Path(__file__).resolve().parents[2]
SETS = {
    "stackfaq": "qrels.tsv",
    "squad11_dev": "qrels.tsv",
    "cranfield": "qrels.tsv",
    "interview_alexeygrigorev": "qrels.tsv",
    "pquad": "qrels.tsv",
    "ntrex_doc_enfa": "qrels_mono.tsv",
}
DEPTH = 10


class Scores(NamedTuple):
    """An engine's nDCG and reciprocal rank for each query of a set."""

    gains: Sequence[float]
    ranks: Sequence[float]


def main() -> None:
    """Measure, and print the table."""
    options = _options()
    folder = Path(options.data)
    engines = installed()
    chosen = [name for name in options.sets or SETS if (folder / "search" / name).is_dir()]
    scores: dict[tuple[str, str], Scores] = {}
    sizes = {}
    for name in chosen:
        judged = read_set(folder / "search" / name, options.queries, options.half, SETS[name])
        sizes[name] = len(judged.queries)
        for engine, make in engines.items():
            scores[engine, name] = _measure(make(judged.documents), judged)
    found = {engine: _variants(make, folder / "variants") for engine, make in engines.items()}
    print(f"{_surroundings()}; queries of half {options.half}, at most {options.queries} a set")
    print("\n".join(_table(chosen, sizes, list(engines), scores, found)))
    for missing in sorted(set(ENGINES) - set(engines)):
        print(f"\nnot installed, so not in the table: {missing}")


def _measure(search: Search, judged: Judged) -> Scores:
    found = [(search(query.text, DEPTH), query.grades) for query in judged.queries]
    return Scores([ndcg(*each) for each in found], [reciprocal_rank(*each) for each in found])


def _variants(make: Make, folder: Path) -> int:
    """Return how many of the spelling variants are found; a translation counts as itself."""
    variants = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
    documents = [
        Document(str(number), lang, question, answer)
        for number, lang, question, answer, _ in variants["docs"]
    ]
    search = make(documents)
    return sum(
        {str(number) for number in wanted} <= set(search(query, DEPTH))
        for _, query, wanted in variants["queries"]
    )


def _table(
    sets: Sequence[str],
    sizes: dict[str, int],
    engines: Sequence[str],
    scores: dict[tuple[str, str], Scores],
    found: dict[str, int],
) -> Iterator[str]:
    yield "| engine | " + " | ".join(f"{s} ({sizes[s]})" for s in sets) + " | mean | variants |"
    yield "|---|" + "---|" * (len(sets) + 2)
    for engine in engines:
        cells = [_cell(scores[engine, name], scores["danesh", name]) for name in sets]
        mean = fmean(fmean(scores[engine, name].gains) for name in sets) if sets else 0
        yield f"| {engine} | {' | '.join(cells)} | {mean:.3f} | {found[engine]} of 58 |"


def _cell(scores: Scores, ours: Scores) -> str:
    differs = scores is not ours and randomisation(ours.gains, scores.gains) < 0.05
    return f"{fmean(scores.gains):.3f}{'*' if differs else ''} / {fmean(scores.ranks):.3f}"


def _surroundings() -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True,
        check=False,
    ).stdout.strip()  # fmt: skip
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"{day}, commit {commit}, Python {platform.python_version()}, {os.cpu_count()} cores"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", default=str(ROOT.parent / "shared" / "bench"), metavar="PATH")
    parser.add_argument("--queries", type=int, default=400, metavar="N", help="at most, a set")
    parser.add_argument("--half", type=int, choices=(0, 1), default=1, help="1: the one to report")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of: {', '.join(SETS)}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
