"""Readable names made of words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_WORDS, _LONGEST = 9, 80


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


def unused(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return a name that is not taken: the wanted one, or with a number behind it.

    >>> unused("a", {"a", "a-2"}.__contains__)
    'a-3'
    """
    found, number = name, 1
    while is_taken(found):
        number += 1
        found = f"{name}-{number}"
    return found
