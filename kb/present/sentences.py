"""The first sentence of a text, where a face has room for one alone."""

from __future__ import annotations

import re

# A full stop behind a letter that stands alone ends no sentence ("e.g.", "D. Zipser"), nor
# does one that a small letter follows.
_END = re.compile(r"(?:(?<![\s.(]\w)\.|[!?؟…])[)»”\"]?(?=\s+[^\sa-z]|\s*\Z)")


def first_sentence(text: str, most: int) -> str:
    """Return the first sentence in one line; where it has more than ``most`` letters, its words.

    >>> first_sentence("It is, e.g. by D. Zipser, in\\nO(T). So it is not.", 60)
    'It is, e.g. by D. Zipser, in O(T).'
    >>> first_sentence("one two three", 10), first_sentence("آیا؟ نه.", 10)
    ('one two…', 'آیا؟')
    """
    words = " ".join(text.split())
    found = _END.search(words)
    sentence = words[: found.end()] if found else words
    if len(sentence) <= most:
        return sentence
    return sentence[:most].rpartition(" ")[0].rstrip(" ,;:،؛") + "…" if most else ""
