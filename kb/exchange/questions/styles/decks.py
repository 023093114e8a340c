"""Lines and list items marked ``#card``, as Logseq and Obsidian's plugins have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.exchange.questions.blocks import Block
from kb.exchange.questions.cloze import has_gap
from kb.exchange.questions.head import head
from kb.exchange.questions.opening import MARKED, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph

CARD = re.compile(
    r"(?<![\w/#])#(?:card|flashcard)(?:-(?:reverse|spaced|inline))?(?![\w/-])"
    r"|#?\[\[(?:card|flashcard)\]\]",
    re.IGNORECASE,
)
_DEEPEST = 12


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the cards of a list or paragraph that are marked as such."""
    if block.kind == "paragraph" and CARD.search(block.lines[0].text):
        first, *rest = block.lines
        body = (paragraph(rest),) if rest else ()
        return (_card(paragraph([first]), body, survey, ()),)
    return tuple(_items(block, survey, (), 0)) if block.kind == "list" else ()


def _items(block: Block, survey: Survey, above: tuple[str, ...], depth: int) -> Iterator[Opening]:
    for item in block.children:
        first = item.children[0] if item.children else None
        if first is None or depth > _DEEPEST:
            continue
        if first.kind in ("paragraph", "heading") and CARD.search(first.text):
            yield _card(first, item.children[1:], survey, above)._replace(open=False)
            continue
        topics = (*above, first.text) if first.kind == "heading" else above
        above = topics if len(item.children) == 1 else above
        for child in item.children:
            if child.kind == "list":
                yield from _items(child, survey, topics, depth + 1)


def _card(first: Block, body: Sequence[Block], survey: Survey, topics: tuple[str, ...]) -> Opening:
    text = "\n".join(line for line in CARD.sub("", first.text).split("\n") if line.strip())
    said = head(text, survey.scale)
    gap = has_gap(text)
    return Opening(
        "cloze" if gap else "deck",
        MARKED,
        first.lines,
        text if gap else said.text,
        said.number,
        said.level,
        tags=said.tags,
        body=tuple(body),
        kind="card",
        topics=topics,
    )
