"""Changes of entries for display: values as texts, and their differences."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

_LONGEST = 60


def text_of(value: Any) -> str:
    """Return a field's value as readable text.

    >>> text_of({"role": "source", "lang": "en", "text": "Yes."}), text_of(["a", "b"])
    ('Yes.', 'a, b')
    """
    if value is None:
        return ""
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return str(value["text"])
    if isinstance(value, dict):
        told = (f"{k}: {text_of(v)}" for k, v in value.items() if v not in (None, [], {}))
        return "\n".join(told)
    if isinstance(value, list):
        return ", ".join(map(text_of, value))
    return str(value)


def is_short(before: str, after: str) -> bool:
    """Return whether two values fit in one line."""
    return "\n" not in before + after and len(before + after) < _LONGEST


def differing(before: str, after: str) -> Iterator[str]:
    """Yield the lines in which two texts differ, with ``-`` and ``+`` before them.

    >>> list(differing("a\\nb", "a\\nc"))
    [' a', '-b', '+c']
    """
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=1)
    yield from (line for line in list(lines)[2:] if not line.startswith("@@"))
