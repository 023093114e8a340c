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

MARK = "\u200e"

_FENCE = re.compile(r"^\s*```")
_FOREIGN = re.compile(r"[^\u0600-\u06ff\u200c\u200e\u200f«»]+")
_EDGES = " .:,;!"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
# What orders itself wrongly among right-to-left letters: operators, a leading sign, and a
# bracket that a name follows or a leading one that belongs to the formula.
_FORMULA = re.compile(r"[=√∑∏∂∇·²³¹⁰⁴-⁹⁻⁺₀-₉^/+×÷≈≤≥<>→←↔∈ℝ±−∞|]|^[-~]\w|\)\w|\w\(|\]\w")


def isolate(text: str) -> str:
    """Put marks around the formulas of a right-to-left text; blocks of code stay as they are."""
    lines, fenced = [], False
    for line in text.split("\n"):
        opens = bool(_FENCE.match(line))
        lines.append(line if fenced or opens else _FOREIGN.sub(_isolated, line.replace(MARK, "")))
        fenced ^= opens
    return "\n".join(lines)


def _isolated(run: re.Match[str]) -> str:
    start, end = _body(run[0])
    body = run[0][start:end]
    if len(body) < 2 or not _FORMULA.search(body):
        return run[0]
    return f"{run[0][:start]}{MARK}{body}{MARK}{run[0][end:]}"


def _body(run: str) -> tuple[int, int]:
    """Return where the formula of a run lies: without blanks, stops and brackets of the prose."""
    start, end = 0, len(run)
    while True:
        body = run[start:end]
        inner = body.strip(_EDGES)
        start += len(body) - len(body.lstrip(_EDGES))
        end = start + len(inner)
        opens = inner[:1] in _PAIRS and _closing(inner) is None
        closes = inner[-1:] in _PAIRS.values() and _closing(_mirrored(inner)) is None
        if not opens and not closes:
            return start, end
        start, end = start + opens, end - closes


def _closing(text: str) -> int | None:
    """Return where the bracket that begins a text is closed, if it is."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char in _PAIRS) - (char in _PAIRS.values())
        if not depth:
            return place
    return None


def _mirrored(text: str) -> str:
    return text[::-1].translate(str.maketrans("()[]{}", ")(][}{"))
