"""Lists of HTML, as the lists of Markdown that they could have been."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.html import BREAKS, TAG, without_tags

_HREF = re.compile(r"\bhref\s*=\s*[\"']?([^\"'<>\s]*)", re.IGNORECASE)
_DEEPEST = 8


class _Word(NamedTuple):
    """A tag or a run of text, with the index of the line in which it stands."""

    line: int
    tag: str
    closes: bool
    text: str


class _Open:
    """An item that is being read: where it began, its paragraphs, the items within it."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.paragraphs: list[Line] = [Line(line, "", line)]
        self.items: list[Block] = []
        self.target: str | None = None

    def add(self, line: int, text: str) -> None:
        """Add words that begin in a line."""
        last = self.paragraphs[-1]
        words = " ".join(text.split())
        glue = " " if text[:1].isspace() or last.text[-1:].isspace() else ""
        end = line + text.rstrip().count("\n")
        tail = " " if text[-1:].isspace() else ""
        if words:
            self.paragraphs[-1] = Line(last.number, f"{last.text.rstrip()}{glue}{words}{tail}", end)
        elif last.text and not last.text.endswith(" "):
            self.paragraphs[-1] = last._replace(text=f"{last.text} ")

    def part(self, line: int) -> None:
        """Begin another paragraph."""
        self.paragraphs.append(Line(line, "", line))


class _Reading(NamedTuple):
    """The lines of a list, the items that are open, and of what kind the lists around them are."""

    lines: tuple[Line, ...]
    stack: list[_Open]
    ordered: list[bool]

    def close(self, line: int) -> None:
        """End the innermost item in a line."""
        _close(self.stack, self.lines, line, self.ordered[-1])


def html_list(lines: tuple[Line, ...], text: str) -> Block:
    """Return a list of HTML as a list of Markdown would be."""
    reading = _Reading(lines, [_Open(0)], [False])
    for word in _words(text):
        if word.tag == "li":
            _item(reading, word)
        elif word.tag in ("ul", "ol"):
            _edge(reading, word)
        elif word.tag in BREAKS:
            reading.stack[-1].part(word.line)
        else:
            last = reading.stack[-1]
            last.add(word.line, _link(word, last) if word.tag == "a" else word.text)
    while len(reading.stack) > 1:
        reading.close(len(lines) - 1)
    items = tuple(reading.stack[0].items)
    return Block("list", lines, children=items) if items else Block("html", lines)


def _item(reading: _Reading, word: _Word) -> None:
    stack = reading.stack
    if word.closes:
        if len(stack) > 1:
            reading.close(word.line)
    elif len(stack) <= _DEEPEST:
        if len(stack) > len(reading.ordered):
            reading.close(word.line)
        stack.append(_Open(word.line))


def _edge(reading: _Reading, word: _Word) -> None:
    if not word.closes:
        reading.ordered.append(word.tag == "ol")
    elif len(reading.ordered) > 1:
        reading.ordered.pop()


def _words(text: str) -> Iterator[_Word]:
    at = line = 0
    for tag in TAG.finditer(text):
        if tag.start() > at:
            yield _Word(line, "", False, text[at : tag.start()])
        line += text.count("\n", at, tag.start())
        yield _Word(line, (tag[2] or "!").lower(), bool(tag[1]), tag[0])
        line += tag[0].count("\n")
        at = tag.end()
    if at < len(text):
        yield _Word(line, "", False, text[at:])


def _link(word: _Word, item: _Open) -> str:
    """Return what a tag of a link is in Markdown."""
    if word.closes:
        target, item.target = item.target, None
        return "" if target is None else f"]({target})"
    found = _HREF.search(word.text)
    item.target = re.sub(r"[\s()]", "", found[1]) if found else None
    return "" if item.target is None else "["


def _close(stack: list[_Open], lines: tuple[Line, ...], end: int, ordered: bool) -> None:
    done = stack.pop()
    own = lines[done.line : end + 1]
    base = lines[0].number
    inner: list[Block] = []
    for each in done.paragraphs:
        words = without_tags(each.text).strip()
        if words:
            inner.append(
                Block("paragraph", (Line(base + each.number, words, base + each.last),), words)
            )
    if done.items:
        inner.append(_of_items(done.items))
    number = str(len(stack[-1].items) + 1) if ordered else ""
    stack[-1].items.append(Block("item", own, number=number, children=tuple(inner)))


def _of_items(items: Sequence[Block]) -> Block:
    """Return items as a list whose lines are in Markdown."""
    lines: list[Line] = []
    for item in items:
        sign = f"{item.number}. " if item.number else "- "
        for at, line in enumerate(line for child in item.children for line in child.lines):
            lines.append(line._replace(text=f"{' ' * len(sign) if at else sign}{line.text}"))
    return Block("list", tuple(lines), children=tuple(items))
