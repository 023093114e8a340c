"""Prints the tables: ``python -m tests.bench.scale --data DIR``.

Every engine builds its index in a child process and answers in others, one for each kind of
query, so that the first pass meets empty caches; the system's cache of files is warm. All are
asked in turn, some queries at a time, so that noise meets them alike.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.bench.scale import report
from tests.bench.scale.engines import LEVELS
from tests.bench.scale.figures import Size
from tests.bench.scale.measuring import Plan, measure
from tests.bench.surroundings import parser, surroundings

_ANCHOR = 20_000
_CHANGES = 100_000


def main() -> None:
    """Measure size after size, the smallest first, and print each as it is done."""
    options = _options()
    sizes = sorted(options.sizes)
    labels = [name for name in LEVELS if _named(name, options.engines)]
    clock = "cpu" if options.cpu else "wall"
    how = f"{options.queries} queries a kind, {options.passes} warm passes, {clock} time"
    _print([f"{surroundings()}; {how}"])
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        plan = Plan(
            options.data.resolve(), Path(work), clock,
            options.queries, options.passes, options.sample,
        )  # fmt: skip
        measured: list[Size] = []
        for size in sizes:
            measured.append(measure(plan, size, labels, options.changes))
            _print(report.of_size(measured[-1]))
        if len(measured) > 1:
            _print(report.of_growth(measured[0], measured[-1]))
        if options.anchor:
            _print(report.of_anchor(measure(plan, _ANCHOR, ["FTS5"], 0)))


def _print(parts: Iterable[str]) -> None:
    for part in parts:
        print(f"{part}\n", flush=True)


def _named(label: str, asked: list[str]) -> bool:
    return not asked or any(label.casefold().startswith(each.casefold()) for each in asked)


def _options() -> argparse.Namespace:
    made = parser(__doc__)
    made.add_argument("--sizes", type=_numbers, default="10000,100000,1000000", metavar="N,N")
    made.add_argument("--engines", type=_names, default="", metavar="NAME,NAME",
                      help="those whose names begin so; all without it")  # fmt: skip
    made.add_argument("--queries", type=int, default=200, metavar="N", help="of each kind")
    made.add_argument("--passes", type=int, default=2, metavar="N", help="warm passes")
    made.add_argument("--sample", type=int, default=25, metavar="N", help="queries that are judged")
    made.add_argument("--changes", type=int, nargs="?", const=_CHANGES, default=0, metavar="N",
                      help=f"measure danesh after N commits, {_CHANGES} without N")  # fmt: skip
    made.add_argument("--anchor", action="store_true", help=f"FTS5 at {_ANCHOR} documents, too")
    made.add_argument("--cpu", action="store_true", help="count the processor's time")
    made.add_argument("--work", type=Path, metavar="DIR", help="where indexes are built")
    return made.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


def _names(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


if __name__ == "__main__":
    main()
