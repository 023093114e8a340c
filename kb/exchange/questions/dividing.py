"""What stands below a question, divided: what is still of the question, and its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kb.exchange.questions.answering import answer_at, opened, single
from kb.exchange.questions.asking import Grade, grade
from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.choices import checked, is_options, options_end, without_explanation
from kb.exchange.questions.contents import points_up
from kb.exchange.questions.html import is_layout
from kb.exchange.questions.levels import Scale, stated_level
from kb.exchange.questions.opening import Opening
from kb.exchange.questions.paragraphs import cut
from kb.exchange.questions.showing import of_question
from kb.exchange.questions.tags import line_of_tags

_PLACEHOLDER = re.compile(
    r"^[\s*_(\[<]*(?:answer (?:here|goes here|pending|coming soon|to be added)|coming soon"
    r"|to be (?:added|answered|done|continued)|tbd|tba|todo|n/a|no answer(?: yet)?"
    r"|(?:write )?your answer here|wip|\.{3,}|…+|پاسخ ندارد|بدون پاسخ|به زودی|به‌زودی|در دست تکمیل"
    r"|پاسخ را اینجا بنویسید)[\s*_)\]>.…!:]*$",
    re.IGNORECASE,
)


_COMMENT = re.compile(r"\s*<!--[^\n]*?--+>\s*")


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
    kept = [part for each in _cleared(kept) for part in without_explanation(each)]
    task = opening is not None and (opening.style == "label" or grade(text) is Grade.NOT)
    at = answer_at(kept, opening.sign if opening is not None else ":", is_options, task)
    options = options_end(kept if at is None else kept[:at])
    if at is not None:
        rest, answer = kept[:at], [*checked(kept[:at]), *opened(kept[at:])]
    elif options:
        rest, answer = kept[:options], [*checked(kept[:options]), *kept[options:]]
    else:
        stop = of_question(text, kept, opening)
        rest, answer = kept[:stop], single(kept[stop:])
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
    if block.kind == "rule" or (block.kind == "html" and _COMMENT.fullmatch(block.lines[0].text)):
        return True
    return block.kind == "html" and all(
        is_layout(each.text) or not each.text.strip() for each in block.lines
    )


def _told(blocks: Sequence[Block]) -> Iterator[Line]:
    for each in blocks:
        code = each.kind == "code"
        for line in each.lines:
            if not points_up(line.text) and (code or not _is_void(line.text)):
                yield line


def _is_void(text: str) -> bool:
    return bool(text.strip()) and is_layout(text)
