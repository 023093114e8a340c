"""The one module that writes to stdout: documents as JSON, text for people, bytes of exports."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO, cast

import click

from kb.contract.document import dumps, versioned
from kb.errors import OutputClosed

_WIDEST = 100


def write_json(document: dict[str, Any]) -> None:
    """Write one JSON document in UTF-8, in logical order, with the version of its schema."""
    binary().write(dumps(versioned(document)).encode("utf-8") + b"\n")
    binary().flush()


def binary() -> BinaryIO:
    """Return stdout as a stream of bytes. Writing raises `OutputClosed` once nobody reads it."""
    return cast("BinaryIO", _Stdout())


class _Stdout:
    """Stdout, whose end is no error of the operating system: that would have its own exit code."""

    def write(self, data: bytes) -> int:
        try:
            return sys.stdout.buffer.write(data)
        except BrokenPipeError as error:
            raise OutputClosed from error

    def flush(self) -> None:
        try:
            sys.stdout.buffer.flush()
        except BrokenPipeError as error:
            raise OutputClosed from error


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
        style: dict[str, Any] | None = None,
    ) -> None:
        """Write a text. In a terminal its lines are wrapped, and Persian keeps to the right.

        One in a language (``lang``) is prose: its formulas are shown readable.
        """
        for line, rtl, width in self._lines(text, indent, lang):
            edge = max(0, self.width - indent - width) if rtl and self.terminal else 0
            self._put(" " * (indent + edge) + self.styled(line, **(style or {})))

    def joined(self, facts: Iterable[str | None]) -> str:
        """Return facts in one line, those there are."""
        return (", " if self.plain else " · ").join(filter(None, facts))

    def rows(self, lines: Iterable[str]) -> None:
        """Write lines that are ready, such as those of a running snippet."""
        for line in lines:
            self._put(line)

    def stream(self, text: str) -> None:
        """Write a piece of output as it comes."""
        binary().write(text.encode("utf-8", "replace"))
        binary().flush()

    def styled(self, text: str, **style: Any) -> str:
        """Return a text in a style where colour is wanted."""
        return click.style(text, **style) if self.colored and style else text

    def _lines(self, text: str, indent: int, lang: str) -> Iterable[tuple[str, bool, int]]:
        from kb.display import direction_of, lay_out, readable, safe

        if not self.terminal:
            shown = readable(text) if lang else safe(text)
            return [(line, False, 0) for line in shown.split("\n")]
        laid = lay_out(
            text,
            self.width - indent,
            direction=direction_of(lang),
            turned=self.turned,
            formulas=bool(lang),
        )
        return [(line.text, line.rtl and self.turned, line.width) for line in laid]

    def _put(self, line: str) -> None:
        data = (line.rstrip() + "\n").encode("utf-8", "replace")
        binary().write(data)
        binary().flush()


def app_turns() -> bool:
    """Say whether lines are to be turned here; VTE must first be told to leave them alone."""
    from kb.display.terminal import direction_support
    from kb.settings import read_settings

    support = direction_support(os.environ, read_settings()[0].bidi)
    return support.mode == "app" and not support.switch
