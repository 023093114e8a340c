"""The line that asks: its words, and what is said beside them."""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.exchange.questions.asking import Grade, grade
from kb.exchange.questions.inline import wrapped_bold
from kb.exchange.questions.levels import ONE_STAR, Scale, split_level
from kb.exchange.questions.numbers import split_number
from kb.exchange.questions.tags import split_tags

_ANCHOR = re.compile(
    r"^\s*(?:<a\b[^<>]*>\s*</a>|<a\b[^<>]*/>|<b>(?=.*</b>\s*$)|<strong>(?=.*</strong>\s*$))\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?<!\s)\s*(?:<a\b[^<>]*>\s*</a>|</b>|</strong>|<br\s*/?>|\s>>>?)\s*$", re.IGNORECASE
)
_TASK = re.compile(r"^\[[ xX]\]\s+")
_LINKED = re.compile(r"^\[([^\[\]]+)\]\([^()\s]*\)$")
_INVISIBLE = "\u200b\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff"
_PICTOGRAM = re.compile(
    r"^(?:[❓❔❗✅✨➡▶►\U0001F50D-\U0001F53D\U0001F914\U0001F4A0-\U0001F4DD\U0001F449\U0001F539\U0001F538]\ufe0f?\s*)+(?=\S)"
)
_TURNS = 6
_LONGEST = 4000  # characters; nothing longer is a question of one line


class Head(NamedTuple):
    """A question's words as they are written, without number, level, tags and what wraps them."""

    text: str
    number: str | None = None
    level: str | None = None
    tags: tuple[str, ...] = ()
    bold: bool = False

    @property
    def grade(self) -> Grade:
        """How surely it asks."""
        return grade(self.text)


def head(text: str, scale: Scale = ONE_STAR) -> Head:
    """Return what a line that may ask says.

    >>> head("**1. What is a norm? 👶**")
    Head(text='What is a norm?', number='1', level='E', tags=(), bold=True)
    >>> head("[M] ۲) نرم چیست؟ #خطی").text
    'نرم چیست؟'
    """
    if len(text) > _LONGEST:
        return Head(text.strip())
    number: str | None = None
    level: str | None = None
    tags: tuple[str, ...] = ()
    bold = False
    text = text.strip().strip(_INVISIBLE)
    for _ in range(_TURNS):
        before = text
        text = _TASK.sub("", _TAIL.sub("", _ANCHOR.sub("", _PICTOGRAM.sub("", text))))
        linked = _LINKED.match(text)
        text = linked[1] if linked else text
        found, text = split_tags(text)
        tags += found
        said, text = split_level(text, scale)
        level = level or said
        inner = wrapped_bold(text)
        bold, text = bold or inner is not None, text if inner is None else inner
        if number is None:
            number, text = split_number(text)
        if text == before:
            break
    return Head(text.strip(), number, level, tags, bold)
