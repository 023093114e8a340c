"""The analyzer: a text to the words and terms it is indexed and found by."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kb.text.fold import fold, script, without_accents
from kb.text.languages import reader_of
from kb.text.profile import NO_AFFIXES, Affixes
from kb.text.split import Part, parts

SEPARATOR = "\u01c0"
"""Stands between the terms in order and the other forms: a letter nobody types."""

_SYMBOLS = {"+": "plus", "#": "sharp"}
_LONGEST_TERM = 64


class Term(NamedTuple):
    """One indexed form and the place in the text it stands for."""

    text: str
    start: int
    end: int


class Word(NamedTuple):
    """A word as it was written.

    ``terms`` are its stems in order, one for each part (``k-NN`` has two).
    ``forms`` are other spellings of it or of its parts that are indexed beside them:
    the unstemmed part, the parts joined, the halves of a name like ``AllReduce``.
    """

    start: int
    end: int
    terms: tuple[Term, ...]
    forms: tuple[Term, ...]


class Stemmed(NamedTuple):
    """The stem and the folded spelling of a part of a word, and the affixes it may take."""

    stem: str
    surface: str
    affixes: Affixes


class _Unit(NamedTuple):
    """A part with the affixes that belong to it: its stem and its joined spelling."""

    stem: str
    surface: str
    start: int
    end: int


def analyze(text: str, lang: str) -> Iterator[Word]:
    """Yield the words of ``text``, stemmed as ``lang`` where the script allows.

    >>> [[term.text for term in word.terms] for word in analyze("k-NN شبکه های عصبی", "en")]
    [['k', 'nn'], ['شبکه'], ['عصبی']]
    """
    return find(text, lang, lambda _: True)


def find(text: str, lang: str, wanted: Callable[[tuple[str, ...]], bool]) -> Iterator[Word]:
    """Yield the words of ``text`` of which all terms and forms together are ``wanted``.

    A word that stands by itself is asked for before anything is made of it, so that
    looking for a few words takes a fraction of the time of an analysis.

    >>> [word.start for word in find("a graph of graphs", "en", lambda of: "graph" in of)]
    [2, 11]
    """
    for group in _words(text, lang, parts(text)):
        part = group[0]
        if part.kind == "pairs":
            yield from (pair for pair in _pairs(text, part) if wanted((pair.terms[0].text,)))
        elif len(group) == 1:
            word, spellings = _single(text[part.start : part.end], part.kind, lang)
            if word is not None and wanted(spellings):
                yield _placed(word, part.start)
        elif (joined := _word(text, group, lang)) is not None and wanted(_spellings(joined)):
            yield joined


@lru_cache(maxsize=1 << 14)
def stem(part: str, lang: str) -> Stemmed:
    """Return the stem of a part of a word, as the language that reads it stems it.

    >>> stem("Optimisation", "en")[:2], stem("شبكه‌ها".replace("\u200c", ""), "fa")[:2]
    (('optim', 'optimisation'), ('شبکه', 'شبکهها'))
    """
    folded = fold(part)
    reader = reader_of(lang, script(folded))
    surface = without_accents(folded)
    if reader is None or reader.stem is None:
        return Stemmed(folded, surface, NO_AFFIXES)
    return Stemmed(reader.stem(reader.fold(part)) or folded, surface, reader.affixes)


def is_kept_whole(joined: str, lang: str) -> bool:
    """Say whether a word that may take affixes is indexed as it is where they are joined to it.

    >>> is_kept_whole("بزرگتر", "fa"), is_kept_whole("شبکهها", "fa"), is_kept_whole("larger", "en")
    (True, False, False)
    """
    stemmed = stem(joined, lang)
    return stemmed.affixes is not NO_AFFIXES and stemmed.stem == joined


def index_text(text: str, lang: str) -> str:
    """Return what is handed to the index for a text: its terms in order, then other forms.

    Every term is made of letters, digits and marks alone, so the index's own
    tokenizer leaves it as it is.

    >>> index_text("The matrices", "en").split()
    ['the', 'matrix', 'ǀ', 'matrices']
    """
    words = list(analyze(text, lang))
    terms = [term.text for word in words for term in word.terms]
    forms = [form.text for word in words for form in word.forms]
    return " ".join([*terms, SEPARATOR, *forms] if forms else terms)


def stems(text: str, lang: str) -> tuple[str, ...]:
    """Return the stems of a text in order: what a name is known by, however it is written.

    >>> stems("Hidden layers", "en") == stems("hidden layer", "en")
    True
    """
    return tuple(term.text for word in analyze(text, lang) for term in word.terms)


def joined_pairs(words: Sequence[Word], text: str) -> Iterator[tuple[int, str]]:
    """Yield the spelling of each two neighbouring words written as one, with the first's index.

    What one person writes apart another joins: data set, بیش برازش.

    >>> text = "data set"
    >>> list(joined_pairs(list(analyze(text, "en")), text))
    [(0, 'dataset')]
    """
    for index, (left, right) in enumerate(pairwise(words)):
        if text[left.end : right.start].isspace() and not (left.forms and len(left.terms) > 1):
            joined = fold(text[left.start : left.end]) + fold(text[right.start : right.end])
            if len(joined) <= _LONGEST_TERM:
                yield index, joined


def _words(text: str, lang: str, found: Iterator[Part]) -> Iterator[list[Part]]:
    """Group parts into words: by what glues them, and by the affixes that are written apart."""
    group: list[Part] = []
    affixes = not text.isascii()
    for part in found:
        if group and (part.glue or (affixes and _affix_apart(text, lang, group[-1], part))):
            group.append(part if part.glue else part._replace(glue="j"))
            continue
        if group:
            yield group
        group = [part]
    if group:
        yield group


def _affix_apart(text: str, lang: str, left: Part, right: Part) -> bool:
    """Say whether two parts are one word written with a blank inside."""
    if right.start - left.end != 1 or not text[left.end].isspace():
        return False
    return are_one_word(text[left.start : left.end], text[right.start : right.end], lang)


@lru_cache(maxsize=1 << 14)
def are_one_word(before: str, after: str, lang: str) -> bool:
    """Say whether two neighbours are a word and its affix, written with a blank inside.

    >>> [are_one_word(*pair, "fa") for pair in (("بزرگ", "تر"), ("می", "شود"), ("شبکه", "عصبی"))]
    [True, True, False]
    """
    if before.isascii() or after.isascii() or script(before) != script(after):
        return False
    left, right = stem(before, lang), stem(after, lang)
    return right.surface in right.affixes.apart or left.surface in left.affixes.verb_prefixes


def _word(text: str, group: list[Part], lang: str) -> Word | None:
    """Return the word that several parts make."""
    start, end = group[0].start, group[-1].end
    units = _units(text, group, lang)
    if not units:
        return None
    terms = tuple(Term(unit.stem[:_LONGEST_TERM], unit.start, unit.end) for unit in units)
    return Word(start, end, terms, tuple(_forms(text, units, start, end)))


@lru_cache(maxsize=1 << 14)
def _single(part: str, kind: str, lang: str) -> tuple[Word | None, tuple[str, ...]]:
    """Return the word that a part is at the beginning of a text, and how it is spelled."""
    end = len(part)
    if kind == "symbol":
        word = Word(0, end, (Term(_spelled(part), 0, end),), ())
        return word, _spellings(word)
    units = _units(part, [Part(0, end, "", kind)], lang)
    if not units:
        return None, ()
    terms = tuple(Term(unit.stem[:_LONGEST_TERM], 0, end) for unit in units)
    word = Word(0, end, terms, tuple(_forms(part, units, 0, end)))
    return word, _spellings(word)


def _spellings(word: Word) -> tuple[str, ...]:
    return tuple(term.text for term in (*word.terms, *word.forms))


def _placed(word: Word, start: int) -> Word:
    """Move a word to where it stands in its text."""
    terms, forms = (
        tuple([Term(t.text, t.start + start, t.end + start) for t in of])
        for of in (word.terms, word.forms)
    )
    return Word(start, word.end + start, terms, forms)


def _forms(text: str, units: list[_Unit], start: int, end: int) -> Iterator[Term]:
    for unit in units:
        if unit.surface != unit.stem and len(unit.surface) <= _LONGEST_TERM:
            yield Term(unit.surface, unit.start, unit.end)
        yield from _humps(text, unit)
    joined = "".join(unit.surface for unit in units)
    if len(units) > 1 and len(joined) <= _LONGEST_TERM:
        yield Term(joined, start, end)
        # So that what one writer joins and another parts meets without its ending: kmeans, k-means.
        stemmed = joined.removesuffix(units[-1].surface) + units[-1].stem
        if stemmed != joined:
            yield Term(stemmed, start, end)


def _units(text: str, group: list[Part], lang: str) -> list[_Unit]:
    """Fold and stem the parts of a word, each with the affixes that belong to it."""
    units: list[_Unit] = []
    prefix: _Unit | None = None
    for place, part in enumerate(group):
        spelled = text[part.start : part.end]
        base, surface, affixes = stem(spelled, lang)
        if not surface:
            continue
        half_joined = part.glue == "j"
        if units and half_joined and surface in affixes.half_joined:
            last = units[-1]
            units[-1] = last._replace(surface=last.surface + surface, end=part.end)
        elif prefix is not None:
            units[-1] = _Unit(base, prefix.surface + surface, prefix.start, part.end)
            prefix = None
        else:
            units.append(_Unit(base, surface, part.start, part.end))
            follows = place + 1 < len(group) and group[place + 1].glue == "j"
            if surface in affixes.verb_prefixes and follows:
                prefix = units[-1]
    return units


def _pairs(text: str, part: Part) -> Iterator[Word]:
    """Yield overlapping pairs of characters, for scripts that write no spaces."""
    clusters = list(_clusters(text, part))
    for left, right in pairwise(clusters) if len(clusters) > 1 else [(clusters[0], clusters[0])]:
        pair = Term(fold(text[left[0] : right[1]]), left[0], right[1])
        yield Word(pair.start, pair.end, (pair,), ())


def _clusters(text: str, part: Part) -> Iterator[tuple[int, int]]:
    """Yield the places of each letter with its combining marks."""
    start = part.start
    for place in range(part.start + 1, part.end):
        if unicodedata.category(text[place])[0] != "M":
            yield start, place
            start = place
    yield start, part.end


def _humps(text: str, unit: _Unit) -> Iterable[Term]:
    """Yield the halves of a name in mixed case: AllReduce is also found by reduce."""
    name = text[unit.start : unit.end]
    if not name.isascii() or name.islower() or name.isupper() or not name.isalnum():
        return
    edges = [i for i in range(1, len(name)) if name[i].isupper() and not name[i - 1].isupper()]
    if not edges:
        return
    for left, right in pairwise([0, *edges, len(name)]):
        yield Term(name[left:right].lower(), unit.start + left, unit.start + right)


def _spelled(symbol: str) -> str:
    """Spell the signs of a name in letters, since the index drops them: c++ is cplusplus."""
    return "".join(_SYMBOLS.get(char, char) for char in symbol.casefold())
