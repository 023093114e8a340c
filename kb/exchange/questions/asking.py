"""Whether words ask: by their mark, or by the word they begin or end with."""

from __future__ import annotations

import re
from enum import IntEnum

from kb.exchange.questions.words import words

MARKS = "?؟？"
_MARK = re.compile(rf"[{MARKS}](?=[\s\"'”’»)\]*_.!…:,\u200f\u200e]|$)")
_CODE = re.compile(r"`[^`\n]*`|\$[^$\n]*\$|\]\([^()\s]*\)|https?://\S+")
_FIRST = words(
    "what what's whats why how when where which who whom whose explain describe define",
    "discuss compare contrast differentiate distinguish list name give write implement",
    "calculate compute derive prove state tell mention identify outline summarize",
    "summarise elaborate illustrate is are was were do does did can could should would",
    "will has have true given suppose consider talk walk explique qué cómo cuál pourquoi",
    "comment quel was wie warum welche что как почему зачем какой какая какие каковы",
    "каким чем где когда объясните опишите расскажи расскажите назовите",
)
_PERSIAN_FIRST = words(
    "چرا چگونه چطور چطوری چه آیا کدام کدوم چند چقدر کجا کی توضیح تعریف شرح مقایسه تفاوت",
    "فرق لطفا لطفاً هدف منظور",
)
_PERSIAN = re.compile(
    r"(?<!\w)(?:چیست|چیه|چی هست|چیستند|کدامند|کدام است|کدام‌اند|توضیح (?:دهید|بده|بدهید)"
    r"|شرح (?:دهید|بده)|(?:بیان|تعریف|مقایسه|اثبات|ثابت|محاسبه|مشخص|معرفی) کنید"
    r"|پیاده[‌ ]سازی کنید"
    r"|(?:نام|مثال) (?:ببرید|بزنید)|بنویسید|بگو|بگویید|بزن|بزنید|کن)(?!\w)"
)
_TASKS = words(
    "reverse find merge design build draw sort solve show convert count detect remove print",
    "generate estimate sketch simulate invert rotate optimise optimize",
    "طراحی پیاده‌سازی پیاده ساخت یافتن پیدا نوشتن محاسبه معکوس مرتب‌سازی مزایا معایب",
)
_WEIGHS = re.compile(r"^\W*(?:pros and cons|(?:dis)?advantages)\b", re.IGNORECASE)
_APART = re.compile(r"[\W_]*(?:the )?(?:differences?|similarities) between\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

_ASIDE = re.compile(r"\s*\([^()]{0,80}\)\s*$")


class Grade(IntEnum):
    """How surely words ask: not, by their verb, by their mark."""

    NOT = 0
    MAYBE = 1
    SURELY = 2


def grade(text: str) -> Grade:
    """Say how surely a text asks.

    >>> [grade(each).name for each in ("Norm?", "Explain norms", "Norms", "a `b?` c", "نرم چیست")]
    ['SURELY', 'MAYBE', 'NOT', 'NOT', 'MAYBE']
    >>> grade("Difference between a norm and a metric").name, grade("تفاوت نرم و متر").name
    ('MAYBE', 'MAYBE')
    """
    bare = _CODE.sub("`", text[:2000])
    if _MARK.search(bare):
        return Grade.SURELY
    first = _WORD.search(bare)
    word = first[0].casefold().replace("’", "'") if first else ""
    if word in _FIRST or word in _PERSIAN_FIRST or _PERSIAN.search(bare) or _APART.match(bare):
        return Grade.MAYBE
    return Grade.NOT


def sets_task(text: str) -> bool:
    """Say whether a text tells to do something, as tasks in a list of questions do.

    >>> sets_task("Reverse a list"), sets_task("طراحی یک صف"), sets_task("A list")
    (True, True, False)
    """
    first = _WORD.search(text[:200])
    return bool(_WEIGHS.match(text[:200])) or (first is not None and first[0].casefold() in _TASKS)


def asks(text: str) -> bool:
    """Say whether a text asks by its mark."""
    return grade(text) is Grade.SURELY


def ends_asking(text: str) -> bool:
    """Say whether a line ends in a question mark, whatever is in brackets after it.

    >>> ends_asking("What is it? (slide 4)"), ends_asking("Is it? Yes.")
    (True, False)
    """
    bare = text.strip().rstrip("*_ \"'”»\u200f\u200e")
    return bare.endswith(tuple(MARKS)) or _ASIDE.sub("", bare).endswith(tuple(MARKS))
