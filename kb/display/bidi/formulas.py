"""Formulas, ranges and numbers with signs in right-to-left text, which read from left to right.

The Unicode Bidirectional Algorithm (UAX #9) orders digits, brackets and operators by the
letters around them: within Persian, ``1/√ε`` comes out as ``ε√/1``, ``30-35`` as ``35-30`` and
``2-opt`` as ``opt-2``. An isolate (LRI to PDI, rule X5b) keeps each in its order. They are
found when a paragraph is shown, so that no text holds a mark for it.

>>> text = "کران 1/√ε با (n−1)! و 2-opt است"
>>> [text[start:end] for start, end in formula_runs(text)]
['1/√ε', '(n−1)!', '2-opt']
>>> formula_runs("لایه (layer) با 8 GPU است")
[]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from kb.display.bidi.direction import ISOLATE, ISOLATE_END, has_rtl

Run = tuple[int, int]

_DIGITS = "0-9\u06f0-\u06f9\u0660-\u0669"
_RTL = "\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff\u200c\u200f\ufb1d-\ufdff\ufe70-\ufefe"
# What stands between right-to-left letters and the signs of their prose; an isolate is one thing.
_ISOLATED = re.compile(f"{ISOLATE}[^{ISOLATE_END}]*{ISOLATE_END}?")
_GLUED = re.compile(rf"[\w)\]]{ISOLATE}|{ISOLATE_END}[\w(\[]")
_FOREIGN = re.compile(f"(?:{_ISOLATED.pattern}|[^{_RTL}،؛؟«»\u2068\u2069\u2066])+")
_LETTER = re.compile(f"(?!\u200c)[{_RTL}]")
_BULLET = re.compile(rf"\s*(?:[-*•]|[{_DIGITS}]+[.)])\s+")
_EDGES = " \t\u00a0.,:;!…\"'"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_SIGN = re.compile(rf"[^\w\s()\[\]{{}}{ISOLATE}{ISOLATE_END}\u200e√∑∏∫∂∇∞¬|‖]")
_APART = re.compile(rf"{_SIGN.pattern}*\s+")
_ATTACHED = re.compile(rf"(?:(?![-−~.]?[{_DIGITS}]){_SIGN.pattern})+")
_FACTORIAL = re.compile(rf"(?:(?:^|\W)(?:[^\W\d_]|[{_DIGITS}]+)|[)\]])!$")
_NEAR = 30
# What orders itself wrongly among right-to-left letters.
_FORMULA = re.compile(
    rf"""[=^/+<>|·±×÷∗√ℝ²³¹⁰⁴-⁹⁻⁺₀-₉\u2190-\u22ff]   # an operator
    | (?:^|\s)[-−~.@$&*\\]+\w                       # a sign before a word, a number
    | [{_DIGITS}]\s?[-\u2010-\u2015−]\s?\w            # a range, 2-opt
    | \w(?:…|\.\.\.?)\w                              # from … to
    | \)[\w!]|\w\(|\]\w|\w\[                         # a bracket that a name follows, or leads
    | [\w)\]][\#*′]+(?:\s|$) | (?:^|\W)\w!           # a sign behind a name, a factorial
    | [(\[{{](?=[^()\[\]{{}}{_DIGITS}]*+[{_DIGITS}])  # numbers in brackets, one after the other
      (?=[^()\[\]{{}},;]*+[,;])[^()\[\]{{}}]*+[)\]}}]
    """,
    re.VERBOSE,
)


def formula_runs(paragraph: str) -> list[Run]:
    """Return start and end of what reads from left to right as one, in a paragraph.

    What stands in isolates already is no run of its own, but may be part of one.
    """
    return formulas_in(paragraph) if has_rtl(paragraph) else []


def formulas_in(paragraph: str) -> list[Run]:
    """Return the same, also of a paragraph of a right-to-left text that has no such letters."""
    bullet = _BULLET.match(paragraph)
    start = bullet.end() if bullet else 0
    found = _FOREIGN.finditer(paragraph, start)
    return [run for match in found for run in _runs(paragraph, *match.span())]


def _runs(text: str, start: int, end: int) -> Iterator[Run]:
    """Yield the formulas of what stands between two right-to-left words.

    Brackets without a partner in it belong to the prose.
    """
    cuts = [start - 1, *_unmatched(text, start, end), end]
    for before, after in pairwise(cuts):
        first, last = _body(text, before + 1, after)
        written = text[first:last]
        inside = _ISOLATED.sub("x", written)  # it keeps its order by itself
        if len(inside) > 1 and (_FORMULA.search(inside) or _GLUED.search(written)):
            yield first, last


def _body(text: str, start: int, end: int) -> Run:
    """Return a stretch without what belongs to the prose around it.

    An operator that stands apart at an end, or sticks to a right-to-left word, joins that word.
    """
    if start and _LETTER.match(text, start - 1):
        found = _ATTACHED.match(text, start, end)
        start = found.end() if found else start
    if end < len(text) and _LETTER.match(text, end):
        end = _without_signs(text, start, end)
    start = _beginning(text, start, end)
    return start, _end(text, start, end)


def _beginning(text: str, start: int, end: int) -> int:
    while start < end:
        if text[start] in _EDGES and not _leads(text, start, end):
            start += 1
            continue
        found = _APART.match(text, start, end)
        if found is None:
            break
        start = found.end()
    return start


def _end(text: str, start: int, end: int) -> int:
    while end > start:
        if text[end - 1] in _EDGES and not _is_factorial(text, start, end):
            end -= 1
            continue
        signs = _without_signs(text, start, end)
        if not start < signs < end or not text[signs - 1].isspace():
            break
        end = signs
    return end


def _without_signs(text: str, start: int, end: int) -> int:
    """Return where the signs begin that a stretch ends with."""
    while end > start and _SIGN.match(text, end - 1):
        end -= 1
    return end


def _leads(text: str, start: int, end: int) -> bool:
    """Say whether a dot begins a name, a number or a path, as in .NET, .5 and ./run."""
    after = text[start + 1 : min(start + 2, end)]
    return text[start] == "." and (after.isalnum() or after == "/")


def _is_factorial(text: str, start: int, end: int) -> bool:
    """Say whether an exclamation mark ends ``n!``, ``5!`` or ``(n−1)!``, and no word."""
    return bool(_FACTORIAL.search(text[max(start, end - _NEAR) : end]))


def _unmatched(text: str, start: int, end: int) -> list[int]:
    """Return the places of brackets without a partner in a stretch, isolates aside."""
    opened: list[int] = []
    alone: list[int] = []
    isolated = False
    for place in range(start, end):
        char = text[place]
        isolated = char == ISOLATE or (isolated and char != ISOLATE_END)
        if isolated:
            continue
        if char in _PAIRS:
            opened.append(place)
        elif char in _PAIRS.values():
            if opened and _PAIRS[text[opened[-1]]] == char:
                opened.pop()
            else:
                alone.append(place)
    return sorted([*alone, *opened])
