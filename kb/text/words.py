"""From characters to words: the parts of a text, their stems, and other indexed forms.

Every character has one class, and a text's *class string* has one letter per character, so the
rules of splitting are short regular expressions on it:

``w`` letter   ``a`` Arabic letter   ``d`` digit   ``m`` combining mark   ``k`` kashida
``j`` half-space
``z`` zero-width control   ``c`` letter of a script without spaces
``'`` apostrophe   ``-`` connector (hyphen, underscore, full stop)   ``+`` plus or sharp
``_`` blank   ``x`` anything else

Arabic letters are separated from adjacent Latin letters and digits: APIها, ۲بعدی. Combining marks
count as letters: Hindi vowel signs and Persian vowels stay in their word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kb.text.fold import fold, script, without_accents
from kb.text.languages import NO_AFFIXES, Affixes, reader_of

JOINERS = "\u200c\u200b\u00ac"  # ZWNJ, and the two characters that stand in for it in old texts
WITHOUT_SPACES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # CJK radicals
    (0x3005, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x9FFF),  # Han
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
SPECIAL = {
    **dict.fromkeys(JOINERS, "j"),
    **dict.fromkeys("'\u2019", "'"),
    **dict.fromkeys("-_.\u2010\u2011", "-"),
    **dict.fromkeys("+#", "+"),
    "\u0640": "k",
}


class Part(NamedTuple):
    """A run of letters, digits and marks: ``text[start:end]``.

    ``glue`` is the class of the joiner before it: ``-`` or ``j``, or nothing at the start of a
    word.
    """

    start: int
    end: int
    glue: str
    kind: str


class _Classes(dict[int, str]):
    """The cached class of each character."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _character_class(chr(code))
        return found


def _character_class(char: str) -> str:
    special = SPECIAL.get(char)
    if special:
        return special
    category = unicodedata.category(char)
    if category[0] in "LM" and any(low <= ord(char) <= high for low, high in WITHOUT_SPACES):
        return "c"
    if category[0] == "L":
        return "a" if unicodedata.name(char, "").startswith("ARABIC") else "w"
    if category[0] == "N":
        return "d"
    if category[0] == "M":
        return "m"
    if category == "Cf":
        return "z"
    return "_" if char.isspace() else "x"


_CLASSES = _Classes()
PART = re.compile(
    r"(?P<symbol>(?<![wd])w\++(?![wd]))"
    r"|(?P<pairs>c+)"
    r"|(?P<word>[wd](?:[wdm]|z+(?=[wdm])|'(?=w))*"
    r"|a(?:[amk]|z+(?=[amk])|'(?=a))*)"
)
GLUE = re.compile(r"(?P<joiner>[jz]*j[jz]*|)|-")
MAY_GLUE = "jz-"
SOFT_HYPHEN = re.compile(r"(?<=[\u0620-\u06d3])\u00ad")


def parts(text: str) -> Iterator[Part]:
    """Yield the parts of a text in order; ``kind`` is symbol, pairs or word.

    >>> [(text[p.start:p.end], p.glue) for text in ["k-NN in C++"] for p in parts(text)]
    [('k', ''), ('NN', '-'), ('in', ''), ('C++', '')]
    """
    if "\u00ad" in text:
        text = SOFT_HYPHEN.sub("\u200c", text)
    classes = text.translate(_CLASSES)
    previous = -1
    for match in PART.finditer(classes):
        kind = match.lastgroup or "word"
        glue = ""
        if (
            previous >= 0
            and kind == "word"
            and (previous == match.start() or classes[previous] in MAY_GLUE)
        ):
            between = GLUE.fullmatch(classes, previous, match.start())
            glue = "" if between is None else "-" if between["joiner"] is None else "j"
        yield Part(match.start(), match.end(), glue, kind)
        previous = match.end() if kind == "word" else -1


# The words that parts make.


LONGEST_TERM = 64
"""The maximum length of a term; the rest of a word is not indexed."""

SYMBOLS = {"+": "plus", "#": "sharp"}


class Term(NamedTuple):
    """An indexed form and its span in the text."""

    text: str
    start: int
    end: int


class Word(NamedTuple):
    """A word as written.

    ``terms`` are its stems in order, one per part (``k-NN`` has two). ``forms`` are other indexed
    forms: the unstemmed part, the joined parts, the halves of a name like ``AllReduce``.
    """

    start: int
    end: int
    terms: tuple[Term, ...]
    forms: tuple[Term, ...]


class Stemmed(NamedTuple):
    """The stem and normalized form of a part, and its possible affixes."""

    stem: str
    surface: str
    affixes: Affixes


class _Unit(NamedTuple):
    """A part with its affixes: its stem and joined spelling."""

    stem: str
    surface: str
    start: int
    end: int


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
    spelled = folded if reader.fold is fold else reader.fold(part)
    return Stemmed(reader.stem(spelled) or folded, surface, reader.affixes)


def word_of(text: str, group: list[Part], lang: str) -> Word | None:
    """Return the word made of several parts."""
    start, end = group[0].start, group[-1].end
    if group[0].kind == "symbol":
        # The index drops the signs of a name, so they are spelled out: c++ is cplusplus.
        spelled = "".join(SYMBOLS.get(char, char) for char in text[start:end].casefold())
        return Word(start, end, (Term(spelled, start, end),), ())
    units = _units(text, group, lang)
    if not units:
        return None
    terms = tuple(Term(unit.stem[:LONGEST_TERM], unit.start, unit.end) for unit in units)
    return Word(start, end, terms, tuple(_forms(text, units, start, end)))


def _forms(text: str, units: list[_Unit], start: int, end: int) -> Iterator[Term]:
    for unit in units:
        if unit.surface != unit.stem and len(unit.surface) <= LONGEST_TERM:
            yield Term(unit.surface, unit.start, unit.end)
        yield from _humps(text, unit)
    joined = "".join(unit.surface for unit in units)
    if len(units) > 1 and len(joined) <= LONGEST_TERM:
        yield Term(joined, start, end)
        # So that what one writer joins and another parts meets without its ending: kmeans, k-means.
        stemmed = joined.removesuffix(units[-1].surface) + units[-1].stem
        if stemmed != joined:
            yield Term(stemmed, start, end)


def _units(text: str, group: list[Part], lang: str) -> list[_Unit]:
    """Normalize and stem the parts of a word, each with its affixes."""
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


def pairs(text: str, part: Part) -> Iterator[Word]:
    """Yield overlapping pairs of characters, for scripts without spaces."""
    clusters = list(_clusters(text, part))
    for left, right in pairwise(clusters) if len(clusters) > 1 else [(clusters[0], clusters[0])]:
        pair = Term(fold(text[left[0] : right[1]]), left[0], right[1])
        yield Word(pair.start, pair.end, (pair,), ())


def _clusters(text: str, part: Part) -> Iterator[tuple[int, int]]:
    """Yield the span of each letter with its combining marks."""
    start = part.start
    for place in range(part.start + 1, part.end):
        if unicodedata.category(text[place])[0] != "M":
            yield start, place
            start = place
    yield start, part.end


def _humps(text: str, unit: _Unit) -> Iterable[Term]:
    """Yield the halves of a mixed-case name: reduce also finds AllReduce."""
    name = text[unit.start : unit.end]
    if not name.isascii() or name[1:].islower() or name.isupper() or not name.isalnum():
        return
    edges = [i for i in range(1, len(name)) if name[i].isupper() and not name[i - 1].isupper()]
    if not edges:
        return
    for left, right in pairwise([0, *edges, len(name)]):
        yield Term(name[left:right].lower(), unit.start + left, unit.start + right)
