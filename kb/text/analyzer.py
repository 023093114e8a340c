"""The analyzer: a text to the words and terms it is indexed and found by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kb.text.fold import fold, script
from kb.text.forming import (
    LONGEST_TERM,
    Stemmed,
    Term,
    Word,
    pairs,
    placed,
    single,
    spelled_alone,
    spellings,
    stem,
    word_of,
)
from kb.text.profile import NO_AFFIXES
from kb.text.split import Part, is_one_part, parts

SEPARATOR = "\u01c0"
"""Stands between the terms in order and the other forms: a letter nobody types."""

_EDGES = "!\"$%&'()*,-./:;<=>?@[\\]^_`{|}~،؛؟«»…"
"""What is no part of a word where it stands beside a blank."""

_REMEMBERED = 1 << 14
_LONGEST_REMEMBERED = 64
_BLANKS = re.compile(r"(\s+)")


class _Stretch(NamedTuple):
    """What is indexed of a stretch of a text between blanks; nothing where that is nothing.

    ``first`` and ``last`` are the parts that touch the blanks; ``suffix`` and ``prefix`` say
    that those may be one word with what stands beyond the blank.
    """

    terms: str | None
    forms: str | None
    first: str = ""
    last: str = ""
    suffix: bool = False
    prefix: bool = False


class _Stretches(dict[str, _Stretch]):
    """The stretches of a language that were met last: twice as many as are counted here.

    Once these are full they are the older ones, of which those that are met again are kept.
    """

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang
        self._older: dict[str, _Stretch] = {}

    def __missing__(self, written: str) -> _Stretch:
        found = self._older.get(written) or _analysed(written, self._lang)
        if len(written) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self._older = dict(self)
                self.clear()
            self[written] = found
        return found


@lru_cache(maxsize=4)
def _stretches_of(lang: str) -> _Stretches:
    return _Stretches(lang)


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
            yield from (pair for pair in pairs(text, part) if wanted((pair.terms[0].text,)))
        elif len(group) == 1:
            word, spelled = single(text[part.start : part.end], part.kind, lang)
            if word is not None and wanted(spelled):
                yield placed(word, part.start)
        elif (joined := word_of(text, group, lang)) is not None and wanted(spellings(joined)):
            yield joined


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
    remembered = _stretches_of(lang)
    # No word reaches over a blank but by an affix that is written apart.
    found = [remembered[each.strip(_EDGES)] for each in text.split()]
    if not text.isascii():
        found = _with_affixes(text, lang, found)
    terms = [each.terms for each in found if each.terms is not None]
    forms = [each.forms for each in found if each.forms is not None]
    return " ".join([*terms, SEPARATOR, *forms] if forms else terms)


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
            if len(joined) <= LONGEST_TERM:
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


def is_affix(part: str, lang: str) -> bool:
    """Say whether what stands by itself may belong to the word before or behind it.

    >>> is_affix("های", "fa"), is_affix("می", "fa"), is_affix("شبکه", "fa")
    (True, True, False)
    """
    if part.isascii():
        return False
    stemmed = stem(part, lang)
    return stemmed.surface in stemmed.affixes.apart | stemmed.affixes.verb_prefixes


def _with_affixes(text: str, lang: str, found: list[_Stretch]) -> list[_Stretch]:
    """Return what is indexed of the stretches of a text, words and affixes apart as one."""
    apart = [n for n, (a, b) in enumerate(pairwise(found), 1) if a.prefix or b.suffix]
    if not apart:
        return found
    written, parted = _parted(text)
    joined = {n for n in apart if n not in parted and _are_one(written, found, n, lang)}
    begins = [n for n in range(len(found)) if n not in joined]
    return [
        found[begin] if end - begin == 1 else _analysed(" ".join(written[begin:end]), lang)
        for begin, end in pairwise((*begins, len(found)))
    ]


def _parted(text: str) -> tuple[list[str], set[int]]:
    """Return what stands between the blanks of a text, and what has more than one before it."""
    written = text.split()
    if len(text) == sum(map(len, written)) + len(written) - 1:
        return written, set()
    pieces = _BLANKS.split(text.strip())
    return pieces[::2], {n for n, blanks in enumerate(pieces[1::2], 1) if len(blanks) > 1}


def _are_one(written: Sequence[str], found: Sequence[_Stretch], place: int, lang: str) -> bool:
    """Say whether the parts on both sides of a blank, before a stretch, are one word."""
    touch = written[place - 1][-1] not in _EDGES and written[place][0] not in _EDGES
    return touch and are_one_word(found[place - 1].last, found[place].first, lang)


def _analysed(written: str, lang: str) -> _Stretch:
    """Return what is indexed of a stretch."""
    if is_one_part(written):
        terms, forms = spelled_alone(written, lang)
        first = last = "" if written.isascii() else written
    else:
        words = list(analyze(written, lang))
        terms = tuple([term.text for word in words for term in word.terms])
        forms = tuple([form.text for word in words for form in word.forms])
        first, last = ("", "") if written.isascii() else _touching(written)
    indexed = (" ".join(terms) if terms else None, " ".join(forms) if forms else None)
    if not first and not last:
        return _Stretch(*indexed)
    return _Stretch(*indexed, first, last, _is_suffix(first, lang), _is_prefix(last, lang))


def _touching(written: str) -> tuple[str, str]:
    """Return the first part of a stretch and its last one, where they reach its ends."""
    found = list(parts(written))
    if not found:
        return "", ""
    first, last = found[0], found[-1]
    return (
        "" if first.start else written[: first.end],
        written[last.start :] if last.end == len(written) else "",
    )


def _is_suffix(part: str, lang: str) -> bool:
    stemmed = stem(part, lang)
    return stemmed.surface in stemmed.affixes.apart


def _is_prefix(part: str, lang: str) -> bool:
    stemmed = stem(part, lang)
    return stemmed.surface in stemmed.affixes.verb_prefixes


__all__ = [
    "SEPARATOR", "Stemmed", "Term", "Word", "analyze", "are_one_word", "find", "index_text",
    "is_affix", "is_kept_whole", "joined_pairs", "stem",
]  # fmt: skip
