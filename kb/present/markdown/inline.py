"""Parses the inline content of a block: styled pieces with source positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, islice
from typing import Any, NamedTuple

from markdown_it.token import Token

from kb.model.entry import file_named
from kb.present.markdown.document import ADDRESS, Piece, Prose, added, opened, readable_address
from kb.present.markdown.parser import inline_tokens, unmasked
from kb.terminal.bidi.direction import ISOLATE, ISOLATE_END, has_rtl
from kb.terminal.numerals import in_numerals
from kb.terminal.terminal import safe
from kb.terminal.tex.formulas import Formula, isolated
from kb.terminal.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

# The HTML tags that have an equivalent in plain text; all others are shown as text.

_TAG = re.compile(r"<(?P<close>/?)\s*(?P<name>[A-Za-z][A-Za-z0-9]*)(?P<rest>(?:\s[^<>]*)?)/?>")
_VALUE = r"""(?<![\w-])(?i:{})\s*=\s*(?:"(?P<double>[^"<>]*)"|'(?P<single>[^'<>]*)')"""

STYLES = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em"), "italic"),
    **dict.fromkeys(("s", "del", "strike"), "strike"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("code", "kbd", "tt"), "code"),
    "mark": "mark",
}
"""Tags and the style that shows them."""

SCRIPTS = {"sub": ("_", SUBSCRIPTS), "sup": ("^", SUPERSCRIPTS)}
"""Tags of subscripts and superscripts, with the sign if no such character exists."""

BREAKS = {
    **dict.fromkeys(("br", "p", "div", "details", "center", "blockquote"), "\n"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "dt"), "\n"),
    **dict.fromkeys(
        ("ul", "ol", "dl", "table", "thead", "tbody", "summary", "span", "font", "small"), ""
    ),
    "tr": "\n│",
    **dict.fromkeys(("td", "th"), " "),
    "li": "\n• ",
    "dd": "\n  ",
}
"""Tags that begin a line or cell, or only arrange, with their replacement."""

ENDS = {"summary": "\n", "td": " │", "th": " │"}
"""Tags whose end begins a line or ends a cell, with their replacement."""


class Tag(NamedTuple):
    """A tag: its lower-case name, whether it is an end tag, and its attributes."""

    name: str
    closes: bool
    attributes: str

    def value(self, name: str) -> tuple[int, str]:
        """Return the position and value of an attribute.

        >>> tag_of('<img alt="a plot" src="x.png">').value("src")
        (19, 'x.png')
        """
        found = re.search(_VALUE.format(name), self.attributes)
        if found is None:
            return 0, ""
        group = "double" if found["double"] is not None else "single"
        return found.start(group), found[group]


def tag_of(html: str) -> Tag | None:
    """Return a tag, or nothing for other HTML.

    >>> tag_of("<BR/>"), tag_of("</b>"), tag_of("<!-- x -->")
    (Tag(name='br', closes=False, attributes=''), Tag(name='b', closes=True, attributes=''), None)
    """
    match = _TAG.fullmatch(html)
    return Tag(match["name"].lower(), bool(match["close"]), match["rest"]) if match else None


_WRAPPED = 60
"""If all lines are shorter than this, their breaks are intended."""

_PAIRS = {"em": "italic", "strong": "bold", "s": "strike", "mark": "mark"}
_SIGN = frozenset({"sign"})
_APART = "│\u200f"
"""A separator of right-to-left cells, without which a Latin cell and a number would change
places.
"""

_KINDS = {"audio": ("audio", "صدا"), "video": ("video", "ویدیو"), "image": ("image", "تصویر")}
_ENDINGS = {
    **dict.fromkeys(("mp3", "wav", "ogg", "oga", "m4a", "flac", "opus", "aac", "3gp"), "audio"),
    **dict.fromkeys(("mp4", "webm", "mov", "mkv", "ogv", "avi", "m4v"), "video"),
}
_BLANKS = re.compile(r"[ \t]+")
_END_TAG = re.compile(r"</([A-Za-z][A-Za-z0-9]*+)")


