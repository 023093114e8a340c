"""What is said of a file as a whole, and in what language its texts are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from kb.exchange.questions.frontmatter import FrontMatter
from kb.exchange.questions.levels import Scale, level_of
from kb.text.languages import guess_language

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|<[^<>]*>", re.DOTALL)
_ENOUGH = 20  # letters of an answer that tell its language
_SHORT = 1000  # characters of a question that may stand there in two languages
_SPLIT = re.compile(r"\s+[/|｜·]\s+")


class Facts(NamedTuple):
    """What is said of a file as a whole."""

    matter: FrontMatter
    scale: Scale
    tags: tuple[str, ...] = ()
    title: str = ""


def language_of(text: str, lang: str) -> str:
    """Return the language of an answer: its own where it has words enough, or the question's."""
    prose = _CODE.sub(" ", text)
    enough = sum(char.isalpha() for char in prose[:2000]) >= _ENOUGH
    return guess_language(prose) if enough else lang


def by_language(question: str, lang: str | None) -> Mapping[str, str]:
    """Return a question by its languages: in two where its two halves are in different ones.

    >>> by_language("What is a norm? / نرم چیست؟", None)
    {'en': 'What is a norm?', 'fa': 'نرم چیست؟'}
    """
    short = len(question) < _SHORT and "\n" not in question
    halves = _SPLIT.split(question) if short else []
    if len(halves) == 2 and all(len(each) > 3 for each in halves):
        found = {guess_language(half): half.strip() for half in halves}
        if len(found) == 2:
            return found
    return {lang or guess_language(question.split("\n")[0]): question}


def said_language(facts: Facts) -> str | None:
    """Return the code of the language that the note says it is in."""
    said = facts.matter.text("lang", "language").casefold()
    found = re.match(r"[a-z]{2,3}(?![a-z])", said)
    return (
        found[0]
        if found
        else {"english": "en", "persian": "fa", "farsi": "fa", "فارسی": "fa"}.get(said)
    )


def level_in(facts: Facts) -> str | None:
    """Return the level that the note says it has, in its front matter or a tag."""
    said = facts.matter.text("level", "difficulty", "سطح")
    found = level_of(said, facts.scale) if said else None
    tagged = (
        level_of(tag.split("/")[-1])
        for tag in facts.tags
        if re.match(r"(?:difficulty|level)/", tag)
    )
    return found or next(filter(None, tagged), None)
