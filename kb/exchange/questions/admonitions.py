"""Admonitions as MkDocs has them, written as the callouts that they are.

``??? question "Why?"`` with the answer indented below becomes ``> [!question] Why?``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.exchange.questions.blocks import Line, dedented
from kb.exchange.questions.regions import outside_code

_BEGINS = re.compile(
    r"^(?:\?\?\?\+?|!!!)\s+(?P<kind>question|faq|help|answer|success|check|done|solution)\b[\w\s-]*?"
    r"(?:\"(?P<title>[^\"\n]*(?:\\\"[^\"\n]*)*)\")?\s*$",
    re.IGNORECASE,
)
_INDENT = 4


def as_callouts(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield lines with each admonition that asks or answers as a callout.

    >>> from kb.exchange.questions.blocks import numbered
    >>> [line.text for line in as_callouts(numbered('??? faq "Why?"\\n    So.\\n\\nEnd'))]
    ['> [!faq] Why?', '> So.', '', 'End']
    """
    starts = {at: found for at, text in outside_code(lines) if (found := _BEGINS.match(text))}
    within = False
    for at, line in enumerate(lines):
        found = starts.get(at)
        if found:
            within = True
            yield line._replace(text=f"> [!{found['kind']}] {found['title'] or ''}".rstrip())
        elif within and not line.text.strip():
            goes_on = next((each.text for each in lines[at + 1 :] if each.text.strip()), "")
            within = goes_on.startswith((" " * _INDENT, "\t"))
            yield line._replace(text=">" if within else line.text)
        elif within and line.text.startswith((" " * _INDENT, "\t")):
            yield line._replace(text=f"> {dedented(line, _INDENT).text}")
        else:
            within = False
            yield line
