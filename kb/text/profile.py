"""What the analyzer knows about a language, in one record.

A language is one module of `kb.text.languages` that declares its `Profile`; no other place names
it. Fields have defaults for a language without rules.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import Stemmer

from kb.text.fold import fold


@dataclass(frozen=True, slots=True)
class Affixes:
    """The normalized affixes of a language that writers may separate from their word.

    ``verb_prefixes`` and ``apart`` join a word across a space, ``half_joined`` across a
    half-space. ``word_prefixes`` are first halves of compounds that many writers separate, and
    ``degrees`` those of ``apart`` that no function word takes.
    """

    verb_prefixes: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    half_joined: frozenset[str] = frozenset()
    word_prefixes: frozenset[str] = frozenset()
    degrees: frozenset[str] = frozenset()


NO_AFFIXES = Affixes()


@dataclass(frozen=True, slots=True)
class Profile:
    """A language: how its words are normalized, stemmed and recognized.

    ``script`` is that of its words, as `kb.text.fold.script` names it, and ``usual`` means that
    it is the default language of that script. ``stem`` gets a part of a word normalized by
    ``fold`` and returns its stem in index form; without it, words are indexed unstemmed.
    ``function_words`` are folded. ``signs`` match what only this language has among those of its
    script, to guess a text's language. ``numerals`` are its digits from zero, and its signs for
    thousands, decimals and percent; empty for ASCII.
    """

    code: str
    script: str = "latin"
    usual: bool = False
    direction: Literal["ltr", "rtl"] = "ltr"
    fold: Callable[[str], str] = fold
    stem: Callable[[str], str] | None = None
    affixes: Affixes = NO_AFFIXES
    function_words: frozenset[str] = field(default_factory=frozenset)
    signs: re.Pattern[str] | None = None
    numerals: str = ""


# What tells two versions of the analyzer apart, without loading either.


_VERSION = 4
FINGERPRINT = f"{_VERSION}/snowball {Stemmer.version()}/unicode {unicodedata.unidata_version}"
"""Changes whenever a text could give other terms; each index stores the value it was made with."""
