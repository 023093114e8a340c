"""What of a file is in no entry: every line with words in it, with the reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from kb.exchange.questions.blocks import Line
from kb.exchange.questions.contents import BACK, points_up
from kb.exchange.questions.draft import BEFORE, BETWEEN
from kb.exchange.questions.html import is_layout, without_tags
from kb.exchange.questions.labels import label
from kb.exchange.questions.levels import stated_level
from kb.records import Dropped

_WORDS = re.compile(r"\w")
_PICTURE = re.compile(
    r"^[\s>*-]*(?:\[?!\[|<(?:p|div|center|a|br)?\b[^<>]*>?\s*<?img\b|<img\b)", re.IGNORECASE
)
_HIDES = re.compile(r"^[^<>\w]*(?:<details[^<>]*>\s*)?<summary\b", re.IGNORECASE)
_COMMENT = re.compile(r"^\s*<!--")
_TAG = re.compile(r"^\s*<(?:link|style|script|meta)\b", re.IGNORECASE)


def leftover(
    lines: Sequence[Line], taken: Collection[int], reasons: Mapping[int, str], first: int, name: str
) -> Iterator[Dropped]:
    """Yield the stretches of lines that were not taken, each of one reason.

    ``first`` is the line in which the first entry begins.
    """
    start, reason, held = 0, "", list[str]()
    for line in (*lines, Line(len(lines) + 1, "")):
        said = "" if line.number in taken else _reason(line, reasons, first)
        if (said != reason and line.text.strip()) or line.number > len(lines):
            if reason:
                yield Dropped(name, start, reason, "\n".join(held).strip("\n"))
            start, reason, held = line.number, said, []
        if reason:
            held.append(line.text)


def _reason(line: Line, reasons: Mapping[int, str], first: int) -> str:
    text = line.text
    if not _WORDS.search(text) or is_layout(text):
        return ""
    known = reasons.get(line.number, "")
    kinds = (reason for pattern, reason in _KINDS if pattern.match(text))
    if known not in ("", BEFORE, BETWEEN):
        return known
    kind = next(kinds, known)
    if kind:
        return kind
    if not _WORDS.search(without_tags(text)):
        return ""
    marked = label(without_tags(text).strip("#> -"))
    if (marked is not None and not marked.rest) or stated_level(text) or _HIDES.match(text):
        return ""
    if points_up(text):
        return BACK
    return BEFORE if line.number < first else BETWEEN


_KINDS = ((_PICTURE, "an image"), (_COMMENT, "a comment"), (_TAG, "a tag of HTML"))
