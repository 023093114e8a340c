"""Files without questions: a note is one entry, and so is a file whose front matter asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from kb.exchange.questions.blocks import Block, Line, source, trimmed
from kb.exchange.questions.contents import link_list, link_target
from kb.exchange.questions.frontmatter import FrontMatter
from kb.exchange.questions.head import head
from kb.exchange.questions.inline import clean
from kb.exchange.questions.links import links
from kb.exchange.questions.making import (
    Facts,
    Made,
    _language_of,
    _languages,
    _level,
    _said_language,
)
from kb.exchange.questions.tags import line_of_tags, tags_in
from kb.records import Answer, Entry

_FEW = 20  # words below which a text without title is no note


def asked_by_matter(lines: Sequence[Line], facts: Facts) -> Made | None:
    """Return the entry of a file whose front matter asks; all of its text answers."""
    asked = facts.matter.text("question", "سوال", "سؤال", "پرسش")
    if not asked:
        return None
    body = _body(lines)
    return _made(
        asked,
        body,
        facts,
        "question",
        topic=facts.matter.text("topic", "category", "section", "موضوع") or facts.title,
    )


def note(lines: Sequence[Line], blocks: Sequence[Block], facts: Facts, name: str) -> Made | None:
    """Return a text as one entry, or None where it is no note: empty, or nothing but links."""
    if _only_links(blocks):
        return None
    first = blocks[0] if blocks and blocks[0].kind == "heading" else None
    title = facts.matter.text("title") or (first.text if first else "")
    skip = (
        {each.number for each in first.lines}
        if first
        and (
            not facts.matter.text("title") or clean(first.text) == clean(facts.matter.text("title"))
        )
        else set()
    )
    body = _body([line for line in lines if line.number not in skip])
    if not body:
        return None
    if not title:
        words = sum(len(line.text.split()) for line in body)
        if words < _FEW and len(blocks) < 2 and not facts.matter.values:
            return None
        title = PurePath(name).stem
    found = _made(title, body, facts, "note", topic=facts.matter.text("topic", "category", "موضوع"))
    return found._replace(taken=found.taken | skip, line=min(skip, default=found.line))


def _body(lines: Sequence[Line]) -> tuple[Line, ...]:
    return trimmed([line for line in lines if not line_of_tags(line.text)])


def _made(asked: str, body: Sequence[Line], facts: Facts, kind: str, topic: str) -> Made:
    said = head(" ".join(asked.split()), facts.scale)
    text = source(body)
    questions = _languages(clean(said.text) or clean(asked) or asked, _said_language(facts))
    lang = next(iter(questions))
    told = Answer("source", _said_language(facts) or _language_of(text, lang), text)
    found = tags_in(re.sub(r"(?ms)^(```|~~~).*?^\1", "", text)) if kind == "note" else ()
    entry = Entry(
        "", kind, "", questions,
        number=said.number,
        level=said.level or _level(facts),
        topic=topic or None,
        tags=tuple(dict.fromkeys((*facts.tags, *said.tags, *found))),
        answers=(told,) if text else (),
    )  # fmt: skip
    taken = frozenset(line.number for line in body)
    return Made(entry, body[0].number if body else 1, taken, links(text), facts.matter.text("id"))


def _only_links(blocks: Sequence[Block]) -> bool:
    """Say whether blocks are nothing but headings and links."""
    told = [each for each in blocks if each.kind not in ("heading", "rule")]
    linked = [
        each
        for each in told
        if (each.kind == "list" and link_list(each))
        or (
            each.kind == "paragraph"
            and all(link_target(line.text) is not None for line in each.lines)
        )
    ]
    return len(linked) == len(told)


def says_nothing(matter: FrontMatter) -> bool:
    """Say whether a file has no front matter."""
    return not matter.lines
