"""Numbers: in either digits, with separators, powers, thousands and millions, or as words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.content.drift.items import HINT, NONE, PROOF, Item
from kb.content.drift.reading import Reading

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_DIGITS = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|[⁰¹²³⁴-⁹]+|[₀-₉]+")
_SCALE = re.compile(
    r"[\s\u200c-]?(thousand|million|billion|trillion|هزار|میلیون|میلیارد|تریلیون|[kKMBT]\b)"
)
_SCALES = {
    "thousand": 10**3, "هزار": 10**3, "k": 10**3, "K": 10**3, "million": 10**6, "میلیون": 10**6,
    "M": 10**6, "billion": 10**9, "میلیارد": 10**9, "B": 10**9, "trillion": 10**12,
    "تریلیون": 10**12, "T": 10**12,
}  # fmt: skip
_WORDS = {
    "one|once|single|first|یک|یکی|یکم|اول|اولین|نخست|نخستین|تک": "1",
    "two|twice|double|doubled|doubles|doubling|second|both|pair|halves": "2",
    "دو|دوم|دومین|هردو|جفت|نیمه": "2",
    "three|third|thrice|سه|سوم|سومین": "3",
    "four|fourth|quarter|چهار|چهارم|ربع": "4",
    "five|fifth|پنج|پنجم": "5",
    "six|sixth|شش|ششم": "6",
    "seven|seventh|هفت|هفتم": "7",
    "eight|eighth|eightfold|هشت|هشتم": "8",
    "nine|ninth|نه|نهم": "9",
    "ten|tenth|tenfold|ده|دهم": "10",
    "eleven|eleventh|یازده|یازدهم": "11",
    "twelve|twelfth|دوازده|دوازدهم": "12",
    "sixteen|شانزده": "16", "twenty|بیست": "20", "thirty|سی": "30", "forty|چهل": "40",
    "fifty|پنجاه": "50", "sixty|شصت": "60", "seventy|هفتاد": "70",
    "eighty|هشتاد": "80", "ninety|نود": "90", "hundred|صد": "100",
    "thousand|هزار": "1000", "million|میلیون": "1000000", "billion|میلیارد": "1000000000",
    "half|halve|halves|halved|halving|نصف|نیم|نیمی": "0.5", "zero|صفر": "0",
    "none|no": "0", "percent|درصد": "100", "fifteen|پانزده": "15",
}  # fmt: skip
_VALUES = {word: value for words, value in _WORDS.items() for word in words.split("|")}
_ADDRESS = re.compile(r"https?://\S+")
_LETTERS = "A-Za-z\u0620-\u065f\u066e-\u06ef\u06fa-\u06ff"
_WORD = re.compile(rf"(?<![{_LETTERS}])[{_LETTERS}]+(?:\u200cو[{_LETTERS}]+)?")


def find_numbers(reading: Reading) -> list[Item]:
    """Return the numbers of a text by their values; those in words may be counterparts.

    >>> from kb.content.drift.reading import read
    >>> [sorted(item.exact) for item in find_numbers(read("۱٫۵ میلیون و 10⁻⁵", "fa"))]
    [['1.5', '1500000'], ['1000000'], ['10'], ['5']]
    """
    return sorted([*_in_digits(reading.text), *_in_words(reading.text)])


def _in_digits(text: str) -> Iterator[Item]:
    # An address is no part of what is said.
    for found in _DIGITS.finditer(_ADDRESS.sub(lambda each: " " * len(each[0]), text)):
        written = found[0].translate(_RAISED)
        value = written.replace(",", "")
        values = {_shortest(value)}
        if scale := _SCALE.match(text, found.end()):
            values.add(_shortest(str(round(float(value) * _SCALES[scale[1]], 6))))
        # One over x is x times less, and a one is often left out or put in.
        weight = HINT if value == "1" else PROOF
        yield Item(found.start(), found.end(), frozenset(values), weight=weight)


def _in_words(text: str) -> Iterator[Item]:
    for found in _WORD.finditer(text):
        word = found[0].lower()
        if value := _VALUES.get(word) or _joined(word):
            yield Item(found.start(), found.end(), frozenset({value}), weight=NONE)


def _joined(word: str) -> str | None:
    """Return the value of tens and ones that are written as one word, as in Persian."""
    for found in re.finditer("\u200c?و", word):
        tens, ones = word[: found.start()], word[found.end() :]
        if tens in _VALUES and ones in _VALUES:
            return str(int(_VALUES[tens]) + int(_VALUES[ones]))
    return None


def _shortest(value: str) -> str:
    """Return a number without zeros that change nothing: 05 is 5, 0.50 is 0.5."""
    whole, _, part = value.partition(".")
    part = part.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{part}" if part else whole
