"""The one module that writes to stdout: documents as JSON, text for people, bytes of exports.

Text is made safe in `Printer`, when it becomes bytes: callers pass texts and styles, and escape
sequences from outside are never written.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, NamedTuple, cast

import click

from kb.cli.messages import to_the_reader
from kb.i18n import RLM, _, apart, in_line, right_to_left

if TYPE_CHECKING:
    from kb.terminal.terminal import Support

_WIDEST = 100
_USUAL, _NARROWEST = 80, 20
_UNBROKEN = 1 << 20
_LINKED = re.compile(r"[A-Za-z]+:[!-~]+")
"""An address that may be part of an escape sequence: only printable ASCII."""


def write_json(document: dict[str, Any]) -> None:
    """Write one JSON document in UTF-8, in logical order, with the version of its schema."""
    from kb.model.json import dumps, versioned

    _stdout().write(dumps(versioned(document)).encode("utf-8") + b"\n")
    _stdout().flush()


def binary() -> BinaryIO:
    """Return stdout as a stream of bytes; on a terminal its text is made safe.

    Writing raises `OutputClosed` if nobody reads it any more, `OutputFailed` if it cannot be
    written.
    """
    return cast("BinaryIO", _Shown(_stdout())) if sys.stdout.isatty() else _stdout()


def _stdout() -> BinaryIO:
    return cast("BinaryIO", _Stdout())


class _Stdout:
    """Stdout, with errors that are not `OSError`: those have their own exit code."""

    held: ClassVar[BytesIO | None] = None
    """Output that is held back for the pager."""

    def write(self, data: bytes) -> int:
        with to_the_reader():
            return (self.held or sys.stdout.buffer).write(data)

    def flush(self) -> None:
        with to_the_reader():
            sys.stdout.buffer.flush()

    def fileno(self) -> int:
        return sys.stdout.fileno()


@contextmanager
def paged(*, on: bool) -> Iterator[None]:
    """Show output in a pager if it does not fit the terminal."""
    if not (on and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
        yield
        return
    _Stdout.held = held = BytesIO()
    try:
        yield
    finally:
        _Stdout.held = None
    if held.getvalue().count(b"\n") < shutil.get_terminal_size().lines:
        _stdout().write(held.getvalue())
        return
    for name, value in (("LESS", "-R"), ("LESSCHARSET", "utf-8")):
        os.environ.setdefault(name, value)
    click.echo_via_pager(held.getvalue().decode("utf-8"), color=True)


class _Shown:
    """The bytes of a text for a terminal; pieces may be split anywhere, even within a character."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data: bytes) -> int:
        self._out.write(_encoded(self._decoder.decode(data)))
        return len(data)

    def flush(self) -> None:
        self._out.flush()


class Span(NamedTuple):
    """A styled span of a line, which can link to an address in a terminal."""

    text: str
    style: Mapping[str, Any] = {}
    address: str = ""


