"""Paragraphs that hold more than one thing: cut where a line begins another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.exchange.questions.asking import asks
from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.contents import points_up
from kb.exchange.questions.inline import wrapped_bold
from kb.exchange.questions.labels import label
from kb.exchange.questions.levels import stated_level
from kb.exchange.questions.numbers import split_number
from kb.exchange.questions.tags import line_of_tags

OPTION = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*)?\(?([A-Ha-h]|الف|ب|ج|د)(?:\*\*)?[):.\-](?:\*\*)?\s+\S"
)
_SETTLED = re.compile(r"^[^\n]{1,200}$")


def cut(block: Block) -> Iterator[Block]:
    """Yield the parts of a paragraph; one that is of one piece comes as it is."""
    lines = block.lines
    if len(lines) == 1:
        yield block
        return
    options = sum(bool(OPTION.match(line.text)) for line in lines) > 1
    starts = [0]
    starts += [
        at
        for at in range(1, len(lines))
        if _begins(lines[at].text, options) or _stands_alone(lines[at - 1].text)
    ]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield paragraph(lines[start:end])


def paragraph(lines: Sequence[Line]) -> Block:
    """Return lines as a paragraph."""
    return Block("paragraph", tuple(lines), "\n".join(each.text.strip() for each in lines))


def _begins(text: str, options: bool) -> bool:
    found = None if options and OPTION.match(text) else label(text)
    if found and (found.sign in ":：" or (found.number and found.role == "question")):
        return True
    bold = wrapped_bold(text)
    if bold is not None and asks(bold):
        return True
    number, rest = split_number(text.strip())
    return (number is not None and asks(rest)) or _stands_alone(text)


def _stands_alone(text: str) -> bool:
    """Say whether a line is never the beginning of the next: bold as a whole, tags, a level."""
    bold = wrapped_bold(text)
    return (
        (bold is not None and asks(bold))
        or bool(line_of_tags(text))
        or stated_level(text) is not None
        or points_up(text)
    )
