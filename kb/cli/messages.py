"""The one module that writes to stderr: errors, notices and progress, safe for a terminal.

Where stderr is closed or takes nothing, what is said is lost: there is nowhere to say so.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kb.cli.streams import give_up
from kb.errors import KbError
from kb.i18n import _, right_to_left, share

if TYPE_CHECKING:
    from kb.records.results import Writer

_A_MOMENT = 1.0
_UNBROKEN = 1 << 20


def error(problem: KbError, *, as_json: bool) -> None:
    """Say what went wrong: a sentence for people, or the contract's JSON."""
    if as_json:
        body = {"code": problem.code, "message": problem.message, "hint": problem.hint}
        from kb.contract.codec import dumps

        _put(dumps({"error": body}, indent=None))
        return
    _say(f"kb: {_(problem.message)}")
    if problem.hint:
        _say(f"    {_(problem.hint)}")


def notice(text: str, **arguments: object) -> None:
    """Say something beside the data, in the reader's language."""
    _say(f"kb: {_(text, **arguments)}")


def can_ask() -> bool:
    """Say whether somebody sits there who sees what is written here, and can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def show(lines: Iterable[str]) -> None:
    """Write lines that a question is about, as they are."""
    for line in lines:
        _put(line)


def ask(question: str) -> bool:
    """Ask for a yes at the terminal; anything else is a no, and so is what was typed before."""
    _forget_typed()
    told = _(question)
    if told != question and _turns():
        from kb.cli.output import inline

        told = inline(told.rstrip()) + " "
    _write(told)
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
    """Write a piece of a program's errors as it comes."""
    _write(text)


class Waiting:
    """Says once whom a change waits for, if that takes more than a moment."""

    def __init__(self) -> None:
        self._told = False

    def tell(self, writer: Writer, seconds: float) -> None:
        """Say it, as a `kb.records.results.OnWait` does."""
        if not self._told and seconds > _A_MOMENT:
            self._told = True
            notice("waiting: {said}", said=writer.said)


class ProgressLine:
    """One line that says how far work is, where somebody watches."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._watched = sys.stderr.isatty()
        self._width = 0

    def show(self, done: int, total: int) -> None:
        """Say it anew, over what was said before."""
        if self._watched:
            line, width = _one_line(in_figures(self._what, done, total))
            left = " " * max(0, self._width - width)
            self._width = width
            _write(f"{line}{left}".replace("\n", " "), before=b"\r")

    def end(self) -> None:
        """Leave the line as it is and go below it."""
        if self._width:
            self._width = 0
            _put("")


def in_figures(what: str, done: int, total: int) -> str:
    """Say of ``what`` how much is done, once that is known.

    >>> in_figures("indexing", 0, 0), in_figures("indexing", 3, 9)
    ('indexing…', 'indexing: 3 of 9')
    """
    named = _(what)
    return f"{named}: {share(done, total)}" if total else f"{named}…"


def _one_line(text: str) -> tuple[str, int]:
    """Return what fits into a line of the terminal, Persian at the right, and its width."""
    from kb.display import lay_out

    width, turned = room(), _turns()
    line = next(lay_out(text, width, turned=turned))
    if line.rtl and turned:
        return " " * (width - line.width) + line.text, width
    return line.text, line.width


def _say(sentence: str) -> None:
    """Write a sentence; in a language that runs right to left its lines are laid out."""
    if not right_to_left():
        _put(sentence)
        return
    from kb.display import lay_out

    turned = _turns()
    for line in lay_out(sentence, room(), direction="base-rtl", turned=turned):
        _put(" " * (room() - line.width) + line.text if turned else line.text)


def _turns() -> bool:
    from kb.cli.output import app_turns

    return sys.stderr.isatty() and app_turns()


def room() -> int:
    """Count the cells of a line of the terminal, one less: none that stays unbroken fills it."""
    if not sys.stderr.isatty():
        return _UNBROKEN
    return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1


def _put(line: str) -> None:
    _write(line.replace("\n", "␊"), after=b"\n")


def _write(text: str, *, before: bytes = b"", after: bytes = b"") -> None:
    """Write a text made safe for a terminal: the one way out."""
    from kb.display.terminal import safe

    try:
        sys.stderr.buffer.write(before + safe(text).encode("utf-8") + after)
        sys.stderr.buffer.flush()
    except OSError:
        give_up(sys.stderr)
