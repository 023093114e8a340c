"""Translates a query's terms with the glossary.

First `translatable` collects the texts to look up, then `translated` inserts the results: so the
glossary is read once per query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from kb.model.entry import Name
from kb.search.parser import And, Bare, Keyword, Node, Or, Quoted
from kb.search.rerank import TRANSLATION_DILUTION
from kb.text.analyzer import stemmed_name, stems
from kb.text.languages import default_language

_LONGEST = 5
"""The maximum number of words of a glossary term."""

MOST = 4
"""The maximum number of translations of a term: the more it has, the less each means."""

Key = tuple[str, str]
"""The stems of a text, separated by spaces, and its assumed language."""


Names = Mapping[Key, Sequence[Name]]
"""The glossary's names in other languages, best first."""


def translatable(node: Node) -> list[str]:
    """Return the keys of all texts in a tree that `translated` may translate."""
    match node:
        case Keyword(text) | Quoted(text):
            return [text]
        case Bare(of):
            return list(_runs(of))
        case And(of) | Or(of):
            return [part.text for part in of if isinstance(part, Keyword | Quoted)]
    return []


@lru_cache(maxsize=1 << 12)
def key_of(text: str) -> Key:
    """Return the key of a text.

    >>> key_of("Hidden layers")
    ('hidden layer', 'en')
    """
    lang = default_language(text)
    return stemmed_name(text, lang), lang


def translated(node: Node, names: Names) -> Node:
    """Return the tree with translations as further texts; the original stays.

    Among adjacent words, every run that is a term is translated, longest first; within an
    operator, each word alone.
    """
    match node:
        case Keyword(text) | Quoted(text):
            found = _quoted(names, text)
            return Bare((node, *_distinct(found))) if found else node
        case Bare(of):
            found = [name for run in _runs(of) for name in _quoted(names, run)]
            return Bare((*of, *_distinct(found)))
        case And(of) | Or(of):
            return type(node)(tuple(_alternatives(part, names) for part in of))
    return node


def _alternatives(node: Node, names: Names) -> Node:
    """Return a part of an operator, or any of its translations."""
    if not isinstance(node, Keyword | Quoted):
        return node
    found = _quoted(names, node.text)
    return Or((node, *_distinct(found))) if found else node


def _runs(of: Sequence[Node]) -> Iterator[str]:
    """Yield every run of words among these parts, longest first."""
    words = [part.text for part in of if isinstance(part, Keyword)]
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _quoted(names: Names, text: str) -> list[Quoted]:
    """Return the translations of a term with their weights."""
    known = list(dict.fromkeys(name.name for name in names.get(key_of(text), ())))
    share = len(known) ** -TRANSLATION_DILUTION if known else 0.0
    return [Quoted(name, share) for name in known[:MOST]]


def _distinct(names: Iterable[Quoted]) -> list[Quoted]:
    """Return names without duplicates in any form."""
    distinct: dict[tuple[str, ...], Quoted] = {}
    for name in names:
        distinct.setdefault(stems(name.text, default_language(name.text)), name)
    return list(distinct.values())
