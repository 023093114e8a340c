"""What was typed, to a tree, whatever was typed.

Whoosh is asked only where something in the query may be an operator, and never for
more than its parser takes in a moment: a longer or deeper query is read as plain words.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize

from kb.query.tree import Bare, Keyword, Node
from kb.records.predicates import FIELDS
from kb.text.split import parts

LONGEST = 512
DEEPEST = 20
MOST_WORDS = 64
_LONGEST_SPELLED_OUT = 2 * LONGEST  # a ligature may stand for a sentence
_MAYBE_OPERATOR = re.compile(r'["*():]|(?:^|\s)-|\b(?:AND|OR|NOT)\b')


class Parsed(NamedTuple):
    """The tree, or nothing where nothing was asked, and what the reader should know of it."""

    node: Node | None
    notice: str | None = None


def parse(text: str) -> Parsed:
    """Return the tree of a query. No input raises.

    >>> parse("batch norm").node
    Bare(of=(Keyword(text='batch'), Keyword(text='norm')))
    >>> parse("level:H -gpu").node
    Bare(of=(FieldValue(name='level', value='H'), Not(node=Keyword(text='gpu'))))
    >>> parse("(" * 30).notice
    'The query is nested deeper than 20; it was read as plain words.'
    """
    if len(text) > LONGEST or len(normalize("NFKC", text)) > _LONGEST_SPELLED_OUT:
        return Parsed(
            _plain(text),
            f"The query is longer than {LONGEST} characters; "
            f"its first {MOST_WORDS} words were read.",
        )
    if not _MAYBE_OPERATOR.search(text):
        return Parsed(_plain(text))
    if _depth(text) > DEEPEST:
        notice = f"The query is nested deeper than {DEEPEST}; it was read as plain words."
        return Parsed(_plain(text), notice)
    from kb.query import grammar

    try:
        return Parsed(grammar.parse(text, FIELDS))
    except Exception:  # Whoosh promises nothing about odd input, and words are always there
        return Parsed(_plain(text), "The query could not be read; it was taken as plain words.")


def _plain(text: str) -> Node | None:
    """Return the first distinct words of a text, side by side.

    A word counts as many as it has parts, and one without blanks as many as it has characters.
    """
    words: list[Keyword] = []
    room = MOST_WORDS
    for written in dict.fromkeys(text[: LONGEST * MOST_WORDS].split()):
        if room < 1:
            break
        word, counted = _beginning(written, room)
        words.append(Keyword(word))
        room -= counted
    return words[0] if len(words) == 1 else Bare(tuple(words)) if words else None


def _beginning(word: str, most: int) -> tuple[str, int]:
    """Return as much of a word as has so many parts, and how many these are, at least one.

    >>> _beginning("np.linalg.norm", 2), _beginning("梯度下降", 2), _beginning("?!", 2)
    (('np.linalg', 2), ('梯度', 2), ('?!', 1))
    """
    if len(word) < 2 or (len(word) <= LONGEST and word.isascii() and word.isalnum()):
        return word, 1
    counted, end = 0, 0
    for part in parts(word[:LONGEST]):
        length = part.end - part.start
        size = length if part.kind == "pairs" else 1
        if counted + size > most:
            taken = most - counted
            return word[: part.start + taken if part.kind == "pairs" and taken else end], most
        counted, end = counted + size, part.end
    return word[:LONGEST], max(1, counted)


def _depth(text: str) -> int:
    """Count how deep brackets are nested, closed or not."""
    depth = deepest = 0
    for char in text:
        if char == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif char == ")":
            depth = max(0, depth - 1)
    return deepest
