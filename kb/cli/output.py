"""The one module that writes to stdout: documents as JSON, text for people, bytes of exports.

Text for people is made safe for a terminal where it becomes bytes, in `Printer`: whoever
writes gives texts and their styles, and no escape sequence is taken from anyone.
"""

from __future__ import annotations

import codecs
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO, NamedTuple, cast

import click

from kb.cli.streams import to_the_reader
from kb.contract.document import dumps, versioned

_WIDEST = 100
_LINKED = re.compile(r"[a-z]+:[!-~]+", re.IGNORECASE)
"""An address that may stand in an escape sequence: printable ASCII alone."""


def write_json(document: dict[str, Any]) -> None:
    """Write one JSON document in UTF-8, in logical order, with the version of its schema."""
    _stdout().write(dumps(versioned(document)).encode("utf-8") + b"\n")
    _stdout().flush()


def binary() -> BinaryIO:
    """Return stdout as a stream of bytes: those given, or in a terminal their text made safe.

    Writing raises `OutputClosed` once nobody reads it, `OutputFailed` where it takes nothing.
    """
    return cast("BinaryIO", _Shown(_stdout())) if sys.stdout.isatty() else _stdout()


def _stdout() -> BinaryIO:
    return cast("BinaryIO", _Stdout())


class _Stdout:
    """Stdout, whose end is no error of the operating system: that would have its own exit code."""

    def write(self, data: bytes) -> int:
        with to_the_reader():
            return sys.stdout.buffer.write(data)

    def flush(self) -> None:
        with to_the_reader():
            sys.stdout.buffer.flush()


class _Shown:
    """Bytes of a text for a terminal: pieces may be cut anywhere, also within a character."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data: bytes) -> int:
        self._out.write(_encoded(self._decoder.decode(data)))
        return len(data)

    def flush(self) -> None:
        self._out.flush()


class Span(NamedTuple):
    """A stretch of a line in one style, which in a terminal may lead to an address."""

    text: str
    style: Mapping[str, Any] = {}
    address: str = ""


class Printer:
    """Text for people: safe for a terminal, wrapped and turned where there is one.

    A ``plain`` printer is for those who have it read to them: in logical order, a text a line,
    no colours, and words in place of signs.
    """

    def __init__(self, color: str, *, plain: bool = False) -> None:
        terminal = sys.stdout.isatty() and not plain
        dumb = os.environ.get("TERM") == "dumb"
        colourless = bool(os.environ.get("NO_COLOR")) or dumb or not terminal
        self.colored = not plain and (color == "always" or (color == "auto" and not colourless))
        self.plain = plain
        self.terminal = terminal
        self.turned = terminal and app_turns()
        self.width = min(_WIDEST, shutil.get_terminal_size().columns) if terminal else 0

    def write(
        self,
        text: str = "",
        *,
        lang: str = "",
        indent: int = 0,
        style: Mapping[str, Any] | None = None,
    ) -> None:
        """Write a text. In a terminal its lines are wrapped, and Persian keeps to the right.

        One in a language (``lang``) is prose: its formulas are shown readable.
        """
        for line, rtl, width in self._lines(text, indent, lang):
            edge = max(0, self.width - indent - width) if rtl and self.terminal else 0
            self.laid(" " * (indent + edge), Span(line, style or {}))

    def line(
        self,
        text: str,
        *,
        lang: str = "",
        indent: int = 0,
        style: Mapping[str, Any] | None = None,
    ) -> None:
        """Write ids, names and what else has one line: a line break in it is shown as a sign."""
        from kb.display.safe import in_one_line

        self.write(in_one_line(text), lang=lang, indent=indent, style=style)

    def row(self, *spans: str | Span) -> None:
        """Write a line of ids, names and figures, which is not wrapped."""
        from kb.display.safe import in_one_line

        self.laid(*(span._replace(text=in_one_line(span.text)) for span in map(_span, spans)))

    def laid(self, *spans: str | Span) -> None:
        """Write a line of a text that is laid out already; it is one line, whatever it holds."""
        shown = "".join(map(self._escaped, map(_span, spans)))
        _stdout().write(shown.rstrip().encode("utf-8") + b"\n")
        _stdout().flush()

    def joined(self, facts: Iterable[str | None]) -> str:
        """Return facts in one line, those there are."""
        return (", " if self.plain else " · ").join(filter(None, facts))

    def stream(self, text: str) -> None:
        """Write a piece of output as it comes."""
        _stdout().write(_encoded(text))
        _stdout().flush()

    def _lines(self, text: str, indent: int, lang: str) -> Iterable[tuple[str, bool, int]]:
        from kb.display import direction_of, lay_out, readable, safe, unisolated

        if not self.terminal:
            shown = unisolated(readable(text)) if lang else safe(text)
            return [(line, False, 0) for line in shown.split("\n")]
        laid = lay_out(
            text,
            self.width - indent,
            direction=direction_of(lang),
            turned=self.turned,
            formulas=bool(lang),
        )
        return [(line.text, line.rtl and self.turned, line.width) for line in laid]

    def _escaped(self, span: Span) -> str:
        """Return a stretch safe for a terminal, and only then in its style: the one way out."""
        from kb.display.safe import safe

        text = safe(span.text).replace("\n", "␊")
        shown = click.style(text, **span.style) if self.colored and span.style else text
        if not (self.colored and self.terminal and _LINKED.fullmatch(span.address)):
            return shown
        return f"\x1b]8;;{span.address}\x1b\\{shown}\x1b]8;;\x1b\\"


def _span(given: str | Span) -> Span:
    return given if isinstance(given, Span) else Span(given)


def _encoded(text: str) -> bytes:
    from kb.display.safe import safe

    return safe(text).encode("utf-8")


def app_turns() -> bool:
    """Say whether lines are to be turned here; VTE must first be told to leave them alone."""
    from kb.display.terminal import direction_support
    from kb.settings import read_settings

    support = direction_support(os.environ, read_settings()[0].bidi)
    return support.mode == "app" and not support.switch
