r"""HTML of fields and pages as Markdown: text and structure, nothing that runs.

Emphasis, code, lists, tables, links, images and formulas are converted; colours, sizes and
classes are dropped. What could run or load something is dropped and reported. A text that looks
like Markdown is escaped, so that it looks the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple

from kb.formats.hypertext.quoting import code_span, destination, escaped
from kb.formats.hypertext.scanning import Formula, Scanner, Tag, Text, Token, characters, formulas
from kb.formats.hypertext.writer import LINK, STYLES, Writer

Named = Callable[[str], str]
"""Returns the name of a media file in the text, by its name in the HTML."""

_PARAGRAPHS = (
    "p", "dl", "dt", "dd", "figure", "figcaption", "caption", "details", "summary", "fieldset",
    "form", "legend",
)  # fmt: skip
_LINES = (
    "div", "section", "article", "header", "footer", "main", "nav", "aside", "address", "center",
    "hgroup", "tbody", "thead", "tfoot", "option",
)  # fmt: skip
_NOT_TAKEN = (
    "object", "embed", "applet", "canvas", "svg", "input", "button", "select", "textarea", "frame",
    "frameset", "base", "meta", "link", "portal", "map", "area",
)  # fmt: skip
_CLASS = re.compile(r"(?:lang|language)-([\w+#.-]+)")
_REMOTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|data:", re.IGNORECASE)
_SHOWN = 200


class Read(NamedTuple):
    """A text as Markdown, and what was dropped with the reason."""

    text: str
    left_out: tuple[tuple[str, str], ...] = ()


def read(source: str, named: Named = str) -> Read:
    r"""Return HTML as Markdown; ``named`` gives the names of files that it shows.

    >>> read("<b>So</b>: <ul><li>a<li>b</ul> 1 * 2 &lt; *x*").text
    '**So**:\n\n- a\n- b\n\n1 * 2 < \\*x\\*'
    >>> read("<script>alert(1)</script>").left_out
    (('an element that may run or load something is not taken', '<script>alert(1)'),)
    """
    reading = _Reading(source, named)
    for token in reading.scanner:
        reading.take(token)
    return Read(reading.text(), tuple(reading.left_out))


class _Reading:
    """The state of reading one text: the code it is in, and what was dropped so far."""

    def __init__(self, source: str, named: Named) -> None:
        self.scanner = Scanner(source)
        self.left_out: list[tuple[str, str]] = []
        self._writer = Writer()
        self._named = named
        self._code: list[str] = []
        self._code_name = ""
        self._language = ""

    def take(self, token: Token) -> None:
        """Process the next token."""
        if isinstance(token, Tag):
            if self._code_name:
                self._in_code(token)
            elif token.name in self._handlers:
                self._handlers[token.name](self, token)
        elif isinstance(token, Text):
            self._code.append(token.text) if self._code_name else self._writer.words(token.text)
        elif token.mark.startswith("<"):
            self._leave_out(token.mark + token.inside)
        elif token.mark == "[sound:":
            self._file(characters(token.inside), "")
        else:
            for part in formulas(token.mark, token.inside):
                if isinstance(part, Formula):
                    self._writer.formula(part)
                else:
                    self._writer.words(part)

    def text(self) -> str:
        """Return the result as Markdown."""
        if self._code_name:
            self._end_code()
        return self._writer.text()

    def _begin_code(self, tag: Tag) -> None:
        if not tag.ends:
            self._code_name, self._code = tag.name, []
            self._language = _language(tag)
            self.scanner.in_code = True

    def _in_code(self, tag: Tag) -> None:
        if tag.ends and tag.name == self._code_name:
            self._end_code()
        elif tag.name == "br" or (
            tag.name in ("div", "p", "li", "tr") and self._code and self._code[-1][-1:] != "\n"
        ):
            self._code.append("\n")
        elif tag.name == "img":
            self._code.append(f" {tag.attributes.get('src', '')} ")
        elif tag.name == "code":
            self._language = self._language or _language(tag)

    def _end_code(self) -> None:
        name, self._code_name = self._code_name, ""
        self.scanner.in_code = False
        text = "".join(self._code).replace("\xa0", " ").replace("\r\n", "\n").replace("\r", "\n")
        lines = [line.rstrip() for line in text.expandtabs(4).strip("\n").split("\n")]
        if name == "pre" or len([line for line in lines if line]) > 1:
            self._writer.code("\n".join(lines).rstrip(), self._language)
        else:
            self._writer.put(code_span(text))

    def _hold(self, tag: Tag) -> None:
        if tag.ends:
            self._writer.end(tag.name)
        else:
            start = tag.attributes.get("start", "1")
            number = int(start) if re.fullmatch(r"[0-9]{1,8}", start) else 1
            self._writer.begin(tag.name, number if tag.name == "ol" else None)

    def _style(self, tag: Tag) -> None:
        mark = STYLES[tag.name]
        self._writer.end_mark(mark) if tag.ends else self._writer.begin_mark(mark)

    def _link(self, tag: Tag) -> None:
        if tag.ends:
            self._writer.end_mark(LINK)
            return
        href = tag.attributes.get("href", "").strip()
        address = destination(href)
        if address:
            self._writer.begin_mark(LINK, address)
        elif href:
            self._leave_out(href, "a link that leads nowhere from here is not taken")

    def _media(self, tag: Tag) -> None:
        if tag.ends:
            return
        source, alt = tag.attributes.get("src", "").strip(), tag.attributes.get("alt", "")
        is_image = tag.name == "img"
        if not _REMOTE.match(source):
            self._file(source, "!" if is_image else "", alt)
        elif not is_image:
            self._leave_out(source)
        elif address := destination(source):
            said = escaped(_line(alt) or address, in_link=True)
            self._writer.put(f"[{said}]({address})")
        else:
            self._leave_out(source, "an image within the text is not taken")

    def _file(self, source: str, sign: str, alt: str = "") -> None:
        """Show a file by its name."""
        name = self._named(source) if source.strip() else ""
        if name:
            said = escaped(_line(alt) if sign else name, in_link=True)
            self._writer.put(f"{sign}[{said}]({name})")

    def _active(self, tag: Tag) -> None:
        if not tag.ends:
            self._leave_out(f"<{tag.name}>")

    _handlers: ClassVar[Mapping[str, Callable[[_Reading, Tag], None]]] = {
        **dict.fromkeys(STYLES, _style),
        **dict.fromkeys(_PARAGRAPHS, lambda self, _: self._writer.end_paragraph()),
        **dict.fromkeys(_LINES, lambda self, _: self._writer.end_line()),
        **dict.fromkeys(_NOT_TAKEN, _active),
        **dict.fromkeys(
            ("h1", "h2", "h3", "h4", "h5", "h6"),
            lambda self, tag: self._writer.heading(0 if tag.ends else int(tag.name[1])),
        ),
        **dict.fromkeys(("code", "kbd", "tt", "samp", "pre"), _begin_code),
        "br": lambda self, _: self._writer.end_line(wanted=True),
        "hr": lambda self, _: self._writer.rule(),
        "a": _link,
        **dict.fromkeys(("img", "audio", "video", "source"), _media),
        **dict.fromkeys(("ul", "ol", "li", "blockquote", "table", "tr", "td", "th"), _hold),
    }
    """Handlers of elements with a meaning; other elements only give their text."""

    def _leave_out(
        self, what: str, why: str = "an element that may run or load something is not taken"
    ) -> None:
        self.left_out.append((why, _line(what[: 2 * _SHOWN])[:_SHOWN]))


def _line(text: str) -> str:
    return " ".join(text.split())


def _language(tag: Tag) -> str:
    found = _CLASS.search(tag.attributes.get("class", ""))
    return found[1] if found else ""
