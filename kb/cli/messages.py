"""The one module that writes to stderr: errors, notices and progress."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable

from kb.errors import KbError

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


def can_ask() -> bool:
    """Say whether somebody sits there who sees what is written here, and can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def show(lines: Iterable[str]) -> None:
    """Write lines that a question is about, made safe."""
    from kb.display.safe import safe

    for line in lines:
        _put(safe(line))


def ask(question: str) -> bool:
    """Ask for a yes at the terminal; anything else is a no, and so is what was typed before."""
    _forget_typed()
    sys.stderr.buffer.write(_safe(question).encode("utf-8", "replace"))
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _forget_typed() -> None:
    """Forget what was typed before the question was there."""
    try:
        import termios
    except ImportError:  # there is none on Windows
        return
    with contextlib.suppress(termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def stream(text: str) -> None:
    """Write a piece of a snippet's errors as it comes."""
    sys.stderr.buffer.write(text.encode("utf-8", "replace"))
    sys.stderr.flush()


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
