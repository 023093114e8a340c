"""Items of a list: each asks, and what is indented below it belongs to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kb.exchange.questions.asking import MARKS, Grade, sets_task
from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.contents import link_list, link_target
from kb.exchange.questions.head import Head, head
from kb.exchange.questions.labels import ANSWER, QUESTION, label
from kb.exchange.questions.opening import ITEM, LINE, MARKED, Opening, Survey
from kb.exchange.questions.paragraphs import OPTION, cut, paragraph
from kb.exchange.questions.styles import details as hidden
from kb.exchange.questions.styles.bold import bold_lead

_LEVEL_FIRST = re.compile(r"^\s*(?:\[[ xX]\]\s+)?(?:\*\*)?\[[EMHemh]\]")
_LISTED = re.compile(rf"{OPTION.pattern}|^[ivx]{{1,4}}[.)]\s")
_WRAPPED = 58  # characters from which a line is taken to have been broken by its length
_DEEPEST = 6


class _Asked(NamedTuple):
    """What an item asks, in which lines, what is left of its first paragraph, and how surely."""

    said: Head
    lines: tuple[Line, ...]
    rest: tuple[Block, ...]
    marked: bool
    near: bool
    settled: bool = False


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the questions of a list."""
    return _of_list(block, survey, (), 0) if block.kind == "list" else ()


def _of_list(
    block: Block, survey: Survey, topics: tuple[str, ...], depth: int
) -> Sequence[Opening]:
    if depth > _DEEPEST or (link_list(block) and not _asks_by_link(block)):
        return ()
    asked = [_asked(item, survey) for item in block.children]
    accepted = _accepted(block, asked, survey)
    found: list[Opening] = []
    leveled = any(each is not None and each.said.level for each in asked)
    for item, each, counted in zip(block.children, asked, _numbers(block), strict=True):
        if not accepted or (leveled and each is not None and not each.said.level and _groups(item)):
            above = (*topics, each.said.text) if each is not None and not each.marked else topics
            number = item.number or None
            inner = [
                _of_list(child, survey, above, depth + 1)
                for child in item.children
                if child.kind == "list"
            ]
            found.extend(_under(opening, number) for group in inner for opening in group)
            if not accepted:
                found.extend(o for child in item.children for o in hidden.openings(child, survey))
        elif (
            each is not None
            and each.said.text
            and not _only_link(each)
            and (not leveled or each.said.level or each.marked)
        ):
            found.append(_opening(item, counted, each, topics))
    return _closed(found, len(block.children))


def _under(opening: Opening, outer: str | None) -> Opening:
    """Return a question of an inner list, numbered after the item it stands in."""
    if outer and opening.number and "." not in opening.number:
        return opening._replace(number=f"{outer}.{opening.number}")
    return opening


def _groups(item: Block) -> bool:
    return any(child.kind == "list" for child in item.children) or len(item.children) == 1


def _asks_by_link(block: Block) -> bool:
    """Say whether items that are links ask, and lead to other files."""
    firsts = [item.children[0].text.split("\n")[0] for item in block.children if item.children]
    asking = [text for text in firsts if head(text).grade is Grade.SURELY]
    anchored = any((link_target(text) or "").startswith("#") for text in firsts)
    return len(asking) * 2 > len(firsts) and not anchored


def _accepted(block: Block, asked: Sequence[_Asked | None], survey: Survey) -> bool:
    """Say whether the items of a list are questions: most ask, here or in the whole file."""
    known = [each for each in asked if each is not None and each.said.text]
    if not known:
        return False
    if any(each.marked or (each.said.level and each.near) for each in known):
        return True
    grades = [_grade(each, survey.about) for each in known]
    surely, maybe = grades.count(Grade.SURELY), grades.count(Grade.MAYBE)
    many = len(asked)
    if surely >= 0.5 * many or (surely + maybe >= 0.6 * many and (many > 1 or survey.items >= 0.5)):
        return True
    ordered = bool(block.children[0].number)
    like = survey.items >= 0.5 and ordered and (surely + maybe >= 0.2 * many or many < 3)
    return like or (survey.about and surely + maybe >= 0.5 * many)


def _only_link(each: _Asked) -> bool:
    return link_target(each.lines[0].text) is not None and each.said.grade is Grade.NOT


