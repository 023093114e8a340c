"""HTML within Markdown: its words, its headings and its lists. Nothing of it is carried out."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from kb.exchange.questions.blocks import Block, Line, trimmed
from kb.exchange.questions.words import words

TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>|<!--(?:(?!<!--).)*?-->", re.DOTALL)
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
BREAKS = frozenset({"br", "p", "div"})
_PROSE = words(
    "p b strong em i span code kbd br u mark small sub sup font div",
)
_TAGS = words(
    "a abbr b big blockquote body center cite code dd del dfn div dl dt em font h1 h2 h3",
    "h4 h5 h6 i img ins kbd li mark ol p q s samp section small span strike strong sub",
    "summary sup tt u ul var details picture source html link meta table tbody td th",
    "thead tr",
) | {""}


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
        return " " if name in BREAKS else "" if name in _TAGS else found[0]

    return html.unescape(TAG.sub(spared, text))


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
    back = re.compile(r"\s*(?:</?(?:br|b|p|div|strong)\b[^<>]*>\s*){1,50}$", re.IGNORECASE)
    for at, pattern in ((0, edge), (-1, back)):
        while found:
            text = found[at].text
            bare = pattern.sub("", text) if "<" in text else text
            if bare.strip():
                found[at] = Line(found[at].number, bare)
                break
            found.pop(at)
    return tuple(found)


def html_blocks(lines: tuple[Line, ...]) -> Sequence[Block]:
    """Return the headings and lists of a block of HTML; what stands between stays HTML."""
    text = "\n".join(line.text for line in lines)
    if re.match(r"\s*<(?:ul|ol)\b", text, re.IGNORECASE):
        from kb.exchange.questions.htmllists import html_list

        return (html_list(lines, text),)
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
    names = {found[2].lower() for found in TAG.finditer(text) if found[2]}
    if names <= _PROSE and re.match(r"\s*<(?:p|div|b|strong|em|i|span)\b", text, re.IGNORECASE):
        words = without_tags(text).strip()
        if words:
            return Block("paragraph", lines, words)
    return Block("html", lines)
