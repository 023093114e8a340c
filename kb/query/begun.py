"""A query that is not yet finished: what of it tells something before its last word is written."""

from __future__ import annotations

from kb.query.compile import Plan
from kb.query.interpret import planned
from kb.query.lexicon import Lexicon
from kb.query.tree import Bare, Keyword, Node, Prefix
from kb.text.fold import fold
from kb.text.function_words import is_function_word


def begun(node: Node, typed: str, lexicon: Lexicon) -> Plan:
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
