"""How well danesh finds, beside its rivals: ``python -m tests.bench.quality --data PATH``.

Every engine answers the same queries in one run, and four tables are printed: nDCG@10 and
MRR@10 for each judged set, and how many of the spelling variants are found; nDCG@10 for each
language of a set in twelve (`languages`); danesh across languages (`across`); and what is
there while one types (`typed`). A ``*`` marks a figure that differs from danesh's (paired
randomisation test, p < 0.05). The rivals need ``pip install tantivy bm25s`` and Debian's
``python3-xapian``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from tests.bench import across, languages, typed
from tests.bench.engine import Make
from tests.bench.engines import (
    OTHERWISE,
    TRIED,
    at_their_best,
    documented,
    here,
    made,
    tell_missing,
)
from tests.bench.judged import Document, read_set
from tests.bench.scores import DEPTH, Scores, holm, measure, randomisation
from tests.bench.surroundings import parser, surroundings

SETS = {
    "stackfaq": "qrels.tsv",
    "squad11_dev": "qrels.tsv",
    "cranfield": "qrels.tsv",
    "interview_alexeygrigorev": "qrels.tsv",
    "pquad": "qrels.tsv",
    "ntrex_doc_enfa": "qrels_mono.tsv",
}
TABLES = ("sets", "languages", "across", "typed", "settings")


def main() -> None:
    """Measure, and print the tables."""
    options = _options()
    folder, most, half = options.data, options.queries, options.half
    engines = documented() | {f"{name}, at its best": m for name, m in at_their_best().items()}
    at_most = f"at most {most} a set or language" if most else "all"
    print(f"{surroundings()}; queries of half {half}, {at_most}")
    if "sets" in options.tables:
        _print(_of_sets(options.sets or list(SETS), folder, most, half, engines))
    if "languages" in options.tables:
        others = {name: make for name, make in engines.items() if name != OTHERWISE}
        _print(languages.table(folder / "search", most, half, others))
    if "across" in options.tables:
        _print(across.table(folder, most, half))
    if "settings" in options.tables:
        _print(_of_settings(options.sets or list(SETS), folder, most, half))
    if "typed" in options.tables:
        _print(typed.table(folder / "search", most, half))
    tell_missing()


def _print(lines: Iterator[str]) -> None:
    """Print a table as it grows."""
    print(flush=True)
    for line in lines:
        print(line, flush=True)


def _of_sets(
    names: Sequence[str], folder: Path, most: int, half: int, engines: Mapping[str, Make]
) -> Iterator[str]:
    """Yield a row for each engine, with a column for each set."""
    scores: dict[tuple[str, str], Scores] = {}
    heads = []
    for name in names:
        judged = read_set(folder / "search" / name, most, half, SETS[name])
        heads.append(f"{name} ({len(judged.queries)})")
        for engine, make in engines.items():
            search = make(judged.documents, judged.lang)
            scores[engine, name] = measure(search, judged.queries)
    yield f"| engine | {' | '.join(heads)} | mean | variants |"
    yield "|---|" + "---|" * (len(names) + 2)
    for engine, make in engines.items():
        cells = [_cell(scores[engine, name], scores["danesh", name]) for name in names]
        mean = fmean(scores[engine, name].gain for name in names)
        found = _variants(make, folder / "variants")
        yield f"| {engine} | {' | '.join(cells)} | {mean:.3f} | {found} |"
    yield ""
    yield from _against_the_best(names, scores)


def _of_settings(names: Sequence[str], folder: Path, most: int, half: int) -> Iterator[str]:
    """Yield a row for each rival with its mean in each setting, by which its best is chosen."""
    sets = [read_set(folder / "search" / name, most, half, SETS[name]) for name in names]
    heads = [f"title {each.title}{', folded' * each.folds}" for each in TRIED]
    yield f"| rival | {' | '.join(heads)} |"
    yield "|---|" + "---|" * len(heads)
    for rival in here():
        means = []
        for setting in TRIED:
            make = made(rival, setting)
            found = (measure(make(each.documents, each.lang), each.queries) for each in sets)
            means.append(fmean(scores.gain for scores in found))
        yield f"| {rival} | {' | '.join(f'{mean:.4f}' for mean in means)} |"


def _against_the_best(
    names: Sequence[str], scores: Mapping[tuple[str, str], Scores]
) -> Iterator[str]:
    """Yield how danesh differs from the best rival of each set, p corrected over the sets."""
    rivals = sorted({engine for engine, _ in scores} - {"danesh", OTHERWISE})
    best = {name: max(rivals, key=lambda each: scores[each, name].gain) for name in names}
    ours = {name: scores["danesh", name].gains for name in names}
    chances = [randomisation(ours[name], scores[best[name], name].gains) for name in names]
    yield "| set | danesh | best rival | | p, by Holm |"
    yield "|---|---|---|---|---|"
    for name, chance in zip(names, holm(chances), strict=True):
        of = scores["danesh", name].gain, scores[best[name], name].gain
        yield f"| {name} | {of[0]:.3f} | {of[1]:.3f} | {best[name]} | {chance:.4f} |"


def _cell(scores: Scores, ours: Scores) -> str:
    differs = scores is not ours and randomisation(ours.gains, scores.gains) < 0.05
    return f"{scores.gain:.3f}{'*' if differs else ''} / {scores.rank:.3f}"


def _variants(make: Make, folder: Path) -> str:
    """Return how many of the spelling variants are found; a translation counts as itself."""
    variants = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
    documents = [
        Document(str(number), lang, question, answer)
        for number, lang, question, answer, _ in variants["docs"]
    ]
    search = make(documents, "en")
    found = sum(
        {str(number) for number in wanted} <= set(search(query, DEPTH))
        for _, query, wanted in variants["queries"]
    )
    return f"{found} of {len(variants['queries'])}"


def _options() -> argparse.Namespace:
    made = parser(__doc__)
    made.add_argument(
        "--queries", type=int, default=1000, metavar="N", help="at most, a set; 0: all"
    )
    made.add_argument("--half", type=int, choices=(0, 1), default=1, help="1: the one to report")
    made.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    made.add_argument("--sets", nargs="+", choices=SETS, help="of the first table")
    return made.parse_args()


if __name__ == "__main__":
    main()
