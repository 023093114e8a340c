"""Files without questions: a note is one entry, and so is a file whose front matter asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from kb.exchange.questions.blocks import Block, Line, places, source, trimmed
from kb.exchange.questions.contents import link_list, link_target
from kb.exchange.questions.facts import Facts, by_language, language_of, level_in, said_language
from kb.exchange.questions.head import head
from kb.exchange.questions.inline import clean
from kb.exchange.questions.links import links
from kb.exchange.questions.making import Made
from kb.exchange.questions.regions import outside_code
from kb.exchange.questions.tags import line_of_tags, tags_in
from kb.records import Answer, Entry

_FEW = 20  # words below which a text without title is no note


def asked_by_matter(lines: Sequence[Line], facts: Facts) -> Made | None:
    """Return the entry of a file whose front matter asks; all of its text answers."""
    asked = facts.matter.text("question", "سوال", "سؤال", "پرسش")
    if not asked:
        return None
    body, tags = _body(lines)
    topic = facts.matter.text("topic", "category", "section", "موضوع") or facts.title
    return _made(asked, body, _tagged(facts, tags), "question", topic=topic)


def note(lines: Sequence[Line], blocks: Sequence[Block], facts: Facts, name: str) -> Made | None:
    """Return a text as one entry, or None where it is no note: empty, or nothing but links."""
    if _only_links(blocks):
        return None
    said = facts.matter.text("title")
    first = blocks[0] if blocks and blocks[0].kind == "heading" else None
    heads = first is not None and (not said or clean(first.text) == clean(said))
    skip = places(first.lines) if first is not None and heads else frozenset()
    body, tags = _body([line for line in lines if line.number not in skip])
    title = said or (first.text if first is not None else "") or _named(body, blocks, facts, name)
    if not body or not title:
        return None
    topic = facts.matter.text("topic", "category", "موضوع")
    found = _made(title, body, _tagged(facts, tags), "note", topic=topic)
    return found._replace(taken=found.taken | skip, line=min(skip, default=found.line))


def _named(body: Sequence[Line], blocks: Sequence[Block], facts: Facts, name: str) -> str:
    """Return the name of a file as the title of its text, where that is enough for a note."""
    words = sum(len(line.text.split()) for line in body)
    enough = words >= _FEW or len(blocks) > 1 or facts.matter.values
    return PurePath(name).stem if enough else ""


def _tagged(facts: Facts, tags: tuple[str, ...]) -> Facts:
    return facts._replace(tags=tuple(dict.fromkeys((*facts.tags, *tags))))


def _body(lines: Sequence[Line]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """Return lines without those that hold nothing but tags, and these tags."""
    found = {at: tags for at, text in outside_code(lines) if (tags := line_of_tags(text))}
    kept = trimmed([line for at, line in enumerate(lines) if at not in found])
    return kept, tuple(tag for tags in found.values() for tag in tags)


def _made(asked: str, body: Sequence[Line], facts: Facts, kind: str, topic: str) -> Made:
    said = head(" ".join(asked.split()), facts.scale)
    text = source(body)
    questions = by_language(clean(said.text) or clean(asked) or asked, said_language(facts))
    lang = next(iter(questions))
    told = Answer("source", said_language(facts) or language_of(text, lang), text)
    found = tags_in(re.sub(r"(?ms)^(```|~~~).*?^\1", "", text)) if kind == "note" else ()
    entry = Entry(
        "", kind, "", questions,
        number=said.number,
        level=said.level or level_in(facts),
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
