"""From lines to blocks, by CommonMark with tables; lenient with what people write in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from kb.exchange.questions.blocks import Block, Line, Tick, dedented, trimmed
from kb.exchange.questions.html import html_blocks, is_layout, summary_of
from kb.exchange.questions.regions import regions

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_DEEPEST = 6  # elements within elements that are opened
_NESTING = 20  # containers within containers
_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")
_INVISIBLE = re.compile(r"^[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")
_ITEM = re.compile(r"^(\s*(?:>\s*)*)(?:([0-9۰-۹٠-٩]{1,3})([.)\-–])(?=\s)|([•▪●◦‣]))")
_TIGHT_HEADING = re.compile(r"^(\s{0,3}#{2,6})(?=[^#\s])")
_MARKER = re.compile(r"^([ \t]*(?:[-+*]|\d{1,9}[.)]))([ \t]+|$)")
_QUOTE = re.compile(r"^[ \t]*>[ \t]?")
_FENCE = re.compile(r"^([ \t]*(?:[-+*][ \t]+|\d{1,9}[.)][ \t]+)?)(`{3,}|~{3,})(.*)$")
_RULE_BELOW = re.compile(r"^\s{0,3}-+\s*$")
_CONTAINERS = {
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
}
_LONGEST_HEADING = 150


class _Frame(NamedTuple):
    """The lines that a container holds, and the place of the first in what the parser read."""

    lines: Sequence[Line]
    offset: int

    def cut(self, start: int, end: int) -> tuple[Line, ...]:
        return tuple(self.lines[start - self.offset : end - self.offset])


class _Reading(NamedTuple):
    """What stays the same while one text is read: the elements that span blocks, whom to tell."""

    regions: Mapping[int, tuple[int, str]]
    depth: int
    tick: Tick


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _NESTING}).enable("table")
    parser.disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def parse(lines: Sequence[Line], tick: Tick, depth: int = 0) -> tuple[Block, ...]:
    """Return the blocks of lines."""
    tick()
    spans = regions(lines) if depth < _DEEPEST else {}
    copy = _with_fences([_readable(line.text) for line in lines])
    for start, (end, name) in spans.items():
        before = copy[start][: copy[start].index("<")]
        copy[start:end] = [
            f"{before}<{'ul' if name == 'list' else name}>",
            *[""] * (end - start - 1),
        ]
    tokens = _parser().parse("\n".join(copy))
    return _tree(tokens, _Frame(lines, 0), _Reading(spans, depth, tick))


def _with_fences(texts: list[str]) -> list[str]:
    """Return lines in which a fence is closed as far to the right as it was opened."""
    opened: re.Match[str] | None = None
    out: list[str] = []
    for text in texts:
        found = _FENCE.match(text)
        if opened is None:
            opened = found if found and not (found[2][0] == "`" and "`" in found[3]) else None
        elif found and found[2].startswith(opened[2]) and not found[3].strip():
            text, opened = " " * len(opened[1].expandtabs(4)) + found[2], None
        out.append(text)
    return out


def _readable(text: str) -> str:
    """Return a line as the parser knows it: each sign in its place, in the spelling of CommonMark.

    >>> _readable("۲- چرا؟"), _readable("•  one"), _readable("##Why?"), _readable("</p>")
    ('2. چرا؟', '-  one', '## Why?', '')
    """
    found = _INVISIBLE.match(text)
    if found:
        text = text[found.end() :]
    item = _ITEM.match(text)
    if item and item[4]:
        text = f"{item[1]}-{text[item.end() :]}"
    elif item:
        sign = item[3] if item[3] in ".)" else "."
        text = f"{item[1]}{item[2].translate(_DIGITS)}{sign}{text[item.end() :]}"
    if is_layout(text):
        return ""
    return _TIGHT_HEADING.sub(r"\1 ", text)


def _tree(tokens: Sequence[Token], frame: _Frame, reading: _Reading) -> tuple[Block, ...]:
    """Return the blocks of a run of tokens that are well nested."""
    out: list[Block] = []
    at = 0
    while at < len(tokens):
        end = _closing(tokens, at)
        out.extend(_block(tokens[at : end + 1], frame, reading))
        at = end + 1
    return tuple(out)


def _closing(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        depth += tokens[index].nesting
        if depth <= 0:
            return index
    return len(tokens) - 1


def _block(tokens: Sequence[Token], frame: _Frame, reading: _Reading) -> Sequence[Block]:
    token = tokens[0]
    if token.map is None:
        return ()
    start, end = token.map[0], _end(token.map[0], token.map[1], reading)
    lines = trimmed(frame.cut(start, end))
    if not lines:
        return ()
    reading.tick()
    match token.type:
        case "heading_open":
            return _heading(token, tokens[1].content, lines)
        case "paragraph_open":
            return (Block("paragraph", lines, tokens[1].content),)
        case "table_open":
            return (Block("table", lines, children=_rows(tokens, frame)),)
        case "html_block":
            return _html_block(frame, start, end, reading)
        case "fence" | "code_block":
            return (Block("code", lines, number=token.info),)
        case "hr":
            return (Block("rule", lines),)
        case kind:
            held = _held(kind, frame.cut(start, end))
            inner = frame if held is None else _Frame(held, start)
            children = _tree(tokens[1:-1], inner, reading)
            number = token.info if kind == "list_item_open" and token.markup in ".)" else ""
            return (Block(_CONTAINERS[kind], lines, number=number, children=children),)


def _held(kind: str, lines: Sequence[Line]) -> Sequence[Line] | None:
    """Return lines without the signs of the container that holds them, None where it has none."""
    if kind == "blockquote_open":
        return [Line(each.number, _QUOTE.sub("", each.text)) for each in lines]
    return _item_lines(lines) if kind == "list_item_open" else None


def _end(start: int, end: int, reading: _Reading) -> int:
    """Return where a block ends, counting the elements that begin in it as wholly in it."""
    if start in reading.regions:
        return reading.regions[start][0]
    for line in range(end - 1, start - 1, -1):
        if line in reading.regions:
            return max(end, reading.regions[line][0])
    return end


def _heading(token: Token, text: str, lines: tuple[Line, ...]) -> Sequence[Block]:
    """Return a heading, or the paragraph and rule that only look like one."""
    underlined = token.markup in "-=" and len(lines) > 1 and _RULE_BELOW.match(lines[-1].text)
    prose = "\n" in text or len(text) > _LONGEST_HEADING or text.rstrip().endswith((".", "!"))
    if underlined and prose:
        return (Block("paragraph", lines[:-1], text), Block("rule", lines[-1:]))
    return (Block("heading", lines, text.strip(), int(token.tag[1])),)


def _item_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of an item without its sign and the blanks below it."""
    first = _readable(lines[0].text)
    found = _MARKER.match(first)
    if not found:
        return list(lines)
    blanks = len(found[2].expandtabs(4))
    rest = first[found.end() :]
    width = len(found[1].expandtabs(4)) + (blanks if rest and blanks < 5 else 1)
    return [Line(lines[0].number, rest), *(dedented(each, width) for each in lines[1:])]


