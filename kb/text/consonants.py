"""The consonants of a name, which identify its spellings in two alphabets.

Persian writers spell foreign names by sound: Einstein is انیشتین, اینشتین and انشتین. These share
their consonants in order. A word is split into units that stand for sounds: a consonant is a
capital letter, an initial vowel is ``A``, any other vowel a small letter. If a unit can have
several sounds, a word has several readings. Two words may be one name if a reading of each has
the same consonants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, product
from typing import NamedTuple

from kb.text.fold import script

LEAST = 3
"""The minimum number of consonants: too many words share fewer."""

LONGEST = 24
"""The maximum length of a word: no name is longer."""

_MOST_READINGS, _MOST_COMPARED = 256, 64

# W is sh, C is ch, J is j and zh, X is kh; h, w, و and ه may be silent.
_LATIN = {
    "a": "a", "e": "e", "i": "i", "o": "o", "u": "u", "y": "i",
    "b": "B", "c": "K", "cc": "K C", "ce": "Se", "ch": "C W K X", "ci": "Si", "ck": "K",
    "cs": "C KS", "cy": "Si", "cz": "C", "d": "D", "dge": "Je", "dj": "J", "dt": "T", "dz": "Z",
    "f": "F", "g": "G", "ge": "Je Ge", "gh": "G -", "gi": "Ji Gi", "gn": "N GN", "gy": "Ji Gi",
    "h": "H -", "j": "J X i", "k": "K", "kh": "X", "l": "L", "m": "M", "n": "N", "p": "P",
    "pf": "F", "ph": "F", "q": "K G", "r": "R", "s": "S Z", "sce": "Se", "sch": "W", "sci": "Si",
    "sh": "W", "sion": "WoN JoN", "sp": "SP WP", "st": "ST WT", "sz": "S", "t": "T", "tch": "C",
    "th": "T S D", "tion": "WoN", "tsch": "C", "tz": "TS Z", "v": "V F", "w": "V o",
    "x": "KS GZ", "z": "Z TS", "zh": "J",
}  # fmt: skip
_LATIN_FIRST = {
    "a": "Aa", "e": "Ae", "h": "H", "i": "Ai", "j": "J Ai", "o": "Ao", "u": "Au", "v": "V F",
    "w": "V", "x": "Z X", "y": "Ai",
}  # fmt: skip
_PERSIAN = {
    "ا": "a", "ع": "-", "و": "o V", "ی": "i", "ه": "H e",
    "ب": "B", "پ": "P", "ت": "T", "ث": "S T", "ج": "J", "چ": "C", "ح": "H", "خ": "X", "د": "D",
    "ذ": "Z", "ر": "R", "ز": "Z", "ژ": "J", "س": "S", "ش": "W", "ص": "S", "ض": "Z", "ط": "T",
    "ظ": "Z", "غ": "G", "ف": "F", "ق": "G K", "ک": "K", "گ": "G", "ل": "L", "م": "M", "ن": "N",
}  # fmt: skip
# No Persian word begins with two consonants: Smith is اسمیت.
_PERSIAN_FIRST = {
    "ا": "A", "اس": "S AS", "اش": "W AW", "ع": "A", "ه": "H", "و": "V", "ی": "Ai",
}  # fmt: skip

_HEARD = {"a": "aou", "o": "ou", "i": "iea", "e": "ea"}
"""The Latin vowels that a written Persian vowel can stand for."""

_SPELLED = {"latin": ("arabic",), "arabic": ("latin", "arabic")}
"""The scripts in which other spellings of a name are searched, by its script."""

_SELDOM_LEFT_OUT = frozenset("iu")
_DIGRAPH = 2
"""Letters of a gap with several vowels, which is long and seldom omitted."""

_LEFT_OUT = 0.5
"""The cost of a vowel that Persian omits although it is heard, or that only one of two spellings
has.
"""

_ALIKE = str.maketrans("ZWCJGX", "SSSSKK")
_SILENT = str.maketrans("", "", "AVH")
_GAPS = re.compile("[A-Z][a-z]*")
_VOWELS = re.compile("[a-z]+")
_DOUBLE = re.compile(r"(.)\1+")


class Alphabet(NamedTuple):
    """The sounds of the units of an alphabet.

    Initial units have a ``^`` prefix. ``start`` matches any at the start of a word, ``unit`` one
    within.
    """

    sounds: Mapping[str, Sequence[str]]
    start: re.Pattern[str]
    unit: re.Pattern[str]


@lru_cache(maxsize=1 << 10)
def readings(word: str) -> frozenset[str]:
    """Return the readings of a normalized word with enough consonants.

    >>> sorted(readings("einstein"))
    ['AeiNSTeiN', 'AeiNWTeiN']
    >>> sorted(readings("انشتین")), sorted(readings("ali"))
    (['ANWTiN'], [])
    """
    letters = _alphabet(script(word))
    if letters is None or len(word) > LONGEST:
        return frozenset()
    enough = (
        reading
        for reading in _read(word, letters)
        if sum(map(str.isupper, reading)) - reading.startswith("A") >= LEAST
    )
    return frozenset(islice(enough, _MOST_COMPARED))


def consonant_keys(word: str) -> frozenset[str]:
    """Return the lookup keys of a normalized word: its consonants, similar ones merged.

    The first letter of its script is the prefix.

    >>> consonant_keys("اینشتین"), sorted(consonant_keys("gilbert"))
    (frozenset({'aNSTN'}), ['lKLBRT', 'lSLBRT'])
    """
    spelled = script(word)
    return frozenset(spelled[0] + each for each in _consonant_keys(word, spelled))


def consonant_keys_like(word: str) -> frozenset[str]:
    """Return the keys of possible other spellings of a normalized word.

    A Persian spelling is one of many; other spellings of a Latin word are slips.

    >>> sorted(consonant_keys_like("einstein")), sorted(consonant_keys_like("اینشتین"))
    (['aNSTN'], ['aNSTN', 'lNSTN'])
    """
    spelled = script(word)
    found = _consonant_keys(word, spelled)
    return frozenset(other[0] + each for other in _SPELLED.get(spelled, ()) for each in found)


def _consonant_keys(word: str, spelled: str) -> frozenset[str]:
    letters = _alphabet(spelled)
    if letters is None or not LEAST <= len(word) <= LONGEST or not word.isalpha():
        return frozenset()
    found = set(map(_consonants, islice(_read(word, letters), _MOST_READINGS)))
    return frozenset(each for each in found if len(each) >= LEAST)


def _consonants(reading: str) -> str:
    """Return the consonants of a reading, similar ones merged, without those that may be silent.

    >>> _consonants("AeiNSTeiN"), _consonants("HiLBeHT")
    ('NSTN', 'HLBT')
    """
    heard = _VOWELS.sub("", reading)
    heard = heard[:1].strip("A") + heard[1:].translate(_SILENT)
    return _DOUBLE.sub(r"\1", heard.translate(_ALIKE))


def apart(one: str, other: str) -> float:
    """Return the vowel distance of two normalized words with the same consonants.

    It is infinite if the consonants differ.

    >>> apart("einstein", "اینشتین"), apart("einstein", "انیشتین"), apart("bohr", "هیلبرت")
    (0.0, 1.0, inf)
    """
    if script(one) != "latin":
        one, other = other, one
    far = _unheard if script(one) != script(other) else _unlike
    return min(
        (
            # The vowels before, between and behind the consonants, each with the one before it.
            sum(map(far, _GAPS.findall(left), _GAPS.findall(right)))
            for left in readings(one)
            for right in readings(other)
            if _VOWELS.sub("", left) == _VOWELS.sub("", right)
        ),
        default=float("inf"),
    )


def _unlike(one: str, other: str) -> float:
    """Return the number of vowels of a gap that only one spelling has."""
    return _LEFT_OUT * len(set(one[1:]) ^ set(other[1:]))


def _unheard(latin: str, persian: str) -> float:
    """Return the number of written but silent, and omitted but heard, vowels of a gap.

    At the start of a word, Persian writes any vowel with the same letter.
    """
    written, heard = persian[1:], set(latin[1:])
    unheard = sum(heard.isdisjoint(_HEARD[vowel]) for vowel in written)
    long = len(latin) > _DIGRAPH or not heard.isdisjoint(_SELDOM_LEFT_OUT)
    left_out = not written and persian != "A" and long
    return unheard + _LEFT_OUT * left_out


def _read(word: str, letters: Alphabet) -> Iterator[str]:
    start = letters.start.match(word)
    units = ["^" + start[0], *letters.unit.findall(word, start.end())] if start else []
    if "".join(units) == "^" + word:
        yield from map("".join, product(*map(letters.sounds.__getitem__, units)))


@cache
def _alphabet(written_in: str) -> Alphabet | None:
    tables = {"latin": (_LATIN, _LATIN_FIRST), "arabic": (_PERSIAN, _PERSIAN_FIRST)}
    if written_in not in tables:
        return None
    single, first = tables[written_in]
    doubled = {2 * each: of for each, of in single.items() if len(each) == 1 and of[0].isupper()}
    within = {**doubled, **single}
    every = {**within, **first}
    spelled = {**within, **{"^" + unit: of for unit, of in every.items()}}
    # Of a word with too many readings, those with the last sounds are kept.
    sounds = {unit: [each.strip("-") for each in of.split()[::-1]] for unit, of in spelled.items()}
    return Alphabet(sounds, _any_of(every), _any_of(within))


def _any_of(units: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(units, key=len, reverse=True)))
