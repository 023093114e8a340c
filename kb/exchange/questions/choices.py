"""Questions with options: boxes to tick or letters, and what of them is the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.answering import label_role
from kb.exchange.questions.blocks import Block, Line, trimmed
from kb.exchange.questions.paragraphs import OPTION
from kb.exchange.questions.showing import shows

_TASK = re.compile(r"^\s*\[(?P<mark>[ xX✓✔])\]\s")
_NEAR = 8  # blocks below a question within which its options are looked for
_SETTING = 250  # characters of text that may stand between a question and its options


def is_options(block: Block) -> bool:
    """Say whether a block lists what can be chosen: boxes to tick, or letters."""
    if block.kind == "list":
        firsts = [item.children[0].text for item in block.children if item.children]
        boxes = sum(bool(_TASK.match(text)) for text in firsts)
        letters = sum(bool(OPTION.match(text)) for text in firsts)
        return len(firsts) > 1 and max(boxes, letters) >= 0.8 * len(firsts)
    if block.kind == "paragraph":
        lettered = [bool(OPTION.match(line.text)) for line in block.lines]
        return sum(lettered) > 1 and lettered[0]
    return False


def options_end(blocks: Sequence[Block]) -> int:
    """Return how many of the blocks are a question and its options."""
    end = prose = 0
    for at, each in enumerate(blocks[:_NEAR]):
        if at < end:
            continue
        if is_options(each) or _boxed(each):
            end = _boxes_end(blocks, at) or (at + 1 if is_options(each) else end)
        elif end or each.kind == "heading" or prose > _SETTING:
            break
        prose += len(each.text) if each.kind == "paragraph" and not shows(each) else 0
    return end


def _boxed(block: Block) -> bool:
    firsts = [item.children[0].text for item in block.children if item.children]
    return block.kind == "list" and bool(firsts) and all(map(_TASK.match, firsts))


def _boxes_end(blocks: Sequence[Block], start: int) -> int:
    """Return where boxes end that have code or pictures between them; 0 where they have none."""
    end = start
    while end < len(blocks) and (_boxed(blocks[end]) or shows(blocks[end])):
        end += 1
    return end if sum(map(_boxed, blocks[start:end])) > 1 else 0


def without_explanation(block: Block) -> Sequence[Block]:
    """Return options, and apart from them what is indented below the last one and explains it."""
    if block.kind != "list" or not is_options(block) or len(block.children[-1].children) < 2:
        return (block,)
    *before, last = block.children
    first, *rest = last.children
    if not any(label_role(each) for each in rest) and any(
        len(item.children) > 1 for item in before
    ):
        return (block,)
    start = rest[0].start
    lines = tuple(line for line in block.lines if line.number < start)
    kept = last._replace(
        children=(first,), lines=tuple(line for line in last.lines if line.number < start)
    )
    return (block._replace(lines=trimmed(lines), children=(*before, kept)), *rest)


def checked(blocks: Sequence[Block]) -> list[Block]:
    """Return the options that are ticked, as what answers."""
    found: list[Block] = []
    apart = sum(map(_boxed, blocks)) > 1
    ticked = False
    for item in (item for each in blocks for item in (each.children or (each,))):
        if apart and ticked and shows(item):
            found.append(item)
            continue
        first = item.children[0] if item.children else None
        box = _TASK.match(first.text) if first else None
        ticked = bool(box and box["mark"] != " ")
        if first and box and ticked:
            lines = (
                Line(first.lines[0].number, _TASK.sub("", first.lines[0].text.lstrip())),
                *first.lines[1:],
            )
            found.extend([first._replace(lines=lines), *item.children[1:]])
    return found
