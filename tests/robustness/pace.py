"""Judge how long something takes by fixed work that is timed beside it.

Seconds say how fast a machine is and what else it does; how many times as long as the same work
takes there and then says neither. The CPU time of this process is what is compared.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from functools import cache

_WORDS, _MEASURED = 2_000, 3
_SPLIT = re.compile(r"\w+")


def ratio(seconds: float, most: float) -> float:
    """Return how many times as long as the reference something took.

    What was below ``most`` by the fastest reference so far is not measured any closer; for anything
    else the reference is measured once more, now.
    """
    least = fastest()
    found = seconds / least
    return found if found <= most else seconds / max(least, reference())


def reference() -> float:
    """Return the seconds of CPU that the reference takes now: about 20 ms in 2024."""
    return statistics.median([_measured() for _ in range(_MEASURED)])


@cache
def fastest() -> float:
    """Return the reference as this process first found it, at best."""
    return min(reference() for _ in range(_MEASURED))


def _measured() -> float:
    text = _text()
    began = time.process_time()
    counts: dict[str, int] = {}
    for found in _SPLIT.finditer(text):
        word = found.group().casefold()
        counts[word] = counts.get(word, 0) + len(word)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    " ".join([word.translate({97: "b"}) for word, _ in ranked])
    return time.process_time() - began


@cache
def _text() -> str:
    chance = random.Random("reference")
    words = ["".join(chance.choices("abcdeابپتث", k=8)) for _ in range(_WORDS)]
    return " ".join(chance.choices(words, k=10 * _WORDS))
