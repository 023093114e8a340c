"""``Q:`` and ``A:``, ``**Question 3:**``, «سؤال:»: a question is what its label says it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.asking import asks, ends_asking
from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.head import head
from kb.exchange.questions.labels import CLOZE, QUESTION, label
from kb.exchange.questions.opening import MARKED, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph

_LEAD = re.compile(r"^(\*\*|__)(?P<bold>\S.{0,600}?)\1\s+(?P<rest>\S.*)$")


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the question that a labelled paragraph asks."""
    if block.kind != "paragraph":
        return ()
    found = label(block.text)
    if found is None or found.role not in (QUESTION, CLOZE):
        return ()
    if found.role == CLOZE and not (found.sign in ":：" and _has_gap(block, found.rest)):
        return ()
    asked, body = _parted(block) if found.role == QUESTION else (found.rest, ())
    said = head(asked, survey.scale)
    return (
        Opening(
            "cloze" if found.role == CLOZE else "label",
            MARKED,
            block.lines[:1] if body else block.lines,
            found.rest if found.role == CLOZE else said.text,
            number=found.number or said.number,
            level=said.level,
            lang=found.lang,
            tags=said.tags,
            body=body,
            kind="card" if found.role == CLOZE else "question",
            sign=found.sign,
        ),
    )


def _parted(block: Block) -> tuple[str, tuple[Block, ...]]:
    """Return a question, and what stands below it in its paragraph where its first line asks."""
    first = label(block.lines[0].text)
    lead = _LEAD.match(first.rest) if first is not None else None
    if first is not None and lead and asks(lead["bold"]):
        rest = Line(block.start, lead["rest"])
        return lead["bold"], (paragraph((rest, *block.lines[1:])),)
    if len(block.lines) > 1 and first is not None and ends_asking(first.rest):
        return first.rest, (paragraph(block.lines[1:]),)
    whole = label(block.text)
    return whole.rest if whole else block.text, ()


def _has_gap(block: Block, rest: str) -> bool:
    """Say whether a deck's cloze can be meant: a gap in it, or nothing on its first line."""
    first = block.lines[0].text.strip()
    return "[" in rest or first.rstrip("*_").endswith((":", "："))
