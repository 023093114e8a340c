"""A trial: something tried many times from a seed, that must never go wrong.

Its *control* tries the same with the protection taken away, and must go wrong: a trial
whose control finds nothing has shown nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

_FOUND = Path(__file__).with_name("found")


class Finding(NamedTuple):
    """What went wrong, in a sentence, and what repeats it (anything JSON can hold)."""

    said: str
    case: Any = None


@dataclass(frozen=True)
class Tally:
    """How often something was tried, what went wrong, and what was measured on the way."""

    done: int
    findings: tuple[Finding, ...] = ()
    figures: Mapping[str, str] = field(default_factory=dict)


Attempt = Callable[[int, int], Tally]
"""Tries something so many times from a seed."""


@dataclass(frozen=True)
class Trial:
    """``promise`` is the sentence that must hold; ``short`` and ``long`` say how often it is tried.

    ``control`` is tried ``controls`` times.
    """

    name: str
    promise: str
    short: int
    long: int
    run: Attempt
    control: Attempt
    controls: int


def kept(name: str) -> Iterator[Any]:
    """Yield the cases that a trial has found before."""
    for file in sorted((_FOUND / name).glob("*.json")):
        yield json.loads(file.read_text(encoding="utf-8"))


def keep(name: str, case: Any) -> Path:
    """Write down a case that went wrong, for `kept`."""
    text = json.dumps(case, ensure_ascii=True, indent=1, sort_keys=True) + "\n"
    file = _FOUND / name / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file
