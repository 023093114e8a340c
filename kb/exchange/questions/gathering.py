"""Questions as they are gathered: from blocks in their order to drafts of entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kb.exchange.questions.blocks import Block, Line, Tick
from kb.exchange.questions.contents import BACK, heading_reason, link_list, link_target, points_up
from kb.exchange.questions.draft import BEFORE, BETWEEN, Draft, Gathered
from kb.exchange.questions.inline import clean
from kb.exchange.questions.labels import label
from kb.exchange.questions.levels import heading_level
from kb.exchange.questions.opening import HEADING, MARKED, Opening, Survey
from kb.exchange.questions.outline import Role, heading_head, roles
from kb.exchange.questions.styles import openings


def gather(blocks: Sequence[Block], survey: Survey, tick: Tick) -> Gathered:
    """Return the drafts in blocks."""
    known = roles(blocks, survey)
    topics = [block.text for at, block in enumerate(blocks) if known.get(at) is Role.TOPIC]
    levels = {heading_level(text) for text in topics} - {None}
    state = _State(survey, Gathered(), graded=len(levels) > 1)
    for at, block in enumerate(blocks):
        tick()
        if block.kind == "heading":
            _heading(state, block, known[at])
        else:
            _text(state, block)
    return state.found


@dataclass(slots=True)
class _State:
    survey: Survey
    found: Gathered
    topics: list[Block] = field(default_factory=list)
    level: str | None = None
    current: Draft | None = None
    aside: str = ""
    labelled: Draft | None = None
    graded: bool = False


def _heading(state: _State, block: Block, role: Role) -> None:
    if role is Role.ANSWER and state.labelled is not None and _answers_other(state, block):
        state.current, state.aside = state.labelled, ""
    current = state.current
    if role is Role.QUESTION:
        _enter(state, block)
        state.labelled = (
            None if state.labelled and state.labelled is not state.current else state.labelled
        )
        said = heading_head(block, state.survey)
        marked = label(" ".join(block.text.split()))
        lang = marked.lang if marked else None
        opening = Opening(
            "label" if lang or not said.text else "heading", HEADING, block.lines, said.text,
            said.number, said.level, lang, said.tags,
        )  # fmt: skip
        _begin(state, opening)
    elif role is Role.TEXT and current is not None:
        _add(current, block)
    elif role is Role.ANSWER and current is not None:
        found = label(" ".join(block.text.split()))
        current.told_in = found.lang if found else None
        if current.told_in is None:
            current.body.append(block)
        elif found and found.rest:
            _add(
                current,
                block._replace(
                    kind="paragraph", text=found.rest, lines=(Line(block.start, found.rest),)
                ),
            )
    else:
        _enter(state, block)
        state.current = None
        state.aside = heading_reason(block.text) or ""
        if state.aside:
            state.found.left.append((block, state.aside))
        else:
            state.topics.append(block)
            state.level = _level(state)


def _answers_other(state: _State, block: Block) -> bool:
    """Say whether an answer that names its language is that of a question before the open one."""
    found = label(" ".join(block.text.split()))
    current = state.current
    return bool(found and found.lang) and (current is None or current.opening.lang is None)


def _enter(state: _State, block: Block) -> None:
    """Leave the topics that end where this heading begins."""
    while state.topics and state.topics[-1].depth >= block.depth:
        state.topics.pop()
    state.level = _level(state)
    state.aside = ""


def _level(state: _State) -> str | None:
    if not state.graded:
        return None
    found = (heading_level(each.text) for each in reversed(state.topics))
    return next(filter(None, found), None)


def _text(state: _State, block: Block) -> None:
    current = state.current
    if block.kind == "rule":
        if current is not None and current.opening.style == "cloze":
            state.current = None
        elif current is not None:
            _add(current, block)
        return
    found = openings(block, state.survey)
    if block.kind == "card":
        state.found.drafts.extend(
            Draft(each, tuple(state.topics), state.level, list(each.body)) for each in found
        )
        return
    rank = min((each.rank for each in found), default=None)
    if state.aside and (rank is None or rank > MARKED):
        found = () if not _surely(found) or link_list(block) else found
        rank = min((each.rank for each in found), default=None)
    if rank is not None and found[0].style == "item" and _introduces(state, block):
        rank = None
    if (
        rank is not None
        and (current is None or rank <= current.opening.rank)
        and _fits(current, found)
    ):
        for each in found:
            _begin(state, each)
        return
    shown = block.kind == "code" and current is not None and current.opening.style == "item"
    if current is not None and (current.opening.open or shown):
        _add(current, block)
    else:
        state.found.left.append((block, _reason(state, block)))


def _introduces(state: _State, block: Block) -> bool:
    """Say whether a bulleted list speaks of the file, before questions of another style begin."""
    if state.found.drafts or block.children[0].number or len(state.topics) > 1:
        return False
    return state.survey.ordered or state.survey.bold >= 0.5


def _surely(found: Sequence[Opening]) -> bool:
    asking = sum(clean(each.text).endswith(("?", "؟")) for each in found)
    return bool(found) and asking * 2 >= len(found)


def _fits(current: Draft | None, found: Sequence[Opening]) -> bool:
    """Say whether what begins here is no part of the question that is open."""
    if current is None:
        return True
    opening = current.opening
    if opening.style == "label" and not opening.text and not current.body:
        return found[0].style == "label" and found[0].rank == MARKED
    if opening.style == "label" and found[0].style not in ("label", "deck", "cloze", "callout"):
        return found[0].rank < HEADING
    if opening.style == "heading" and found[0].style == "details" and not _surely(found):
        return not _has_answer(current)
    if opening.style == "heading" and found[0].style in ("details", "callout"):
        return False if not current.body else found[0].rank < opening.rank or _has_answer(current)
    return True


def _has_answer(current: Draft) -> bool:
    return any(each.kind in ("paragraph", "list", "code", "table") for each in current.body)


def _begin(state: _State, opening: Opening) -> None:
    current = state.current
    if current is not None and opening.lang and _translates(current, opening):
        current.others.append(opening)
        current.told_in = None
        return
    if opening.kind == "question" and opening.text and not clean(opening.text).strip():
        return
    last = state.found.drafts[-1] if state.found.drafts else None
    if last is not None and last is current and opening.style == "label" and _only_numbers(last):
        state.found.drafts.pop()
        opening = opening._replace(number=opening.number or last.opening.number)
    draft = Draft(opening, tuple(state.topics), state.level, list(opening.body))
    state.found.drafts.append(draft)
    state.current = draft
    if opening.lang:
        state.labelled = draft


def _only_numbers(current: Draft) -> bool:
    """Say whether nothing but a label with a number is known of a question yet."""
    opening = current.opening
    return opening.style == "label" and not (opening.text or current.body or current.others)


def _translates(current: Draft, opening: Opening) -> bool:
    """Say whether an opening is the question that is open, in another language."""
    langs = {each.lang for each in current.heads}
    return (
        None not in langs and opening.lang not in langs and current.opening.number == opening.number
    )


def _add(current: Draft, block: Block) -> None:
    if current.told_in is not None:
        current.answers.setdefault(current.told_in, []).append(block)
    elif current.others:
        current.asked.setdefault(current.others[-1].lang or "", []).append(block)
    else:
        current.body.append(block)


def _reason(state: _State, block: Block) -> str:
    listed = link_list(block) if block.kind == "list" else None
    if listed or state.aside:
        return listed or state.aside
    if block.kind == "paragraph" and points_up(block.text):
        return BACK
    if block.kind == "paragraph" and link_target(block.text) is not None:
        return "a link"
    return BETWEEN if state.found.drafts else BEFORE
