"""Terms in bold with their meaning behind them, in a file that is a glossary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.contents import link_target
from kb.exchange.questions.head import head
from kb.exchange.questions.opening import LINE, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph

_TERM = re.compile(
    r"^\s*(?:\*\*|__)(?P<term>[^*_\n]{1,120}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*(?:[:：]|[-–—=]+(?=\s)))"
    r"\s*(?=\S)"
)


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the terms of a paragraph, or of a list in which most items explain one."""
    if not survey.deck:
        return ()
    if block.kind == "paragraph":
        return tuple(_term(block, (), survey))
    if block.kind != "list":
        return ()
    found = [
        each
        for item in block.children
        if item.children
        for each in _term(item.children[0], item.children[1:], survey)
    ]
    return tuple(found) if len(found) == len(block.children) else ()


def _term(block: Block, rest: Sequence[Block], survey: Survey) -> Iterator[Opening]:
    found = _TERM.match(block.lines[0].text) if block.kind == "paragraph" else None
    if found is None:
        return
    first = Line(block.start, block.lines[0].text[found.end() :])
    if link_target(first.text) is not None:
        return
    said = head(found["term"], survey.scale)
    yield Opening(
        "term", LINE, block.lines[:1], said.text, said.number, said.level, tags=said.tags,
        body=(paragraph((first, *block.lines[1:])), *rest), kind="card", open=not rest,
    )  # fmt: skip
