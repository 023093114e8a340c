"""All figures of the bundled content, and gradings: ``python -m tests.study.predictions``.

Lists each figure, and the exercise that it makes, if any. With
``--gradings N``, so many predictions with drawn parameter values are rated by the library, and by
a run of the program in another process. Fails when one differs.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

from kb import Library, open_library
from kb.evidence.parameters import drawn
from kb.model.reports import Outcome
from kb.model.study import SURE, Exercise
from kb.study.rating import EXACT

_OFF = (0.0, 0.005, -0.05, 0.09, -0.3, 0.9, 2.0)


def main() -> int:
    """List the figures, rate predictions, and return how many were rated wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--gradings", type=int, default=0, metavar="N")
    wanted = options.parse_args().gradings
    with tempfile.TemporaryDirectory() as folder, open_library(Path(folder, "kb.db")) as library:
        made = list(_listed(library))
        wrong = sum(_gradings(library, made, wanted)) if wanted else 0
    print(f"{wanted} gradings, {wrong} wrong")
    return min(wrong, 1)


def _listed(library: Library) -> Iterator[Exercise]:
    """Yield the predictions, and print what each figure makes."""
    for hit in library.list().hits:
        entry = library.show(hit.id)
        asked = {each.key: each for each in library.study.exercises(hit.id) if each.evidence}
        for note in entry.annotations:
            for figure in (each.figure for each in note.evidence):
                key = f"predict:{note.id}:{figure}"
                print(f"{hit.id}\t{figure}\t{key if key in asked else '-'}")
        yield from asked.values()


def _gradings(library: Library, made: list[Exercise], wanted: int) -> Iterator[bool]:
    """Yield whether each grading was wrong, and print those that were, and missing figures."""
    rng, done, missing = random.Random(1), 0, Counter[str]()

    @cache
    def runs(program: str, code: str, times: int) -> list[Outcome]:
        values = drawn(code, str(times)) if times else {}
        return [library.run(program, values=values, timeout=60) for _ in range(2)]

    for times in count():
        for each in made:
            assert each.snippet is not None and each.evidence is not None
            if done >= wanted:
                print(f"without a figure: {dict(missing) or 'none'}")
                return
            ours, again = runs(each.snippet.id, each.snippet.code, times)
            figure = again.figures.get(each.evidence.figure)
            if figure is None:
                missing[each.key] += 1
                continue
            for off in rng.sample(_OFF, 4):
                done += 1
                yield _is_wrong(library, each, ours, figure, f"{figure * (1 + off):.15g}")


def _is_wrong(library: Library, each: Exercise, ran: Outcome, figure: float, typed: str) -> bool:
    """Return whether a prediction is not rated by its distance from a figure."""
    assert each.evidence is not None
    off = abs(float(typed) - figure) / (abs(figure) or 1)
    outcome = library.study.predict(each.entry, each.key, typed, ran=ran)
    rating = library.study.rate(outcome, confidence=SURE, took=1000).rating
    exact = max(each.evidence.tolerance, EXACT)
    right = next(n for most, n in ((exact, 4), (0.1, 3), (1, 2), (math.inf, 1)) if off <= most)
    wrong = outcome.measured != figure or rating != right
    if wrong:
        print(f"wrong: {each.key} {figure} {typed} {outcome} {rating}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
