"""The passages of a text, each of which is encoded: its question with a part of its answer."""

from __future__ import annotations

from hashlib import sha256

_LONG, _TITLE, _MOST = 1_000, 300, 8
"""Characters of a part and of the question before it, and the most passages of a text."""

KEY = 8


def key_of(passage: str) -> bytes:
    """Return the key of a passage among those whose vectors come with danesh."""
    return sha256(passage.encode()).digest()[:KEY]


def passages(question: str, answer: str) -> list[str]:
    r"""Return the passages of a text: its question with each part of its answer.

    >>> passages("What is BM25?", "A formula.")
    ['What is BM25?\nA formula.']
    >>> passages("What is BM25?", " ")
    ['What is BM25?']
    """
    title, rest = question.strip()[:_TITLE], answer[: _MOST * _LONG].strip()
    parts = []
    while rest:
        end = _end_of_part(rest)
        parts.append(f"{title}\n{rest[:end].strip()}".strip())
        rest = rest[end:].strip()
    return parts or [title]


def _end_of_part(text: str) -> int:
    """Return where the first part ends: behind a line, else a sentence, else a word."""
    if len(text) <= _LONG:
        return len(text)
    for signs in ("\n",), (". ", "? ", "! ", "؟ "), (" ",):
        end = max(text.rfind(sign, _LONG // 2, _LONG) for sign in signs)
        if end > 0:
            return end + 1
    return _LONG
