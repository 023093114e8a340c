"""Sentences: in a question of words, quotes and brackets are signs of writing, not operators."""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.records.predicates import FIELDS
from kb.text.fold import fold
from kb.text.function_words import is_function_word

_ENOUGH = 2
"""So many function words make a sentence: operators join words that are about something."""

_FIELD = re.compile(rf"\b(?:{'|'.join(FIELDS)}):\S")
_IN_QUOTES = re.compile(r'"([^"]*)"')
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_SIGNS = "\"'()[]{}*.,;:!?-،؛؟«»"
_EXCLUDED = re.compile(r"(?:\s-[^\W_]\w+)+\s*$")


class Prose(NamedTuple):
    """What a sentence asks for, what of it stands in quotes, and what is ruled out behind it."""

    asked: str
    quoted: tuple[str, ...]
    excluded: tuple[str, ...]


def prose(text: str) -> Prose | None:
    """Return the parts of a query that is a sentence, nothing of one that is not.

    Who writes a sentence rules words out at its end.

    >>> prose('What does "TGIF" stand for?')
    Prose(asked='What does "TGIF" stand for?', quoted=('TGIF',), excluded=())
    >>> prose("how to train a network -gpu")
    Prose(asked='how to train a network', quoted=(), excluded=('gpu',))
    >>> prose('"to be or not to be" -film'), prose("gradient AND the"), prose("why is level:H hard")
    (None, None, None)
    """
    if _FIELD.search(text) or not _is_sentence(text):
        return None
    found = _EXCLUDED.search(text)
    asked = text[: found.start()] if found else text
    excluded = tuple(word[1:] for word in found[0].split()) if found else ()
    return Prose(asked, tuple(_IN_QUOTES.findall(asked)), excluded)


def _is_sentence(text: str) -> bool:
    outside = _IN_QUOTES.sub(" ", text)
    if outside.rstrip().endswith(("?", "؟")):
        return True
    words = (word.strip(_SIGNS) for word in outside.split() if word not in _OPERATORS)
    return sum(is_function_word(fold(word)) for word in words if word) >= _ENOUGH
