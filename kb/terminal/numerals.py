"""Digits of a language: numbers in prose are converted.

Formulas and numbers in Latin words are unchanged. Only the display changes, one character for
one, so that positions stay valid.

>>> in_numerals("با 40,320 حالت و 2.5% در O(2^n) روی 8 GPU و GPT-4، تمرین ۳-۵", "fa")
'با ۴۰٬۳۲۰ حالت و ۲٫۵٪ در O(2^n) روی ۸ GPU و GPT-4، تمرین ۳-۵'
>>> in_numerals("کامل (brute force) 40,320 ترتیب، شکل f(x) 2", "fa")
'کامل (brute force) ۴۰٬۳۲۰ ترتیب، شکل f(x) 2'
>>> in_numerals("۸ کارت و 8 cards", "en")
'۸ کارت و 8 cards'
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.terminal.bidi.direction import ISOLATE, ISOLATE_END, formulas_in
from kb.text.languages import numerals_of

_ASCII = "0123456789,.%"
_DIGITS = 10
_NEAR = 60
_ONE = re.compile(r"(?:\d{1,3}(?:[,٬]\d{3})+|\d+)(?:[.٫]\d+)?[%٪]?")
_NUMBER = re.compile(r"\d(?:[\d,.٬٫]*\d)?[%٪]?")
_SECTION = re.compile(r"[1-9]\d?(?:\.\d\d?)+(?=\s)(?!.*[.:؛؟!…]\s*$)")
"""A section number before its title: a line that does not end like a sentence."""
_LATIN = re.compile(r"[^\W\d_\u0590-\u08ff\u200c\ufb1d-\ufdff\ufe70-\ufeff]|_")
_WORD = re.compile(r"[\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff،؛؟«»]")
# What a parenthesis has closed leads no number behind it; the nearness may cut its beginning.
_CLOSED = re.compile(r"(?:^|\()[^()]*\)(?=\s)")
_ISOLATED = re.compile(f"{ISOLATE}[^{ISOLATE_END}]*{ISOLATE_END}?")


def in_digits(text: str, lang: str) -> str:
    """Return a text (a number such as 1.1) with a language's digits.

    >>> in_digits("1.1", "fa")
    '۱.۱'
    """
    own = numerals_of(lang)[:_DIGITS]
    return text.translate(str.maketrans(_ASCII[: len(own)], own))


def in_numerals(text: str, lang: str) -> str:
    """Return a safe text with numbers in its language's digits.

    Isolates (code and TeX) are unchanged. The result has the same length.
    """
    numerals = numerals_of(lang)
    if not numerals or not any(char.isdigit() for char in text):
        return text
    return "\n".join(_line(line, numerals) for line in text.split("\n"))


def _line(line: str, numerals: str) -> str:
    shown, done = [], 0
    section = _SECTION.match(line)
    for start, end in _numbers(line):
        written = line[start:end]
        # What is no one number, as 1.2.3 or that of a section, has no signs of numbers.
        plain = not _ONE.fullmatch(written) or (section and not start)
        own, ascii_ = numerals[: _DIGITS if plain else None], _ASCII[: _DIGITS if plain else None]
        shown += [line[done:start], written.translate(str.maketrans(ascii_, own))]
        done = end
    return "".join([*shown, line[done:]])


def _numbers(line: str) -> Iterator[tuple[int, int]]:
    """Yield the ASCII numbers of prose, in order."""
    if _LATIN.search(line) and not _WORD.search(line):
        return  # a line in another language
    closed = sorted([*formulas_in(line), *(match.span() for match in _ISOLATED.finditer(line))])
    done = 0
    for start, end in [*closed, (len(line), len(line))]:
        if start >= done:  # else it is part of a formula
            for match in _NUMBER.finditer(line, done, start):
                own = re.search(r"[^\W0-9]", match[0])
                if not own and not _is_latin(line, *match.span()):
                    yield match.span()
            done = end


def _is_latin(line: str, start: int, end: int) -> bool:
    """Return whether a number belongs to Latin letters directly before or after it."""
    before = _ISOLATED.sub("", line[max(0, start - _NEAR) : start])
    led = _WORD.split(_CLOSED.sub("", before))[-1]
    return bool(_LATIN.search(led) or _LATIN.match(line, end))


# Figures as people write them.


_LARGEST_WHOLE = 1e15


def figure(value: float) -> str:
    """Return a figure as text: whole numbers with commas, others with six digits.

    >>> figure(1000000.0), figure(0.70710678), figure(-3.2e-9)
    ('1,000,000', '0.707107', '-3.2e-09')
    """
    if value == int(value) and abs(value) < _LARGEST_WHOLE:
        return f"{int(value):,}"
    return f"{value:.6g}"