def _rows(tokens: Sequence[Token], frame: _Frame) -> tuple[Block, ...]:
    rows: list[Block] = []
    cells: list[Block] = []
    for token in tokens:
        if token.type == "tr_open" and token.map:
            cells, lines = [], frame.cut(*token.map)
        elif token.type == "inline":
            cells.append(Block("cell", lines, token.content.strip()))
        elif token.type == "tr_close" and lines:
            rows.append(Block("row", lines, children=tuple(cells)))
    return tuple(rows)


def _html_block(frame: _Frame, start: int, end: int, reading: _Reading) -> Sequence[Block]:
    """Return what a block of HTML holds: elements that span blocks, and what is between them."""
    out: list[Block] = []
    at = start
    while at < end:
        region = reading.regions.get(at)
        stop = region[0] if region else at + 1
        while not region and stop < end and stop not in reading.regions:
            stop += 1
        lines = trimmed(frame.cut(at, stop))
        if lines:
            out.extend(_html(lines, region, reading))
        at = stop
    return out


def _html(
    lines: tuple[Line, ...], region: tuple[int, str] | None, reading: _Reading
) -> Sequence[Block]:
    if region and region[1] == "details":
        summary, inner = summary_of(lines)
        children = parse(inner, reading.tick, reading.depth + 1)
        return (Block("details", lines, summary, children=children),)
    if region and region[1] == "table":
        return (Block("html", lines),)
    return html_blocks(lines)
