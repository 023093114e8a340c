"""Changes of entries for display: values as texts, and their differences."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

_LONGEST = 60


_TELLING = ("text", "code", "quote")
"""The keys whose text stands for a whole record."""

_UNSAID = ("id", "start", "end", "prefix", "suffix", "accepted", "status", "file")
"""The keys of a record that say nothing to a reader."""


def texts_of(before: Any, after: Any) -> tuple[str, str]:
    """Return two values of a field as readable texts, which differ if the values do.

    >>> texts_of(None, {"target": {"quote": "A sum", "start": 0}, "verdict": "wrong"})
    ('', 'target: A sum\\nverdict: wrong')
    >>> texts_of({"quote": "A sum", "start": 0}, {"quote": "A sum", "start": 9})
    ('quote: A sum\\nstart: 0', 'quote: A sum\\nstart: 9')
    """
    told = text_of(before), text_of(after)
    return told if told[0] != told[1] else (_whole(before), _whole(after))


def text_of(value: Any) -> str:
    """Return a field's value as readable text, without what says nothing to a reader.

    >>> text_of({"role": "source", "lang": "en", "text": "Yes."}), text_of(["a", "b"])
    ('Yes.', 'a, b')
    """
    if value is None:
        return ""
    if isinstance(value, dict):
        telling = (value[key] for key in _TELLING if isinstance(value.get(key), str))
        said = {k: text_of(v) for k, v in value.items() if k not in _UNSAID and v is not False}
        return next(telling, "\n".join(f"{k}: {text}" for k, text in said.items() if text))
    if isinstance(value, list):
        return ", ".join(text_of(each).replace("\n", ", ") for each in value)
    return str(value)


def _whole(value: Any) -> str:
    """Return a value with all that it holds."""
    if isinstance(value, dict):
        return "\n".join(f"{k}: {_whole(v)}" for k, v in value.items() if v not in (None, [], {}))
    return ", ".join(map(_whole, value)) if isinstance(value, list) else text_of(value)


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
