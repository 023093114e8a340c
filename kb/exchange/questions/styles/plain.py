"""Lines that end in a question mark, in a file that marks its questions in no other way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.asking import MARKS, asks
from kb.exchange.questions.blocks import Block
from kb.exchange.questions.head import Head, head
from kb.exchange.questions.opening import PLAIN, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph

_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")


def ends_asking(text: str) -> bool:
    """Say whether a line ends in a question mark, whatever is in brackets after it.

    >>> ends_asking("What is it? (slide 4)"), ends_asking("Is it? Yes.")
    (True, False)
    """
    bare = text.strip().rstrip("*_ \"'”»\u200f\u200e")
    return bare.endswith(tuple(MARKS)) or _ASIDE.sub("", bare).endswith(tuple(MARKS))


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the questions that the lines of a paragraph or quotation ask."""
    if block.kind == "quote" and survey.quotes >= 0.5 and len(block.children) == 1:
        inner = block.children[0]
        if inner.kind == "paragraph" and ends_asking(inner.text) and len(inner.text) < 1000:
            return (_opening(inner, head(" ".join(inner.text.split("\n")), survey.scale)),)
    if block.kind != "paragraph" or not survey.plain:
        return ()
    starts = _starts(block)
    ends = [*starts[1:], len(block.lines)]
    found = []
    for start, end in zip(starts, ends, strict=True):
        stop = start + 1
        while stop < end and ends_asking(block.lines[stop].text):
            stop += 1
        asked = paragraph(block.lines[start:stop])
        rest = block.lines[stop:end]
        said = head(asked.text, survey.scale)
        found.append(_opening(asked, said, (paragraph(rest),) if rest else ()))
    return tuple(found)


def _starts(block: Block) -> list[int]:
    """Return the lines that ask and do not continue the question before."""
    lines = [each.text for each in block.lines]
    first = 0 if lines and ends_asking(lines[0]) else None
    if first is None and ends_asking(block.text) and len(lines) < 4 and asks(block.text):
        return [] if not all(len(each) > 50 for each in lines[:-1]) else [0]
    return [
        at
        for at, text in enumerate(lines)
        if ends_asking(text) and (at == 0 or not ends_asking(lines[at - 1]))
    ]


def _opening(block: Block, said: Head, body: tuple[Block, ...] = ()) -> Opening:
    return Opening(
        "plain",
        PLAIN,
        block.lines,
        said.text,
        said.number,
        said.level,
        tags=said.tags,
        body=body,
    )
