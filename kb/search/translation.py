"""A query's terms in the other languages of the glossary, beside the terms themselves.

First `translatable` says of what texts the glossary is to be asked, then `translated` puts in
what it knows: so it is asked once, whatever the query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from kb.model.entry import Concept, ConceptName
from kb.search.parser import And, Bare, Keyword, Node, Or, Quoted, positive_texts
from kb.search.rerank import TRANSLATION_DILUTION
from kb.text.analyzer import stems
from kb.text.languages import default_language

_LONGEST = 5
"""The most words a term of the glossary is looked for in."""

MOST = 4
"""The most names a term is translated by: the more a word has, the less each says."""

_RUN = 20.0
"""What a run of words takes to be looked for, in units of work."""

Key = tuple[str, str]
"""The stems of a text, with blanks between, and the language it is taken for."""


class Name(Protocol):
    """A name of a concept in some language."""

    @property
    def name(self) -> str:
        """How it is written."""

    @property
    def lang(self) -> str:
        """The language it is in."""


Names = Mapping[Key, Sequence[Name]]
"""What the glossary knows: the names in other languages, the best first."""


def translatable(node: Node) -> list[str]:
    """Return all that `translated` may translate of a tree, to be asked for by their keys."""
    match node:
        case Keyword(text) | Quoted(text):
            return [text]
        case Bare(of):
            return list(_runs(of))
        case And(of) | Or(of):
            return [part.text for part in of if isinstance(part, Keyword | Quoted)]
    return []


def translation_cost(texts: Sequence[str]) -> float:
    """Return what it takes to translate so many texts, in units of work."""
    return _RUN * len(texts)


@lru_cache(maxsize=1 << 12)
def key_of(text: str) -> Key:
    """Return the key of a text.

    >>> key_of("Hidden layers")
    ('hidden layer', 'en')
    """
    lang = default_language(text)
    return stemmed_name(text, lang), lang


def names_of(concepts: Iterable[Concept]) -> list[ConceptName]:
    """Return the names of concepts as they are kept; one that holds no word is left out."""
    return [
        ConceptName(number, place, lang, name, stemmed)
        for number, concept in enumerate(concepts)
        for lang, names in concept.names.items()
        for place, name in enumerate(names)
        if (stemmed := stemmed_name(name, lang))
    ]


def stemmed_name(name: str, lang: str) -> str:
    """Return by what a name is found: its stems, with blanks between."""
    return " ".join(stems(name, lang))


def translated(node: Node, names: Names) -> Node:
    """Return the tree with translations as further texts; what was asked stays as it is.

    Side by side, every run of words that is a term is translated, the longest first;
    within an operator each word by itself.
    """
    match node:
        case Keyword(text) | Quoted(text):
            found = _quoted(names, text)
            return Bare((node, *_distinct(found))) if found else node
        case Bare(of):
            found = [name for run in _runs(of) for name in _quoted(names, run)]
            return Bare((*of, *_distinct(found)))
        case And(of):
            return And(tuple(_alternatives(part, names) for part in of))
        case Or(of):
            return Or(tuple(_alternatives(part, names) for part in of))
    return node


def translated_into(node: Node, languages: Iterable[str]) -> tuple[str, ...]:
    """Return the languages of a glossary that the texts of a tree are not in."""
    asked = {default_language(text.text) for text in positive_texts(node)}
    return tuple(lang for lang in languages if lang not in asked)


def _alternatives(node: Node, names: Names) -> Node:
    """Return a part of an operator, or any of its translations."""
    if not isinstance(node, Keyword | Quoted):
        return node
    found = _quoted(names, node.text)
    return Or((node, *_distinct(found))) if found else node


def _runs(of: Sequence[Node]) -> Iterator[str]:
    """Yield every run of the words among these parts, the longest first."""
    words = [part.text for part in of if isinstance(part, Keyword)]
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _quoted(names: Names, text: str) -> list[Quoted]:
    """Return the names of a term that are asked for, each with its share."""
    known = list(dict.fromkeys(name.name for name in names.get(key_of(text), ())))
    share = len(known) ** -TRANSLATION_DILUTION if known else 0.0
    return [Quoted(name, share) for name in known[:MOST]]


def _distinct(names: Iterable[Quoted]) -> list[Quoted]:
    """Return names, each once, whatever its form."""
    distinct: dict[tuple[str, ...], Quoted] = {}
    for name in names:
        distinct.setdefault(stems(name.text, default_language(name.text)), name)
    return list(distinct.values())
