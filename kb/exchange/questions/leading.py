"""What a heading that does not ask leads to: a question below it, or what only opens a file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.asking import Grade, asks, ends_asking, grade
from kb.exchange.questions.blocks import Block
from kb.exchange.questions.inline import clean
from kb.exchange.questions.labels import ANSWER, EXPLANATION, label

_FRONT = re.compile(
    r"foreword|preface|introduction|overview|install(?:ation)?|usage|getting started|quick ?start"
    r"|features|requirements|configuration|development|roadmap|demo|screenshots?"
    r"|مقدمه|پیش[‌ ]?گفتار|نصب|راه‌اندازی|ویژگی‌ها|نحوه استفاده|شروع سریع",
    re.IGNORECASE,
)
"""Headings that only open a file, and are no questions beside those that ask."""


def opens_file(heading: str) -> bool:
    """Say whether a heading only opens a file, as an introduction does.

    >>> opens_file("Installation"), opens_file("مقدمه"), opens_file("Norms")
    (True, True, False)
    """
    return bool(_FRONT.fullmatch(clean(heading)))


def ends_in_question(inner: Sequence[Block]) -> bool:
    """Say whether what stands below a heading is a question: a short one, or one after code."""
    last = inner[-1]
    if last.kind != "paragraph" or any(each.kind not in ("paragraph", "code") for each in inner):
        return False
    sure = ends_asking(last.text) or asks(last.text)
    return sure or (len(inner) == 1 and grade(last.text) is not Grade.NOT)


def is_explained(blocks: Sequence[Block], after: int, end: int) -> bool:
    """Say whether the next heading, before place ``end``, answers or explains this one."""
    found = label(blocks[after].text) if after < end else None
    return found is not None and found.role in (ANSWER, EXPLANATION) and not found.rest
