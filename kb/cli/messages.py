"""The one module that writes to stderr: errors, notices and progress, safe for a terminal.

If stderr is closed or cannot be written, messages are lost: they have nowhere else to go.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

from kb.errors import Cancelled, ExitCode, KbError, OutputClosed, OutputFailed
from kb.i18n import _, in_line, in_own_direction, right_to_left, share

if TYPE_CHECKING:
    from kb.model.results import Progress, Writer


_A_MOMENT = 1.0
_UNBROKEN = 1 << 20


def error(problem: KbError, *, as_json: bool) -> None:
    """Write an error: a sentence for people, or JSON."""
    if as_json:
        body = {"code": problem.code, "message": problem.message, "hint": problem.hint}
        from kb.model.json import dumps

        _put(dumps({"error": body}, indent=None))
        return
    _say(f"kb: {in_own_direction(in_line(problem.message))}")
    if problem.hint:
        _say(f"    {in_line(problem.hint)}")


def exit_code_of(run: Callable[[], int], *, as_json: bool) -> int:
    """Return the exit code of a command. Nothing is raised: an error is written."""
    try:
        return run()
    except KbError as found:
        problem, code = found, found.exit_code
    except OSError as found:
        place, code = found.filename or "output", ExitCode.BAD_DATA
        problem = KbError("{error}", place=place, error=found.strerror or found)
    except Exception as found:  # noqa: BLE001  # a bug of ours, told as one
        from kb.service.base import internal

        problem = internal(found)
        code = problem.exit_code
    if isinstance(problem, OutputClosed | OutputFailed):
        from kb.terminal.terminal import give_up

        give_up(sys.stdout)
    if not isinstance(problem, OutputClosed):
        error(problem, as_json=as_json)
    return code


def notice(text: str, **arguments: object) -> None:
    """Write a notice beside the data, in the reader's language."""
    _say(f"kb: {in_own_direction(in_line(text, **arguments))}")


def tell_duplicates(duplicates: Mapping[str, Sequence[str]]) -> None:
    """Name for each new entry those that may say the same."""
    for entry, same in duplicates.items():
        notice("you may already have this: {entries}", place=entry, entries=", ".join(same))


def can_ask() -> bool:
    """Return whether somebody can read a question here and answer it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def in_terminal() -> bool:
    """Return whether stdin and stdout are both terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def show(lines: Iterable[str]) -> None:
    """Write the lines that a question is about, unchanged."""
    for line in lines:
        _put(line)


def ask(question: str, *, otherwise: bool = False) -> bool:
    """Ask a yes-or-no question on the terminal; only a yes to this question counts.

    ``otherwise`` is the answer for an empty line. The end of input means no.
    """
    _forget_typed()
    told = _(question)
    if told != question and _reorders():
        from kb.cli.output import inline

        told = inline(told.rstrip()) + " "
    write(told)
    line = sys.stdin.readline()
    answer = line.strip().casefold()
    return answer in ("y", "yes") or (otherwise and bool(line) and not answer)


def confirmed(question: str, *, yes: bool) -> bool:
    """Return whether to continue: with ``--yes``, after a yes, or if nobody can be asked."""
    return yes or not can_ask() or ask(question)


