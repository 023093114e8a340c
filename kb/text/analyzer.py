"""The analyzer: from a text to its words and index terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise
from typing import NamedTuple

from kb.text.fold import fold, script, without_accents
from kb.text.languages import NO_AFFIXES, function_words
from kb.text.words import LONGEST_TERM, Part, Stemmed, Term, Word, pairs, parts, stem, word_of


def analyze(text: str, lang: str) -> Iterator[Word]:
    """Yield the words of ``text``, stemmed as ``lang`` if the script allows.

    >>> [[term.text for term in word.terms] for word in analyze("k-NN شبکه های عصبی", "en")]
    [['k', 'nn'], ['شبکه'], ['عصبی']]
    """
    for group in _words(text, lang, parts(text)):
        if group[0].kind == "pairs":
            yield from pairs(text, group[0])
        elif (word := word_of(text, group, lang)) is not None:
            yield word


def is_kept_whole(joined: str, lang: str) -> bool:
    """Return whether a word with joined affixes is also indexed unstemmed.

    >>> is_kept_whole("بزرگتر", "fa"), is_kept_whole("شبکهها", "fa"), is_kept_whole("larger", "en")
    (True, False, False)
    """
    stemmed = stem(joined, lang)
    return stemmed.affixes is not NO_AFFIXES and stemmed.stem == joined


def joined_pairs(words: Sequence[Word], text: str) -> Iterator[tuple[int, str]]:
    """Yield each two neighbouring words as one, with the first's index.

    People separate or join such words: data set, بیش برازش.

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
    """Group parts into words: by joiners, and by separated affixes."""
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
    """Return whether two neighbours are a word and its affix, separated by a space.

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
    """Return whether a separate part may be an affix of its neighbour.

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
    """Return the terms of a text in order, and other forms to index.

    Terms contain only letters, digits and marks.

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
    """Return whether a normalized, unstemmed word has no meaning of its own.

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
"""The longest chunk that is analyzed as a whole; a longer one is read word by word."""

_REMEMBERED = 1 << 15
_LANGUAGES = 8
_WORDS = 1 << 12
EDGES = "!\"$%&'()*,-./:;<=>?@[\\]^_`{|}~،؛؟«»…"
"""Signs that are not part of a word next to a space."""


class Ends(NamedTuple):
    """The first and last parts of a chunk, if they touch its edges.

    ``follows`` and ``leads`` mean that they may join a word beyond the space.
    """

    first: str = ""
    last: str = ""
    follows: bool = False
    leads: bool = False


_LOOSE = Ends()


class Chunk(NamedTuple):
    """The number of words in a chunk, and its index terms.

    ``stems`` are its terms in order, ``forms`` the other forms.
    """

    words: int
    stems: tuple[str, ...]
    forms: tuple[str, ...]
    ends: Ends = _LOOSE


class _Analyzed(dict[str, Chunk]):
    """Cached chunks of a language; cleared when there are too many."""

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
    """Return the analysis of each chunk in a language; long ones are not cached.

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
    """Return the chunks of a text in order; separated affixes stay with their words.

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
    """Return the words of a text; those of a short one are cached.

    >>> [[term.text for term in word.terms] for word in words_of("k-NN", "en")]
    [['k', 'nn']]
    """
    return _words_of(text, lang) if len(text) <= LONGEST else tuple(analyze(text, lang))


@lru_cache(maxsize=_WORDS)
def _words_of(text: str, lang: str) -> tuple[Word, ...]:
    return tuple(analyze(text, lang))


def stems(text: str, lang: str) -> tuple[str, ...]:
    """Return the stems of a text in order, as a key independent of spelling.

    >>> stems("Hidden layers", "en") == stems("hidden layer", "en")
    True
    """
    known = analyzed(lang)
    return tuple([stem for each in chunks_of(text, lang) for stem in known[each].stems])


def stemmed_name(name: str, lang: str) -> str:
    """Return the search key of a name: its stems, separated by spaces."""
    return " ".join(stems(name, lang))


def _joined(text: str, written: list[str], affixed: set[int]) -> list[str]:
    """Join affixes to the previous part, if only one space separates them."""
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
    """Return the first part of a chunk, if it is at the start."""
    # An affix is short: of a part that goes on, no more needs to be seen.
    shown = written[:LONGEST]
    found = next(parts(shown), None)
    return shown[: found.end] if found is not None and not found.start else ""


def _last(written: str) -> str:
    """Return the last part of a chunk, if it is at the end."""
    shown = written[-LONGEST:]
    found = list(parts(shown))
    return shown[found[-1].start :] if found and found[-1].end == len(shown) else ""


# Titles as they are looked up: two spellings of one title are the same.


_LONGEST = 1_000
"""The longest title; nobody types more."""

_BEFORE = " \t\r\n\"'`*_“”„‘’«»‹›()[]{}¿¡-–—"
_AFTER = _BEFORE + ".,;:!?…؟،؛"
_PARTED = re.compile("(?<=[\u0600-\u06ff])[ \u200c]+(?=[\u0600-\u06ff])")


def title_key(text: str) -> int | None:
    """Return a number that all spellings of a title share; nothing for an empty one.

    Case, accents, variants of Persian letters, spaces between these, quotes and outer punctuation
    are ignored.

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
