"""From drafts to entries: clean questions, whole answers, and every field that was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kb.exchange.questions.blocks import Block, Line, places, source
from kb.exchange.questions.cloze import gapped
from kb.exchange.questions.dividing import Divided, divide
from kb.exchange.questions.draft import Draft
from kb.exchange.questions.facts import Facts, by_language, language_of, level_in, said_language
from kb.exchange.questions.head import head
from kb.exchange.questions.inline import addresses, clean
from kb.exchange.questions.labels import ANSWER, label, points
from kb.exchange.questions.levels import Scale
from kb.exchange.questions.links import links
from kb.exchange.questions.opening import Opening
from kb.records import Answer, Entry
from kb.text.languages import guess_language

_GENERAL = re.compile(
    r"^(?:(?:interview |the |list of |all )?"
    r"(?:questions?|exercises|q ?& ?a|faqs?|flash ?cards?|cards?)"
    r"(?: (?:and|&|with) answers?)?"
    r"|سوالات|سؤالات|سوال‌ها|پرسش‌ها|پرسش و پاسخ|вопросы)$",
    re.IGNORECASE,
)
_BLOCK_ID = re.compile(r"\s\^([A-Za-z0-9-]+)\s*$")


class Made(NamedTuple):
    """An entry without its id, where it begins, the lines it took, and what it points to.

    ``given`` is the id that the file gives it; ``left`` is what its question said
    beside its words and no field has: line, reason and text.
    """

    entry: Entry
    line: int
    taken: frozenset[int]
    links: tuple[str, ...] = ()
    given: str = ""
    left: tuple[tuple[int, str, str], ...] = ()
    empty: tuple[Line, ...] = ()


def made(draft: Draft, facts: Facts) -> Made | None:
    """Return the entry of a draft, or None where there is nothing that asks."""
    opening = draft.opening
    if opening.style == "cloze":
        return _cloze(draft, facts)
    text, body = _asked(opening, draft.body)
    parts = divide(text, body, facts.scale, opening)
    question = _question(text, parts.rest)
    if not question:
        return None
    questions = by_language(question, opening.lang or said_language(facts))
    for other in draft.others:
        words, below = _asked(other, draft.asked.get(other.lang or "", []))
        rest = divide(words, below, facts.scale)
        questions = {**questions, str(other.lang): _question(words, (*rest.rest, *rest.answer))}
    lang = next(iter(questions))
    answers = list(_answers(parts, draft, questions, facts.scale))
    given = _given(opening.lines)
    entry = Entry(
        "", opening.kind, "", questions,
        number=opening.number,
        level=opening.level or parts.level or draft.level or level_in(facts),
        topic=_topic(draft, facts),
        tags=_unique(facts.tags, opening.tags, parts.tags),
        answers=tuple(Answer("source", code or lang, told) for code, told in answers),
    )  # fmt: skip
    asked = (
        draft.body[0].lines if body is not draft.body and draft.body and not opening.text else ()
    )
    taken = places((*opening.lines, *opening.beside, *asked, *parts.rest, *parts.answer))
    return Made(
        entry,
        _line(draft),
        taken | _other_lines(draft),
        _links(draft),
        given,
        _left(draft),
        parts.empty,
    )


def _asked(opening: Opening, body: Sequence[Block]) -> tuple[str, list[Block]]:
    """Return the words that ask; below a label that stands alone they are the first text."""
    blocks = list(body)
    while not opening.text and blocks and blocks[0].kind == "rule":
        blocks.pop(0)
    if opening.text or not blocks:
        return opening.text or " ".join(each.text.strip("# ") for each in opening.lines), blocks
    first, *rest = blocks
    if first.kind == "quote" and first.children:
        first, rest = first.children[0], [*first.children[1:], *rest]
    found = label(first.text) if first.kind in ("paragraph", "heading") else None
    if first.kind not in ("paragraph", "heading") or (found and found.role == ANSWER):
        return " ".join(each.text.strip("# ") for each in opening.lines), blocks
    return head(" ".join(first.text.split("\n"))).text, rest


def _question(text: str, rest: Sequence[Line]) -> str:
    words = clean(text)
    more = source(rest)
    return f"{words}\n\n{more}" if more and words else words


def _cloze(draft: Draft, facts: Facts) -> Made | None:
    opening = draft.opening
    below = [line for block in draft.body if block.kind != "rule" for line in block.lines]
    whole = "\n\n".join(filter(None, (opening.text.strip(), source(below))))
    said = head(whole, facts.scale) if "\n" not in whole else None
    asked, told = gapped(said.text if said else whole, brackets=not _in_line(opening))
    question = clean(asked) if "\n" not in asked else asked
    if not question:
        return None
    lang = said_language(facts) or guess_language(told)
    entry = Entry(
        "", "card", "", {lang: question},
        level=opening.level or (said.level if said else None) or draft.level or level_in(facts),
        topic=_topic(draft, facts),
        tags=_unique(facts.tags, opening.tags, said.tags if said else ()),
        answers=(Answer("source", lang, told.strip()),) if told.strip() != question else (),
    )  # fmt: skip
    taken = frozenset(line.number for line in (*opening.lines, *below))
    return Made(entry, _line(draft), taken, _links(draft), _given(opening.lines))


def _in_line(opening: Opening) -> bool:
    """Say whether gaps are marked within a line, and not by the brackets of a deck."""
    found = label(opening.lines[0].text)
    return found is None or found.role != "cloze"


def _answers(
    parts: Divided, draft: Draft, questions: Mapping[str, str], scale: Scale
) -> Iterator[tuple[str, str]]:
    """Yield the answers by their languages; an empty one is that of the question."""
    text = source(parts.answer)
    if text:
        yield language_of(text, next(iter(questions))), text
    for lang, blocks in draft.answers.items():
        told = divide("", blocks, scale)
        text = source((*told.rest, *told.answer))
        if text:
            yield lang, text


def _topic(draft: Draft, facts: Facts) -> str | None:
    """Return the topic: what the note says, or the headings above; the title if there are none."""
    said = facts.matter.text("topic", "category", "subject", "موضوع")
    if said:
        return said
    names = [*map(_heading_name, _topics(draft)), *map(clean, draft.opening.topics)]
    told = [each for each in names if each and not _GENERAL.match(each)] or [
        each for each in names if each
    ]
    if not told and draft.topics:
        told = [_heading_name(draft.topics[0])]
    return " / ".join(dict.fromkeys(told)) or facts.title or None


def _topics(draft: Draft) -> Sequence[Block]:
    """Return the headings above a question, without the title of the file where there are more."""
    titled = len(draft.topics) > 1 and draft.topics[0].depth == 1
    return draft.topics[1:] if titled else draft.topics


def _heading_name(block: Block) -> str:
    said = head(" ".join(block.text.split()))
    return clean(said.text).strip(" :：")


def _unique(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for group in groups for each in group))


def _line(draft: Draft) -> int:
    return draft.opening.lines[0].number


def _all_blocks(draft: Draft) -> Iterator[Block]:
    yield from draft.body
    for group in (*draft.asked.values(), *draft.answers.values()):
        yield from group


def _other_lines(draft: Draft) -> frozenset[int]:
    """Return the lines of what stands in other languages, and of the topics that were used."""
    groups = (*draft.asked.values(), *draft.answers.values())
    spans = [each.lines for each in (*_topics(draft), *(b for group in groups for b in group))]
    spans += [each.lines for each in draft.others]
    return places(line for span in spans for line in span)


def _links(draft: Draft) -> tuple[str, ...]:
    lines = [*draft.opening.lines, *(line for block in _all_blocks(draft) for line in block.lines)]
    return links("\n".join(line.text for line in lines))


def _given(lines: Sequence[Line]) -> str:
    found = (_BLOCK_ID.search(line.text) for line in lines)
    return next((each[1] for each in found if each), "")


def _left(draft: Draft) -> tuple[tuple[int, str, str], ...]:
    """Return what the question's text leaves out: addresses that are no notes, and points."""
    lines = draft.opening.lines if draft.opening.style != "cloze" else ()
    linked = (
        (line.number, "the address of a link in a question", address)
        for line in lines
        for address in addresses(line.text)
        if address not in links(line.text)
    )
    worth = (
        (line.number, "the points of a problem", said)
        for line in lines
        if (said := points(line.text)) and said not in draft.opening.text
    )
    return (*linked, *worth)
