"""Ids made of the words of a question, so that they are the same when it is read again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_WORDS = 9
_LONGEST = 80


def slug(question: str) -> str:
    """Return the first words of a question joined by hyphens.

    >>> slug("What does it mean when we say “intractable”?")
    'what-does-it-mean-when-we-say-intractable'
    """
    folded = unicodedata.normalize("NFKC", question).casefold().replace("\u200c", "")
    words = re.findall(r"\w+", folded)[:_WORDS]
    return "-".join(words)[:_LONGEST].strip("-") or "question"


def unique(names: Iterable[str], reserved: Iterable[str] = ()) -> Iterator[str]:
    """Yield names, those that came before with ``-2``, ``-3`` and so on.

    >>> list(unique(["a", "a", "a-2", "b"], reserved=["b"]))
    ['a', 'a-2', 'a-2-2', 'b-2']
    """
    taken = set(reserved)
    counts = dict.fromkeys(taken, 1)
    for name in names:
        found = name
        while found in taken:
            counts[name] = counts.get(name, 1) + 1
            found = f"{name}-{counts[name]}"
        taken.add(found)
        yield found