@dataclass(frozen=True)
class Context:
    """The context of parsing: language, formulas, addresses."""

    source: str
    lang: str = ""
    formulas: Mapping[int, Formula] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)

    def prose(self, content: str, places: Sequence[int]) -> Prose:
        """Return the displayed content of a block with these source positions."""
        reading = _Reading(content, places, self, _kept_breaks(content), has_rtl(safe(content)))
        pieces: list[Piece] = []
        for token in inline_tokens(content, self.known):
            pieces += (piece for piece in _HANDLERS[token.type](reading, token) if piece.text)
            reading.shows = bool(pieces)
        return _in_numerals(pieces, self.lang)


def _in_numerals(pieces: Sequence[Piece], lang: str) -> Prose:
    """Return prose with numbers in the language's digits."""
    text = "".join(piece.text for piece in pieces)
    shown = in_numerals(text, lang)
    ends = accumulate(len(piece.text) for piece in pieces)
    parts = (shown[end - len(each.text) : end] for each, end in zip(pieces, ends, strict=True))
    return Prose(tuple(each._replace(text=part) for each, part in zip(pieces, parts, strict=True)))


@dataclass
class _Reading:
    """The state of parsing one content: open styles and link target."""

    content: str
    places: Sequence[int]
    context: Context
    kept: frozenset[int]
    rtl: bool
    open: Counter[str] = field(default_factory=Counter)
    address: str = ""
    target: str = ""
    file: str = ""
    script: str = ""
    shows: bool = False

    @cached_property
    def ends(self) -> Mapping[str, int]:
        """The position of the last end tag of a name in the content."""
        return {tag[1].lower(): tag.start() for tag in _END_TAG.finditer(self.content)}

    def piece(self, text: str, places: Iterable[int]) -> Piece:
        """Return a piece with the open styles."""
        styles = frozenset([*+self.open, *(["link"] if self.address else [])])
        return Piece(safe(text), tuple(places), styles, self.address, self.file)

    def sign(self, text: str) -> Piece:
        """Return a piece that names a target or kind."""
        return added(text, _SIGN, self.address)._replace(file=self.file)

    def leads_to(self, target: str) -> None:
        """Record the target of a link or image: an address, or a file beside the text."""
        self.address = self.address or opened(target)
        self.file = file_named(target)

    def toggle(self, style: str, *, closes: bool) -> None:
        """Open a style, or close it if it is open."""
        self.open[style] = max(0, self.open[style] + (-1 if closes else 1))


def _text(reading: _Reading, token: Token) -> Iterator[Piece]:
    start = token.meta["at"]
    if reading.target and reading.content.startswith("<", start):  # <https://…>
        start += not token.content.startswith("<")
    yield from _between(reading, start, start + len(token.content))


def _between(reading: _Reading, start: int, end: int) -> Iterator[Piece]:
    """Show a span with readable formulas and linked addresses."""
    formulas = reading.context.formulas
    done = start
    for at in range(start, end) if formulas else ():
        formula = formulas.get(reading.places[at])
        if formula is not None and at >= done:
            yield from _addressed(reading, done, at)
            done = min(end, at + formula.end - formula.start)
            glyphs = isolated(formula) if reading.rtl else formula.glyphs
            shown = reading.piece("", [glyph.place for glyph in glyphs])
            yield shown._replace(text="".join(glyph.char for glyph in glyphs))
    yield from _addressed(reading, done, end)


def _addressed(reading: _Reading, start: int, end: int) -> Iterator[Piece]:
    written = reading.content[start:end]
    done = start
    for match in ADDRESS.finditer(written) if ":" in written and not reading.address else ():
        yield from _source(reading, done, start + match.start())
        done = start + match.end()
        reading.address = opened(unmasked(match[0]))
        yield from _source(reading, start + match.start(), done)
        reading.address = ""
    yield from _source(reading, done, end)


