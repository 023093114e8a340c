"""The styles of writing a question, in the order in which a block is shown to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kb.exchange.questions.blocks import Block
from kb.exchange.questions.opening import Opening, Survey
from kb.exchange.questions.styles import (
    bold,
    callouts,
    decks,
    definitions,
    details,
    items,
    labelled,
    quotes,
    tables,
    terms,
)

Style = Callable[[Block, Survey], Sequence[Opening]]
"""A style: the questions that begin in a block, none where the block is not of the style."""

STYLES: tuple[Style, ...] = (
    decks.openings,
    labelled.openings,
    callouts.openings,
    details.openings,
    tables.openings,
    terms.openings,
    bold.openings,
    items.openings,
    definitions.openings,
    quotes.openings,
)


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return what the first style that fits a block finds in it."""
    if block.kind == "card":
        return (survey.cards[int(block.number)],)
    for style in STYLES:
        found = style(block, survey)
        if found:
            return found
    return ()
