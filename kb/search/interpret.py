"""Interprets a parsed query: joins compounds, completes the last word, translates."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from kb.model.clauses import Clause
from kb.search.compile import Analysis, Plan, QueryTerm, make_plan
from kb.search.lexicon import Lexicon
from kb.search.parser import Bare, Keyword, Node, Prefix, Quoted, positive_texts
from kb.search.translation import Key, Names, key_of, translatable, translated
from kb.text.analyzer import analyze, are_one_word, is_function_word, stem
from kb.text.fold import fold
from kb.text.languages import default_language

_RARE = 3
"""A last word in fewer documents may be unfinished."""

_SHORTEST_BEGINNING = 2
_RUN = 20.0
"""The cost of looking up a run of words, in units of work."""


Nearest = Callable[[Key], Sequence[str]]
"""Returns the nearest words of a word in the other language, closest first."""

NEAREST_WEIGHT = 0.4
"""The weight of a nearest word, relative to a translation: chosen on half 0 of the judged sets."""


class Translations(Protocol):
    """The glossary's translations of terms."""

    def translations(self, keys: Iterable[Key]) -> Names:
        """Return the names in other languages for these term keys."""

    def languages(self) -> Iterable[str]:
        """Return the languages of its names."""


class Interpretation(NamedTuple):
    """A query as written, and with translations.

    ``other_spellings`` are the clauses of other spellings of unknown names.
    """

    node: Node
    written: Plan
    translated: Plan
    other_spellings: tuple[Clause, ...] = ()


def planned(node: Node, lexicon: Lexicon, *, loose: bool = False) -> Plan:
    """Return the plan for a tree; analysis is charged to the lexicon's budget."""
    for text in positive_texts(node):
        lexicon.charge_reading(text.text)
    return make_plan(node, Analysis(lexicon.languages, loose))


def interpret(
    node: Node,
    typed: str,
    lexicon: Lexicon,
    glossary: Translations,
    nearest: Nearest = lambda word: (),
) -> Interpretation:
    """Return the interpretation of a parsed query, before any search.

    ``typed`` is the typed query: a trailing space ends its last word. ``nearest`` is asked
    where texts are in another language.
    """
    node = _compounded(node, lexicon)
    if typed[-1:].strip():
        node = _unfinished(node, lexicon)
    node = with_own_names(node)
    written = planned(node, lexicon)
    another = any(each != written.lang for each in lexicon.languages)
    texts = translatable(node) if another else []
    lexicon.budget.spend(_RUN * len(texts))
    names = glossary.translations([key_of(text) for text in texts]) if texts else {}
    plan = planned(translated(node, names), lexicon) if names else written
    spelled: Names = {}
    every = (*written.words, *plan.terms, *plan.words)
    lexicon.learn(term for each in every for spelling in each.spellings for term in spelling)
    if not all(lexicon.clause_frequency(word.clause) for word in written.words):
        from kb.search.transliteration import spelled_alike

        spelled = spelled_alike(node, lexicon, names)
    if spelled:
        plan = planned(translated(node, {**names, **spelled}), lexicon)
    plan = dataclasses.replace(
        plan,
        words=written.words,
        translations=tuple(term for term in plan.words if term not in written.words),
        lang=written.lang,
        optional=plan.optional and written.optional,
        translated_into=tuple(each for each in glossary.languages() if each != written.lang),
    )
    if another:
        plan = _with_nearest(plan, node, lexicon, nearest)
    same = (planned(Quoted(each.name), lexicon) for of in spelled.values() for each in of)
    return Interpretation(node, written, plan, tuple(c for each in same for c in each.clauses))


def beginning(lexicon: Lexicon, text: str, shortest: int = _SHORTEST_BEGINNING) -> Prefix | None:
    """Return a text as a prefix if a term begins with it; nothing if it is too short."""
    folded = fold(text)
    enough = len(folded) >= shortest and folded.isalnum()
    return Prefix(text) if enough and lexicon.begins(folded) else None


def _compounded(node: Node, lexicon: Lexicon) -> Node:
    """Join what Persian writers separate: affixes, and compounds indexed as one word."""
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
    if not begins:
        return None
    words = analyze(compound, default_language(compound))
    forms = [form.text for word in words for form in word.forms]
    return Keyword(compound) if any(map(lexicon.frequency, forms)) else None


def _unfinished(node: Node, lexicon: Lexicon) -> Node:
    """Read the last word as a prefix, too, if few documents contain it.

    So a half-typed word is completed.
    """
    last = node.of[-1] if isinstance(node, Bare) else node
    if not isinstance(last, Keyword) or (lexicon.text_frequency(last.text) or 0) >= _RARE:
        return node
    prefix = beginning(lexicon, last.text, shortest=1)
    if prefix is None:
        return node
    return Bare((*node.of, prefix) if isinstance(node, Bare) else (node, prefix))


# Dotted names, as programs have them: np.float16 is asked for as a float16.


_MEMBER = re.compile(r"\W*[^\W\d]\w+\.([^\W\d]\w{2,})\W*")
_WHOLE_SHARE = 0.25


def with_own_names(node: Node) -> Node:
    """Return a tree in which a dotted name also matches the member's own name.

    The module before the dot says where something is, not what it is; a match of the full name
    ranks higher.

    >>> with_own_names(Keyword("np.float16")).of
    (Keyword(text='float16'), Quoted(text='np.float16', share=0.25, finds=False))
    >>> with_own_names(Keyword("e.g.")), with_own_names(Keyword("x.shape"))
    (Keyword(text='e.g.'), Keyword(text='x.shape'))
    """
    parts: list[Node] = []
    for part in node.of if isinstance(node, Bare) else (node,):
        name = _MEMBER.fullmatch(part.text) if isinstance(part, Keyword) else None
        if name is None or not isinstance(part, Keyword):
            parts.append(part)
        else:
            parts += (Keyword(name[1]), Quoted(part.text, _WHOLE_SHARE, finds=False))
    return Bare(tuple(parts)) if isinstance(node, Bare) or len(parts) > 1 else node


# The nearest words in the other language. The glossary and the vocabulary say what a word means;
# the table of nearest words says what is close to it in the space of the encoder of
# `kb.search.encoder`. So it may be wrong, and its words weigh less.


def _with_nearest(plan: Plan, node: Node, lexicon: Lexicon, nearest: Nearest) -> Plan:
    """Return a plan that also finds the nearest words of each word of a query."""
    known = {phrase for term in plan.terms for phrase in term.clause.phrases}
    others = [other for word in _words(node) for other in nearest(key_of(word))]
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


# A query that is not yet finished: what of it tells something before its last word is written.


def beginning_plan(node: Node, typed: str, lexicon: Lexicon) -> Plan:
    """Return the plan of a parsed query with its last word as a prefix.

    ``typed`` is the typed query: a trailing space ends its last word. Beside content words, a
    last word of a single letter or a function word is left out: too many words begin with it. A
    single letter alone is read as a word if it is indexed.
    """
    *before, last = node.of if isinstance(node, Bare) else (node,)
    if not typed[-1:].strip() or not isinstance(last, Keyword):
        return planned(node, lexicon)
    written = fold(last.text)
    is_letter = len(written) == 1
    if is_letter or is_function_word(written):
        told = planned(Bare(tuple(before)), lexicon)
        if any(term.is_content for term in told.words):
            return told
    whole = is_letter and lexicon.text_frequency(last.text)
    return planned(Bare((*before, last if whole else Prefix(last.text))), lexicon)
