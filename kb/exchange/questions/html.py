"""HTML within Markdown: its words, its headings and its lists. Nothing of it is carried out."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.exchange.questions.blocks import Block, Line, trimmed

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>|<!--(?:(?!<!--).)*?-->", re.DOTALL)
_LAYOUT = re.compile(
    r"^[\s>]*(?:</?(?:br|p|div|center|b|strong|i|em|a|section|article|span|details|font|tbody|thead)"
    r"\b(?:\s[^<>]*)?/?>\s*)+$",
    re.IGNORECASE,
)
_HOLDS_PICTURE = re.compile(r"<a\b[^<>]*\bhref", re.IGNORECASE)
_HEADING = re.compile(r"<h([1-6])\b[^<>]*>", re.IGNORECASE)
_HEADING_END = re.compile(r"</h[1-6]\s*>", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b[^<>]*>", re.IGNORECASE)
_SUMMARY_END = re.compile(r"</summary\s*>", re.IGNORECASE)
_DETAILS = re.compile(r"<details\b[^<>]*>", re.IGNORECASE)
_DETAILS_END = re.compile(r"</details\s*>", re.IGNORECASE)
_BREAKS = frozenset({"br", "p", "div"})
_HREF = re.compile(r"\bhref\s*=\s*[\"']?([^\"'<>\s]*)", re.IGNORECASE)
_PROSE = frozenset("p b strong em i span code kbd br u mark small sub sup font div".split())
_DEEPEST = 8


def is_layout(text: str) -> bool:
    """Say whether a line holds nothing but tags that arrange what stands around them.

    >>> is_layout("</b></p>"), is_layout('<a name="top"></a>'), is_layout("<br> text")
    (True, True, False)
    """
    if "<" not in text or not _LAYOUT.match(text):
        return False
    return not _HOLDS_PICTURE.search(text) and "<details" not in text.lower()


def without_tags(text: str) -> str:
    """Return text without tags and comments, its entities as characters; code keeps its marks.

    >>> without_tags("<b>What is <code>&lt;b&gt;</code>?</b>")
    'What is `<b>`?'
    """

    def spared(found: re.Match[str]) -> str:
        name = (found[2] or "").lower()
        if name in ("code", "kbd", "tt"):
            return "`"
        return " " if name in _BREAKS else "" if name in _TAGS else found[0]

    return html.unescape(_TAG.sub(spared, text))


_TAGS = frozenset(
    "a abbr b big blockquote body center cite code dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 i img"
    " ins kbd li mark ol p q s samp section small span strike strong sub summary sup tt u ul var"
    " details picture source html link meta table tbody td th thead tr".split()
) | {""}


def summary_of(lines: Sequence[Line]) -> tuple[str, tuple[Line, ...]]:
    """Return the summary of an element that hides text, and the lines that it hides.

    >>> summary_of([Line(1, "<details><summary>Why?</summary>So."), Line(2, "</details>")])
    ('Why?', (Line(number=1, text='So.', last=0),))
    """
    text = "\n".join(line.text for line in lines)
    opened = _DETAILS.search(text)
    start = opened.end() if opened else 0
    summary, head = "", _SUMMARY.search(text, start)
    if head and not text[start : head.start()].strip():
        tail = _SUMMARY_END.search(text, head.end())
        end = tail.start() if tail else text.find("\n", head.end()) % (len(text) + 1)
        summary = text[head.end() : end]
        start = tail.end() if tail else end
    stop = max((each.start() for each in _DETAILS_END.finditer(text, start)), default=len(text))
    skipped = text.count("\n", 0, start)
    inner = text[start:stop].split("\n")
    hidden = (Line(lines[skipped + n].number, each) for n, each in enumerate(inner))
    return summary.strip(), trimmed(_unwrapped(tuple(hidden)))


def _unwrapped(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return lines without tags of layout at both ends, also where a text stands beside them."""
    found = list(lines)
    edge = re.compile(r"^\s*(?:</?(?:br|b|p|div|strong)\b[^<>]*>\s*)+", re.IGNORECASE)
    back = re.compile(r"\s*(?:</?(?:br|b|p|div|strong)\b[^<>]*>\s*)+$", re.IGNORECASE)
    for at, pattern in ((0, edge), (-1, back)):
        while found:
            text = found[at].text
            bare = pattern.sub("", text) if "<" in text else text
            if bare.strip():
                found[at] = Line(found[at].number, bare)
                break
            found.pop(at)
    return tuple(found)


