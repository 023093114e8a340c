"""How long an answer takes, beside the rivals: ``python -m tests.bench.latency --data PATH``.

Prints one table of milliseconds. Every question goes through every engine before the next
one, in turning order, so what counts is the ratio. A question is a whole one, in English or
Persian; a keystroke is one of the beginnings of its first three words, and danesh answers
it twice: at once, and then ranked. An engine without a query for beginnings has no such
figures; those of rivals ask for every word. danesh keeps its database in a file, the
rivals theirs in memory.
"""

from __future__ import annotations

import argparse
import gc
import json
import lzma
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import quantiles

from tests.bench.engine import Engine, Typed
from tests.bench.engines import installed, tell_missing
from tests.bench.judged import Document
from tests.bench.surroundings import parser, surroundings

LIMIT = 10
WARM = 5
COLUMNS = ("question", "keystroke, first result", "keystroke, all results")
Times = Sequence[float]
Timed = Callable[[str], Times]


def main() -> None:
    """Import, ask, and print the table."""
    options = _options()
    documents = list(_documents(options.data / "large" / "docs.jsonl.xz", options.documents))
    questions = _questions(options.data / "large" / "queries.jsonl")[: options.questions]
    keystrokes = [each for question in questions[: options.typed] for each in beginnings(question)]
    engines = {name: make(documents, "en") for name, make in installed().items()}
    gc.collect()
    gc.freeze()  # so that no engine pays for another's objects
    asked = _interleaved({name: _question(engine) for name, engine in engines.items()}, questions)
    typing = {name: _keystroke(engine.typed) for name, engine in engines.items() if engine.typed}
    typed = _interleaved(typing, keystrokes)
    print(f"{surroundings()}; ms at p50 / p95 / p99; {len(documents)} documents, ", end="")
    print(f"{len(questions)} questions, {len(keystrokes)} keystrokes\n")
    print(f"| engine | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for name in engines:
        cells = [_cell(asked[name], 0), _cell(typed.get(name), 0), _cell(typed.get(name), 1)]
        print(f"| {name} | {' | '.join(cells)} |")
    tell_missing()


def beginnings(question: str) -> list[str]:
    """Return what stands in the line after each key of the first three words.

    >>> beginnings("Is it so?")[:4]
    ['I', 'Is', 'Is ', 'Is i']
    """
    words = re.match(r"\s*(?:\S+\s+){0,2}\S+", question)
    typed = words[0].lstrip() if words else ""
    return [typed[:length] for length in range(1, len(typed) + 1)]


def _question(engine: Engine) -> Timed:
    def run(query: str) -> Times:
        began = time.perf_counter()
        engine.search(query, LIMIT)
        return (time.perf_counter() - began,)

    return run


def _keystroke(typed: Typed) -> Timed:
    def run(query: str) -> Times:
        began = time.perf_counter()
        steps = typed(query, LIMIT)
        next(steps)
        first = time.perf_counter() - began
        for _ in steps:
            pass
        return first, time.perf_counter() - began

    return run


def _interleaved(engines: Mapping[str, Timed], queries: Sequence[str]) -> dict[str, list[Times]]:
    """Return each engine's seconds for every query, after a few to warm up."""
    times: dict[str, list[Times]] = {name: [] for name in engines}
    order = list(engines)
    for query in (*queries[:WARM], *queries):
        for name in order:
            times[name].append(engines[name](query))
        order.append(order.pop(0))
    return {name: each[min(WARM, len(queries)) :] for name, each in times.items()}


def _cell(times: Sequence[Times] | None, which: int) -> str:
    if not times:
        return ""
    hundredths = quantiles([each[which] * 1000 for each in times], n=100, method="inclusive")
    return " / ".join(f"{hundredths[p - 1]:.1f}" for p in (50, 95, 99))


def _documents(file: Path, most: int) -> Iterator[Document]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, islice(lines, most)):
            yield Document(row["id"], row["lang"], row.get("title") or "", row["text"])


def _questions(file: Path) -> list[str]:
    """Return the questions in an order of their own, the same every time."""
    with file.open(encoding="utf-8") as lines:
        questions = [json.loads(line)["text"] for line in lines]
    random.Random(20).shuffle(questions)
    return questions


def _options() -> argparse.Namespace:
    made = parser(__doc__)
    made.add_argument("--documents", type=int, default=20_000, metavar="N")
    made.add_argument("--questions", type=int, default=300, metavar="N")
    made.add_argument("--typed", type=int, default=20, metavar="N", help="questions typed by key")
    return made.parse_args()


if __name__ == "__main__":
    main()
