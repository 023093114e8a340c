"""What is true of a file as a whole, found before its blocks are read one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from kb.exchange.questions.asking import Grade, asks, grade
from kb.exchange.questions.blocks import Block
from kb.exchange.questions.contents import link_list
from kb.exchange.questions.frontmatter import FrontMatter
from kb.exchange.questions.head import Head, head
from kb.exchange.questions.html import without_tags
from kb.exchange.questions.inline import clean
from kb.exchange.questions.labels import label
from kb.exchange.questions.levels import Scale
from kb.exchange.questions.opening import Survey
from kb.exchange.questions.unfold import hides_answer

_ABOUT = re.compile(
    r"\bquestions?\b|\binterview|\bfaqs?\b|\bq ?& ?a\b|\bquiz|\bflash ?cards?\b|\bexam\b"
    r"|\bexercises?\b|\bproblems\b"
    r"|سوال|سؤال|پرسش|مصاحبه|آزمون|کوییز|تمرین|فلش‌کارت|вопрос",
    re.IGNORECASE,
)

_DECK = re.compile(
    r"\bflash ?cards?\b|\bglossary\b|\bterminology\b|\bdictionary\b|\bvocabulary\b|\bdefinitions\b"
    r"|فلش[‌ ]?کارت|واژه‌?نامه|واژگان|اصطلاحات|تعاریف",
    re.IGNORECASE,
)


def survey(blocks: Sequence[Block], matter: FrontMatter, name: str, scale: Scale) -> Survey:
    """Return what decides the reading of a file's parts."""
    first = next((each.text for each in blocks if each.kind == "heading"), "")
    stem = re.sub(r"[-_.]+", " ", PurePath(name).stem)
    titles = (clean(first)[:300], matter.text("title"), stem)
    about = any(_ABOUT.search(each) for each in titles)
    items = _items(blocks, scale)
    return Survey(
        scale,
        about,
        details=_share(_summaries(blocks)),
        bold=_share(said.grade for said in _bold(blocks, scale)),
        items=_share(each.grade for _, each in items),
        quotes=_share(_quotes(blocks)),
        ordered=_ordered(items),
        deck=any(_DECK.search(each) for each in titles),
    )


def _share(grades: Iterable[Grade]) -> float:
    found = list(grades)
    return sum(each is Grade.SURELY for each in found) / len(found) if found else 0.0


def _summaries(blocks: Sequence[Block]) -> list[Grade]:
    texts = [each.text for each in blocks if each.kind == "details" and not hides_answer(each.text)]
    return [grade(without_tags(text)) for text in texts]


def _bold(blocks: Sequence[Block], scale: Scale) -> list[Head]:
    heads = [
        head(each.text, scale)
        for each in blocks
        if each.kind == "paragraph" and "**" in each.text[:40]
    ]
    return [each for each in heads if each.bold]


def _items(blocks: Sequence[Block], scale: Scale) -> list[tuple[Block, Head]]:
    """Return the items of all lists that are not contents, with what each says."""
    lists = [each for each in blocks if each.kind == "list" and not link_list(each)]
    items = [item for each in lists for item in each.children if item.children]
    return [(item, head(_line(item.children[0].text), scale)) for item in items]


def _ordered(items: Sequence[tuple[Block, Head]]) -> bool:
    """Say whether most of the items that ask are numbered, as those of an introduction are not."""
    asking = [bool(item.number) for item, said in items if said.grade is Grade.SURELY]
    return len(asking) > 3 and sum(asking) * 4 > len(asking) * 3


def _line(text: str) -> str:
    found = label(text)
    return (found.rest if found else text).split("\n")[0]


def _quotes(blocks: Sequence[Block]) -> list[Grade]:
    quotes = [each for each in blocks if each.kind == "quote" and each.children]
    grades = [Grade.SURELY if asks(each.children[0].text) else Grade.NOT for each in quotes]
    return grades if grades.count(Grade.SURELY) > 1 else []
