"""The one module that writes to stderr: errors, notices and progress, safe for a terminal.

Where stderr is closed or takes nothing, what is said is lost: there is nowhere to say so.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from kb.errors import Cancelled, KbError, OutputClosed, OutputFailed
from kb.i18n import _, in_line, in_own_direction, right_to_left, share

if TYPE_CHECKING:
    from kb.model import Progress
    from kb.model.results import Writer


_A_MOMENT = 1.0
_UNBROKEN = 1 << 20


def error(problem: KbError, *, as_json: bool) -> None:
    """Say what went wrong: a sentence for people, or the contract's JSON."""
    if as_json:
        body = {"code": problem.code, "message": problem.message, "hint": problem.hint}
        from kb.model.json import dumps

        _put(dumps({"error": body}, indent=None))
        return
    _say(f"kb: {in_own_direction(in_line(problem.message))}")
    if problem.hint:
        _say(f"    {in_line(problem.hint)}")


def notice(text: str, **arguments: object) -> None:
    """Say something beside the data, in the reader's language."""
    _say(f"kb: {in_own_direction(in_line(text, **arguments))}")


def can_ask() -> bool:
    """Say whether somebody sits there who sees what is written here, and can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def in_terminal() -> bool:
    """Say whether somebody sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def show(lines: Iterable[str]) -> None:
    """Write lines that a question is about, as they are."""
    for line in lines:
        _put(line)


def ask(question: str, *, otherwise: bool = False) -> bool:
    """Ask for a yes at the terminal; anything else is a no, and so is what was typed before.

    ``otherwise`` is what an empty line means. The end of the input is a no.
    """
    _forget_typed()
    told = _(question)
    if told != question and _turns():
        from kb.cli.output import inline

        told = inline(told.rstrip()) + " "
    _write(told)
    line = sys.stdin.readline()
    answer = line.strip().casefold()
    return answer in ("y", "yes") or (otherwise and bool(line) and not answer)


def confirmed(question: str, *, yes: bool) -> bool:
    """Say whether to go on: with ``--yes``, after a yes, or where nobody is there to be asked."""
    return yes or not can_ask() or ask(question)


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
        """Say it, as a `kb.model.results.OnWait` does."""
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
        """Say it again, over what was said before."""
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
    from kb.terminal import lay_out

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
    from kb.terminal import lay_out

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
    from kb.terminal.terminal import safe

    try:
        sys.stderr.buffer.write(before + safe(text).encode("utf-8") + after)
        sys.stderr.buffer.flush()
    except OSError:
        give_up(sys.stderr)


# The three standard streams: there whatever the shell left open, and safe whoever writes.
#
# `kb.cli.output` and `kb.cli.messages` write bytes that they have made safe. Whatever else
# writes text, Python's warnings and tracebacks or click's help, goes through `SafeText`.


_IN, _OUT, _ERR = 0, 1, 2


def make_whole() -> None:
    """Put streams in place of those that the shell closed, and make all safe to write to.

    Descriptors 0 to 2 are opened where they are closed: a database that got one of them would
    be written over by messages. What is written to a closed stdout raises `OutputFailed`, and
    what is said on a closed stderr is lost.
    """
    for descriptor, mode in ((_IN, os.O_RDONLY), (_OUT, os.O_RDONLY), (_ERR, os.O_WRONLY)):
        if not _is_open(descriptor):
            os.open(os.devnull, mode)  # takes the lowest that is free, which is this one
    sys.stdin = sys.stdin or open(_IN, encoding="utf-8", closefd=False)  # noqa: SIM115
    # What is written to a stdout that is opened for reading fails, as to one that is closed.
    sys.stdout = _safe(sys.stdout or open(_OUT, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    sys.stderr = _safe(sys.stderr or open(_ERR, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def check_output() -> None:
    """Raise `OutputFailed` where stdout is closed: before anything is done, not after it."""
    if sys.__stdout__ is None:
        raise OutputFailed("standard output is closed, so nothing was done")


def give_up(stream: TextIO) -> None:
    """Let what could not be written go, so that the interpreter does not try again on its way."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


@contextmanager
def to_the_reader() -> Iterator[None]:
    """Tell a stdout that nobody reads, or that takes nothing, from an error in a file."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosed from error
    except OSError as error:
        raise OutputFailed("standard output: {error}", error=error.strerror or error) from error


class SafeText(io.TextIOBase):
    """A standard stream that makes text safe before it writes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def buffer(self) -> BinaryIO:
        """The bytes below, for those who have made their text safe."""
        return self._stream.buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream below."""
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What the stream below does with what it cannot encode."""
        return self._stream.errors

    def write(self, text: str) -> int:
        """Write a text, made safe."""
        from kb.terminal.terminal import safe  # not needed to start

        with to_the_reader():
            return self._stream.write(safe(text))

    def flush(self) -> None:
        """Bring on its way what was written."""
        with to_the_reader():
            self._stream.flush()

    def isatty(self) -> bool:
        """Say whether it is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._stream.fileno()


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _safe(stream: TextIO) -> TextIO:
    return cast("TextIO", SafeText(stream))


# Long work on the command line: its progress in sight, and Ctrl+C ends it in good order.


@contextmanager
def working(what: str, ending: str = "nothing was changed") -> Iterator[Progress]:
    """Give the `Progress` of one piece of work, said of ``what`` where somebody watches.

    From its first step on Ctrl+C waits for the work to look, which then raises `Cancelled`;
    ``ending`` says what became of it. A second Ctrl+C waits for nothing.
    """
    line, interrupts = ProgressLine(what), _Interrupts()

    def tell(done: int, total: int) -> None:
        interrupts.hold()
        if interrupts.came:
            raise Cancelled("stopped; {ending}", ending=ending)
        line.show(done, total)

    try:
        yield tell
    finally:
        line.end()
        interrupts.let_go()
    if interrupts.came:
        raise KeyboardInterrupt


class _Interrupts:
    """Whether Ctrl+C was pressed since it is held back."""

    def __init__(self) -> None:
        self.came = False
        self._held = False

    def hold(self) -> None:
        """Hold it back, unless it does nothing or something else already."""
        import signal  # not needed to start

        if not self._held and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._held = True
            signal.signal(signal.SIGINT, self._take)

    def let_go(self) -> None:
        """Let it interrupt again at once."""
        if self._held:
            import signal

            self._held = False
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _take(self, number: int, frame: object) -> None:
        if self.came:
            raise KeyboardInterrupt
        self.came = True
