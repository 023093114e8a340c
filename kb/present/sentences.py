"""The first sentence of a text, for places with little space."""

from __future__ import annotations

import re

# A full stop behind a letter that stands alone ends no sentence ("e.g.", "D. Zipser"), nor
# does one that a small letter follows.
_END = re.compile(r"(?:(?<![\s.(]\w)\.|[!?؟…])[)»”\"]?(?=\s+[^\sa-z]|\s*\Z)")


def first_sentence(text: str, most: int) -> str:
    """Return the first sentence in one line; above ``most`` letters, only its first words.

    >>> first_sentence("It is, e.g. by D. Zipser, in\\nO(T). So it is not.", 60)
    'It is, e.g. by D. Zipser, in O(T).'
    >>> first_sentence("one two three", 10), first_sentence("آیا؟ نه.", 10)
    ('one two…', 'آیا؟')
    """
    words = " ".join(text.split())
    found = _END.search(words)
    return first_words(words[: found.end()] if found else words, most)


def first_words(text: str, most: int) -> str:
    """Return a text in one line, cut after the first words above ``most`` letters.

    >>> first_words("so it  is not", 9)
    'so it is…'
    """
    words = " ".join(text.split())
    if len(words) <= most:
        return words
    return words[:most].rpartition(" ")[0].rstrip(" ,;:،؛") + "…" if most else ""


def said_first(note: str, lang: str, most: int) -> str:
    """Return the first sentence of a Markdown text as displayed, safe and without marks."""
    from kb.present.markdown.reader import read

    proses = (prose for block in read(note, lang).blocks for prose in block.proses)
    return first_sentence(next((prose.text for prose in proses if prose.text), ""), most)
