"""What the analyzer knows of a language, in one record.

A language is one module of `kb.text.languages` that declares its `Profile`; nothing else
names it. What the profile leaves out is that of a language without rules of its own.
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
    """The affixes of a language, folded, that writers part from their word, or do not.

    ``verb_prefixes`` and ``apart`` join a word over a blank, ``half_joined`` over a
    half-space. ``word_prefixes`` are first halves of compounds, which many write apart, and
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
    """A language: how its words are spelled, stemmed and told from those of others.

    ``script`` is the one its words are written in, as `kb.text.fold.script` names it, and
    ``usual`` says that a word of that script is taken for this language where nothing else
    is known. ``stem`` gets a part of a word as ``fold`` spells it and returns its stem as
    the index spells it; without one, words are indexed as they are spelled.
    ``function_words`` are folded. ``signs`` match what only this language has among those
    of its script, to guess the language of a text. ``numerals`` are
    its digits from zero on, and its signs of thousands, decimals and percent; empty for those
    of ASCII.
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
"""Changes whenever the same text could give other terms; an index remembers its own."""
