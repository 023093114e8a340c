"""Whether our analysis meets other projects' cases: ``python -m tests.bench.conformance``.

The lists (``--data PATH``, its folder ``conformance``) are test cases of hazm, Apache Lucene
and virastar: on each line the name of a test, what is given, and what that project makes of
it. Their texts are not ours to keep, so a difference we intend is known by list and line, in
``conformance.toml``. One table is printed; the exit code is 1 where a difference is left that
nobody explained, or where an explained one is gone.

A case agrees where both sides have the same stems in the same order, for then every query
finds the one as it finds the other. Typography is not compared, and nor is where a token
ends: an index knows the order of terms, and asks for a token of several as a phrase. So

- a normaliser's text as it was typed is held against the text as it should be spelled;
- a stemmer's word against its stem, and against either of a lemma's two (past#present);
- a tokenizer's text against the tokens, each analysed by itself, in any way the list accepts;
- Lucene's text against the words it is indexed by there.

Where the stems differ, `Reach` says what a search finds all the same.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from kb.search.compile import Analysis, make_plan
from kb.search.parser import Keyword
from kb.text.analyzer import analyze, joined_pairs, stems
from tests.matching import any_of
from tests.terms import index_text

ROOT = Path(__file__).resolve().parents[2]
REASONS = Path(__file__).with_suffix(".toml")
LISTS = (
    "hazm_normalizer",
    "hazm_stemmer",
    "hazm_lemmatizer",
    "hazm_word_tokenizer",
    "hazm_token_splitter",
    "lucene_persian",
    "virastar",
)
_TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"

Pieces = tuple[str, ...]
"""A side of a case: one text, or tokens that are each analysed and asked for by itself."""


class Reach(IntEnum):
    """How far a search gets from one side of a case to the other, with every word of it."""

    APART = 0
    FOUND = 1
    MEETS = 2
    AGREES = 3


WORDS_FOR = {
    Reach.APART: "neither need find the other",
    Reach.FOUND: "the expected side still finds the given one",
    Reach.MEETS: "each side still finds the other",
    Reach.AGREES: "the same stems",
}


class Case(NamedTuple):
    """A line of a list; ``ways`` are the answers of which the list accepts any."""

    id: str
    given: str
    ways: Sequence[Pieces]


class Reason(NamedTuple):
    """Why some cases differ on purpose, and what is found all the same in each of them."""

    text: str
    reach: Reach
    cases: Sequence[str]


def main() -> None:
    """Compare, print the table, and fail where a difference and the reasons do not fit."""
    folder = Path(_options().data) / "conformance"
    reached = {
        name: {case.id: reach(case) for case in read_cases(folder / f"{name}.tsv")}
        for name in LISTS
    }
    reasons = read_reasons(REASONS)
    wrong = _wrong({case: far for of in reached.values() for case, far in of.items()}, reasons)
    print("\n".join(_table(reached, wrong)))
    print()
    for reason in reasons:
        explained = sum(case not in wrong for case in reason.cases)
        print(f"- {explained}: {reason.text} ({WORDS_FOR[reason.reach]})")
    if wrong:
        print("\n" + "\n".join(f"{case}: {what}" for case, what in wrong.items()))
        sys.exit(1)


def read_cases(file: Path) -> Iterator[Case]:
    """Yield the cases of a list; between a word and its lemma may stand a part of speech."""
    lines = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    for number, line in enumerate(lines, 1):
        given, *_, expected = line.split("\t")[1:]
        ways = [_pieces(expected)]
        if file.stem == "hazm_lemmatizer":
            ways = [(lemma,) for lemma in expected.split("#")]
        elif file.stem == "hazm_token_splitter":
            ways = [tuple(way) for way in json.loads(expected)] or [()]
        yield Case(f"{file.stem}:{number}", " ".join(_pieces(given)), ways)


def _pieces(side: str) -> Pieces:
    """Return the tokens of a side written as a list in JSON, or the one text that it is."""
    return tuple(json.loads(side)) if side.startswith(('["', "[]")) else (side,)


def read_reasons(file: Path) -> list[Reason]:
    """Read why differences are intended; a case has one reason."""
    reasons = [
        Reason(
            row["text"],
            Reach[row["reach"].upper()],
            [f"{name}:{line}" for name, lines in row["cases"].items() for line in lines],
        )
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["reason"]
    ]
    listed = Counter(case for reason in reasons for case in reason.cases)
    twice = [case for case, times in listed.items() if times > 1]
    if twice:
        raise ValueError(f"more than one reason: {', '.join(twice)}")
    return reasons


def reach(case: Case) -> Reach:
    """Return how far the sides reach each other, by the way that the list accepts best.

    >>> reach(Case("", "شبكه هاي", [("شبکه‌های",)])), reach(Case("", "داده", [("داد",)]))
    (<Reach.AGREES: 3>, <Reach.APART: 0>)
    """
    return max(_reach(case.given, way) for way in case.ways)


def _reach(given: str, expected: Pieces) -> Reach:
    if stems(given, "fa") == tuple(stem for piece in expected for stem in stems(piece, "fa")):
        return Reach.AGREES
    if not all(finds(piece, given) for piece in expected):
        return Reach.APART
    return Reach.MEETS if finds(given, " ".join(expected)) else Reach.FOUND


def finds(asked: str, written: str) -> bool:
    """Say whether each word of a query is found in a text, by itself or with its neighbour.

    The index is asked what a search asks it. The fallbacks, which mend a word that no
    entry holds, are left out: in a full library most words are held by some entry.
    """
    holds = _index(written)
    words = list(analyze(asked, "fa"))
    found = {place for place, joined in joined_pairs(words, asked) if holds(f'"{joined}"')}
    found |= {place + 1 for place in found}
    for place, word in enumerate(words):
        text = Keyword(asked[word.start : word.end])
        if place not in found and not holds(any_of(make_plan(text, Analysis(("fa",))).clauses)):
            return False
    return True


def _index(written: str) -> Callable[[str], bool]:
    """Return what says whether the index of a text holds what an expression asks for."""
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE side USING fts5(terms, tokenize="{_TOKENIZER}")')
    connection.execute("INSERT INTO side VALUES (?)", [index_text(written, "fa")])

    def holds(expression: str) -> bool:
        return bool(connection.execute("SELECT 1 FROM side(?)", [expression]).fetchall())

    return holds


def _wrong(reached: Mapping[str, Reach], reasons: Sequence[Reason]) -> dict[str, str]:
    """Return the cases that reasons and findings differ about, and what is wrong with each."""
    wrong = {case: "unexplained" for case, far in reached.items() if far < Reach.AGREES}
    for reason in reasons:
        for case in reason.cases:
            far = reached.get(case)
            if far is None or far is Reach.AGREES:
                wrong[case] = "listed as intended, but there is no such difference"
            elif far < reason.reach:
                wrong[case] = f"unexplained: it is not so that {WORDS_FOR[reason.reach]}"
            else:
                del wrong[case]
    return wrong


def _table(reached: Mapping[str, Mapping[str, Reach]], wrong: Mapping[str, str]) -> Iterator[str]:
    yield "| list | cases | agree | intended differences | unexplained |"
    yield "|---|---|---|---|---|"
    counts = {name: _counts(of, wrong) for name, of in reached.items()}
    counts["all"] = tuple(map(sum, zip(*counts.values(), strict=True)))
    for name, row in counts.items():
        yield f"| {name} | {' | '.join(map(str, row))} |"


def _counts(reached: Mapping[str, Reach], wrong: Mapping[str, str]) -> tuple[int, ...]:
    """Count cases, those that agree, differ on purpose, and differ unexplained."""
    differ = [case for case, far in reached.items() if far < Reach.AGREES]
    unexplained = sum(case in wrong for case in differ)
    return len(reached), len(reached) - len(differ), len(differ) - unexplained, unexplained


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", default=str(ROOT.parent / "shared" / "bench"), metavar="PATH")
    return parser.parse_args()


if __name__ == "__main__":
    main()
