"""The tables by which a site's script analyzes a query as the library does.

They are generated from the library, so a changed letter, affix or weight changes in the next
site, too. The script has no stemmer for languages other than English and Persian; `stems_of`
gives it the stems of words on the pages.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache

from kb.model.clauses import K1, B
from kb.search import rerank, transliteration
from kb.search.fallbacks import other_layout
from kb.text.fold import fold, script, without_accents
from kb.text.languages import en, fa, function_words, profiles, reader_of, right_to_left
from kb.text.split import GLUE, PART, SOFT_HYPHEN, SPECIAL, WITHOUT_SPACES, parts
from kb.text.stems import LONGEST_TERM, SYMBOLS, stem

READ_BY_RULE = frozenset({"en", "fa", "prs"})
"""The languages that the script stems by rules."""

Json = dict[str, object]


@cache
def analysis() -> Json:
    """Return the script's tables and rules for queries, as JSON."""
    cases, spelled, zeros = _folding()
    affixes = fa.PROFILE.affixes
    typed = map(chr, (*range(0x21, 0x7F), *range(0x0600, 0x0700)))
    return {
        "special": list(SPECIAL.items()),
        "unspaced": WITHOUT_SPACES,
        "part": _as_script(PART),
        "glue": _as_script(GLUE),
        "softHyphen": _as_script(SOFT_HYPHEN),
        "cases": cases,
        "spelled": spelled,
        "zeros": zeros,
        "scripts": sorted({each.script for each in profiles().values()}),
        "profiles": [[p.code, p.script, p.stem is not None] for p in profiles().values()],
        "usual": [[each.script, each.code] for each in profiles().values() if each.usual],
        "rtl": sorted(right_to_left()),
        "functionWords": sorted(function_words()),
        "longestTerm": LONGEST_TERM,
        "symbols": SYMBOLS,
        "english": {
            "plurals": list(en.PLURALS.items()),
            "british": [[p.pattern, to.replace("\\", "$")] for _, p, to in en.BRITISH],
        },
        "persian": {
            "irregular": list(fa.IRREGULAR.items()),
            "suffixes": fa.SUFFIXES_JOINED,
            "shortest": fa.SHORTEST_STEM,
            "affixes": {
                "verbPrefixes": sorted(affixes.verb_prefixes),
                "apart": sorted(affixes.apart),
                "halfJoined": sorted(affixes.half_joined),
                "wordPrefixes": sorted(affixes.word_prefixes),
                "degrees": sorted(affixes.degrees),
            },
        },
        # What each key gives in the other keyboard layout.
        "layout": [(char, other) for char in typed if (other := other_layout(char))],
        # Which Persian letters each Latin one may stand for.
        "letters": {
            "pairs": [[pair, list(of)] for pair, of in transliteration.PAIRS.items()],
            "consonants": [[letter, list(of)] for letter, of in transliteration.CONSONANTS.items()],
            "vowels": list(transliteration.VOWELS.items()),
            "first": list(transliteration.FIRST_VOWELS.items()),
            "last": list(transliteration.LAST_VOWELS.items()),
        },
        "weights": {
            "k1": K1,
            "b": B,
            "translation": rerank.TRANSLATION_WEIGHT,
            "dilution": rerank.TRANSLATION_DILUTION,
            "functionWord": rerank.FUNCTION_WEIGHT,
            "repetition": rerank.REPETITION,
            "part": rerank.PART_WEIGHT,
            "exact": rerank.EXACT_WEIGHT,
        },
    }


def stems_of(text: str, lang: str) -> Iterator[tuple[str, str, str]]:
    """Yield the words of a text without rules in the script: language, spelling, stem.

    >>> list(stems_of("Сети and nets", "en"))
    [('ru', 'сети', 'сет')]
    """
    for part in parts(text):
        written = text[part.start : part.end]
        folded = fold(written)
        reader = reader_of(lang, script(folded))
        if reader is not None and reader.code not in READ_BY_RULE:
            found = stem(written, lang).stem
            if found != without_accents(folded):
                yield reader.code, folded, found


def _as_script(pattern: re.Pattern[str]) -> str:
    """Return a pattern in JavaScript's syntax."""
    return pattern.pattern.replace("(?P<", "(?<")


def _folding() -> tuple[list[tuple[str, str]], list[tuple[str, str]], str]:
    """Return the normalization of characters that JavaScript does not know.

    These are capitals whose lower case is not their case-folded form, characters that `fold`
    replaces or removes, and the zeros of all digits.
    """
    cases, spelled, zeros = [], [], []
    for char in map(chr, range(0x80, sys.maxunicode + 1)):
        category = unicodedata.category(char)
        if category[0] not in "LMN" or unicodedata.normalize("NFKC", char) != char:
            continue
        if category == "Nd":
            zeros += [char] if not unicodedata.decimal(char) else []
        elif char.casefold() != char.lower():
            cases.append((char, char.casefold()))
        elif char.casefold() == char and (folded := fold(char)) != char:
            spelled.append((char, folded))
    return cases, spelled, "".join(zeros)
