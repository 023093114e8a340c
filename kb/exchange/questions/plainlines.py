"""Lines that end in a question mark, in a file that marks its questions in no other way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.asking import ends_asking
from kb.exchange.questions.blocks import Block, Line, Tick, trimmed
from kb.exchange.questions.draft import BEFORE, Draft, Gathered
from kb.exchange.questions.head import head
from kb.exchange.questions.levels import Scale
from kb.exchange.questions.opening import PLAIN, Opening
from kb.exchange.questions.parser import parse
from kb.exchange.questions.regions import outside_code

_SIGN = re.compile(r"^(?:[-*+•]\s+|(?=\d{1,4}[.)]\s))")
_HEADING = re.compile(r"^(#{1,6})\s+(\S.*)$")
_RULE = re.compile(r"^\s*[-*_]{3,}\s*$")


def plain_lines(lines: Sequence[Line], scale: Scale, tick: Tick) -> Gathered:
    """Return each line that asks with what stands below it; two in a row are one question."""
    plain = dict(outside_code(lines))
    found = Gathered()
    asked: list[Line] = []
    told: list[Line] = []
    topics: list[Block] = []

    def close() -> None:
        if asked:
            found.drafts.append(_draft(asked, told, tuple(topics), scale, tick))
        elif trimmed(told):
            found.left.append((Block("paragraph", trimmed(told)), BEFORE))
        asked.clear()
        told.clear()

    for index, line in enumerate(lines):
        text = plain.get(index)
        heading = _HEADING.match(text) if text is not None else None
        if heading and not (text and ends_asking(text)):
            close()
            topics = [each for each in topics if each.depth < len(heading[1])]
            topics.append(Block("heading", (line,), heading[2], len(heading[1])))
        elif text is not None and _asks(text):
            if trimmed(told) or not asked:
                close()
            asked.append(line)
        else:
            told.append(line)
    close()
    return found


def _asks(text: str) -> bool:
    return not text[:1].isspace() and ends_asking(text)


def _draft(
    asked: Sequence[Line], told: Sequence[Line], topics: tuple[Block, ...], scale: Scale, tick: Tick
) -> Draft:
    said = head("\n".join(_SIGN.sub("", each.text.lstrip("# ")) for each in asked), scale)
    opening = Opening(
        "plain", PLAIN, tuple(asked), said.text, said.number, said.level, tags=said.tags,
        kind="question" if said.number else "card",
    )  # fmt: skip
    return Draft(opening, topics, None, list(parse(trimmed(told), tick)))
