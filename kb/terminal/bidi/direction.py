"""Reorders a wrapped line for a terminal: shaped, in visual order, with an index map.

Terminals put characters in cells from left to right in the order they arrive. `turn` takes one
wrapped line in logical order, and returns the text to print with the logical index of each code
point, so that styles, marks and selections follow.

The base direction belongs to the paragraph: call `base_direction` for the whole paragraph before
wrapping. The line itself is resolved without its neighbours.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise
from typing import Literal, NamedTuple

from kb.text.languages import right_to_left

# Zero-width characters that have done their work once a line is shaped and in order.
# Some terminals give them a cell.
_INVISIBLE = frozenset(
    "\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
Direction = Literal["auto", "ltr", "rtl", "base-rtl"]
"""The direction of a text: by its first letter, or fixed.

``rtl`` does not affect a paragraph without such letters; ``base-rtl`` does, for labels and form
lines in a right-to-left interface.
"""

ISOLATE = "\u2066"
"""Starts a left-to-right isolate (LRI)."""

ISOLATE_END = "\u2069"
"""Ends it (PDI)."""

_ZWJ = "\u200d"
_SKIN_TONES = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
# Every block that holds right-to-left letters or numbers, and the direction controls.
_TURNING = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


class VisualLine(NamedTuple):
    """The text to print and its origin: ``text[i]`` shows ``line[order[i]]``.

    Zero-width joiners and direction controls are removed, so ``order`` may be shorter than the
    line. Combining marks follow their base.
    """

    text: str
    order: tuple[int, ...]


def base_direction(paragraph: str) -> int:
    """Return 1 if a paragraph's first strong letter is right-to-left, else 0."""
    if not has_rtl(paragraph):
        return 0
    from kb.terminal.bidi.algorithm import paragraph_level

    return paragraph_level(paragraph)


def direction_of(lang: str) -> Direction:
    """Return the direction of texts in a language: right to left, or by the first letter.

    >>> direction_of("fa"), direction_of("en")
    ('rtl', 'auto')
    """
    return "rtl" if lang in right_to_left() else "auto"


def base_of(paragraph: str, direction: Direction) -> int:
    """Return the base level of a paragraph: 1 for right to left, else 0.

    In a right-to-left text, every paragraph with such letters is right-to-left, even if it begins
    with an English term; a line of code without any is not.
    """
    if direction in ("ltr", "base-rtl"):
        return int(direction == "base-rtl")
    return int(has_rtl(paragraph)) if direction == "rtl" else base_direction(paragraph)


def has_rtl(text: str) -> bool:
    """Return whether a text contains a right-to-left letter."""
    return _TURNING.search(text) is not None


@lru_cache(maxsize=4096)
def turn(line: str, base: int) -> VisualLine:
    """Return a wrapped line in visual order; ``base`` is the direction of its paragraph.

    A line without anything to reorder is returned unchanged.

    >>> turn("a < b", 0)
    VisualLine(text='a < b', order=(0, 1, 2, 3, 4))
    >>> turn("x (1).", 1)
    VisualLine(text='.x (1)', order=(5, 0, 1, 2, 3, 4))
    """
    if not base and not _TURNING.search(line):
        return VisualLine(line, tuple(range(len(line))))
    # Text that runs one way only, which is most of it, is shown without the algorithm.
    from kb.terminal.bidi.algorithm import levels, mirror, visual_order
    from kb.terminal.bidi.shaping import shape

    line_levels = levels(line, base)
    shaped = shape(line)
    clusters = _clusters(line)
    ranks = visual_order([line_levels[cluster[0]] for cluster in clusters])
    order = tuple(chain.from_iterable(clusters[rank] for rank in ranks))
    text = "".join(mirror(shaped[i]) if line_levels[i] % 2 else shaped[i] for i in order)
    return VisualLine(text, order)


def _clusters(line: str) -> list[list[int]]:
    """Group the visible characters of a line: a base and what is drawn on it.

    Invisible characters are in no group, except the ZWJ of an emoji sequence.
    """
    clusters: list[list[int]] = []
    joined = False
    for place, char in enumerate(line):
        after = line[place + 1 : place + 2]
        joins = char == _ZWJ and place > 0 and after != "" and unicodedata.category(after) == "So"
        if char in _INVISIBLE and not joins:
            continue
        if clusters and (joins or joined or _extends(char)):
            clusters[-1].append(place)
        else:
            clusters.append([place])
        joined = joins
    return clusters


@lru_cache(maxsize=4096)
def _extends(char: str) -> bool:
    """Return whether a character is drawn on the previous one."""
    return not char.isascii() and (
        char in _SKIN_TONES or unicodedata.category(char) in ("Mn", "Me")
    )


