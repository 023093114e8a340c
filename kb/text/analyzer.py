"""The analyzer: a text to the words and terms it is indexed and found by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise
from typing import NamedTuple

from kb.text.fold import fold, script, without_accents
from kb.text.languages import function_words
from kb.text.profile import NO_AFFIXES
from kb.text.split import Part, parts
from kb.text.stems import LONGEST_TERM, Stemmed, Term, Word, pairs, stem, word_of


def analyze(text: str, lang: str) -> Iterator[Word]:
    """Yield the words of ``text``, stemmed as ``lang`` where the script allows.

    >>> [[term.text for term in word.terms] for word in analyze("k-NN شبکه های عصبی", "en")]
    [['k', 'nn'], ['شبکه'], ['عصبی']]
    """
    for group in _words(text, lang, parts(text)):
        if group[0].kind == "pairs":
            yield from pairs(text, group[0])
        elif (word := word_of(text, group, lang)) is not None:
            yield word


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
        left = group[-1] if group and affixes else part
        apart = part.start - left.end == 1 and text[left.end].isspace()
        if group and (
            part.glue
            or (
                apart
                and are_one_word(text[left.start : left.end], text[part.start : part.end], lang)
            )
        ):
            group.append(part if part.glue else part._replace(glue="j"))
            continue
        if group:
            yield group
        group = [part]
    if group:
        yield group


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
    "Stemmed", "Term", "Word", "analyze", "are_one_word",
    "is_affix", "is_kept_whole", "joined_pairs", "stem",
]  # fmt: skip


# What a text is indexed by, chunk by chunk.


def indexed(text: str, lang: str) -> tuple[list[str], list[str]]:
    """Return the terms of a text in order, and the other forms that are indexed beside them.

    Every term is made of letters, digits and marks alone.

    >>> indexed("The matrices", "en")
    (['the', 'matrix'], ['matrices'])
    """
    known = analyzed(lang)
    # What is no part of a word says nothing here: without it there are fewer chunks.
    found = [known[each.strip(EDGES)] for each in chunks_of(text, lang)]
    stems = chain.from_iterable([each.stems for each in found])
    forms = chain.from_iterable([each.forms for each in found if each.forms])
    return list(stems), list(forms)


# Words that hold a sentence together and say nothing of what it is about.
#
# They are indexed like any others, and found where nothing else is asked for; beside other
# words they count for little. That they are common cannot be counted: in abstracts of
# articles, what and how are rare. The lists stand in the languages' profiles and are short on
# purpose; none has a word that is also a term of some field (بیش, over, no).


def is_function_word(folded: str) -> bool:
    """Say whether a folded, unstemmed word tells nothing by itself.

    >>> is_function_word("the"), is_function_word("چیست"), is_function_word("داده")
    (True, True, False)
    """
    return folded in function_words()


# A text as chunks between blanks, each analysed once and remembered.
#
# No word reaches over a blank but by an affix that is written apart, so what is found in a
# chunk does not depend on where it stands; and a few thousand chunks are most of what is
# written in a base.


LONGEST = 64
"""Characters of a chunk that is analysed as a whole; a longer one is read word by word."""

_REMEMBERED = 1 << 15
_LANGUAGES = 8
_WORDS = 1 << 12
EDGES = "!\"$%&'()*,-./:;<=>?@[\\]^_`{|}~،؛؟«»…"
"""What is no part of a word where it stands beside a blank."""


class Ends(NamedTuple):
    """The parts with which a chunk begins and ends, where these touch the blanks.

    ``follows`` and ``leads`` say that they may be one word with what stands beyond the blank.
    """

    first: str = ""
    last: str = ""
    follows: bool = False
    leads: bool = False


_LOOSE = Ends()


class Chunk(NamedTuple):
    """How many words a chunk has, and what they are indexed by.

    ``stems`` are their terms in order, ``forms`` the other forms beside them.
    """

    words: int
    stems: tuple[str, ...]
    forms: tuple[str, ...]
    ends: Ends = _LOOSE


class _Analyzed(dict[str, Chunk]):
    """The chunks of a language that were met; none is left where they become too many."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang

    def __missing__(self, written: str) -> Chunk:
        found = _analysed(written, self._lang)
        if len(written) <= LONGEST:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[written] = found
        return found


@lru_cache(maxsize=_LANGUAGES)
def analyzed(lang: str) -> Mapping[str, Chunk]:
    """Return what is in each chunk, as a language reads it; a long one is not remembered.

    >>> analyzed("en")["(k-NN)"][:3]
    (1, ('k', 'nn'), ('knn',))
    """
    return _Analyzed(lang)


