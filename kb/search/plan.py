"""The tree to what the index is asked: an expression to rank by, and a condition to meet.

The expression is FTS5's query language with every term quoted; nothing a person typed
reaches it but through the analyzer. Terms hold only letters, digits and marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kb.search.tree import And, Bare, Field, Node, Not, Or, Phrase, Prefix, Text, Words
from kb.search.tree import positive_texts as texts_of
from kb.search.weights import FIELD_WEIGHTS, TRANSLATION_WEIGHT
from kb.store.conditions import Condition, Every, Has, Lacks, Match, Some
from kb.store.index import Ranking
from kb.text.chain import Word, analyze, joined_pairs
from kb.text.stems import default_language


@dataclass(frozen=True, slots=True)
class Wanted:
    """The forms that a match is marked by: whole terms, and beginnings of terms."""

    terms: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()

    def __contains__(self, term: object) -> bool:
        return term in self.terms or (
            isinstance(term, str) and bool(self.prefixes) and term.startswith(self.prefixes)
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask the index. ``expression`` is empty where no text is asked for."""

    expression: str
    condition: Condition
    wanted: Wanted = field(default_factory=Wanted)
    lang: str = ""
    translated_into: tuple[str, ...] = ()

    @property
    def ranking(self) -> Ranking:
        """How what is found is ranked."""
        return Ranking(FIELD_WEIGHTS, self.translated_into, TRANSLATION_WEIGHT)


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts are read: in which languages, and whether a word may fall into its parts."""

    languages: tuple[str, ...]
    loose: bool = False


def make_plan(node: Node, reading: Reading) -> Plan:
    """Return the plan for a tree.

    >>> make_plan(Bare((Words("networks"), Field("level", "E"))), Reading(("en",))).expression
    '"network"'
    """
    wanted_texts = list(texts_of(node))
    pieces = [piece for text in wanted_texts if (piece := _expression(text, reading))]
    pieces += _joined(node, wanted_texts)
    expression = " OR ".join(dict.fromkeys(pieces))
    condition = _condition(node, reading, outermost=True)
    if wanted_texts and not expression and condition == Every():
        condition = Some(())  # signs that are no words find nothing, not everything
    typed = " ".join(text.text for text in wanted_texts)
    return Plan(expression, condition, _wanted(node, reading), default_language(typed))


def _condition(node: Node, reading: Reading, outermost: bool = False) -> Condition:
    """Return what must hold. What the ranking expression itself demands is not said again."""
    match node:
        case Field(name, value):
            return Has(name, value)
        case Not(inner):
            return Lacks(_condition(inner, reading))
        case And(of):
            return Every(tuple(_condition(part, reading) for part in of))
        case Or(of):
            return Some(tuple(_condition(part, reading) for part in of))
        case Bare(of):
            demands = tuple(_condition(p, reading) for p in of if isinstance(p, Field | Not))
            texts = tuple(_condition(p, reading) for p in of if not isinstance(p, Field | Not))
            if texts and not (outermost and all(map(_is_text, of))):
                demands = (*demands, Some(texts))
            return Every(demands)
        case Words() | Prefix() | Phrase():
            expression = _expression(node, reading)
            return Every() if outermost else Match(expression) if expression else Some(())


def _is_text(node: Node) -> bool:
    return isinstance(node, Words | Prefix | Phrase | Field | Not)


def _expression(text: Text, reading: Reading) -> str:
    """Return the FTS5 expression of one text, empty where it holds no word."""
    match text:
        case Prefix(typed):
            return _prefix(typed, reading)
        case Phrase(typed):
            phrases = (_phrase(words) for words in _readings(typed, reading) if words)
            return _any(phrases)
        case Words(typed):
            by_place: dict[int, list[str]] = {}
            for words in _readings(typed, reading):
                for word in words:
                    by_place.setdefault(word.start, []).extend(_spellings(word, reading.loose))
            return " OR ".join(_any(spellings) for spellings in by_place.values())


def _readings(typed: str, reading: Reading) -> Iterator[list[Word]]:
    """Yield the words of a text as each language stems them."""
    languages = dict.fromkeys((default_language(typed), *reading.languages))
    for lang in languages:
        yield list(analyze(typed, lang))


def _spellings(word: Word, loose: bool) -> Iterator[str]:
    """Yield a word's stem or its parts in order, and their joined spelling.

    The unstemmed form of a single word is left out: it would make a word that has an
    ending count twice as much as one that has none.
    """
    terms = [term.text for term in word.terms]
    yield from map(_quoted, terms) if loose else (_quoted(" ".join(terms)),)
    for form in word.forms:
        if len(terms) > 1 and (form.start, form.end) == (word.start, word.end):
            yield _quoted(form.text)


def _phrase(words: Sequence[Word]) -> str:
    return _quoted(" ".join(term.text for word in words for term in word.terms))


def _prefix(typed: str, reading: Reading) -> str:
    """Return what finds words that begin so: the unstemmed parts, the last one open."""
    found = []
    for words in _readings(typed, reading):
        terms = [term.text for word in words for term in word.terms]
        if not terms:
            continue
        found.append(_open(_quoted(" ".join([*terms[:-1], _begun(words[-1])]))))
    return _any(found)


def _begun(word: Word) -> str:
    """Return the unstemmed spelling of the last part of a word that is still being typed."""
    last = word.terms[-1]
    surfaces = [f.text for f in word.forms if (f.start, f.end) == (last.start, last.end)]
    return surfaces[0] if surfaces else last.text


def _joined(node: Node, texts: Sequence[Text]) -> list[str]:
    """Return the joined spellings of neighbours: a data set may be a dataset elsewhere."""
    if not isinstance(node, Bare):
        return []
    line = " ".join(text.text for text in texts if isinstance(text, Words))
    words = list(analyze(line, "en"))
    return [_quoted(joined) for _, joined in joined_pairs(words, line)]


def _wanted(node: Node, reading: Reading) -> Wanted:
    terms: set[str] = set()
    prefixes = []
    for text in texts_of(node):
        for words in _readings(text.text, reading):
            if isinstance(text, Prefix) and words:
                prefixes.append(_begun(words[-1]))
                words = words[:-1]
            for word in words:
                terms.update(term.text for term in (*word.terms, *word.forms))
    texts = [text for text in texts_of(node) if isinstance(text, Words)]
    terms.update(quoted.strip('"') for quoted in _joined(node, texts))
    return Wanted(frozenset(terms), tuple(dict.fromkeys(prefixes)))


def _any(expressions: Iterator[str] | Sequence[str]) -> str:
    distinct = list(dict.fromkeys(expressions))
    return distinct[0] if len(distinct) == 1 else f"({' OR '.join(distinct)})" if distinct else ""


def _quoted(terms: str) -> str:
    return f'"{terms}"'


def _open(quoted: str) -> str:
    return f"{quoted} *"
