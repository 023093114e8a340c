"""The only module that uses Whoosh: its query parser and Levenshtein automata.

The standard parser fails, hangs or drops characters on some input (``C++``, nested brackets,
``ANDMAYBE``). So only the plugins below are used, each with a pattern that cannot backtrack, and
`kb.search.parser` limits the input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from whoosh.automata.fsa import find_all_matches
from whoosh.automata.lev import levenshtein_automaton
from whoosh.fields import TEXT, Schema
from whoosh.qparser import plugins, syntax
from whoosh.qparser.default import QueryParser
from whoosh.util.text import rcompile

from kb.search.parser import And, Bare, FieldValue, Keyword, Node, Not, Or, Prefix, Quoted

_DEFAULT_FIELD = "text"
_OPEN = r"(?<![^\s(\-])\("
_CLOSE = r"\)(?![^\s)])"
_NOT = r"(?<![^\s(])(?:NOT(?=\s)|-(?=[^\s\-]))"


class _SideBySide(syntax.OrGroup):  # type: ignore[misc]
    """Adjacent terms without an operator, distinct from a written OR."""


class _PrefixPlugin(plugins.PrefixPlugin):  # type: ignore[misc]
    """A prefix is one word followed by a star."""

    expr = rcompile(r"(?P<text>[^\s*()\"]+)\*(?=[\s)]|$)")


def parse(text: str, fields: Sequence[str]) -> Node | None:
    """Return the tree of a query, or nothing if the parser finds nothing.

    It can raise anything: Whoosh guarantees nothing for unusual input.
    """
    parser = _parser(tuple(fields))
    return _node(parser.process(text))


def similar(
    word: str, following: Callable[[str], str | None], distance: int, right: int
) -> Iterator[str]:
    """Yield the terms within an edit distance (1 or 2) of ``word``, in order.

    ``following`` returns the first term not before a text, so that the automaton jumps between
    possible terms instead of reading the whole index. The first ``right`` letters must match.

    >>> terms = ["gradient", "graph", "radian"]
    >>> list(similar("gradiant", lambda text: next((t for t in terms if t >= text), None), 1, 0))
    ['gradient']
    """
    automaton = levenshtein_automaton(word, distance, prefix=right).to_dfa()
    yield from find_all_matches(automaton, following)


@lru_cache(maxsize=4)
def _parser(fields: tuple[str, ...]) -> QueryParser:
    schema = Schema(**{name: TEXT() for name in (_DEFAULT_FIELD, *fields)})
    used = [
        plugins.WhitespacePlugin(),
        plugins.PhrasePlugin(),
        plugins.FieldsPlugin(remove_unknown=True),
        _PrefixPlugin(),
        plugins.GroupPlugin(openexpr=_OPEN, closeexpr=_CLOSE),
        plugins.OperatorsPlugin(AndNot=None, AndMaybe=None, Require=None, Not=_NOT),
    ]
    return QueryParser(_DEFAULT_FIELD, schema, plugins=used, group=_SideBySide)


def _node(node: Any) -> Node | None:
    """Convert a Whoosh syntax node to ours."""
    if isinstance(node, syntax.GroupNode):
        return _group(node)
    text = getattr(node, "text", "")
    if not text.strip():
        return None
    if node.fieldname not in (None, _DEFAULT_FIELD):
        return FieldValue(node.fieldname, text)
    if isinstance(node, plugins.PhrasePlugin.PhraseNode):
        return Quoted(text)
    if isinstance(node, plugins.PrefixPlugin.PrefixNode):
        return Prefix(text)
    return Keyword(text)


def _side_by_side(parts: Iterable[Node]) -> Iterator[Node]:
    """Yield parts; brackets around adjacent words are dropped."""
    for part in parts:
        if isinstance(part, Bare) and all(isinstance(each, Keyword) for each in part.of):
            yield from part.of
        else:
            yield part


def _group(group: Any) -> Node | None:
    parts = tuple(part for node in group.nodes if (part := _node(node)) is not None)
    if not parts:
        return None
    if isinstance(group, syntax.NotGroup):
        return Not(parts[0] if len(parts) == 1 else Or(parts))
    if len(parts) == 1:
        return parts[0]
    if isinstance(group, _SideBySide):
        return Bare(tuple(_side_by_side(parts)))
    return And(parts) if isinstance(group, syntax.AndGroup) else Or(parts)
