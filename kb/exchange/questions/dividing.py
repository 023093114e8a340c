"""What stands below a question, divided: what is still of the question, and its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kb.exchange.questions.asking import Grade, asks, grade
from kb.exchange.questions.blocks import Block, Line, trimmed
from kb.exchange.questions.contents import points_up
from kb.exchange.questions.html import is_layout
from kb.exchange.questions.inline import wrapped_bold
from kb.exchange.questions.labels import ANSWER, EXPLANATION, Label, label
from kb.exchange.questions.levels import Scale, stated_level
from kb.exchange.questions.opening import Opening
from kb.exchange.questions.paragraphs import OPTION, cut
from kb.exchange.questions.styles.callouts import CALLOUT, answers, below_title
from kb.exchange.questions.tags import line_of_tags
from kb.exchange.questions.unfold import hides_answer

_POINTS = re.compile(
    r"\b(?:following|below|above code|this (?:code|program|snippet|function|query)|snippet|output|printed|logged?|print)\b"
    r"|زیر|خروجی|این کد|قطعه کد|следующ|ниже",
    re.IGNORECASE,
)
_TASK = re.compile(r"^\s*\[(?P<mark>[ xX✓✔])\]\s")
_PLACEHOLDER = re.compile(
    r"^[\s*_(\[<]*(?:answer (?:here|goes here|pending|coming soon|to be added)|coming soon|to be (?:added|answered|done|continued)|"
    r"tbd|tba|todo|n/a|no answer(?: yet)?|write your answer here|your answer here|wip|\.{3,}|…+|"
    r"پاسخ ندارد|بدون پاسخ|به زودی|به‌زودی|در دست تکمیل|پاسخ را اینجا بنویسید)[\s*_)\]>.…!:]*$",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"`|[=⇒→]|->|\$|\bexamples?\b|\w\(.*\)|مثال", re.IGNORECASE)
_NEAR = 8  # blocks below a question within which its answer's label is looked for
_SETTING = 250  # characters of text that may stand between a question and its options
_PROSE = 900  # characters of text before a label, from which that label is a part of the answer
_NO_WORDS = re.compile(r"[\W_]*")


class Divided(NamedTuple):
    """The lines of a question's rest and of its answer, and what they say beside."""

    rest: tuple[Line, ...] = ()
    answer: tuple[Line, ...] = ()
    level: str | None = None
    tags: tuple[str, ...] = ()
    empty: tuple[Line, ...] = ()


def divide(
    text: str, blocks: Sequence[Block], scale: Scale, opening: Opening | None = None
) -> Divided:
    """Return which of the blocks below a question belong to it and which answer it.

    ``opening`` says what the style of the question lets stand near it.
    """
    level, tags, kept = _facts(blocks, scale)
    kept = [part for each in _cleared(kept) for part in _without_explanation(each)]
    at = _answer_at(kept, opening.sign if opening is not None else ":")
    options = _options_end(kept if at is None else kept[:at])
    if at is not None:
        rest, answer = kept[:at], [*_checked(kept[:at]), *_opened(kept[at:])]
    elif options:
        rest, answer = kept[:options], [*_checked(kept[:options]), *kept[options:]]
    else:
        stop = _of_question(text, kept, opening)
        rest, answer = kept[:stop], _single(kept[stop:])
    told = tuple(_told(answer))
    if _PLACEHOLDER.match("\n".join(line.text for line in told).strip()[:200]):
        return Divided(tuple(_told(rest)), (), level, tags, told)
    return Divided(tuple(_told(rest)), told, level, tags)


def _facts(
    blocks: Sequence[Block], scale: Scale
) -> tuple[str | None, tuple[str, ...], list[Block]]:
    """Return the level and tags said in lines of their own, and the blocks without these."""
    level: str | None = None
    tags: tuple[str, ...] = ()
    kept: list[Block] = []
    for each in (piece for block in blocks for piece in _pieces(block)):
        line = each.text if each.kind == "paragraph" and "\n" not in each.text else ""
        said = stated_level(line, scale) if line and len(kept) < 3 else None
        found = line_of_tags(line) if line else ()
        if said:
            level = level or said
        elif found:
            tags += found
        else:
            kept.append(each)
    return level, tags, kept


