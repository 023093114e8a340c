"""What is tried, in order, when a query finds little as it was written.

A word that is indexed is never touched. For one that is not, each resort gives other
texts; the first resort that finds an entry ends the search, and what it found stands
behind what the query found by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kb.index.fts5.terms import Vocabulary
from kb.query import spelling, transliteration
from kb.query.keyboard import other_layout
from kb.query.tree import And, Bare, Node, Or, Prefix, Text, Words, positive_texts
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

Mend = Callable[[Vocabulary, str], "Node | None"]


class Resort(NamedTuple):
    """A way to read a word that is indexed nowhere.

    ``within`` is how many hits, and ``most`` how many unknown words there may be for it to
    be tried.
    """

    name: str
    via: Via
    mend: Mend
    within: int = LITTLE - 1
    most: int = MOST_UNKNOWN


def compounded(node: Node, vocabulary: Vocabulary) -> Node:
    """Join what Persian writers write apart: affixes, and compounds that are indexed as one."""
    if not isinstance(node, Bare):
        return node
    of: list[Node] = []
    for part in node.of:
        joined = _one_word(of[-1], part, vocabulary) if of else None
        if joined is None:
            of.append(part)
        else:
            of[-1] = joined
    return Bare(tuple(of)) if len(of) > 1 else of[0]


def _one_word(left: Node, right: Node, vocabulary: Vocabulary) -> Words | None:
    if not (isinstance(left, Words) and isinstance(right, Words)):
        return None
    lang = default_language(left.text)
    if are_one_word(left.text.split()[-1], right.text, lang):
        return Words(f"{left.text} {right.text}")
    compound = f"{left.text}\u200c{right.text}"
    whole = fold(left.text) in stem(left.text, lang).affixes.word_prefixes and _together(vocabulary, compound)
    return Words(compound) if whole else None


def readings(
    node: Node, vocabulary: Vocabulary, resorts: Sequence[Resort], hits: int
) -> Iterator[tuple[Resort, Node]]:
    """Yield the other ways to read a tree that found so little.

    The way that makes sense of most words comes first, of equals in the order of the
    resorts; what is tried only where nothing is found comes last.
    """
    ready = [each for each in resorts if each.within]
    read = [(each, mended(node, vocabulary, each)) for each in ready if hits <= each.within]
    for resort, (other, _) in sorted(read, key=lambda each: -each[1].words):
        if other is not None:
            yield resort, other
    for resort in resorts:
        if not resort.within and hits <= resort.within:
            other = mended(node, vocabulary, resort).node
            if other is not None:
                yield resort, other


def is_foreign(node: Node, vocabulary: Vocabulary) -> bool:
    """Say whether no text of a query is known as it stands: only parts of them are, if any."""
    texts = list(positive_texts(node))
    return all(isinstance(each, Words) and not known(vocabulary, each.text) for each in texts)


class Mended(NamedTuple):
    """A tree with its unknown words mended, or nothing where none could be, and how many."""

    node: Node | None
    words: int


def mended(node: Node, vocabulary: Vocabulary, resort: Resort) -> Mended:
    """Mend the unknown words of a tree as a resort does.

    Where many words are unknown none is mended: that is no slip, and takes long.
    """
    texts = [text.text for text in positive_texts(node) if isinstance(text, Words)]
    if sum(not known(vocabulary, text) for text in texts) > resort.most:
        return Mended(None, 0)
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
            case Words(text) if not known(vocabulary, text):
                other = resort.mend(vocabulary, text)
                words += other is not None
                return other or part
        return part

    read = visit(node)
    return Mended(read if words else None, words)


def known(vocabulary: Vocabulary, text: str) -> bool:
    """Say whether every word of a text is indexed in some spelling, or it holds no word.

    A function word is known to every reader, whatever is indexed.
    """
    return is_function_word(fold(text)) or all(
        any(vocabulary.frequency(term.text) for term in (*word.terms, *word.forms))
        for word in analyze(text, default_language(text))
    )


def _together(vocabulary: Vocabulary, joined: str) -> bool:
    """Say whether a compound is indexed as one word."""
    forms = [form.text for word in analyze(joined, "fa") for form in word.forms]
    return any(vocabulary.frequency(form) for form in forms)


def _beginning(vocabulary: Vocabulary, text: str) -> Node | None:
    begun = fold(text)
    enough = len(begun) >= _SHORTEST_BEGINNING and begun.isalnum()
    return Prefix(text) if enough and vocabulary.begins(begun) else None


def _transliterated(vocabulary: Vocabulary, text: str) -> Node | None:
    found = transliteration.spellings(text, vocabulary.begins)
    whole = [word for word in found if vocabulary.frequency(word)]
    ranked = sorted(whole, key=vocabulary.frequency, reverse=True)
    return _either([Words(word) for word in ranked[:_MOST_SPELLINGS]])


def _in_other_layout(vocabulary: Vocabulary, text: str) -> Node | None:
    other = other_layout(text)
    if other is None:
        return None
    return Words(other) if known(vocabulary, other) else _beginning(vocabulary, other)


def _respelled(vocabulary: Vocabulary, text: str) -> Node | None:
    found = spelling.correct(text, vocabulary, lambda term: term)
    return Words(found) if found is not None else None


def _either(texts: list[Text]) -> Node | None:
    return Or(tuple(texts)) if len(texts) > 1 else texts[0] if texts else None


RESORTS = (
    Resort("words as beginnings", "text", _beginning),
    Resort("Latin letters as Persian", "transliteration", _transliterated),
    Resort("the other keyboard layout", "layout", _in_other_layout),
    Resort("nearest spelling", "spelling", _respelled, within=0, most=MOST_MISSPELT),
)
"""All of them, in the order they are tried."""

FOREIGN = frozenset({"transliteration", "layout"})
"""By what is found that was typed in another alphabet: no spelling is suggested for it."""
