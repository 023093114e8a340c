"""What was probably meant, word by word, where a query has a few that are nowhere."""

from __future__ import annotations

from collections.abc import Sequence

from kb.errors import DeadlineExceeded
from kb.query import cost, fallbacks
from kb.query.fallbacks import FOREIGN, LITTLE, MOST_SUGGESTED
from kb.query.interpret import planned
from kb.query.lexicon import Lexicon
from kb.query.parser import Node, Prefix, parse, positive_texts
from kb.query.translation import key_of
from kb.ranking.excerpt import Marker, marks
from kb.ranking.rerank import FIELD_WEIGHTS, Wanted
from kb.records import Page
from kb.records.clauses import Clause, Every, Phrase, Predicate, Scoring
from kb.service.answer import SearchAnswer
from kb.service.retrieval import Searched, retrieve
from kb.store.rows import Ref
from kb.store.sqlite.glossary import Glossary
from kb.text.analyzer import is_affix
from kb.text.fold import script
from kb.text.languages import default_language

_FEW_WORDS = 4
_MOST_SEEN = 5
_A_TEXT = 2_000
"""The work that a text may take in which a word is looked for as it is written."""


def suggestion(
    source: Searched,
    glossary: Glossary,
    query: str,
    node: Node,
    found: SearchAnswer,
    narrowed: Predicate,
) -> str | None:
    """Return the query with its unknown words corrected, if it then finds something.

    It is looked for where little was found or few words were asked, and what was found was not
    typed in another alphabet or layout. A Persian word that is found as a name may be misspelt,
    one that the glossary translates is not, and neither is a beginning.
    """
    typed_elsewhere = FOREIGN - {"transliteration"} if script(query) == "arabic" else FOREIGN
    if any(match.via in typed_elsewhere for match in found.matches):
        return None
    if sum(1 for _ in positive_texts(node)) > _FEW_WORDS and found.plain >= LITTLE:
        return None
    lexicon = source.lexicon
    texts = [text.text for text in positive_texts(node) if not isinstance(text, Prefix)]
    unknown = _unknown(lexicon, texts)
    names = glossary.translations([key_of(text) for text in unknown]) if unknown else {}
    unknown = [text for text in unknown if key_of(text) not in names]
    if not 0 < len(unknown) <= MOST_SUGGESTED:
        return None
    suggested = query
    for text in unknown:
        corrected = _corrected(source, text)
        if corrected is not None:
            suggested = suggested.replace(text, corrected, 1)
    other = parse(suggested).node
    if suggested == query or other is None:
        return None
    plan = planned(other, lexicon)
    return suggested if retrieve(source, plan, narrowed, Page(1)).total else None


def _unknown(lexicon: Lexicon, texts: Sequence[str]) -> list[str]:
    """Return the texts that are indexed nowhere; an affix beside others is indexed with them."""
    return [
        text
        for text in texts
        if not lexicon.knows(text)
        and (len(texts) == 1 or not is_affix(text, default_language(text)))
    ]


def _corrected(source: Searched, text: str) -> str | None:
    """Return a text with its unknown words corrected, if that takes no more than half of the work.

    So a word that takes long leaves the others their share.
    """
    lexicon, whole = source.lexicon, source.lexicon.budget
    lexicon.budget = whole.part(whole.left / 2)
    try:
        return fallbacks.correct(
            text, lexicon, lambda term: _as_written(source, term), MOST_SUGGESTED
        )
    except DeadlineExceeded:
        if whole.cancelled:
            raise
        return None
    finally:
        lexicon.budget = whole


def _as_written(source: Searched, term: str) -> str:
    """Return a term as some document writes it: terms are folded, and many are stems."""
    clause, scoring = Clause((Phrase((term,)),)), Scoring(FIELD_WEIGHTS)
    source.budget.spend(cost.of_search([clause], Every(), source.lexicon, source.documents))
    found = source.index.candidates([clause], Every(), scoring, _MOST_SEEN).found
    refs = [Ref(each.entry, each.lang) for each in found]
    marker = Marker(Wanted({term: 0}, {}, 1))
    spellings = [
        text[start:end]
        for ref, texts in zip(refs, source.catalog.texts(refs), strict=True)
        for text in filter(None, texts.values())
        for start, end in marks(text, ref.lang, marker, source.budget.part(_A_TEXT))
    ]
    return min(spellings, key=len, default=term)
