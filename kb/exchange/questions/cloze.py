"""Sentences with gaps: ``==hidden==``, ``{{c1::hidden}}``, and ``[hidden]`` of decks."""

from __future__ import annotations

import re

GAP = "[…]"
_MARKED = re.compile(r"\*\*==(.{1,500}?)==\*\*|==(?=[^\s=])([^=]{1,500}?)(?<=\S)==", re.DOTALL)
_NUMBERED = re.compile(
    r"\{\{c\d+::((?:(?!\{\{)(?!::).){1,500}?)(?:::[^{}]{0,200})?\}\}|\{\{cloze ([^{}]{1,500})\}\}",
    re.DOTALL,
)
_BRACKET = re.compile(r"(?<![!\\\]])\[(?!\[|\^)([^\[\]\n]+)\](?![(\[])")


def has_gap(text: str) -> bool:
    """Say whether a text hides something in ``{{c1::…}}``."""
    return "{{c" in text and bool(_NUMBERED.search(text))


def has_highlight(text: str) -> bool:
    """Say whether a text hides something in ``==…==``."""
    return "==" in text and bool(_MARKED.search(text))


def gapped(text: str, brackets: bool = False) -> tuple[str, str]:
    """Return a text with its gaps, and the text as a whole.

    >>> gapped("Paris is in ==France==.")
    ('Paris is in […].', 'Paris is in France.')
    >>> gapped("{{c1::Paris::city}} lies on the [Seine].", brackets=True)[0]
    '[…] lies on the […].'
    """
    patterns = (_NUMBERED, _BRACKET) if brackets else (_NUMBERED, _MARKED)
    asked = told = text
    for pattern in patterns:
        asked = pattern.sub(GAP, asked)
        told = pattern.sub(lambda found: next(filter(None, found.groups()), ""), told)
        if brackets and pattern is _NUMBERED and asked != text:
            asked = asked.replace(GAP, "\x00")
    return asked.replace("\x00", GAP), told
