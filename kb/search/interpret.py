"""A parsed query as it is asked: compounds joined, the last word open, names apart, translated."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from kb.model.clauses import Clause
from kb.search.compile import Analysis, Plan, make_plan
from kb.search.lexicon import Lexicon, reading_cost
from kb.search.parser import Bare, Keyword, Node, Prefix, Quoted, positive_texts
from kb.search.translation import (
    Key,
    Names,
    key_of,
    translatable,
    translated,
    translated_into,
    translation_cost,
)
from kb.text.analyzer import analyze, are_one_word, is_function_word, stem
from kb.text.fold import fold
from kb.text.languages import default_language

_RARE = 3
"""A last word that fewer documents hold may not be finished."""

_SHORTEST_BEGINNING = 2
_READ_AGAIN = 2
"""How often a text is read to make a plan of it: as what is asked, and as what is marked."""


class Translations(Protocol):
    """What a glossary tells of terms."""

    def translations(self, keys: Iterable[Key]) -> Names:
        """Return the names in other languages of the terms of these keys."""

    def languages(self) -> Iterable[str]:
        """Return the languages it has names in."""


class Interpretation(NamedTuple):
    """A query as it was written, and with its translations beside it.

    ``other_spellings`` are the clauses of other spellings of names that are nowhere as typed.
    """

    node: Node
    written: Plan
    translated: Plan
    other_spellings: tuple[Clause, ...] = ()

    def loosened(self, lexicon: Lexicon) -> Plan:
        """Return the plan in which a word may fall into its parts."""
        return planned(self.node, lexicon, loose=True)


def planned(node: Node, lexicon: Lexicon, *, loose: bool = False) -> Plan:
    """Return the plan for a tree; to read its texts is work of the lexicon's budget."""
    for text in positive_texts(node):
        lexicon.budget.spend(_READ_AGAIN * reading_cost(text.text, len(lexicon.languages)))
    return make_plan(node, Analysis(lexicon.languages, loose))


def interpret(node: Node, typed: str, lexicon: Lexicon, glossary: Translations) -> Interpretation:
    """Return what a parsed query asks for, before anything is looked for.

    ``typed`` is the query as it was typed: a blank at its end ends its last word.
    """
    node = _compounded(node, lexicon)
    if typed[-1:].strip():
        node = _unfinished(node, lexicon)
    node = with_own_names(node)
    written = planned(node, lexicon)
    texts = translatable(node) if _speaks_another(lexicon.languages, written.lang) else []
    lexicon.budget.spend(translation_cost(texts))
    names = glossary.translations([key_of(text) for text in texts]) if texts else {}
    plan = planned(translated(node, names), lexicon) if names else written
    spelled: Names = {}
    if _lacks_any(written, plan, lexicon):
        from kb.search.transliteration import spelled_alike

        spelled = spelled_alike(node, lexicon, names)
    if spelled:
        plan = planned(translated(node, {**names, **spelled}), lexicon)
    plan = dataclasses.replace(
        plan,
        words=written.words,
        translations=tuple(term for term in plan.words if term not in written.words),
        translated_into=translated_into(node, glossary.languages()),
    )
    same = (planned(Quoted(each.name), lexicon) for of in spelled.values() for each in of)
    return Interpretation(node, written, plan, tuple(c for each in same for c in each.clauses))


def _lacks_any(written: Plan, asked: Plan, lexicon: Lexicon) -> bool:
    """Say whether a word stands nowhere as it was written; what is asked is looked up at once."""
    every = (*written.words, *asked.terms, *asked.words)
    lexicon.learn(term for each in every for spelling in each.spellings for term in spelling)
    return not all(lexicon.clause_frequency(word.clause) for word in written.words)


def _speaks_another(languages: Iterable[str], lang: str) -> bool:
    """Say whether any text is in another language than the query."""
    return any(each != lang for each in languages)


def beginning(lexicon: Lexicon, text: str, shortest: int = _SHORTEST_BEGINNING) -> Prefix | None:
    """Return a text read as a beginning, if a term begins so; nothing where it is too short."""
    folded = fold(text)
    enough = len(folded) >= shortest and folded.isalnum()
    return Prefix(text) if enough and lexicon.begins(folded) else None


def _compounded(node: Node, lexicon: Lexicon) -> Node:
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
    return Keyword(compound) if begins and _side_by_side(lexicon, compound) else None


def _unfinished(node: Node, lexicon: Lexicon) -> Node:
    """Read the last word as a beginning, too, where few documents hold it as it stands.

    So who has not yet written it whole, or writes half of it, finds what begins so.
    """
    last = node.of[-1] if isinstance(node, Bare) else node
    if not isinstance(last, Keyword) or (lexicon.text_frequency(last.text) or 0) >= _RARE:
        return node
    prefix = beginning(lexicon, last.text, shortest=1)
    if prefix is None:
        return node
    return Bare((*node.of, prefix) if isinstance(node, Bare) else (node, prefix))


def _side_by_side(lexicon: Lexicon, joined: str) -> bool:
    """Say whether a compound is indexed as one word."""
    lang = default_language(joined)
    forms = [form.text for word in analyze(joined, lang) for form in word.forms]
    return any(lexicon.frequency(form) for form in forms)


# Dotted names, as programs have them: np.float16 is asked for as a float16.


_MEMBER = re.compile(r"\W*[^\W\d]\w+\.([^\W\d]\w{2,})\W*")
_WHOLE_SHARE = 0.25


def with_own_names(node: Node) -> Node:
    """Return a tree in which a name of a module's member is looked for by the member's own name.

    A module's name before the full stop says where something is found, not what it is; what has
    the whole name is worth more.

    >>> with_own_names(Keyword("np.float16")).of
    (Keyword(text='float16'), Quoted(text='np.float16', share=0.25, finds=False))
    >>> with_own_names(Keyword("e.g.")), with_own_names(Keyword("x.shape"))
    (Keyword(text='e.g.'), Keyword(text='x.shape'))
    """
    parts = tuple(_named(node.of if isinstance(node, Bare) else (node,)))
    return Bare(parts) if isinstance(node, Bare) or len(parts) > 1 else node


def _named(of: tuple[Node, ...]) -> Iterator[Node]:
    for part in of:
        name = _MEMBER.fullmatch(part.text) if isinstance(part, Keyword) else None
        if name is None or not isinstance(part, Keyword):
            yield part
        else:
            yield Keyword(name[1])
            yield Quoted(part.text, _WHOLE_SHARE, finds=False)


# A query that is not yet finished: what of it tells something before its last word is written.


def beginning_plan(node: Node, typed: str, lexicon: Lexicon) -> Plan:
    """Return the plan of a parsed query in which the last word is read as a beginning.

    ``typed`` is the query as it was typed: a blank at its end ends its last word. Beside words
    that tell something, a last word that so far is a letter or a function word is left out: it
    begins too much to tell more. By itself a letter is read as the word that it is, where it is
    one anywhere.
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
