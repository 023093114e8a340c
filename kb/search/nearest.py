"""The nearest words in the other language, which a query finds beside its translations.

The glossary and the vocabulary say what a word means; the table of nearest words says what is
close to it in the space of the encoder of `kb.search.encoder`. So it may be wrong, and its words
weigh less.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from kb.search.compile import Analysis, Plan, QueryTerm, make_plan
from kb.search.lexicon import Lexicon
from kb.search.parser import Bare, Keyword, Node, Quoted
from kb.search.translation import Key, key_of
from kb.text.analyzer import is_function_word
from kb.text.fold import fold

Nearest = Mapping[Key, Sequence[str]]
"""The nearest words in the other language, closest first."""

NEAREST_WEIGHT = 0.4
"""The weight of a nearest word, relative to a translation: chosen on half 0 of the judged sets."""


def with_nearest(plan: Plan, node: Node, lexicon: Lexicon, nearest: Nearest) -> Plan:
    """Return a plan that also finds the nearest words of each word of a query."""
    known = {phrase for term in plan.terms for phrase in term.clause.phrases}
    others = [other for word in _words(node) for other in nearest.get(key_of(word), ())]
    found: list[QueryTerm] = []
    for other in dict.fromkeys(others):
        lexicon.charge_reading(other)
        terms = make_plan(Quoted(other), Analysis(lexicon.languages)).terms
        if len(terms) == 1:
            found += terms
    # Looked up together: an index is asked once.
    lexicon.learn(term for each in found for of in each.spellings for term in of)
    added: list[QueryTerm] = []
    for each in found:
        phrases = set(each.clause.phrases)
        if phrases & known or not lexicon.clause_frequency(each.clause):
            continue
        known |= phrases
        added.append(each._replace(clause=each.clause._replace(weight=NEAREST_WEIGHT)))
    return dataclasses.replace(
        plan, terms=(*plan.terms, *added), translations=(*plan.translations, *added)
    )


def _words(node: Node) -> Iterator[str]:
    """Yield the content words of a query without operators."""
    for part in node.of if isinstance(node, Bare) else (node,):
        if isinstance(part, Keyword) and not is_function_word(fold(part.text)):
            yield part.text
