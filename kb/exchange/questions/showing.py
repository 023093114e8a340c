"""What a question shows or names below itself: code, a picture, examples, questions within it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.asking import Grade, asks, ends_asking, grade
from kb.exchange.questions.blocks import Block
from kb.exchange.questions.opening import Opening

_POINTS = re.compile(
    r"\b(?:following|below|above code|this (?:code|program|snippet|function|query)|snippet|output"
    r"|printed|logged?|print)\b"
    r"|زیر|خروجی|این کد|قطعه کد|следующ|ниже",
    re.IGNORECASE,
)
_YIELDS = re.compile(
    r"^\W*what\b.{0,60}\b(?:value|output|result|print(?:s|ed)?|return(?:s|ed)|logs?|logged|evaluates?)\b"
    r"|^[^?]{0,80}\bmake this work\b"
    r"|(?:خروجی|حاصل|مقدار|نتیجه).{0,60}(?:چیست|چه)|چه.{0,60}(?:چاپ|برمی‌گرداند|برمی‌گردد)",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"`|[=⇒→]|->|\$|\bexamples?\b|\w\([^()]{0,80}\)|مثال", re.IGNORECASE)


def of_question(text: str, blocks: Sequence[Block], opening: Opening | None) -> int:
    """Return how many blocks without a label belong to a question."""
    if opening is not None and opening.near:
        return _near_end(blocks)
    first = blocks[0] if blocks else None
    if opening is not None and opening.nested and first is not None and first.kind == "list":
        firsts = [item.children[0].text for item in first.children if item.children]
        if sum(grade(each) is not Grade.NOT for each in firsts) * 2 >= len(first.children):
            return 1
    if opening is not None and opening.nested and _asks_what_comes_out(text, blocks):
        return len(blocks)
    if opening is not None and opening.style == "heading" and _named_above(text, blocks):
        return len(blocks)
    return max(_shown(text, blocks), _examples(text, blocks))


def _asks_what_comes_out(text: str, blocks: Sequence[Block]) -> bool:
    """Say whether an item asks what code gives, and nothing but this code is below it."""
    code = bool(blocks) and all(each.kind == "code" for each in blocks)
    return code and asks(text) and bool(_YIELDS.search(text[:300]))


def _named_above(text: str, blocks: Sequence[Block]) -> bool:
    """Say whether a heading only names what is then asked, and nothing answers."""
    if not blocks or grade(text) is not Grade.NOT or blocks[-1].kind != "paragraph":
        return False
    asked = ends_asking(blocks[-1].text) or (
        len(blocks) == 1 and grade(blocks[-1].text) is not Grade.NOT
    )
    return asked and all(each.kind in ("paragraph", "code") for each in blocks)


def _examples(text: str, blocks: Sequence[Block]) -> int:
    """Return how many blocks are examples of a task, which is then solved by code."""
    if asks(text):
        return 0
    at = 0
    while at < len(blocks) and _is_example(blocks[at]):
        at += 1
    solved = at < len(blocks) and blocks[at].kind == "code"
    return at if solved else 0


def _is_example(block: Block) -> bool:
    lines = [line.text for line in block.lines if line.text.strip()]
    if block.kind == "html" or (block.kind == "paragraph" and shows(block)):
        return True
    if block.kind not in ("list", "paragraph", "quote"):
        return False
    found = [_EXAMPLE.search(line) for line in lines]
    signs = [each for each in found if each and (each[0] != "`" or block.kind != "paragraph")]
    return len(signs) * 2 >= len(lines)


def _near_end(blocks: Sequence[Block]) -> int:
    """Return how many blocks stand with a question: all but paragraphs."""
    at = 0
    while at < len(blocks) and (blocks[at].kind in ("list", "code", "quote", "table", "html")):
        at += 1
    return at


def _shown(text: str, blocks: Sequence[Block]) -> int:
    """Return how many blocks a question points to: code, pictures, or what its colon announces."""
    at = 0
    if _POINTS.search(text):
        while at < len(blocks) - 1 and shows(blocks[at]):
            at += 1
        return at
    colon = text.rstrip("*_ ").endswith((":", "："))
    first = blocks[0] if blocks else None
    return (
        1 if first and colon and (first.kind == "list" or (len(blocks) > 1 and shows(first))) else 0
    )


def shows(block: Block) -> bool:
    """Say whether a block is code or a picture."""
    if block.kind == "code":
        return True
    text = block.lines[0].text.strip().lower()
    return (
        block.kind in ("paragraph", "html")
        and len(block.lines) == 1
        and text.startswith(("![", "<img"))
    )
