"""Nouns without a word that says which: what stands bare where the other side says each or all.

Persian says هر and همه oftener than English says each and all: a step is هر گام, the network is
همهٔ شبکه.
Where English has an article, a plural or a number instead, nothing is missing; ``step`` alone is
what is left of ``each step``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from kb.content.drift.items import NONE, Item
from kb.content.drift.lexicon import Lexicon
from kb.content.drift.reading import Reading, Word

BARE, SAID, MANY = "bare ", "said ", "many "
"""What a noun's key begins with: alone, with a word that says which, as a plural alone."""

_SAID = re.compile(
    r"(?:\b(?:an?|the|one|each|every|any|all|both|no|th[ei]se?|th[ao]se?|that|its|their|his|her|our"
    r"|your|my|per|another|other|some|which|whichever|what|whatever|same|own|single|only|many|few"
    r"|fewer|more|most|several|such|either|neither|two|three|four|five|six|seven|eight|nine|ten)\s"
    r"|\d\s|'s\s|\w[/-])(?:[\w-]+\s){0,2}$",
    re.IGNORECASE,
)
# What stands between a noun and a word that says which of another noun.
_PARTED = re.compile(
    r"\b(?:in|on|of|for|to|by|at|with|from|over|as|is|are|was|were|than|into|across|through"
    r"|when|if|that|then|while|it|they)\s",
    re.IGNORECASE,
)
_PLURAL = re.compile("[^su]s$")
_SHORT = re.compile("[A-Z]{2,}s")
_BEFORE = 40
_SKIPPED = frozenset({"یک", "یکی", "کدام", "از", "این", "ان", "دو"})
_NEXT = 2


def english_nouns(reading: Reading) -> Iterator[Item]:
    """Yield each word of an English text by how it stands."""
    for word in reading.words:
        before = _last_part(reading.text[max(word.start - _BEFORE, 0) : word.start])
        said = _SAID.search(before)
        written = reading.text[word.start : word.end]
        kind = SAID if said else MANY if _PLURAL.search(written) else BARE
        stem = written[:-1].lower() if _SHORT.fullmatch(written) else word.stem
        keys = frozenset({kind + stem})
        yield Item(word.start, word.end, keys, weight=NONE)


def nouns_behind(reading: Reading, item: Item, lexicon: Lexicon) -> tuple[frozenset[str], ...]:
    """Return by what each of the words behind a Persian quantifier is known in English."""
    behind = (
        word
        for word in reading.words
        if word.start >= item.end
        and (len(word.stem) > 1 or word.stem.isdecimal())
        and word.stem not in _SKIPPED
    )
    # A number says how many by itself, whatever stands before it.
    counted = takewhile(lambda word: not word.stem.isdecimal(), behind)
    return tuple(_called(word, lexicon) for word in islice(counted, _NEXT))


def _called(word: Word, lexicon: Lexicon) -> frozenset[str]:
    """Return a word and its counterparts, also those of it without an ی at its end."""
    stems = {word.stem, word.stem.removesuffix("ی"), word.stem.removesuffix("یی")}
    return frozenset().union(stems, *(lexicon.counterparts.get(stem, ()) for stem in stems))


def _last_part(before: str) -> str:
    """Return what stands before a noun and belongs to it."""
    clause = re.split(r"[,.;:()]\s", before)[-1]
    parted = list(_PARTED.finditer(clause))
    return clause[parted[-1].end() :] if parted else clause