# Formulas, ranges and numbers with signs in right-to-left text, which read from left to right.
#
# The Unicode Bidirectional Algorithm (UAX #9) orders digits, brackets and operators by the
# letters around them: within Persian, ``1/√ε`` comes out as ``ε√/1``, ``30-35`` as ``35-30`` and
# ``2-opt`` as ``opt-2``. An isolate (LRI to PDI, rule X5b) keeps each in its order. They are
# found when a paragraph is shown, so that no text holds a mark for it.
#
# >>> text = "کران 1/√ε با (n−1)! و 2-opt است"
# >>> [text[start:end] for start, end in formula_runs(text)]
# ['1/√ε', '(n−1)!', '2-opt']
# >>> formula_runs("لایه (layer) با 8 GPU است")
# []


Run = tuple[int, int]

_DIGITS = "0-9\u06f0-\u06f9\u0660-\u0669"
_RTL = "\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff\u200c\u200f\ufb1d-\ufdff\ufe70-\ufefe"
# What stands between right-to-left letters and the signs of their prose; an isolate is one thing.
_ISOLATED = re.compile(f"{ISOLATE}[^{ISOLATE_END}]*{ISOLATE_END}?")
_GLUED = re.compile(rf"[\w)\]]{ISOLATE}|{ISOLATE_END}[\w(\[]")
# The number of a note, as in ⟨2⟩, is no part of a formula that it stands behind.
_FOREIGN = re.compile(
    rf"(?<!⟨)(?:{_ISOLATED.pattern}|(?!⟨[{_DIGITS}]+⟩)[^{_RTL}،؛؟«»\u2068\u2069\u2066])+"
)
_LETTER = re.compile(f"(?!\u200c)[{_RTL}]")
_BULLET = re.compile(rf"\s*(?:[-*•]|[{_DIGITS}]+[.)])\s+")
_EDGES = " \t\u00a0.,:;!…\"'"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_SIGN = re.compile(rf"[^\w\s()\[\]{{}}{ISOLATE}{ISOLATE_END}\u200e√∑∏∫∂∇∞¬|‖]")
# A dot begins a name, a number or a path, as in .NET, .5 and ./run.
_LEADING = re.compile(rf"(?:(?!\.(?:[^\W_]|/))[{_EDGES}]|{_SIGN.pattern}*\s+)*")
_ATTACHED = re.compile(rf"(?:(?![-−~.]?[{_DIGITS}]){_SIGN.pattern})+")
_FACTORIAL = re.compile(rf"(?:(?:^|\W)(?:[^\W\d_]|[{_DIGITS}]+)|[)\]])!$")
_NEAR = 30
# What orders itself wrongly among right-to-left letters.
_FORMULA = re.compile(
    rf"""[=^/+<>|±×÷∗√ℝ²³¹⁰⁴-⁹⁻⁺₀-₉\u2190-\u22ff]    # an operator
    | (?<=\S)·|·(?=\S)                             # a dot for times; one apart lists things
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
    """Return the left-to-right spans of a paragraph, such as formulas.

    Isolates are not spans themselves, but may be part of one.
    """
    return formulas_in(paragraph) if has_rtl(paragraph) else []


def formulas_in(paragraph: str) -> list[Run]:
    """Return these spans, also of a left-to-right paragraph in a right-to-left text."""
    bullet = _BULLET.match(paragraph)
    start = bullet.end() if bullet else 0
    found = _FOREIGN.finditer(paragraph, start)
    return [run for match in found for run in _runs(paragraph, *match.span())]


def _runs(text: str, start: int, end: int) -> Iterator[Run]:
    """Yield the formulas between two right-to-left words.

    Unmatched brackets belong to the prose.
    """
    cuts = [start - 1, *_unmatched(text, start, end), end]
    for before, after in pairwise(cuts):
        first, last = _body(text, before + 1, after)
        written = text[first:last]
        inside = _ISOLATED.sub("x", written)  # it keeps its order by itself
        if len(inside) > 1 and (_FORMULA.search(inside) or _GLUED.search(written)):
            yield first, last


def _body(text: str, start: int, end: int) -> Run:
    """Return a span without the parts that belong to the prose.

    An operator that stands apart at an end, or touches a right-to-left word, joins that word.
    """
    if start and _LETTER.match(text, start - 1):
        found = _ATTACHED.match(text, start, end)
        start = found.end() if found else start
    if end < len(text) and _LETTER.match(text, end):
        end = _without_signs(text, start, end)
    found = _LEADING.match(text, start, end)
    start = found.end() if found else start
    return start, _end(text, start, end)


def _end(text: str, start: int, end: int) -> int:
    while end > start:
        # An exclamation mark ends n!, 5! or (n−1)!, and no word.
        if text[end - 1] in _EDGES and not _FACTORIAL.search(text[max(start, end - _NEAR) : end]):
            end -= 1
            continue
        signs = _without_signs(text, start, end)
        if not start < signs < end or not text[signs - 1].isspace():
            break
        end = signs
    return end


def _without_signs(text: str, start: int, end: int) -> int:
    """Return the start of a span's trailing signs."""
    while end > start and _SIGN.match(text, end - 1):
        end -= 1
    return end


def _unmatched(text: str, start: int, end: int) -> list[int]:
    """Return the positions of unmatched brackets in a span, outside isolates."""
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
