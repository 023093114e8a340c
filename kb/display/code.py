"""Where code stands in a text that is written in Markdown.

Source: CommonMark 0.31, sections 4.5 (fenced code blocks) and 6.1 (code spans),
https://spec.commonmark.org/0.31/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

BLOCK = (
    r"^[ \t>]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*"
    r"(?:\n(?![ \t>]*(?P=fence))[^\n]*)*(?:\n[^\n]*)?"
)
"""A pattern, over several lines: from a fence to the next, or to the end."""

SPAN = r"(?<!`)(?P<ticks>`+)(?!`)(?:[^\n]|\n(?![ \t]*\n)){1,2000}?(?<!`)(?P=ticks)(?!`)"
"""A pattern: what stands between as many backticks."""


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield where each paragraph begins and ends; a block of code is in one, with blank lines.

    >>> list(paragraphs("a\n\nb")), list(paragraphs("```\na\n\nb\n```\n\nc"))
    ([(0, 1), (3, 4)], [(0, 12), (14, 15)])
    """
    start = place = 0
    fenced = "```" in text or "~~~" in text
    blocks = (part.span() for part in re.finditer(BLOCK, text if fenced else "", re.MULTILINE))
    block = next(blocks, None)
    while (place := text.find("\n\n", place)) >= 0:
        while block is not None and block[1] <= place:
            block = next(blocks, None)
        if block is not None and block[0] <= place:
            place = block[1]
        else:
            yield start, place
            start = place = place + len("\n\n")
    yield start, len(text)
