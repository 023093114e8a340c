"""Fuzzed queries: what people type, what nobody types, and what was once too much."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence

from kb.model.clauses import FIELDS
from tests.robustness.query_bases import LANGUAGES, vocabulary

LONGEST = 10_000
_OPERATORS = (" AND ", " OR ", " NOT ", " -", " ", " (", ") ", '"', "*", "* ", ":", " AND NOT (")
_SIGNS = '"*():-+.,;!?/\\|&%$#@~^`<>[]{}=_\u200c\u200f\u00ad\u0640٬٫«»؟'
_ODD = (
    (0x0001, 0x0FFF), (0x1000, 0x2FFF), (0x3000, 0x9FFF), (0xA000, 0xFFFF), (0x10000, 0x1FFFF),
)  # fmt: skip
_EXPANDING = "\ufdfa\ufdfb\u3382\u1e9e\u0130\ufb03\u2474"
_COMMON = 60

Make = Callable[[random.Random], str]


def fuzzed(seed: int, number: int, before: Sequence[str] = ()) -> str:
    """Return the query of a number; some are mutations of cases found before."""
    chance = random.Random(f"{seed} {number}")
    kinds = (*KINDS, _mutation(before)) if before else KINDS
    text = chance.choice(kinds)(chance)
    if chance.random() < 0.15:
        text = (text * chance.randint(2, 200))[:LONGEST]
    return text[:LONGEST]


def _words(chance: random.Random, count: int, common: bool | None = None) -> list[str]:
    """Return words of a base in either language, or both: usual ones, or the commonest."""
    languages = chance.choice((LANGUAGES[:1], LANGUAGES[1:], LANGUAGES))
    if common is None:
        common = chance.random() < 0.5
    found = []
    for _ in range(count):
        known = vocabulary(chance.choice(languages))
        found.append(chance.choice(known.words[:_COMMON]) if common else known.take(chance, 1)[0])
    return found


def _few(chance: random.Random) -> int:
    return chance.choice((1, 2, 3, 4, 6, 10, 25, 60, 120))


def _question(chance: random.Random) -> str:
    return " ".join(_words(chance, _few(chance)))


def _alternatives(chance: random.Random) -> str:
    words = [word + "*" * (chance.random() < 0.2) for word in _words(chance, _few(chance))]
    return chance.choice((" OR ", " AND ", " NOT ", " -")).join(words)


def _fields(chance: random.Random) -> str:
    values = ("E", "H", "en", "fa", "made", "made/x", "question", "tag7", "tag12", "wrong")
    texts = [
        f"{chance.choice(('', '-', 'NOT '))}{chance.choice(FIELDS)}:"
        f"{chance.choice((*values, *_words(chance, 2)))}"
        for _ in range(_few(chance))
    ]
    return chance.choice((" ", " OR ", " AND ")).join(
        [*texts, *_words(chance, chance.randint(0, 2))]
    )


def _nested(chance: random.Random) -> str:
    depth = chance.randint(1, 24)
    opened = "".join(
        chance.choice(("(", "NOT (", "-("))
        + chance.choice(_words(chance, 1))
        + chance.choice(_OPERATORS)
        for _ in range(depth)
    )
    return opened + " ".join(_words(chance, 2)) + ")" * chance.randint(0, depth + 2)


def _phrases(chance: random.Random) -> str:
    return " ".join(
        f'"{" ".join(_words(chance, chance.randint(1, 9)))}"' for _ in range(_few(chance))
    )


def _beginnings(chance: random.Random) -> str:
    letters = string.ascii_lowercase + "ابپتجچخدرزسشعفقکگلمنوهی"
    begun = [
        "".join(chance.choices(letters, k=chance.randint(1, 3))) + "*" for _ in range(_few(chance))
    ]
    return chance.choice((" ", " OR ", " AND ")).join(begun)


def _compound(chance: random.Random) -> str:
    between = chance.choice((".", "-", "_", "\u200c", ":", "/", ""))
    return between.join(_words(chance, _few(chance)))


def _misspelt(chance: random.Random) -> str:
    words = []
    for word in _words(chance, chance.randint(1, 5), common=False):
        place = chance.randrange(len(word) + 1)
        words.append(word[:place] + chance.choice("aeqxzبژ") + word[place + chance.randint(0, 2) :])
    return " ".join(words)


def _transliterated(chance: random.Random) -> str:
    pieces = ("sh", "kh", "gh", "a", "e", "o", "aa", "oo", "m", "n", "d", "r", "b", "z", "t", "ch")
    return " ".join(
        "".join(chance.choices(pieces, k=chance.randint(2, 12)))
        for _ in range(chance.randint(1, 5))
    )


def _repeated(chance: random.Random) -> str:
    token = chance.choice(
        (*(f"{field}:" for field in FIELDS), *_words(chance, 4), "(", ")", '"', "-", "*", "NOT ",
         "OR ", "a* ", "AND ", "'", ".", "ها ", "\u200c", "的", "ก", "\u0301", "aB", "a.")
    )  # fmt: skip
    return token * chance.choice((3, 20, 64, 200, 512, 2_000))


def _unicode(chance: random.Random) -> str:
    low, high = chance.choice(_ODD)
    return "".join(chr(chance.randint(low, high)) for _ in range(chance.randint(1, 700)))


def _expanding(chance: random.Random) -> str:
    return "".join(chance.choices(_EXPANDING + "  ", k=chance.randint(1, 600)))


def _without_blanks(chance: random.Random) -> str:
    first = chance.choice((0x4E00, 0x3042, 0x0E01, 0x1000, 0x20000))
    return "".join(chr(first + chance.randint(0, 60)) for _ in range(chance.randint(1, 600)))


def _soup(chance: random.Random) -> str:
    pieces = (*_OPERATORS, *_SIGNS, *_words(chance, 12), *(f"{field}:" for field in FIELDS))
    return "".join(chance.choices(pieces, k=chance.randint(1, 160)))


def _long(chance: random.Random) -> str:
    return chance.choice((" ", " OR ", ", ")).join(_words(chance, chance.randint(100, 1_500)))


def _mutation(before: Sequence[str]) -> Make:
    def mutated(chance: random.Random) -> str:
        text = list(chance.choice(before))
        for _ in range(chance.randint(0, 6)):
            place = chance.randrange(len(text) + 1)
            text[place : place + chance.randint(0, 3)] = _soup(chance)[: chance.randint(0, 5)]
        return "".join(text)

    return mutated


KINDS: tuple[Make, ...] = (
    _question, _question, _alternatives, _fields, _nested, _phrases, _beginnings, _compound,
    _misspelt, _transliterated, _repeated, _unicode, _expanding, _without_blanks, _soup, _long,
)  # fmt: skip
