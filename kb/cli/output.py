"""The one module that writes to stdout: documents as JSON, text for people, bytes of exports.

Text for people is made safe for a terminal where it becomes bytes, in `Printer`: whoever
writes gives texts and their styles, and no escape sequence is taken from anyone.
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
    from kb.terminal import Support

_WIDEST = 100
_USUAL, _NARROWEST = 80, 20
_UNBROKEN = 1 << 20
_LINKED = re.compile(r"[a-z]+:[!-~]+", re.IGNORECASE)
"""An address that may stand in an escape sequence: printable ASCII alone."""


def write_json(document: dict[str, Any]) -> None:
    """Write one JSON document in UTF-8, in logical order, with the version of its schema."""
    from kb.model.json import dumps, versioned

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

    held: ClassVar[BytesIO | None] = None
    """What is kept back to be paged."""

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
    """Show what is written meanwhile in a pager, where a terminal has not room for all of it."""
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
    """A span of a line in one style, which in a terminal may lead to an address."""

    text: str
    style: Mapping[str, Any] = {}
    address: str = ""


class Printer:
    """Text for people: safe for a terminal, wrapped and turned where there is one.

    A ``plain`` printer is for those who have it read to them: in logical order, a text a line,
    no colours, and words in place of signs. What goes on to another program stays in logical
    order and unwrapped, unless ``--bidi app`` says that it ends in a terminal.
    """

    def __init__(self, color: str, *, plain: bool = False) -> None:
        terminal = sys.stdout.isatty() and not plain
        dumb = os.environ.get("TERM") == "dumb"
        colourless = bool(os.environ.get("NO_COLOR")) or dumb or not terminal
        self.colored = not plain and (color == "always" or (color == "auto" and not colourless))
        self.plain = plain
        self.terminal = terminal
        self.turned = not plain and turns()
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
        """Write a text. In a terminal its lines are wrapped, and Persian keeps to the right.

        One in a language (``lang``) is prose: its formulas are shown readable.
        """
        for line, rtl, width in self._lines(text, indent, lang):
            edge = max(0, self.width - indent - width) if rtl else 0
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
        """Write a sentence of ours in the reader's language; it has one line."""
        self.line(in_line(sentence, **arguments), indent=indent, style=style)

    def row(self, *spans: str | Span) -> None:
        """Write a line of ids, names and figures, which is not wrapped and runs to the right."""
        from kb.terminal.terminal import in_one_line

        given = map(_span, spans)
        self.laid(*(span._replace(text=self._inline(in_one_line(span.text))) for span in given))

    def laid(self, *spans: str | Span) -> None:
        """Write a line of a text that is laid out already; it is one line, whatever it holds."""
        shown = "".join(map(self._escaped, map(_span, spans)))
        if self._runs and not shown.isascii():
            from kb.terminal.bidi.shaping import runs_turned

            shown = runs_turned(shown)
        _stdout().write(shown.rstrip().encode("utf-8") + b"\n")
        _stdout().flush()

    def joined(self, facts: Iterable[str | None]) -> str:
        """Return facts in one line, those there are, each read by itself.

        Beside a Persian zero a dot would not be seen, so there a comma stands between them.
        """
        told = list(map(apart, filter(None, facts)))
        if right_to_left() and told:
            return RLM + _(", ").join(told)
        return (", " if self.plain else " · ").join(told)

    def cut(self, text: str, lang: str, used: int) -> str:
        """Return as much of a text as a terminal has room for in one line, beside what is used."""
        from kb.terminal import direction_of, first_lines, readable, unisolated

        if not self.laid_out:
            return unisolated(readable(text.replace("\n", " "), lang))
        room = max(_NARROWEST, self.width - used)
        direction = direction_of(lang)
        (line,) = first_lines(
            text, room, 1, direction=direction, turned=False, formulas=True, lang=lang
        )
        return f"{RLM}{line.text}" if line.rtl else line.text

    def stream(self, text: str) -> None:
        """Write a piece of output as it comes."""
        _stdout().write(_encoded(text))
        _stdout().flush()

    def _inline(self, text: str) -> str:
        """Return a span of a line that runs to the right, turned where lines are."""
        from kb.terminal import has_rtl

        if not (self.turned and has_rtl(text)):
            return text
        before = text[: len(text) - len(text.lstrip())]
        after = text[len(text.rstrip()) :]
        return f"{before}{inline(text.strip())}{after}"

    def _lines(self, text: str, indent: int, lang: str) -> Iterable[tuple[str, bool, int]]:
        from kb.terminal import direction_of, lay_out, readable, safe, unisolated

        if not self.laid_out:
            shown = unisolated(readable(text, lang)) if lang else safe(text)
            return [(line, False, 0) for line in shown.split("\n")]
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
        """Return a span safe for a terminal, and only then in its style: the one way out."""
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


def app_turns() -> bool:
    """Say whether lines are to be turned here: not where a terminal must first be told so."""
    support = _support()
    return support.mode == "app" and not support.switch


def _support() -> Support:
    from kb.settings import read_settings
    from kb.terminal.terminal import direction_support

    return direction_support(os.environ, Bidi.told or read_settings()[0].bidi)


def turns() -> bool:
    """Say whether what stdout gets is to be turned: it ends in a terminal that does not."""
    return Bidi.told == "app" or (sys.stdout.isatty() and app_turns())


def inline(text: str) -> str:
    """Return a piece of a line that runs to the right, turned."""
    from kb.terminal import lay_out

    """Return a piece of a line that runs to the right, turned; it runs as its first letter does."""

    return "".join(line.text for line in lay_out(text, _UNBROKEN))


def columns() -> int:
    """Count the cells of a line of the terminal, also where stdout goes to another program."""
    found = shutil.get_terminal_size((0, 0)).columns
    with contextlib.suppress(OSError, ValueError):
        found = found or os.get_terminal_size(sys.stderr.fileno()).columns
    return found or _USUAL


# Who reorders right-to-left text, if the command line says so.


class Bidi:
    """What ``--bidi`` names; one for the process, nothing where it was not given."""

    told: str | None = None
