"""``<details>``: the summary asks, what it hides answers."""

from __future__ import annotations

from collections.abc import Sequence

from kb.exchange.questions.asking import Grade, grade
from kb.exchange.questions.blocks import Block
from kb.exchange.questions.contents import heading_reason, hides_links
from kb.exchange.questions.head import head
from kb.exchange.questions.html import without_tags
from kb.exchange.questions.labels import QUESTION, label
from kb.exchange.questions.opening import HEADING, Opening, Survey
from kb.exchange.questions.unfold import hides_answer, summary_lines


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the question that a summary asks."""
    if block.kind != "details" or hides_answer(block.text):
        return ()
    text = " ".join(without_tags(block.text).split())
    marked = label(text)
    asked = marked is not None and marked.role == QUESTION
    said = head(marked.rest if marked and asked else text, survey.scale)
    surely = asked or grade(said.text) is Grade.SURELY or said.number is not None
    if (
        heading_reason(said.text)
        or hides_links(block)
        or not (surely or survey.details >= 0.5 or survey.about)
    ):
        return ()
    return (
        Opening(
            "details",
            HEADING,
            summary_lines(block),
            said.text,
            (marked.number if marked and asked else None) or said.number,
            said.level,
            tags=said.tags,
            body=block.children,
            open=not block.children,
        ),
    )
