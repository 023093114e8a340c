"""The tree to what the index is asked: an expression to rank by, and a condition to meet.

The expression is FTS5's query language with every term quoted; nothing a person typed
reaches it but through the analyzer. Terms hold only letters, digits and marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kb.index.fts5.index import Ranking
from kb.query.tree import And, Bare, Field, Node, Not, Or, Phrase, Prefix, Text, Words
from kb.query.tree import positive_texts as texts_of
from kb.ranking.weights import FIELD_WEIGHTS, TRANSLATION_WEIGHT
from kb.store.sqlite.conditions import Condition, Every, Has, Lacks, Match, Some
from kb.text.analyzer import Term, Word, analyze, is_kept_whole, joined_pairs
from kb.text.function_words import is_function_word
from kb.text.languages import default_language


class Wanted(NamedTuple):
    """The forms that a match is marked by, each with the number of the query's word it is of.

    ``prefixes`` are beginnings of terms; ``words`` is how many words there are.
    """

    terms: Mapping[str, int]
    prefixes: Mapping[str, int]
    words: int

    def word_of(self, term: str) -> int | None:
        """Return the number of the word that a term is a form of."""
        number = self.terms.get(term)
        if number is None and self.prefixes and term.startswith(tuple(self.prefixes)):
            return next(n for begun, n in self.prefixes.items() if term.startswith(begun))
        return number

    def any_of(self, terms: tuple[str, ...]) -> bool:
        """Say whether one of these terms is wanted."""
        if not self.terms.keys().isdisjoint(terms):
            return True
        begun = tuple(self.prefixes)
        return bool(begun) and any(term.startswith(begun) for term in terms)


NOTHING = Wanted({}, {}, 0)


class Piece(NamedTuple):
    """What one word or phrase asks for: any of ``spellings``, each a sequence of terms.

    ``surfaces`` are the unstemmed forms of a single word. A word that is only begun has
    an expression and no spelling. ``telling`` says that it is about something; ``share`` is
    that of `kb.query.tree.Phrase`.
    """

    expression: str
    spellings: tuple[tuple[str, ...], ...] = ()
    surfaces: tuple[str, ...] = ()
    telling: bool = True
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask the index: any of ``pieces``, none where no text is asked for.

    ``words`` are those of the query itself, ``translations`` those of a glossary. Where they
    are ``optional`` a common one may be left out of what is asked; ``lang`` is the language
    that the query is in.
    """

    pieces: tuple[Piece, ...]
    condition: Condition
    wanted: Wanted = NOTHING
    lang: str = ""
    words: tuple[Piece, ...] = ()
    translations: tuple[Piece, ...] = ()
    optional: bool = False
    translated_into: tuple[str, ...] = ()

    @property
    def expression(self) -> str:
        """The expression of all pieces; empty where no text is asked for."""
        return any_of(self.pieces)

    @property
    def ranking(self) -> Ranking:
        """How the index ranks what is found."""
        return Ranking(FIELD_WEIGHTS, self.translated_into, TRANSLATION_WEIGHT)


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts are read: in which languages, and whether a word may fall into its parts."""

    languages: tuple[str, ...]
    loose: bool = False


def any_of(pieces: Iterable[Piece]) -> str:
    """Return the expression that any of the pieces meets."""
    return " OR ".join(dict.fromkeys(piece.expression for piece in pieces))


def make_plan(node: Node, reading: Reading) -> Plan:
    """Return the plan for a tree.

    >>> make_plan(Bare((Words("networks"), Field("level", "E"))), Reading(("en",))).expression
    '"network"'
    """
    wanted_texts = list(texts_of(node))
    words = [piece for text in wanted_texts for piece in _pieces(text, reading)]
    joined = _joined(node, wanted_texts)
    beside = [_piece([(term,)]) for term in joined]
    condition = _condition(node, reading, outermost=True)
    if wanted_texts and not words and condition == Every():
        condition = Some(())  # signs that are no words find nothing, not everything
    return Plan(
        pieces=tuple(dict.fromkeys([*words, *beside])),
        condition=condition,
        wanted=_wanted(wanted_texts, joined, reading),
        lang=default_language(" ".join(text.text for text in wanted_texts)),
        words=tuple(dict.fromkeys(piece for piece in words if piece.spellings)),
        optional=isinstance(node, Bare) and all(map(_is_text, node.of)),
    )


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
    return any_of(_pieces(text, reading))


@lru_cache(maxsize=1024)
def _pieces(text: Text, reading: Reading) -> tuple[Piece, ...]:
    """Return what a text asks for, word by word."""
    readings = _readings(text.text, reading.languages)
    match text:
        case Prefix():
            begun = tuple(_open(_quoted(_beginning(words))) for words in readings if words)
            return (Piece(_any(begun)),) if begun else ()
        case Phrase():
            phrases = [tuple(t.text for w in words for t in w.terms) for words in readings if words]
            return (_piece(phrases)._replace(share=text.share),) if phrases else ()
        case Words():
            by_place: dict[int, list[Word]] = {}
            for word in (word for words in readings for word in words):
                by_place.setdefault(word.start, []).append(word)
            return tuple(_word(words, reading.loose) for words in by_place.values())


@lru_cache(maxsize=1024)
def _readings(typed: str, languages: tuple[str, ...]) -> tuple[tuple[Word, ...], ...]:
    """Return the words of a text as texts in each language are indexed, each way once."""
    spoken = languages or (default_language(typed),)
    return tuple(dict.fromkeys(tuple(analyze(typed, lang)) for lang in spoken))


def _word(readings: Sequence[Word], loose: bool) -> Piece:
    """Return what a word asks for: its stem or its parts in order, or their joined spelling.

    The unstemmed form of a single word is left out, since it would make a word that has an
    ending count twice as much as one that has none; but for a Persian word whose affixes
    another may join, which are then not taken off: بزرگ‌تر, بزرگتر.
    """
    spellings: list[tuple[str, ...]] = []
    surfaces: list[str] = []
    for word in readings:
        terms = tuple(term.text for term in word.terms)
        spellings += [(term,) for term in terms] if loose else [terms]
        whole = [form.text for form in word.forms if _is_whole(form, word)]
        spellings += [(form,) for form in whole if len(terms) > 1 or is_kept_whole(form, default_language(form))]
        surfaces += whole if len(terms) == 1 else []
    folded = {*surfaces, *(terms[0] for terms in spellings if len(terms) == 1)}
    telling = not any(map(is_function_word, folded))
    return _piece(spellings, tuple(dict.fromkeys(surfaces)))._replace(telling=telling)


def _is_whole(form: Term, word: Word) -> bool:
    return (form.start, form.end) == (word.start, word.end)


def _piece(spellings: Sequence[tuple[str, ...]], surfaces: tuple[str, ...] = ()) -> Piece:
    distinct = tuple(dict.fromkeys(spellings))
    return Piece(_any([_quoted(" ".join(terms)) for terms in distinct]), distinct, surfaces)


def _beginning(words: Sequence[Word]) -> str:
    """Return the terms of words of which the last is still being typed."""
    terms = [term.text for word in words for term in word.terms]
    return " ".join([*terms[:-1], _begun(words[-1])])


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
    return [joined for _, joined in joined_pairs(words, line, "en")]


def _wanted(texts: Sequence[Text], joined: Sequence[str], reading: Reading) -> Wanted:
    numbers: dict[tuple[str, int], int] = {}
    terms: dict[str, int] = {}
    prefixes: dict[str, int] = {}
    for text in texts:
        for words in _readings(text.text, reading.languages):
            places = [term.start for word in words for term in word.terms]
            of_place = {p: numbers.setdefault((text.text, p), len(numbers)) for p in places}
            if isinstance(text, Prefix) and words:
                prefixes.setdefault(_begun(words[-1]), of_place[words[-1].terms[-1].start])
                words = words[:-1]
            for word in words:
                for term in (*word.terms, *word.forms):
                    terms[term.text] = of_place.get(term.start, of_place[places[0]])
                if len(word.terms) == 1:
                    continue
                for whole in (form for form in word.forms if _is_whole(form, word)):
                    # A word of parts is more than its parts wherever they stand.
                    terms[whole.text] = numbers.setdefault(
                        (text.text, -1 - word.start), len(numbers)
                    )
    terms |= dict.fromkeys(joined, len(numbers))
    return Wanted(terms, prefixes, len(numbers))


def _any(expressions: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(expressions))
    return distinct[0] if len(distinct) == 1 else f"({' OR '.join(distinct)})" if distinct else ""


def _quoted(terms: str) -> str:
    return f'"{terms}"'


def _open(quoted: str) -> str:
    return f"{quoted} *"