def _pieces(block: Block) -> Iterator[Block]:
    if block.kind == "paragraph":
        yield from cut(block)
    else:
        yield block


def _cleared(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks without rules at both ends and lines that only lead back."""
    kept = [each for each in blocks if not (each.kind == "paragraph" and points_up(each.text))]
    while kept and _void(kept[-1]):
        kept.pop()
    while kept and _void(kept[0]):
        kept.pop(0)
    return kept


def _void(block: Block) -> bool:
    if block.kind == "rule":
        return True
    return block.kind == "html" and all(is_layout(each.text) or not each.text.strip() for each in block.lines)


def _answer_at(blocks: Sequence[Block], sign: str) -> int | None:
    """Return the block with which a labelled answer begins, if it is near the question."""
    prose = 0
    options = False
    for at, each in enumerate(blocks[:_NEAR]):
        options = options or _is_options(each)
        role = _role(each) or (_lettered(each, sign) if not options else None)
        if role == ANSWER or (role == EXPLANATION and (options or at == 0)):
            return at
        prose += len(each.text) if each.kind in ("paragraph", "heading") else 0
        if prose > _PROSE or (each.kind == "heading" and not options):
            return None
    return None


def _lettered(block: Block, sign: str) -> str | None:
    """Return the role of an answer that is labelled by a letter as its question was."""
    found = label(block.text) if block.kind == "paragraph" and sign.strip() else None
    return ANSWER if found and found.role == ANSWER and found.sign == sign else None


def _role(block: Block) -> str | None:
    """Return what a block is by its label: an answer, an explanation, or nothing."""
    if block.kind == "details":
        return ANSWER if hides_answer(block.text) else None
    if block.kind == "quote":
        first = block.children[0] if block.children else None
        return ANSWER if answers(block) else _label_role(first) if first else None
    if block.kind == "list":
        items = block.children
        first = items[0].children[0] if items and items[0].children else None
        return _label_role(first) if len(items) == 1 and first else None
    return _label_role(block)


def _label_role(block: Block) -> str | None:
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


def _opened(blocks: Sequence[Block]) -> list[Block]:
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
        kept = (Line(lines[0].number, bare or found.rest), *(lines[1:] if first.kind == "paragraph" else ()))
    if not kept:
        return _relabelled_again(blocks[1:])
    return [first._replace(kind="paragraph", lines=kept), *blocks[1:]]


def _relabelled_again(blocks: list[Block]) -> list[Block]:
    """Return what follows a label that stands alone, taken out of what hides or quotes it."""
    if blocks and _role(blocks[0]) == ANSWER and blocks[0].kind in ("details", "quote"):
        return _opened(blocks)
    if blocks and blocks[0].kind == "quote" and len(blocks) == 1 and not CALLOUT.match(blocks[0].children[0].text if blocks[0].children else ""):
        return list(blocks[0].children)
    return blocks


def _is_options(block: Block) -> bool:
    """Say whether a block lists what can be chosen: boxes to tick, or letters."""
    if block.kind == "list":
        firsts = [item.children[0].text for item in block.children if item.children]
        boxes = sum(bool(_TASK.match(text)) for text in firsts)
        letters = sum(bool(OPTION.match(text)) for text in firsts)
        return len(firsts) > 1 and max(boxes, letters) >= 0.8 * len(firsts)
    if block.kind == "paragraph":
        letters = [bool(OPTION.match(line.text)) for line in block.lines]
        return sum(letters) > 1 and letters[0]
    return False


def _without_explanation(block: Block) -> Sequence[Block]:
    """Return options, and apart from them what is indented below the last one and explains it."""
    if block.kind != "list" or not _is_options(block) or len(block.children[-1].children) < 2:
        return (block,)
    *before, last = block.children
    first, *rest = last.children
    if not any(_label_role(each) for each in rest) and any(len(item.children) > 1 for item in before):
        return (block,)
    start = rest[0].start
    lines = tuple(line for line in block.lines if line.number < start)
    kept = last._replace(children=(first,), lines=tuple(line for line in last.lines if line.number < start))
    return (block._replace(lines=trimmed(lines), children=(*before, kept)), *rest)


def _options_end(blocks: Sequence[Block]) -> int:
    """Return how many of the blocks are a question and its options."""
    end = prose = 0
    for at, each in enumerate(blocks[:_NEAR]):
        if _is_options(each):
            end = at + 1
        elif end or each.kind == "heading" or prose > _SETTING:
            break
        prose += len(each.text) if each.kind == "paragraph" and not _shows(each) else 0
    return end


def _checked(blocks: Sequence[Block]) -> list[Block]:
    """Return the options that are ticked, as what answers."""
    found: list[Block] = []
    for item in (item for each in blocks if each.kind == "list" for item in each.children):
        first = item.children[0] if item.children else None
        box = _TASK.match(first.text) if first else None
        if first and box and box["mark"] != " ":
            lines = (Line(first.lines[0].number, _TASK.sub("", first.lines[0].text.lstrip())), *first.lines[1:])
            found.extend([first._replace(lines=lines), *item.children[1:]])
    return found


def _of_question(text: str, blocks: Sequence[Block], opening: Opening | None) -> int:
    """Return how many blocks without a label belong to a question."""
    if opening is not None and opening.near:
        return _near_end(blocks)
    first = blocks[0] if blocks else None
    if opening is not None and opening.nested and first is not None and first.kind == "list":
        firsts = [item.children[0].text for item in first.children if item.children]
        if sum(grade(each) is not Grade.NOT for each in firsts) * 2 >= len(first.children):
            return 1
    return max(_shown(text, blocks), _examples(text, blocks))


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
    if block.kind == "html" or (block.kind == "paragraph" and _shows(block)):
        return True
    if block.kind not in ("list", "paragraph", "quote"):
        return False
    return sum(bool(_EXAMPLE.search(line)) for line in lines) * 2 >= len(lines)


def _near_end(blocks: Sequence[Block]) -> int:
    """Return how many blocks stand with a question: lists and code, and text without a blank line."""
    at = 0
    while at < len(blocks) and (blocks[at].kind in ("list", "code", "quote", "table", "html")):
        at += 1
    return at


def _shown(text: str, blocks: Sequence[Block]) -> int:
    """Return how many blocks a question points to: code or a picture, or what its colon announces."""
    at = 0
    if _POINTS.search(text):
        while at < len(blocks) - 1 and _shows(blocks[at]):
            at += 1
        return at
    colon = text.rstrip("*_ ").endswith((":", "："))
    first = blocks[0] if blocks else None
    return 1 if first and colon and (first.kind == "list" or (len(blocks) > 1 and _shows(first))) else 0


def _shows(block: Block) -> bool:
    if block.kind == "code":
        return True
    text = block.lines[0].text.strip().lower()
    return block.kind in ("paragraph", "html") and len(block.lines) == 1 and text.startswith(("![", "<img"))


def _single(blocks: list[Block]) -> list[Block]:
    """Return an answer that is the one item of a list as the text of that item."""
    if len(blocks) == 1 and blocks[0].kind == "list" and len(blocks[0].children) == 1:
        item = blocks[0].children[0]
        if not item.number and item.children and not _TASK.match(item.children[0].text):
            return list(item.children)
    if len(blocks) == 1 and blocks[0].kind == "quote" and not CALLOUT.match(blocks[0].children[0].text if blocks[0].children else ""):
        return list(blocks[0].children)
    return blocks


def _told(blocks: Sequence[Block]) -> Iterator[Line]:
    for each in blocks:
        code = each.kind == "code"
        for line in each.lines:
            if not points_up(line.text) and (code or not _is_void(line.text)):
                yield line


def _is_void(text: str) -> bool:
    return bool(text.strip()) and is_layout(text)