class _Word(NamedTuple):
    """A tag or a run of text, with the index of the line in which it stands."""

    line: int
    tag: str
    closes: bool
    text: str


def html_blocks(lines: tuple[Line, ...]) -> Sequence[Block]:
    """Return the headings and lists of a block of HTML; what stands between stays HTML."""
    text = "\n".join(line.text for line in lines)
    if re.match(r"\s*<(?:ul|ol)\b", text, re.IGNORECASE):
        return (_list(lines, text),)
    return tuple(_with_headings(lines, text))


def _with_headings(lines: tuple[Line, ...], text: str) -> Iterator[Block]:
    done = 0
    place = 0
    for head in _HEADING.finditer(text):
        tail = _HEADING_END.search(text, head.end())
        if tail is None or head.start() < place:
            break
        first, last = text.count("\n", 0, head.start()), text.count("\n", 0, tail.end())
        if first < done:
            continue
        if trimmed(lines[done:first]):
            yield _words_or_html(trimmed(lines[done:first]))
        words = text[head.end() : tail.start()]
        yield Block("heading", lines[first : last + 1], " ".join(words.split()), int(head[1]))
        done, place = last + 1, tail.end()
    if trimmed(lines[done:]):
        yield _words_or_html(trimmed(lines[done:]))


def _words_or_html(lines: tuple[Line, ...]) -> Block:
    """Return a paragraph of HTML as a paragraph, any other as HTML."""
    text = "\n".join(line.text for line in lines)
    names = {found[2].lower() for found in _TAG.finditer(text) if found[2]}
    if names <= _PROSE and re.match(r"\s*<(?:p|div|b|strong|em|i|span)\b", text, re.IGNORECASE):
        words = without_tags(text).strip()
        if words:
            return Block("paragraph", lines, words)
    return Block("html", lines)


def _words(text: str) -> Iterator[_Word]:
    at = line = 0
    for tag in _TAG.finditer(text):
        if tag.start() > at:
            yield _Word(line, "", False, text[at : tag.start()])
        line += text.count("\n", at, tag.start())
        yield _Word(line, (tag[2] or "!").lower(), bool(tag[1]), tag[0])
        line += tag[0].count("\n")
        at = tag.end()
    if at < len(text):
        yield _Word(line, "", False, text[at:])


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


def _list(lines: tuple[Line, ...], text: str) -> Block:
    """Return a list of HTML as a list of Markdown would be."""
    stack = [_Open(0)]
    ordered = [False]
    for word in _words(text):
        if word.tag == "li" and not word.closes and len(stack) <= _DEEPEST:
            if len(stack) > len(ordered):
                _close(stack, lines, word.line, ordered[-1])
            stack.append(_Open(word.line))
        elif word.tag == "li" and word.closes and len(stack) > 1:
            _close(stack, lines, word.line, ordered[-1])
        elif word.tag in ("ul", "ol"):
            if not word.closes:
                ordered.append(word.tag == "ol")
            elif len(ordered) > 1:
                ordered.pop()
        elif word.tag in _BREAKS:
            stack[-1].part(word.line)
        elif word.tag == "a":
            stack[-1].add(word.line, _link(word, stack[-1]))
        else:
            stack[-1].add(word.line, word.text)
    while len(stack) > 1:
        _close(stack, lines, len(lines) - 1, ordered[-1])
    return Block("list", lines, children=tuple(stack[0].items))


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
            inner.append(Block("paragraph", (Line(base + each.number, words, base + each.last),), words))
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
