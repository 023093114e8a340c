"""Readable names made of words."""

from __future__ import annotations

import re
import unicodedata

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
