"""One sequence of blocks from a tree: what only wraps questions is taken off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.exchange.questions.asking import Grade, asks, grade
from kb.exchange.questions.blocks import Block, Line, Tick
from kb.exchange.questions.inline import wrapped_bold
from kb.exchange.questions.labels import ANSWER, EXPLANATION, QUESTION, label
from kb.exchange.questions.paragraphs import cut

_DEEPEST = 5
_ANSWER = re.compile(
    r"(?:click|tap)?.{0,20}\b(?:answer|solution|reveal|hint|explanation|spoiler|output|code|example|details|more)\b"
    r"|پاسخ|جواب|راه‌حل|نمایش|ответ",
    re.IGNORECASE,
)


def unfold(blocks: Sequence[Block], tick: Tick, depth: int = 0) -> tuple[Block, ...]:
    """Return blocks in one sequence: paragraphs cut, headings out of lists and quotes."""
    out: list[Block] = []
    for block in blocks:
        tick()
        out.extend(_unfolded(block, tick, depth))
    return tuple(out)


def hides_answer(summary: str) -> bool:
    """Say whether what is hidden under these words is an answer, not a question.

    >>> hides_answer("<b>Answer</b>"), hides_answer("نمایش پاسخ"), hides_answer("What is code?")
    (True, True, False)
    """
    return not summary.strip() or (not asks(summary) and bool(_ANSWER.match(_bare(summary))))


def summary_lines(block: Block) -> tuple[Line, ...]:
    """Return the lines of an element up to what it hides."""
    hidden = block.children[0].start if block.children else block.lines[-1].number + 1
    return tuple(line for line in block.lines if line.number < hidden) or block.lines[:1]


def _bare(summary: str) -> str:
    return re.sub(r"<[^<>]*>|[*_:►▶👉💡]", "", summary).strip()


def _unfolded(block: Block, tick: Tick, depth: int) -> Iterator[Block]:
    if block.kind == "paragraph":
        yield from cut(block)
    elif depth >= _DEEPEST:
        yield block
    elif block.kind == "list" and _holds_headings(block):
        for item in block.children:
            first, rest = item.children[:1], item.children[1:]
            for each in first:
                yield each._replace(number=each.number or item.number)
            yield from unfold(rest, tick, depth + 1)
    elif (block.kind == "quote" and _quotes_questions(block)) or (
        block.kind == "details" and _only_groups(block)
    ):
        if block.kind == "details":
            yield Block("heading", summary_lines(block), block.text, 6)
        yield from unfold(block.children, tick, depth + 1)
    else:
        yield block


def _holds_headings(block: Block) -> bool:
    heads = sum(
        bool(item.children) and item.children[0].kind == "heading" for item in block.children
    )
    return heads * 3 >= len(block.children) and heads > 0


def _quotes_questions(block: Block) -> bool:
    """Say whether a quotation is nothing but the dress of questions and answers."""
    heads = [
        each.text.split("\n")[0] for each in block.children if each.kind in ("paragraph", "heading")
    ]
    found = [label(text) for text in heads]
    if any(each is not None and each.role == QUESTION and each.rest for each in found):
        return True
    bold = wrapped_bold(heads[0]) if heads else None
    several = len(block.children) > 1 or "\n" in block.children[0].text if block.children else False
    return bold is not None and asks(bold) and several


def _only_groups(block: Block) -> bool:
    """Say whether an element that hides text hides questions of its own, under a name for all."""
    if hides_answer(block.text) or grade(block.text) is Grade.SURELY:
        return False
    inner = [each for each in block.children if each.kind == "details"]
    if sum(not hides_answer(each.text) for each in inner) > 1:
        return True
    heads = [each for each in block.children if each.kind == "heading" and asks(each.text)]
    lists = [item for each in block.children if each.kind == "list" for item in each.children]
    asking = sum(bool(item.children) and asks(item.children[0].text) for item in lists)
    return len(heads) > 1 or (asking > 1 and asking * 2 >= len(lists))


def starts_answer(text: str) -> bool:
    """Say whether a text is labelled as an answer."""
    found = label(text)
    return found is not None and found.role in (ANSWER, EXPLANATION)
