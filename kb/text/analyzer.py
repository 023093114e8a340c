"""The analyzer: a text to the words and terms it is indexed and found by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from kb.text.fold import fold, script
from kb.text.forming import (
    LONGEST_TERM,
    Stemmed,
    Term,
    Word,
    pairs,
    placed,
    single,
    spellings,
    stem,
    word_of,
)
from kb.text.function_words import is_function_word
from kb.text.profile import NO_AFFIXES
from kb.text.split import Part, parts


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
    >>> are_one_word("برای", "ترین", "fa")
    False
    """
    if before.isascii() or after.isascii() or script(before) != script(after):
        return False
    left, right = stem(before, lang), stem(after, lang)
    if right.surface in right.affixes.degrees and is_function_word(left.surface):
        return False
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


__all__ = [
    "Stemmed", "Term", "Word", "analyze", "are_one_word", "find",
    "is_affix", "is_kept_whole", "joined_pairs", "stem",
]  # fmt: skip
