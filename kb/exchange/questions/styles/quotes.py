"""Quotations that ask, with the answer below them."""

from __future__ import annotations

from collections.abc import Sequence

from kb.exchange.questions.asking import ends_asking
from kb.exchange.questions.blocks import Block
from kb.exchange.questions.head import head
from kb.exchange.questions.opening import PLAIN, Opening, Survey

_LONGEST = 1000


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the question that a quotation of one paragraph asks, where others in the file do."""
    if block.kind != "quote" or survey.quotes < 0.5 or len(block.children) != 1:
        return ()
    inner = block.children[0]
    if inner.kind != "paragraph" or not ends_asking(inner.text) or len(inner.text) > _LONGEST:
        return ()
    said = head(" ".join(inner.text.split("\n")), survey.scale)
    return (
        Opening("quote", PLAIN, block.lines, said.text, said.number, said.level, tags=said.tags),
    )
