"""A query's terms in the other languages of the glossary, beside the terms themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.query.tree import And, Bare, Node, Or, Phrase, Words, positive_texts
from kb.ranking.weights import TRANSLATION_DILUTION
from kb.store.sqlite import glossary
from kb.store.sqlite.driver import Connection
from kb.text.analyzer import stems
from kb.text.languages import default_language

_LONGEST = 5
"""The most words a term of the glossary is looked for in."""

MOST = 4
"""The most names a term is translated by: the more a word has, the less each says."""


def translated(node: Node, connection: Connection) -> Node:
    """Return the tree with translations as further texts; what was asked stays as it is.

    Side by side, every run of words that is a term is translated, the longest first;
    within an operator each word by itself.
    """
    match node:
        case Words(text) | Phrase(text):
            return _beside(node, _names(connection, text))
        case Bare(of):
            words = [part.text for part in of if isinstance(part, Words)]
            return Bare((*of, *_distinct(_of_runs(connection, words))))
        case And(of):
            return And(tuple(_alternatives(part, connection) for part in of))
        case Or(of):
            return Or(tuple(_alternatives(part, connection) for part in of))
    return node


def languages_of(connection: Connection, node: Node) -> tuple[str, ...]:
    """Return the languages that the glossary translates the texts of a tree into."""
    asked = {default_language(text.text) for text in positive_texts(node)}
    return tuple(lang for lang in glossary.languages(connection) if lang not in asked)


def translations(connection: Connection, text: str) -> dict[str, list[str]]:
    """Return every name of a term in other languages, by language, the best first."""
    found: dict[str, list[str]] = {}
    for name in _all_names(connection, text):
        found.setdefault(name.lang, []).append(name.name)
    return {lang: list(dict.fromkeys(names)) for lang, names in found.items()}


def _beside(node: Node, names: Sequence[Phrase]) -> Node:
    return Bare((node, *_distinct(names))) if names else node


def _alternatives(node: Node, connection: Connection) -> Node:
    """Return a part of an operator, or any of its translations."""
    if not isinstance(node, Words | Phrase):
        return node
    names = _names(connection, node.text)
    return Or((node, *_distinct(names))) if names else node


def _of_runs(connection: Connection, words: Sequence[str]) -> Iterator[Phrase]:
    """Yield the names of every run of words that is a term."""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            yield from _names(connection, " ".join(words[start : start + length]))


def _names(connection: Connection, text: str) -> list[Phrase]:
    """Return the names of a term that are asked for, each with its share."""
    names = list(dict.fromkeys(name.name for name in _all_names(connection, text)))
    share = len(names) ** -TRANSLATION_DILUTION if names else 0.0
    return [Phrase(name, share) for name in names[:MOST]]


def _all_names(connection: Connection, text: str) -> list[glossary.Name]:
    lang = default_language(text)
    return glossary.translations(connection, " ".join(stems(text, lang)), lang)


def _distinct(names: Iterable[Phrase]) -> list[Phrase]:
    """Return names, each once, whatever its form."""
    distinct: dict[tuple[str, ...], Phrase] = {}
    for name in names:
        distinct.setdefault(stems(name.text, default_language(name.text)), name)
    return list(distinct.values())
