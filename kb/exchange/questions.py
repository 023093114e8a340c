"""Question lists and cards as people write them: Markdown, or text that has lost its marks.

A file is read in one of five ways, the first that finds anything in it:

*levels*     list items that begin with ``[E]``, ``[M]`` or ``[H]``: each is a question, and what
             follows up to the next item belongs to it
*bold*       lines that are bold as a whole: a question, with its answer below
*headings*   headings of the level that asks (or of the deepest), with the answer below
*cards*      lines that end in a question mark, with the answer below
*items*      the outer items of any list, with what is indented below as the answer
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple, TypeVar

from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.exchange.encoding import read_text
from kb.records import Answer, Entry, Progress
from kb.records.progress import silent
from kb.text.languages import guess_language

T = TypeVar("T")
_ITEM = re.compile(r"^(?P<indent>\s*)(?:[-*+•]|(?P<number>\d+(?:\.\d+)*)[.)])\s+(?P<text>.*)$")
_LEVEL = re.compile(r"^\[(?P<level>[EMH])\]\s*(?P<text>.*)$")
_BOLD = re.compile(r"^\s*(?:\*\*|__)(?P<text>[^*_].*?)(?:\*\*|__)\s*:?\s*$")
_HEADING = re.compile(r"^#{1,6}\s+(?P<text>.*?)\s*#*\s*$")
_NUMBERED = re.compile(r"^(?P<number>\d+(?:\.\d+)*)[.)]?\s+(?P<text>.+)$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_ASKS = ("?", "؟", "？")
_SLUG_WORDS = 9
_LONGEST_SLUG = 80


class _Card(NamedTuple):
    question: str
    answer: str = ""
    level: str | None = None
    number: str | None = None


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the questions, answers and cards of a file; raises `BadData` where there are none."""
    text = read_text(stream, name)
    if "\0" in text:
        raise BadData(f"{name}: this is not a text file")
    lines = text.replace("\r\n", "\n").split("\n")
    for way in _WAYS:
        cards = [card for card in _with_progress(way(lines), progress) if card.question]
        if cards:
            return Batch(Book(tuple(_with_progress(_entries(cards), progress))))
    raise BadData(
        f"{name}: no questions found",
        "Questions are list items with a level like [E], bold lines, headings, "
        "or lines that end in a question mark.",
    )


def _with_progress(steps: Iterable[T], progress: Progress) -> Iterator[T]:
    """Yield what comes, and tell that it goes on."""
    progress(0, 0)
    for step in steps:
        progress(0, 0)
        yield step


def _levels(lines: list[str]) -> Iterator[_Card]:
    """Read list items with levels; a nested item is numbered after the one it stands in."""
    current: _Card | None = None
    rest: list[str] = []
    outer: str | None = None
    sub_number = 0
    for line, in_code in _with_code(lines):
        item = None if in_code else _ITEM.match(line)
        level = _LEVEL.match(item["text"]) if item else None
        belongs = item["indent"] and not level if item else not _HEADING.match(line)
        if in_code or belongs:
            rest.append(line)
            continue
        if current is not None:
            yield _continued(current, rest)
        current, rest = None, []
        if item and level:
            nested = bool(item["indent"])
            sub_number = sub_number + 1 if nested else 0
            number = f"{outer}.{sub_number}" if nested and outer else item["number"]
            current = _Card(level["text"], level=level["level"], number=number)
        elif item and not item["indent"]:
            outer, sub_number = item["number"], 0
    if current is not None:
        yield _continued(current, rest)


def _continued(card: _Card, rest: list[str]) -> _Card:
    """Add what follows an item: to the question its lines and its code, the rest as the answer.

    A hint or code stands with the question; a paragraph of its own, after a blank line, answers.
    """
    lines = "\n".join(rest).strip("\n").rstrip().split("\n")
    blank = next((n for n, line in enumerate(rest) if not line.strip()), len(rest))
    told = [line for line in rest[blank:] if line.strip()]
    if not told or _FENCE.match(told[0]):
        more = "\n".join(lines)
        question = f"{card.question.rstrip()}\n\n{more}" if more else card.question
        return card._replace(question=question)
    more = "\n".join(rest[:blank]).strip()
    question = f"{card.question.rstrip()}\n\n{more}" if more else card.question
    answer = textwrap.dedent("\n".join(rest[blank:]).strip("\n")).rstrip()
    return card._replace(question=question, answer=answer)


