"""The one module that writes to stderr: errors, notices and progress."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from kb.errors import KbError

if TYPE_CHECKING:
    from kb.records.writer import Writer

_A_MOMENT = 1.0

Phrase = Callable[[int, int], str]
"""Says how much is done, of how much."""


def error(problem: KbError, *, as_json: bool) -> None:
    """Say what went wrong: a sentence for people, or the contract's JSON."""
    if as_json:
        body = {"code": problem.code, "message": problem.message, "hint": problem.hint}
        _put(json.dumps({"error": body}, ensure_ascii=False))
        return
    _put(f"kb: {_safe(problem.message)}")
    if problem.hint:
        _put(f"    {_safe(problem.hint)}")


def notice(text: str) -> None:
    """Say something beside the data."""
    _put(f"kb: {_safe(text)}")


def stream(text: str) -> None:
    """Write a piece of a snippet's errors as it comes."""
    sys.stderr.buffer.write(text.encode("utf-8", "replace"))
    sys.stderr.flush()


class Waiting:
    """Says once whom a change waits for, if that takes more than a moment."""

    def __init__(self) -> None:
        self._told = False

    def tell(self, writer: Writer, seconds: float) -> None:
        """Say it, as a `kb.records.writer.OnWait` does."""
        if not self._told and seconds > _A_MOMENT:
            self._told = True
            notice(f"waiting: {writer.said}")


class ProgressLine:
    """One line that says how far work is, where somebody watches."""

    def __init__(self, phrase: str | Phrase) -> None:
        self._phrase = in_figures(phrase) if isinstance(phrase, str) else phrase
        self._watched = sys.stderr.isatty()
        self._width = 0

    def show(self, done: int, total: int) -> None:
        """Say it anew, over what was said before."""
        if self._watched:
            line, width = _one_line(self._phrase(done, total))
            left = " " * max(0, self._width - width)
            self._width = width
            sys.stderr.buffer.write(f"\r{line}{left}".encode("utf-8", "replace"))
            sys.stderr.flush()

    def end(self) -> None:
        """Leave the line as it is and go below it."""
        if self._width:
            self._width = 0
            _put("")


def in_figures(what: str) -> Phrase:
    """Return the phrase that says of ``what`` how much is done, once that is known.

    >>> in_figures("indexing")(0, 0), in_figures("indexing")(3, 9)
    ('indexing…', 'indexing: 3 of 9')
    """
    return lambda done, total: f"{what}: {done} of {total}" if total else f"{what}…"


def _one_line(text: str) -> tuple[str, int]:
    """Return what fits into a line of the terminal, Persian at the right, and its width."""
    from kb.cli.output import app_turns
    from kb.display import lay_out

    width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
    turned = app_turns()
    line = next(lay_out(text, width, turned=turned))
    if line.rtl and turned:
        return " " * (width - line.width) + line.text, width
    return line.text, line.width


def _safe(text: str) -> str:
    from kb.display.safe import safe

    return safe(text).replace("\n", " ")


def _put(line: str) -> None:
    sys.stderr.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stderr.flush()