def _source(reading: _Reading, start: int, end: int) -> Iterator[Piece]:
    """Show a span unchanged, or as subscript or superscript within such tags."""
    places = reading.places[start:end]
    text = "".join(map(reading.context.source.__getitem__, places))
    sign, forms = SCRIPTS.get(reading.script, ("", {}))
    if not sign or not text:
        yield reading.piece(text, places)
    elif all(char in forms for char in text):
        yield reading.piece("".join(forms[char] for char in text), places)
    else:
        yield added(f"{sign}(", _SIGN)
        yield reading.piece(text, places)
        yield added(")", _SIGN)


def _special(reading: _Reading, token: Token) -> Iterator[Piece]:
    """Show a sign that is escaped or an entity."""
    at, content = token.meta["at"], token.content
    if token.info == "escape":
        at += len(content) == 1
        yield from _source(reading, at, at + len(content))
    else:
        yield reading.piece(re.sub(r"\s", " ", content), [reading.places[at]] * len(content))


def _code(reading: _Reading, token: Token) -> Iterator[Piece]:
    start, length = token.meta["at"] + len(token.markup), len(token.content)
    written = reading.content[start : start + length].replace("\n", " ")
    start += written != token.content  # a blank on each side belongs to the marks
    reading.toggle("code", closes=False)
    # Among right-to-left letters code reads from left to right as one.
    yield added(ISOLATE if reading.rtl else "")
    yield from _in_one_line(reading, start, start + length)
    yield added(ISOLATE_END if reading.rtl else "")
    reading.toggle("code", closes=True)


def _in_one_line(reading: _Reading, start: int, end: int) -> Iterator[Piece]:
    for part in re.finditer(r"\n|[^\n]+", reading.content[start:end]):
        first, last = start + part.start(), start + part.end()
        if part[0] == "\n":
            yield reading.piece(" ", reading.places[first:last])
        else:
            yield from _source(reading, first, last)


def _break(reading: _Reading, token: Token) -> Iterator[Piece]:
    """Show a line end; spaces after a kept one may indent code."""
    at = reading.content.find("\n", token.meta["at"])
    kept = token.type == "hardbreak" or at in reading.kept
    yield reading.piece("\n" if kept else " ", [reading.places[at]])
    if kept:
        blanks = _BLANKS.match(reading.content, at + 1)
        yield from _source(reading, *blanks.span()) if blanks else ()


def _link(reading: _Reading, token: Token) -> Iterable[Piece]:
    return _led(reading, unmasked(str(token.attrGet("href") or "")))


def _led(reading: _Reading, target: str) -> Iterable[Piece]:
    reading.target, reading.address = target, ""
    reading.leads_to(target)
    return ()


def _link_end(reading: _Reading, token: Token) -> Iterator[Piece]:
    """Show the target of a link that must not be opened."""
    if reading.target and not reading.address:
        yield reading.sign(f" ({readable_address(reading.target)})")
    reading.address = reading.target = reading.file = ""


def _image(reading: _Reading, token: Token) -> Iterator[Piece]:
    """Show the alt text of an image, and its target."""
    start = token.meta["at"] + len("![")
    target = unmasked(str(token.attrGet("src") or ""))
    yield from _shown(reading, target, start, start + len(token.content))


def _shown(reading: _Reading, target: str, start: int, end: int) -> Iterator[Piece]:
    """Show the kind of a medium, and the span of its description."""
    before = (reading.address, reading.file)
    reading.leads_to(target)
    yield reading.sign(f"{_kind(target, reading.context.lang)}: ")
    yield from _in_one_line(reading, start, end)
    place = readable_address(target)
    if reading.address and start == end:  # the address itself follows where links are written out
        place = place.rstrip("/").rpartition("/")[2] or place
    if target and (start == end or not reading.address):
        yield reading.sign(f" ({place})" if start < end else place)
    reading.address, reading.file = before