def _bold(lines: list[str]) -> Iterator[_Card]:
    return _sections(lines, lambda line: _BOLD.match(line))


def _headings(lines: list[str]) -> Iterator[_Card]:
    """Read headings of one level, that of the first that asks; deeper ones belong to the answer."""
    levels = [
        (len(line) - len(line.lstrip("#")), heading["text"].endswith(_ASKS))
        for line, in_code in _with_code(lines)
        if not in_code and (heading := _HEADING.match(line))
    ]
    asking = [level for level, asks in levels if asks]
    level = asking[0] if asking else max((level for level, _ in levels), default=0)
    cards = list(_sections(lines, lambda line: _heading_above(line, level)))
    return iter([card for card in cards if card.answer or card.question.endswith(_ASKS)])


def _heading_above(line: str, level: int) -> re.Match[str] | None:
    heading = _HEADING.match(line)
    return heading if heading and len(line) - len(line.lstrip("#")) <= level else None


def _cards(lines: list[str]) -> Iterator[_Card]:
    """Read lines that ask; two that follow each other are one question."""
    question: list[str] = []
    answer: list[str] = []
    for line, in_code in _with_code(lines):
        asks = not in_code and _question_text(line)
        if asks and (not question or any(map(str.strip, answer))):
            if question:
                yield _card(question, answer)
            question, answer = [asks], []
        elif asks:
            question.append(asks)
        elif question:
            answer.append(line)
    if question:
        yield _card(question, answer)


def _question_text(line: str) -> str:
    """Return the question a line asks, without the sign of its list, or nothing."""
    item = _ITEM.match(line)
    text = (
        (f"{item['number']} {item['text']}" if item["number"] else item["text"]) if item else line
    )
    # Cards copied from slides name their slide: "What is it? (slide 4)".
    bare = re.sub(r"\s*\([^()?]*\)\s*$", "", text).rstrip()
    return text.strip() if bare.endswith(_ASKS) else ""


def _card(question: list[str], answer: list[str]) -> _Card:
    numbered = _NUMBERED.match(question[0])
    first = numbered["text"] if numbered else question[0]
    return _Card(
        "\n".join([first, *question[1:]]),
        "\n".join(answer).strip("\n").rstrip(),
        number=numbered["number"] if numbered else None,
    )


def _sections(lines: list[str], opens: Callable[[str], re.Match[str] | None]) -> Iterator[_Card]:
    """Read what stands under each line that opens a section."""
    title, body = "", list[str]()
    for line, in_code in _with_code(lines):
        opened = None if in_code else opens(line)
        if opened is None:
            body.append(line)
            continue
        if title:
            yield _card([title], body)
        title, body = opened["text"].strip(), []
    if title:
        yield _card([title], body)


def _with_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it stands in fenced code (the fences too)."""
    inside = False
    for line in lines:
        fence = bool(_FENCE.match(line))
        yield line, inside or fence
        inside = inside != fence


def _items(lines: list[str]) -> Iterator[_Card]:
    outer = re.compile(r"^(?=[-*+•\d])" + _ITEM.pattern[1:])
    return _sections(lines, lambda line: outer.match(line))


_WAYS: tuple[Callable[[list[str]], Iterator[_Card]], ...] = (
    _levels,
    _bold,
    _headings,
    _cards,
    _items,
)


def _entries(cards: list[_Card]) -> Iterator[Entry]:
    """Turn cards to entries; ids come from the words of the question, so they stay the same."""
    taken: dict[str, int] = {}
    for card in cards:
        lang = guess_language(card.question.split("\n")[0])
        slug = _slug(card.question)
        taken[slug] = taken.get(slug, 0) + 1
        yield Entry(
            id=slug if taken[slug] == 1 else f"{slug}-{taken[slug]}",
            kind="question" if card.level or not card.answer or card.number else "card",
            collection="",
            question={lang: card.question},
            number=card.number,
            level=card.level,
            answers=(Answer("source", lang, card.answer),) if card.answer else (),
        )


def _slug(question: str) -> str:
    """Return the first words of a question joined by hyphens.

    >>> _slug("What does it mean when we say “intractable”?")
    'what-does-it-mean-when-we-say-intractable'
    """
    folded = unicodedata.normalize("NFKC", question).casefold().replace("\u200c", "")
    words = re.findall(r"\w+", folded)[:_SLUG_WORDS]
    return "-".join(words)[:_LONGEST_SLUG].strip("-") or "question"
