"""The language of a text that does not say: by the script most of its letters are in."""

from __future__ import annotations

from collections import Counter

from kb.text.stems import default_language

_ENOUGH = 2000


def guess_language(text: str) -> str:
    """Return the usual language of the script of most letters.

    >>> guess_language("پس‌انتشار در RNN"), guess_language("42")
    ('fa', 'en')
    """
    letters = Counter(char for char in text[:_ENOUGH] if char.isalpha())
    votes: Counter[str] = Counter()
    for char, count in letters.items():
        votes[default_language(char)] += count
    return votes.most_common(1)[0][0] if votes else "en"