def _kind(target: str, lang: str) -> str:
    """Return the word for a medium by its file suffix.

    >>> _kind("https://x.org/a.MP3?b", "fa"), _kind("plot.png", "de")
    ('صدا', 'image')
    """
    ending = re.split(r"[?#|]", target, maxsplit=1)[0].rpartition(".")[2].lower()
    return _KINDS[_ENDINGS.get(ending, "image")][lang == "fa"]


def is_called_picture(file: str) -> bool:
    """Return whether a file name is that of a picture, not a sound or video.

    >>> is_called_picture("a.svg"), is_called_picture("a.mp3")
    (True, False)
    """
    return file.rpartition(".")[2].lower() not in _ENDINGS


def _wiki(reading: _Reading, token: Token) -> Iterator[Piece]:
    """Show the label of a link to a note."""
    reading.toggle("link", closes=False)
    yield from _source(reading, *token.meta["shown"])
    reading.toggle("link", closes=True)


def _embed(reading: _Reading, token: Token) -> Iterator[Piece]:
    """Show an embedded picture, sound or note."""
    before = reading.file
    reading.file = file_named(token.content)
    word = _kind(token.content, reading.context.lang)
    yield reading.sign(f"{word}: " if "." in reading.file else "")
    yield from _wiki(reading, token)
    reading.file = before


def _html(reading: _Reading, token: Token) -> Iterator[Piece]:
    tag = tag_of(unmasked(token.content)) or Tag("", False, "")
    name, closes = tag.name, tag.closes
    around = name in SCRIPTS or name in STYLES or name == "a"
    if around and not closes and reading.ends.get(name, -1) < token.meta["at"]:
        yield from _text(reading, token)  # it is not ended
    elif name == "a" and (reading.target if closes else tag.value("href")[1]):
        target = tag.value("href")[1]
        yield from _link_end(reading, token) if closes else _led(reading, target)
    elif name == "img" and tag.value("src")[1]:
        before = token.meta["at"] + len("<img")
        start, alt = tag.value("alt")
        yield from _shown(reading, tag.value("src")[1], before + start, before + start + len(alt))
    elif name in SCRIPTS:
        reading.script = "" if closes else name
    elif name in STYLES:
        reading.toggle(STYLES[name], closes=closes)
    elif name in BREAKS:
        sign = (ENDS if closes else BREAKS).get(name, "")
        sign = sign.replace("│", _APART) if reading.rtl else sign
        yield added(sign if reading.shows else sign.lstrip("\n"), _SIGN)
    else:
        yield from _text(reading, token)


def _pair(reading: _Reading, token: Token) -> Iterable[Piece]:
    name, _, end = token.type.rpartition("_")
    reading.toggle(_PAIRS[name], closes=end == "close")
    return ()


_HANDLERS: dict[str, Callable[[_Reading, Token], Iterable[Piece]]] = {
    "text": _text,
    "text_special": _special,
    "code_inline": _code,
    "softbreak": _break,
    "hardbreak": _break,
    "link_open": _link,
    "link_close": _link_end,
    "image": _image,
    "wiki": _wiki,
    "embed": _embed,
    "html_inline": _html,
    **{f"{name}_{end}": _pair for name in _PAIRS for end in ("open", "close")},
}
"""The handlers of token kinds; each continues from the given state."""


def _kept_breaks(content: str) -> frozenset[int]:
    """Return the intended line ends by position.

    Wrapped prose breaks where the next word would exceed the longest line; a line with space for
    it ends on purpose.
    """
    lines = content.split("\n")
    longest = max(map(len, lines))
    ends = accumulate((len(line) + 1 for line in lines), initial=-1)
    return frozenset(
        end
        for end, line, after in zip(islice(ends, 1, None), lines, lines[1:], strict=False)
        if longest < _WRAPPED or len(line.rstrip()) + len((after.split() or [""])[0]) < longest
    )
