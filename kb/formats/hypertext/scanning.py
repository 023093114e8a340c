"""HTML split into texts, tags and formulas, in one pass.

Before summer 2025, Python's `html.parser` scans a text with many unclosed tags again and again.
This scanner looks only once for a missing end: it remembers what the rest of the text lacks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_TAG = re.compile(
    r"<(/?)([A-Za-z][^\s/>]*+)((?>[^>=]++|=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|=)*)>", re.DOTALL
)
_ATTRIBUTE = re.compile(
    r"([^\s\"'>/=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>\"']++)))?", re.DOTALL
)
_SPECIAL = re.compile(r"<(?=[A-Za-z/!?])|\\[(\[]|\[latex\]|\[\$\$?\]|\[sound:", re.IGNORECASE)
_IN_CODE = re.compile(r"<(?=[A-Za-z/!?])")
_LONG = re.compile(r"&#[0-9]{4000,};?")  # Python reads no number of thousands of digits
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")

_ENDS = {
    "\\(": "\\)",
    "\\[": "\\]",
    "[latex]": "[/latex]",
    "[$]": "[/$]",
    "[$$]": "[/$$]",
    "[sound:": "]",
}
_LONGEST = 10_000  # characters of a formula
_BLOCKS = re.compile(r"<(?:img|p|li|td|th|table|pre|h[1-6]|hr)\b|\[sound:", re.IGNORECASE)
"""Elements that no formula contains: formula marks around them are ordinary text."""

_SILENT = frozenset({"script", "style", "iframe", "noembed", "noframes", "title", "xmp"})
"""Elements whose content is not HTML; it is shown as text unless it could run."""


class Text(NamedTuple):
    """Characters without entities."""

    text: str


class Tag(NamedTuple):
    """The start or end of an element, in lower case."""

    name: str
    ends: bool
    attributes: Mapping[str, str]


class Special(NamedTuple):
    """What is not read as HTML, and the opening ``mark`` before it.

    That is one of Anki's marks, or the tag of an element that was skipped with its content.
    """

    mark: str
    inside: str


Token = Text | Tag | Special


class Scanner:
    r"""The tokens of a text; ``in_code`` says that only tags are recognized now.

    >>> [each for each in Scanner("a &lt; <b>\\(x<y\\)")]  # doctest: +NORMALIZE_WHITESPACE
    [Text(text='a < '), Tag(name='b', ends=False, attributes={}),
     Special(mark='\\(', inside='x<y')]
    """

    def __init__(self, source: str) -> None:
        self.in_code = False
        self._source = source
        self._at = 0
        self._next: dict[str, int] = {}
        """The next place of each mark; one that the rest of the text lacks is at its end."""

    def __iter__(self) -> Iterator[Token]:
        source = self._source
        while self._at < len(source):
            pattern = _IN_CODE if self.in_code else _SPECIAL
            found = pattern.search(source, self._at)
            place = found.start() if found else len(source)
            if place > self._at:
                start, self._at = self._at, place
                yield Text(characters(source[start:place]))
            elif found is not None:
                token = self._tag(place) if found[0] == "<" else self._special(found)
                if token is not None:
                    yield token

    def _special(self, found: re.Match[str]) -> Token:
        """Return the content between marks; an unmatched mark is text."""
        mark = found[0].lower()
        start, end = found.end(), self._find(_ENDS[mark], found.end())
        inside = self._source[start:end] if end - start < _LONGEST else None
        if end < 0 or inside is None or _BLOCKS.search(inside):
            self._at = start
            return Text(found[0])
        self._at = end + len(_ENDS[mark])
        return Special(mark, inside)

    def _tag(self, place: int) -> Token | None:
        source = self._source
        if source.startswith("<!--", place):
            return self._past("-->", place + len("<!--"))
        if not source[place + 1 : place + 3].removeprefix("/")[:1].isalpha():
            return self._past(">", place + 1)
        found = None if self._next.get(">") == len(source) else _TAG.match(source, place)
        if found is None:
            self._next[">"] = len(source)  # no tag is closed from here on
            self._at = place + 1
            return Text("<")
        self._at = found.end()
        name = found[2].lower()
        if name in _SILENT and not found[1]:
            return self._hidden(name, found)
        return Tag(name, bool(found[1]), {} if found[1] else _attributes(found[3]))

    def _hidden(self, name: str, found: re.Match[str]) -> Token:
        """Skip an element; if it is never closed, only its tag."""
        end = self._find(f"</{name}", found.end())
        if end < 0:
            return Special(f"<{name}>", "")
        inside = self._source[found.end() : end]
        closed = self._find(">", end)
        self._at = closed + 1 if closed >= 0 else len(self._source)
        return Text(inside) if name == "xmp" else Special(f"<{name}>", inside)

    def _past(self, end: str, place: int) -> Token | None:
        """Skip a comment or declaration; an unclosed one is text."""
        found = self._find(end, place)
        if found < 0:
            self._at = place
            return Text(characters(self._source[place - (4 if end == "-->" else 1) : place]))
        self._at = found + len(end)
        return None

    def _find(self, mark: str, place: int) -> int:
        """Return the position of a mark from a place on, ignoring case, or -1."""
        if self._next.get(mark, -1) < place:
            pattern = re.compile(re.escape(mark), re.IGNORECASE | re.ASCII)
            found = pattern.search(self._source, place)
            self._next[mark] = found.start() if found else len(self._source)
        return self._next[mark] if self._next[mark] < len(self._source) else -1


def characters(source: str) -> str:
    """Return a text of HTML with its entities as characters, without control characters.

    >>> characters("a&nbsp;&amp;&#x200c;b&#7;")
    'a\\xa0&\\u200cb'
    """
    if "&" in source:
        source = html.unescape(_LONG.sub("\ufffd", source))
    return _CONTROL.sub("", source)


def words(source: str) -> str:
    """Return the text of an HTML span in one line, without tags.

    >>> words("a&lt;b<br>c")
    'a<b c'
    """
    scanner = Scanner(source)
    scanner.in_code = True
    parts = (
        token.text
        if isinstance(token, Text)
        else " " * (isinstance(token, Tag) and token.name in ("br", "div", "p"))
        for token in scanner
    )
    return " ".join("".join(parts).split())


def _attributes(source: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(source) if source.strip(" /") else ():
        found.setdefault(name.lower(), characters(double or single or bare))
    return found


# Formulas of Anki's marks in the marks of ours: ``$…$`` in a line, ``$$…$$`` apart.


class Formula(NamedTuple):
    """TeX without marks; ``display`` formulas stand apart."""

    tex: str
    display: bool = False


_OPEN = re.compile(r"(?<!\\)\$")
_IN_LATEX = re.compile(
    r"\$\$((?:[^$\\]++|\\.)+)\$\$|\$((?:[^$\\]++|\\.)+)\$|\\\[((?:[^\\]++|\\[^\[\]])+)\\\]"
    r"|\\\(((?:[^\\]++|\\[^()])+)\\\)",
    re.DOTALL,
)


def formulas(mark: str, inside: str) -> Iterator[Formula | str]:
    r"""Yield the content of HTML between two marks: formulas and the words between them.

    >>> list(formulas("\\(", "x &lt; <b>y</b>")), list(formulas("[latex]", "the $x$"))
    ([Formula(tex='x < y', display=False)], ['the ', Formula(tex='x', display=False)])
    """
    text = words(inside)
    found = list(_IN_LATEX.finditer(text)) if mark == "[latex]" else []
    if not found and text:
        display = mark in ("\\[", "[$$]") or (mark == "[latex]" and text.startswith("\\begin{"))
        yield Formula(_without_dollars(text), display)
        return
    done = 0
    for each in found:  # LaTeX text with its own marks around formulas
        yield from filter(None, [text[done : each.start()]])
        number = each.lastindex or 1
        if tex := each[number].strip():
            yield Formula(_without_dollars(tex), number % 2 == 1)
        done = each.end()
    yield from filter(None, [text[done:]])


def _without_dollars(tex: str) -> str:
    r"""Return TeX without its own dollar signs at the end: ``\text{if $x$}`` has others.

    >>> _without_dollars(r"\text{if $x$}"), _without_dollars("a$")
    ('\\text{if \\(x\\)}', 'a\\$')
    """
    if "$" not in tex:
        return tex.rstrip("\\")
    parts = _OPEN.split(tex)
    if len(parts) % 2 == 0:
        return "\\$".join(parts)
    return "".join(part if n % 2 == 0 else f"\\({part}\\)" for n, part in enumerate(parts))
