"""Readable names made from words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable

_WORDS, _LONGEST, _TITLE = 9, 80, 120


def slug(text: str) -> str:
    """Return the first words of a text joined by hyphens.

    >>> slug("What does it mean when we say “intractable”?")
    'what-does-it-mean-when-we-say-intractable'
    >>> slug("؟"), slug("شبکه عصبی چیست؟")
    ('question', 'شبکه-عصبی-چیست')
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u200c", "")
    words = re.findall(r"\w+", folded)[:_WORDS]
    return "-".join(words)[:_LONGEST].strip("-") or "question"


def first_line(text: str) -> str:
    """Return the first line of a text with words, in the form of a title.

    >>> first_line("\\nOne\\nTwo")
    'One'
    """
    return text.strip().splitlines()[0][:_TITLE]


def unused(name: str, is_taken: Callable[[str], bool], often: Counter[str] | None = None) -> str:
    """Return an unused name: the wanted one, or with a number added.

    With ``often``, a thousand equal names are not tried from the first.

    >>> unused("a", {"a", "a-2"}.__contains__)
    'a-3'
    """
    often = Counter() if often is None else often
    found = name
    while is_taken(found):
        often[name] += 1
        found = f"{name}-{often[name] + 1}"
    return found