def _analysed(written: str, lang: str) -> Chunk:
    words = list(analyze(written, lang))
    stems = tuple([term.text for word in words for term in word.terms])
    forms = tuple([form.text for word in words for form in word.forms])
    return Chunk(len(words), stems, forms, _ends(written, lang))


def chunks_of(text: str, lang: str) -> list[str]:
    """Return the chunks of a text in order, with an affix that is written apart in one.

    >>> chunks_of("k-NN (شبکه ها) را", "fa")
    ['k-NN', '(شبکه ها)', 'را']
    """
    written = text.split()
    if text.isascii():
        return written
    known = analyzed(lang)
    ends = [known[e].ends if len(e) <= LONGEST else _ends(e, lang) for e in written]
    affixed = {
        number
        for number, (left, right) in enumerate(pairwise(ends), 1)
        if (right.follows or left.leads)
        and left.last
        and right.first
        and are_one_word(left.last, right.first, lang)
    }
    return _joined(text, written, affixed) if affixed else written


def words_of(text: str, lang: str) -> tuple[Word, ...]:
    """Return the words of a text; those of a short one are remembered.

    >>> [[term.text for term in word.terms] for word in words_of("k-NN", "en")]
    [['k', 'nn']]
    """
    return _words_of(text, lang) if len(text) <= LONGEST else tuple(analyze(text, lang))


@lru_cache(maxsize=_WORDS)
def _words_of(text: str, lang: str) -> tuple[Word, ...]:
    return tuple(analyze(text, lang))


def stems(text: str, lang: str) -> tuple[str, ...]:
    """Return the stems of a text in order: what a name is known by, however it is written.

    >>> stems("Hidden layers", "en") == stems("hidden layer", "en")
    True
    """
    known = analyzed(lang)
    return tuple([stem for each in chunks_of(text, lang) for stem in known[each].stems])


def _joined(text: str, written: list[str], affixed: set[int]) -> list[str]:
    """Join what is affixed to what stands before it, if only one blank is between them."""
    begins: list[int] = []
    ends: list[int] = []
    end = 0
    for number, each in enumerate(written):
        start = text.index(each, end)
        if number in affixed and start - end == 1:
            ends.pop()
        else:
            begins.append(start)
        end = start + len(each)
        ends.append(end)
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _ends(written: str, lang: str) -> Ends:
    if written.isascii():
        return _LOOSE
    first, last = _first(written), _last(written)
    if not first and not last:
        return _LOOSE
    before, behind = stem(first, lang), stem(last, lang)
    follows = before.surface in before.affixes.apart
    return Ends(first, last, follows, behind.surface in behind.affixes.verb_prefixes)


def _first(written: str) -> str:
    """Return the first part of a chunk, if nothing is before it."""
    # An affix is short: of a part that goes on, no more needs to be seen.
    shown = written[:LONGEST]
    found = next(parts(shown), None)
    return shown[: found.end] if found is not None and not found.start else ""


def _last(written: str) -> str:
    """Return the last part of a chunk, if nothing is behind it."""
    shown = written[-LONGEST:]
    found = list(parts(shown))
    return shown[found[-1].start :] if found and found[-1].end == len(shown) else ""


# Titles as they are looked up: two spellings of one title are the same.


_LONGEST = 1_000
"""Characters of a title; nobody types a longer one."""

_BEFORE = " \t\r\n\"'`*_“”„‘’«»‹›()[]{}¿¡-–—"
_AFTER = _BEFORE + ".,;:!?…؟،؛"
_PARTED = re.compile("(?<=[\u0600-\u06ff])[ \u200c]+(?=[\u0600-\u06ff])")


def title_key(text: str) -> int | None:
    """Return a number that a title shares with all spellings of it, or nothing of an empty one.

    Case, accents, variants of Persian letters and blanks between these, quotes and
    punctuation around it make no difference.

    >>> title_key("«شبكه‌هاي عصبی»") == title_key("شبکه های عصبی")
    True
    >>> title_key("C++") == title_key("C")
    False
    """
    text = text[: _LONGEST + 1].lstrip(_BEFORE).rstrip(_AFTER)
    if not text or len(text) > _LONGEST:
        return None
    if text.isascii():
        folded = " ".join(fold(text).split())
    else:
        words = map(_folded, text.replace("\u200c", " ").split())
        folded = _PARTED.sub("", " ".join(filter(None, words)))
    data = blake2b(folded.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(data, "big", signed=True) if folded else None


@lru_cache(maxsize=1 << 12)
def _folded(word: str) -> str:
    return without_accents(fold(word))
