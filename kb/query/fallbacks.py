"""What is tried, in order, when a query finds little as it was written.

A word that is indexed is never touched. For one that is not, each fallback gives other
texts; the first fallback that finds an entry ends the search, and what it found stands
behind what the query found by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kb.query import spelling, transliteration
from kb.query.keyboard import other_layout
from kb.query.lexicon import Lexicon
from kb.query.tree import And, Bare, Keyword, Node, Or, Prefix, Text, positive_texts
from kb.records import Via
from kb.text.analyzer import analyze, are_one_word, stem
from kb.text.fold import fold
from kb.text.function_words import is_function_word
from kb.text.languages import default_language

LITTLE = 3
"""Fewer hits than this are little enough to look further."""

MOST_UNKNOWN = 4
"""More unknown words than this are in no alphabet or layout that is tried here."""

MOST_MISSPELT = 2
"""More unknown words than this are no slip of the hand."""

_SHORTEST_BEGINNING = 2
_MOST_SPELLINGS = 4

Respell = Callable[[Lexicon, str], "Node | None"]


class Fallback(NamedTuple):
    """A way to read a word that is indexed nowhere.

    ``within`` is how many hits, and ``most`` how many unknown words there may be for it to
    be tried.
    """

    name: str
    via: Via
    respell: Respell
    within: int = LITTLE - 1
    most: int = MOST_UNKNOWN


def compounded(node: Node, lexicon: Lexicon) -> Node:
    """Join what Persian writers write apart: affixes, and compounds that are indexed as one."""
    if not isinstance(node, Bare):
        return node
    of: list[Node] = []
    for part in node.of:
        joined = _one_word(of[-1], part, lexicon) if of else None
        if joined is None:
            of.append(part)
        else:
            of[-1] = joined
    return Bare(tuple(of)) if len(of) > 1 else of[0]


def _one_word(left: Node, right: Node, lexicon: Lexicon) -> Keyword | None:
    if not (isinstance(left, Keyword) and isinstance(right, Keyword)):
        return None
    lang = default_language(left.text)
    if are_one_word(left.text.split()[-1], right.text, lang):
        return Keyword(f"{left.text} {right.text}")
    compound = f"{left.text}\u200c{right.text}"
    before = stem(left.text, lang)
    begins = before.surface in before.affixes.word_prefixes
    return Keyword(compound) if begins and _together(lexicon, compound) else None


def readings(
    node: Node, lexicon: Lexicon, fallbacks: Sequence[Fallback], hits: int
) -> Iterator[tuple[Fallback, Node]]:
    """Yield the other ways to read a tree that found so little.

    The way that makes sense of most words comes first, of equals in the order of the
    fallbacks; what is tried only where nothing is found comes last.
    """
    ready = [each for each in fallbacks if each.within]
    read = [(each, rewritten(node, lexicon, each)) for each in ready if hits <= each.within]
    for fallback, (other, _) in sorted(read, key=lambda each: -each[1].words):
        if other is not None:
            yield fallback, other
    for fallback in fallbacks:
        if not fallback.within and hits <= fallback.within:
            other = rewritten(node, lexicon, fallback).node
            if other is not None:
                yield fallback, other


def is_foreign(node: Node, lexicon: Lexicon) -> bool:
    """Say whether no text of a query is known as it stands: only parts of them are, if any."""
    texts = list(positive_texts(node))
    return all(isinstance(each, Keyword) and not known(lexicon, each.text) for each in texts)


class Rewritten(NamedTuple):
    """A tree with its unknown words read otherwise, and how many; nothing where none could be."""

    node: Node | None
    words: int


def rewritten(node: Node, lexicon: Lexicon, fallback: Fallback) -> Rewritten:
    """Read the unknown words of a tree as a fallback does.

    Where many words are unknown none is read otherwise: that is no slip, and takes long.
    """
    texts = [text.text for text in positive_texts(node) if isinstance(text, Keyword)]
    if sum(not known(lexicon, text) for text in texts) > fallback.most:
        return Rewritten(None, 0)
    words = 0

    def visit(part: Node) -> Node:
        nonlocal words
        match part:
            case Bare(of):
                return Bare(tuple(map(visit, of)))
            case And(of):
                return And(tuple(map(visit, of)))
            case Or(of):
                return Or(tuple(map(visit, of)))
            case Keyword(text) if not known(lexicon, text):
                other = fallback.respell(lexicon, text)
                words += other is not None
                return other or part
        return part

    read = visit(node)
    return Rewritten(read if words else None, words)


def known(lexicon: Lexicon, text: str) -> bool:
    """Say whether every word of a text is indexed in some spelling, or it holds no word.

    A function word is known to every reader, whatever is indexed.
    """
    return is_function_word(fold(text)) or frequency(lexicon, text) != 0


def frequency(lexicon: Lexicon, text: str) -> int | None:
    """Return in how many documents the rarest word of a text stands, in any spelling.

    A text that holds no word has none.
    """
    spelled: dict[int, set[str]] = {}
    for lang in lexicon.languages or (default_language(text),):
        for word in analyze(text, lang):
            forms = spelled.setdefault(word.start, set())
            forms.update(term.text for term in (*word.terms, *word.forms))
    lexicon.learn(form for forms in spelled.values() for form in forms)
    held = (max(map(lexicon.frequency, forms)) for forms in spelled.values())
    return min(held, default=None)


def unfinished(node: Node, lexicon: Lexicon) -> Node:
    """Read the last word as a beginning, too, where few documents hold it as it stands.

    So who has not yet written it whole, or writes half of it, finds what begins so.
    """
    last = node.of[-1] if isinstance(node, Bare) else node
    if not isinstance(last, Keyword) or (frequency(lexicon, last.text) or 0) >= LITTLE:
        return node
    beginning = _beginning(lexicon, last.text, shortest=1)
    if beginning is None:
        return node
    return Bare((*node.of, beginning) if isinstance(node, Bare) else (node, beginning))


def _together(lexicon: Lexicon, joined: str) -> bool:
    """Say whether a compound is indexed as one word."""
    lang = default_language(joined)
    forms = [form.text for word in analyze(joined, lang) for form in word.forms]
    return any(lexicon.frequency(form) for form in forms)


def _beginning(lexicon: Lexicon, text: str, shortest: int = _SHORTEST_BEGINNING) -> Prefix | None:
    begun = fold(text)
    enough = len(begun) >= shortest and begun.isalnum()
    return Prefix(text) if enough and lexicon.begins(begun) else None


def _transliterated(lexicon: Lexicon, text: str) -> Node | None:
    found = transliteration.spellings(text, lexicon.begins)
    whole = [word for word in found if lexicon.frequency(word)]
    ranked = sorted(whole, key=lexicon.frequency, reverse=True)
    return _either([Keyword(word) for word in ranked[:_MOST_SPELLINGS]])


def _in_other_layout(lexicon: Lexicon, text: str) -> Node | None:
    other = other_layout(text)
    if other is None:
        return None
    return Keyword(other) if known(lexicon, other) else _beginning(lexicon, other)


def _respelled(lexicon: Lexicon, text: str) -> Node | None:
    found = spelling.correct(text, lexicon, lambda term: term)
    return Keyword(found) if found is not None else None


def _either(texts: list[Text]) -> Node | None:
    return Or(tuple(texts)) if len(texts) > 1 else texts[0] if texts else None


FALLBACKS = (
    Fallback("words as beginnings", "text", _beginning),
    Fallback("Latin letters as Persian", "transliteration", _transliterated),
    Fallback("the other keyboard layout", "layout", _in_other_layout),
    Fallback("nearest spelling", "spelling", _respelled, within=0, most=MOST_MISSPELT),
)
"""All of them, in the order they are tried."""

FOREIGN = frozenset({"transliteration", "layout"})
"""By what is found that was typed in another alphabet: no spelling is suggested for it."""
