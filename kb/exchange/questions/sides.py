"""Cards of two sides on a line that a tab or an arrow parts, where many lines are such."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TABBED = re.compile(r"^(?P<asked>[^\s|][^\t]*)\t+(?P<told>[^\t]*\S[^\t]*)$")
_ARROW = re.compile(r"^\s*[-*+]\s+(?P<asked>\S.*?)\s+(?:>>|<>|↔)\s+(?P<told>\S.*)$")
_FEW = 3  # lines with a tab, below which they are no deck


def sides(plain: Mapping[int, str]) -> Mapping[int, tuple[str, str]]:
    """Return the two sides of lines that are cards, by the places of these.

    >>> sides({0: "a\\tone", 1: "b\\ttwo", 2: "گ\\tسه", 3: ""})[2]
    ('گ', 'سه')
    >>> sides({0: "- Norm >> length", 1: "- گوی >> مجموعه"})[0], sides({0: "- a >> b"})
    (('Norm', 'length'), {})
    """
    written = {at: text for at, text in plain.items() if text.strip()}
    tabbed = _matching(_TABBED, {at: text for at, text in written.items() if "\t" in text})
    if len(tabbed) >= _FEW and len(tabbed) * 5 >= len(written) * 4:
        return tabbed
    arrows = {at: text for at, text in written.items() if "`" not in text and "$" not in text}
    found = _matching(_ARROW, arrows)
    return found if len(found) > 1 else {}


def _matching(pattern: re.Pattern[str], lines: Mapping[int, str]) -> dict[int, tuple[str, str]]:
    found = ((at, pattern.match(text)) for at, text in lines.items())
    return {at: (m["asked"].strip(), m["told"].strip()) for at, m in found if m}
