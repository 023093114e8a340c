"""Obsidian's callouts: ``> [!question] Why?`` with the answer below it in the quotation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.blocks import Block
from kb.exchange.questions.head import head
from kb.exchange.questions.labels import QUESTION, label
from kb.exchange.questions.opening import HEADING, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph

CALLOUT = re.compile(r"^\[!(?P<kind>[\w-]+)\][+-]?[ \t]*(?P<title>[^\n]*)")
_ASKING = frozenset({"question", "faq", "help", "card", "flashcard", "exercise"})
_ANSWERING = frozenset({"answer", "success", "check", "done", "solution"})


def callout(block: Block) -> tuple[str, str] | None:
    """Return the kind and title of a quotation that is a callout."""
    if block.kind != "quote" or not block.children:
        return None
    found = CALLOUT.match(block.children[0].text)
    return (found["kind"].lower(), found["title"].strip()) if found else None


def answers(block: Block) -> bool:
    """Say whether a quotation is a callout that answers."""
    found = callout(block)
    return found is not None and found[0] in _ANSWERING


def below_title(block: Block) -> tuple[Block, ...]:
    """Return what a callout holds below its title."""
    first, *rest = block.children
    lines = first.lines[1:]
    return (*((paragraph(lines),) if lines else ()), *rest)


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the question of a callout."""
    found = callout(block)
    if found is None or found[0] not in _ASKING:
        return ()
    marked = label(found[1])
    asked = marked is not None and marked.role == QUESTION
    said = head(marked.rest if marked and asked else found[1], survey.scale)
    named = said.text.casefold() in _ASKING
    body = below_title(block)
    return (
        Opening(
            "callout",
            HEADING,
            block.lines[:1],
            "" if named else said.text,
            (marked.number if marked and asked else None) or said.number,
            said.level,
            tags=said.tags,
            body=body,
            open=not body,
        ),
    )