def _forget_typed() -> None:
    """Discard input that was typed before the question appeared."""
    try:
        import termios
    except ImportError:  # there is none on Windows
        return
    with contextlib.suppress(termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


class Waiting:
    """Reports once which process a change waits for, if the wait is noticeable."""

    def __init__(self) -> None:
        self._told = False

    def tell(self, writer: Writer, seconds: float) -> None:
        """Report the wait, as a `kb.model.results.OnWait`."""
        if not self._told and seconds > _A_MOMENT:
            self._told = True
            notice("waiting: {said}", said=writer.said)


def _say(sentence: str) -> None:
    """Write a sentence; right-to-left lines are reordered."""
    if not right_to_left():
        _put(sentence)
        return
    from kb.terminal.layout import lay_out

    turned = _reorders()
    for line in lay_out(sentence, line_width(), direction="base-rtl", turned=turned):
        _put(" " * (line_width() - line.width) + line.text if turned else line.text)


def _reorders() -> bool:
    from kb.cli.output import app_reorders

    return sys.stderr.isatty() and app_reorders()


def line_width() -> int:
    """Return the width of the terminal minus one, so that a full line does not wrap."""
    if not sys.stderr.isatty():
        return _UNBROKEN
    return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1


def _put(line: str) -> None:
    write(line.replace("\n", "␊"), after=b"\n")


def write(text: str, *, before: bytes = b"", after: bytes = b"") -> None:
    """Write a text made safe for a terminal, at once: all output goes through here."""
    from kb.terminal.terminal import give_up, safe

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
    """Replace streams that the shell closed, and make all streams safe to write to.

    Closed descriptors 0 to 2 are opened: otherwise a database could get one of them and be
    overwritten by messages. Writing to a closed stdout raises `OutputFailed`. Messages to a
    closed stderr are lost.
    """
    for descriptor, mode in ((_IN, os.O_RDONLY), (_OUT, os.O_RDONLY), (_ERR, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest that is free, which is this one
    sys.stdin = sys.stdin or open(_IN, encoding="utf-8", closefd=False)  # noqa: SIM115
    # What is written to a stdout that is opened for reading fails, as to one that is closed.
    sys.stdout = _safe(sys.stdout or open(_OUT, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    sys.stderr = _safe(sys.stderr or open(_ERR, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def check_output() -> None:
    """Raise `OutputFailed` if stdout is closed, before any work is done."""
    if sys.__stdout__ is None:
        raise OutputFailed("standard output is closed, so nothing was done")


@contextmanager
def to_the_reader() -> Iterator[None]:
    """Tell an unwritable stdout from an error in a file."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosed from error
    except OSError as error:
        raise OutputFailed("standard output: {error}", error=error.strerror or error) from error


class SafeText:
    """A standard stream that makes text safe before it writes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, made safe."""
        from kb.terminal.terminal import safe  # not needed to start

        with to_the_reader():
            return self._stream.write(safe(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts, made safe."""
        self.write("".join(lines))

    def flush(self) -> None:
        """Flush the stream."""
        with to_the_reader():
            self._stream.flush()


def _safe(stream: TextIO) -> TextIO:
    return cast("TextIO", SafeText(stream))


# Long work on the command line: its progress in sight, and Ctrl+C ends it in good order.


@contextmanager
def working(what: str, ending: str = "nothing was changed") -> Iterator[Progress]:
    """Provide the `Progress` of one piece of work, shown as ``what`` if somebody watches.

    After its first step, Ctrl+C waits until the work checks for it and raises `Cancelled`;
    ``ending`` says what is then kept. A second Ctrl+C stops at once.
    """
    import signal  # not needed to start

    held = came = False
    watched, width = sys.stderr.isatty(), 0

    def take(number: int, frame: object) -> None:
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True

    def tell(done: int, total: int) -> None:
        nonlocal held, width
        if not held and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            held = True  # unless it is ignored or handled already
            signal.signal(signal.SIGINT, take)
        if came:
            raise Cancelled("stopped; {ending}", ending=ending)
        if watched:
            width = _progress(f"{_(what)}: {share(done, total)}" if total else f"{_(what)}…", width)

    try:
        yield tell
    finally:
        if width:  # the line stays
            _put("")
        if held:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt


def _progress(text: str, before: int) -> int:
    """Write a line over the previous one, which took ``before`` columns; return its width."""
    from kb.terminal.layout import lay_out

    fitting, turned = line_width(), _reorders()
    first = next(lay_out(text, fitting, turned=turned))
    line, width = first.text, first.width
    if first.rtl and turned:  # Persian is aligned right
        line, width = " " * (fitting - width) + line, fitting
    left = " " * max(0, before - width)
    write(f"{line}{left}".replace("\n", " "), before=b"\r")
    return width
