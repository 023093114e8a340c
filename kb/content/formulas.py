"""Formulas in right-to-left text, kept from being turned round.

The Unicode Bidirectional Algorithm (UAX #9) orders digits, brackets and operators by
the letters around them: within Persian, ``1/√ε`` comes out as ``ε√/1``. A left-to-right
mark (U+200E) on each side keeps a formula together wherever the text goes. Authors
write none; they are put in when content is read.

>>> isolate("کران \u200e1/√ε\u200e است") == isolate("کران 1/√ε است")
True
>>> isolate("لایه (layer) است")
'لایه (layer) است'
"""

from __future__ import annotations

import re
from itertools import pairwise

MARK = "\u200e"

_FENCE = re.compile(r"^\s*```")
_BULLET = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")
_FOREIGN = re.compile(r"[^\u0600-\u06ff\u200c\u200e\u200f«»]+")
_EDGES = " .:,;!"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
# What orders itself wrongly among right-to-left letters: operators, a leading sign, and a
# bracket that a name follows or a leading one that belongs to the formula.
_FORMULA = re.compile(r"[=^/+<>|·±×÷²³¹⁰⁴-⁹⁻⁺₀-₉ℝ\u2190-\u22ff]|^[-~]\w|\)\w|\w\(|\]\w")


def isolate(text: str) -> str:
    """Put marks around the formulas of a right-to-left text; blocks of code stay as they are."""
    lines, fenced = [], False
    for line in text.split("\n"):
        opens = bool(_FENCE.match(line))
        lines.append(line if fenced or opens else _line(line.replace(MARK, "")))
        fenced ^= opens
    return "\n".join(lines)


def _line(line: str) -> str:
    """Put marks into a line, whose bullet or number is no part of a formula."""
    bullet = _BULLET.match(line)
    start = bullet.end() if bullet else 0
    return line[:start] + _FOREIGN.sub(_isolated, line[start:])


def _isolated(run: re.Match[str]) -> str:
    """Put marks into what stands between two right-to-left words."""
    text = run[0]
    cuts = [-1, *_unmatched(text), len(text)]
    pieces = [text[a + 1 : b] for a, b in pairwise(cuts)]
    brackets = [text[cut] for cut in cuts[1:-1]]
    marked = [_marked(piece) for piece in pieces]
    return "".join(piece + bracket for piece, bracket in zip(marked, [*brackets, ""], strict=True))


def _marked(piece: str) -> str:
    body = piece.strip(_EDGES)
    if len(body) < 2 or not _FORMULA.search(body):
        return piece
    start = piece.index(body)
    return f"{piece[:start]}{MARK}{body}{MARK}{piece[start + len(body) :]}"


def _unmatched(text: str) -> list[int]:
    """Return the places of brackets without a partner in a text: they belong to the prose."""
    opened: list[int] = []
    alone: list[int] = []
    for place, char in enumerate(text):
        if char in _PAIRS:
            opened.append(place)
        elif char in _PAIRS.values():
            if opened and _PAIRS[text[opened[-1]]] == char:
                opened.pop()
            else:
                alone.append(place)
    return sorted([*alone, *opened])