def _grade(each: _Asked, about: bool) -> Grade:
    """Return how surely an item asks; a link is a question only by its mark."""
    linked = link_target(each.lines[0].text) is not None
    if each.settled:
        return Grade.SURELY
    if linked:
        return each.said.grade if each.said.grade is Grade.SURELY else Grade.NOT
    task = about and sets_task(each.said.text)
    return max(each.said.grade, Grade.MAYBE) if task else each.said.grade


def _asked(item: Block, survey: Survey) -> _Asked | None:
    first = item.children[0] if item.children else None
    if first is None or first.kind != "paragraph":
        return None
    pieces = list(cut(first))
    found = label(pieces[0].text)
    if found is not None and found.role == ANSWER and found.sign == ":":
        return None
    if found is not None and found.role == QUESTION:
        said = head(found.rest, survey.scale)._replace(number=found.number)
        return _Asked(said, pieces[0].lines, tuple(pieces[1:]), True, False)
    near = bool(_LEVEL_FIRST.match(pieces[0].text))
    lines = pieces[0].lines
    end = len(lines) if near else _question_end([each.text.strip() for each in lines])
    said = head(_joined([each.text.strip() for each in lines[:end]], near), survey.scale)
    rest = (paragraph(lines[end:]),) if end < len(lines) else ()
    lead = bold_lead(lines[0].text) if end == 1 else None
    if lead is not None:
        said, rest = (
            head(f"**{lead[0]}**", survey.scale),
            (paragraph((Line(lines[0].number, lead[1]), *lines[1:])),),
        )
    below = (*rest, *pieces[1:], *item.children[1:])
    return _Asked(
        said, lines[:end], (*rest, *pieces[1:]), False, near, _settled(lines[:end], below)
    )


def _settled(lines: Sequence[Line], below: Sequence[Block]) -> bool:
    """Say whether options stand in an item, or an answer below it that says so."""
    if sum(bool(OPTION.match(each.text)) for each in lines) > 1:
        return True
    texts = [each.text for each in below if each.kind == "paragraph"]
    found = [label(text) for text in texts]
    return any(each and each.role == ANSWER and each.sign in ":：" for each in found)


def _joined(lines: Sequence[str], near: bool) -> str:
    """Return the lines of a question as one, but for its options and where lines are kept."""
    out = lines[0]
    for line in lines[1:]:
        out += f"\n{line}" if near or _LISTED.match(line) else f" {line}"
    return out


def _question_end(lines: Sequence[str]) -> int:
    """Return how many of an item's first lines are its question, the others being its answer.

    >>> _question_end(["Explain dropout", "It drops units."]), _question_end(["Why?", "So."])
    (1, 1)
    >>> _question_end(["Explain it", "a. Why?", "b. How?"]), _question_end(["Where", "is it?"])
    (3, 2)
    """
    end = 1
    while end < len(lines):
        before, line = lines[end - 1], lines[end]
        listed = bool(_LISTED.match(line))
        if listed or (end > 1 and OPTION.match(before) and line[:1].islower()):
            end += 1
        elif before.rstrip("*_ ").endswith((*MARKS, ".", ":", "!", "…")):
            break
        elif line[:1].islower() or len(before) >= _WRAPPED:
            end += 1
        else:
            break
    return end


def _opening(item: Block, number: str | None, each: _Asked, topics: tuple[str, ...]) -> Opening:
    sure = each.said.bold and each.said.grade is Grade.SURELY
    return Opening(
        "item",
        MARKED if each.marked else LINE if sure else ITEM,
        each.lines,
        each.said.text,
        each.said.number or number,
        each.said.level,
        tags=each.said.tags,
        body=(*each.rest, *item.children[1:]),
        near=each.near,
        nested=True,
        topics=topics,
    )


def _numbers(block: Block) -> Sequence[str | None]:
    """Return the numbers of items; where all are written alike they are counted."""
    numbers = [item.number for item in block.children]
    if numbers[0] and len(numbers) > 1 and len(set(numbers)) == 1:
        return [str(int(numbers[0]) + at) for at in range(len(numbers))]
    return [each or None for each in numbers]


def _closed(found: list[Opening], many: int) -> list[Opening]:
    """Return questions of which only the last takes what follows, and only if others do."""
    if not found:
        return found
    answered = many == 1 or any(each.body for each in found[:-1])
    return [*(each._replace(open=False) for each in found[:-1]), found[-1]._replace(open=answered)]
