"""Definition lists: a term on a line, and below it ``: what it means``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.head import head
from kb.exchange.questions.opening import LINE, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph

_MEANS = re.compile(r"^\s*:\s+(?=\S)")


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the terms of a paragraph in which each has its meaning below it."""
    if block.kind != "paragraph" or not any(_MEANS.match(each.text) for each in block.lines[1:]):
        return ()
    if _MEANS.match(block.lines[0].text):
        return ()
    found: list[tuple[Line, list[Line]]] = []
    lines = block.lines
    for at, line in enumerate(lines):
        means = _MEANS.match(line.text)
        if means:
            found[-1][1].append(Line(line.number, line.text[means.end() :]))
        elif at + 1 < len(lines) and _MEANS.match(lines[at + 1].text):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
        else:
            return ()
    return tuple(_term(term, means, survey) for term, means in found)


def _term(term: Line, means: list[Line], survey: Survey) -> Opening:
    said = head(term.text, survey.scale)
    return Opening(
        "definition",
        LINE,
        (term,),
        said.text,
        said.number,
        said.level,
        tags=said.tags,
        body=(paragraph(means),),
        kind="card",
    )
