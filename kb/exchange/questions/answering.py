"""Where an answer begins that says so: below a label, hidden, or in a callout."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.inline import wrapped_bold
from kb.exchange.questions.labels import ANSWER, EXPLANATION, Label, label
from kb.exchange.questions.styles.callouts import CALLOUT, answers, below_title
from kb.exchange.questions.unfold import hides_answer

_BOX = re.compile(r"^\s*\[[ xX]\]\s")
_SOLVES = re.compile(r"[\s*_#]*(?:solution|راه‌حل|راه حل)(?!\w)", re.IGNORECASE)
"""A label that after other text names a part of the answer, not the whole."""

_NEAR = 8  # blocks below a question within which its answer's label is looked for
_PROSE = 900  # characters of text before a label, from which that label is a part of the answer


def answer_at(
    blocks: Sequence[Block], sign: str, is_options: Callable[[Block], bool], task: bool = False
) -> int | None:
    """Return the block with which a labelled answer begins, if it is near the question.

    A ``task`` is a problem, of which a solution is the whole answer.
    """
    prose = 0
    options = False
    for at, each in enumerate(blocks[:_NEAR]):
        options = options or is_options(each)
        role = role_of(each) or (_lettered(each, sign) if not options else None)
        if _SOLVES.match(each.text) and ((prose and not task) or _one_of_several(each, blocks)):
            return None
        explained = role == EXPLANATION and (options or at == 0)
        if role == ANSWER or explained or (task and at and _explains(each)):
            return at
        prose += len(each.text) if each.kind in ("paragraph", "heading") else 0
        if prose > _PROSE or (each.kind == "heading" and not options):
            return None
    return None


def _explains(block: Block) -> bool:
    found = label(block.text) if block.kind == "heading" else None
    return found is not None and found.role == EXPLANATION


def _one_of_several(block: Block, blocks: Sequence[Block]) -> bool:
    """Say whether a solution is numbered, and another is too."""
    numbers = {
        found.number
        for each in blocks
        if each.kind in ("paragraph", "heading") and (found := label(each.text.split("\n")[0]))
        if found.role == ANSWER
    }
    own = label(block.text.split("\n")[0])
    return bool(own and own.number and len(numbers - {None}) > 1)


def _lettered(block: Block, sign: str) -> str | None:
    """Return the role of an answer that is labelled by a letter as its question was."""
    found = label(block.text) if block.kind == "paragraph" and sign.strip() else None
    return ANSWER if found and found.role == ANSWER and found.sign == sign else None


def role_of(block: Block) -> str | None:
    """Return what a block is by its label: an answer, an explanation, or nothing."""
    if block.kind == "details":
        return ANSWER if hides_answer(block.text) else None
    if block.kind == "quote":
        first = block.children[0] if block.children else None
        return ANSWER if answers(block) else label_role(first) if first else None
    if block.kind == "list":
        items = block.children
        first = items[0].children[0] if items and items[0].children else None
        return label_role(first) if len(items) == 1 and first else None
    return label_role(block)


def label_role(block: Block) -> str | None:
    """Return what a paragraph or heading is by its label."""
    if block.kind not in ("paragraph", "heading"):
        return None
    found = label(block.text)
    if found is None or not _separates(found):
        return None
    if block.kind == "heading" and found.role != ANSWER:
        return None
    return found.role


def _separates(found: Label) -> bool:
    return found.sign in ":：" or not found.letter


def opened(blocks: Sequence[Block]) -> list[Block]:
    """Return an answer without its label and without what hides or quotes it."""
    first, *rest = blocks
    if first.kind == "details":
        return [*_relabelled(list(first.children)), *rest]
    if first.kind == "quote":
        inner = list(below_title(first) if answers(first) else first.children)
        return [*_relabelled(inner), *rest]
    if first.kind == "list":
        item = first.children[0]
        return [*_relabelled(list(item.children)), *rest]
    return _relabelled([first, *rest])


def _relabelled(blocks: list[Block]) -> list[Block]:
    """Return blocks of which the first has no label of an answer; a bold one's marks stay whole."""
    if not blocks or blocks[0].kind not in ("paragraph", "heading"):
        return blocks
    first = blocks[0]
    lines = first.lines
    head = first.text.split("\n")[0] if first.kind == "heading" else lines[0].text
    found = label(head)
    if found is None or found.role != ANSWER:
        return blocks
    if not found.rest:
        kept = lines[1:] if first.kind == "paragraph" else ()
    else:
        bare = wrapped_bold(found.rest)
        kept = (
            Line(lines[0].number, bare or found.rest),
            *(lines[1:] if first.kind == "paragraph" else ()),
        )
    if not kept:
        return _relabelled_again(blocks[1:])
    return [first._replace(kind="paragraph", lines=kept), *blocks[1:]]


def _relabelled_again(blocks: list[Block]) -> list[Block]:
    """Return what follows a label that stands alone, taken out of what hides or quotes it."""
    if blocks and role_of(blocks[0]) == ANSWER and blocks[0].kind in ("details", "quote"):
        return opened(blocks)
    if (
        blocks
        and blocks[0].kind == "quote"
        and len(blocks) == 1
        and not CALLOUT.match(blocks[0].children[0].text if blocks[0].children else "")
    ):
        return list(blocks[0].children)
    return blocks


def single(blocks: list[Block]) -> list[Block]:
    """Return an answer that is the one item of a list as the text of that item."""
    if len(blocks) == 1 and blocks[0].kind == "list" and len(blocks[0].children) == 1:
        item = blocks[0].children[0]
        if not item.number and item.children and not _BOX.match(item.children[0].text):
            return list(item.children)
    if (
        len(blocks) == 1
        and blocks[0].kind == "quote"
        and not CALLOUT.match(blocks[0].children[0].text if blocks[0].children else "")
    ):
        return list(blocks[0].children)
    return blocks