class Printer:
    """Writes text for people: safe, and in a terminal wrapped and reordered.

    A ``plain`` printer is for screen readers: logical order, one text per line, no colours, and
    words instead of signs. Output to another program stays unwrapped and in logical order, unless
    ``--bidi app`` says that it ends in a terminal.
    """

    def __init__(self, color: str, *, plain: bool = False) -> None:
        terminal = sys.stdout.isatty() and not plain
        dumb = os.environ.get("TERM") == "dumb"
        colourless = bool(os.environ.get("NO_COLOR")) or dumb or not terminal
        self.colored = not plain and (color == "always" or (color == "auto" and not colourless))
        self.plain = plain
        self.terminal = terminal
        self.turned = not plain and reorders()
        self._runs = self.turned and _support().runs
        self.laid_out = terminal or self.turned
        self.width = min(_WIDEST, columns()) if self.laid_out else 0

    def write(
        self,
        text: str = "",
        *,
        lang: str = "",
        indent: int = 0,
        style: Mapping[str, Any] | None = None,
    ) -> None:
        """Write a text. In a terminal, lines are wrapped and Persian is aligned right.

        A text with a language (``lang``) is prose: its formulas are shown readably.
        """
        for line, rtl, width in self._lines(text, indent, lang):
            edge = max(0, self.width - indent - width) if rtl else 0
            self.laid(" " * (indent + edge), Span(line, style or {}))

    def line(
        self, text: str, *, lang: str = "", indent: int = 0, style: Mapping[str, Any] | None = None
    ) -> None:
        """Write a one-line value such as an id or a name; line breaks in it are shown as signs."""
        from kb.terminal.terminal import in_one_line

        self.write(in_one_line(text), lang=lang, indent=indent, style=style)

    def say(
        self,
        sentence: str,
        *,
        indent: int = 0,
        style: Mapping[str, Any] | None = None,
        **arguments: object,
    ) -> None:
        """Write one of our own sentences in the reader's language, on one line."""
        self.line(in_line(sentence, **arguments), indent=indent, style=style)

    def row(self, *spans: str | Span) -> None:
        """Write a left-to-right line of ids, names and figures, without wrapping."""
        from kb.terminal.terminal import in_one_line

        given = map(_span, spans)
        self.laid(*(span._replace(text=self._inline(in_one_line(span.text))) for span in given))

    def laid(self, *spans: str | Span) -> None:
        """Write one line of a text that is laid out already."""
        shown = "".join(map(self._escaped, map(_span, spans)))
        if self._runs and not shown.isascii():
            from kb.terminal.bidi.shaping import runs_turned

            shown = runs_turned(shown)
        _stdout().write(shown.rstrip().encode("utf-8") + b"\n")
        _stdout().flush()

    def joined(self, facts: Iterable[str | None]) -> str:
        """Return facts joined in one line, each isolated from the others; empty ones are omitted.

        A dot cannot be told from a Persian zero, so Persian uses a comma.
        """
        told = list(map(apart, filter(None, facts)))
        if right_to_left() and told:
            return RLM + _(", ").join(told)
        return (", " if self.plain else " · ").join(told)

    def cut(self, text: str, lang: str, used: int) -> str:
        """Return as much of a text as fits the terminal line beside what is already used."""
        from kb.terminal.bidi.direction import direction_of
        from kb.terminal.layout import first_lines, readable, unisolated

        if not self.laid_out:
            return unisolated(readable(text.replace("\n", " "), lang))
        line_width = max(_NARROWEST, self.width - used)
        direction = direction_of(lang)
        (line,) = first_lines(
            text, line_width, 1, direction=direction, turned=False, formulas=True, lang=lang
        )
        return f"{RLM}{line.text}" if line.rtl else line.text

    def stream(self, text: str) -> None:
        """Write a piece of output when it arrives."""
        _stdout().write(_encoded(text))
        _stdout().flush()

    def _inline(self, text: str) -> str:
        """Return a span of a left-to-right line, reordered if lines are."""
        from kb.terminal.bidi.direction import has_rtl

        if not (self.turned and has_rtl(text)):
            return text
        before = text[: len(text) - len(text.lstrip())]
        after = text[len(text.rstrip()) :]
        return f"{before}{inline(text.strip())}{after}"

    def _lines(self, text: str, indent: int, lang: str) -> Iterable[tuple[str, bool, int]]:
        from kb.terminal.terminal import safe

        if not self.laid_out and not lang:
            return [(line, False, 0) for line in safe(text).split("\n")]
        from kb.terminal.bidi.direction import direction_of
        from kb.terminal.layout import lay_out, readable, unisolated

        if not self.laid_out:
            return [(line, False, 0) for line in unisolated(readable(text, lang)).split("\n")]
        laid = lay_out(
            text,
            self.width - indent,
            direction=direction_of(lang),
            turned=self.turned,
            formulas=bool(lang),
            lang=lang,
        )
        return [(line.text, line.rtl and self.turned, line.width) for line in laid]

    def _escaped(self, span: Span) -> str:
        """Return a span made safe, then styled: all styled output goes through here."""
        from kb.terminal.terminal import safe

        text = safe(span.text).replace("\n", "␊")
        shown = click.style(text, **span.style) if self.colored and span.style else text
        if not (self.colored and self.terminal and _LINKED.fullmatch(span.address)):
            return shown
        return f"\x1b]8;;{span.address}\x1b\\{shown}\x1b]8;;\x1b\\"


def _span(given: str | Span) -> Span:
    return given if isinstance(given, Span) else Span(given)


def _encoded(text: str) -> bytes:
    from kb.terminal.terminal import safe

    return safe(text).encode("utf-8")


def app_reorders() -> bool:
    """Return whether danesh reorders lines itself, instead of the terminal."""
    support = _support()
    return support.mode == "app" and not support.switch


def _support() -> Support:
    from kb.settings import read_settings
    from kb.terminal.terminal import direction_support

    return direction_support(os.environ, Bidi.told or read_settings()[0].bidi)


def reorders() -> bool:
    """Return whether stdout needs reordering: it ends in a terminal that does not reorder."""
    return Bidi.told == "app" or (sys.stdout.isatty() and app_reorders())


def inline(text: str) -> str:
    """Return a piece of a left-to-right line, reordered by the direction of its first letter."""
    from kb.terminal.layout import lay_out

    return "".join(line.text for line in lay_out(text, _UNBROKEN))


def columns() -> int:
    """Return the width of a terminal line, even if stdout is not a terminal."""
    found = shutil.get_terminal_size((0, 0)).columns
    with contextlib.suppress(OSError, ValueError):
        found = found or os.get_terminal_size(sys.stderr.fileno()).columns
    return found or _USUAL


# Who reorders right-to-left text, if the command line says so.


class Bidi:
    """The value of ``--bidi`` for the whole process, or nothing if it was not given."""

    told: str | None = None
