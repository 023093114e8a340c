"""Who reorders right-to-left text, and how to stop a terminal's own reordering.

A changed terminal must be restored however the app ends: so the driver does it, at start, exit,
suspension and crash.

The terminal's answer about reordering arrives among the keys: at once, late or never. Textual's
parser only knows answers on private modes (``CSI ? … $ y``); this one would appear as typed keys,
so our own parser removes it.

Textual writes the characters of a strip unchanged. Widgets make text safe when they lay it out.
`SafeLines` is the last filter: no line of the app gives the terminal control characters.
"""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rich.segment import Segment
from textual._xterm_parser import XTermParser
from textual.color import Color
from textual.driver import Driver
from textual.events import Key
from textual.filter import LineFilter
from textual.keys import Keys
from textual.message import Message

from kb.terminal.bidi.shaping import runs_turned
from kb.terminal.terminal import ASK_TURNING, VTE, Support, Switch, direction_support, in_one_line

_DIRECT_COLOURS = 331
_CLEAR = "\x1b[2J"

_ANSWER = re.compile(r"\x1b\[8;(\d)\$y")

_STARTED = re.compile(r"\x1b\[8(;(\d\$?)?)?")


class _Terminal:
    """The state of the terminal; global for the process."""

    environ: Mapping[str, str] = {}
    answer: int | None = None
    support = direction_support({})
    told: Switch | None = None


def look_at(environ: Mapping[str, str], chosen: str = "auto", answer: int | None = None) -> Support:
    """Detect who reorders text, or use the reader's setting, from now on."""
    found = direction_support(environ, chosen, answer)
    if chosen == "app" and not found.sure:
        # What is settled is not asked for; a terminal that turns nothing ignores the order.
        found = found._replace(switch=VTE, sure=True)
    _Terminal.environ, _Terminal.answer, _Terminal.support = environ, answer, found
    return found


def settle(chosen: str) -> Support:
    """Use the reader's new setting in the known terminal."""
    return look_at(_Terminal.environ, chosen, _Terminal.answer)


def take_answer(setting: int) -> bool:
    """Use the terminal's answer, if detection was uncertain.

    The result is whether the display changes.
    """
    before = _Terminal.support
    if not before.sure:
        look_at(_Terminal.environ, answer=setting)
    after = _Terminal.support
    return (before.mode, before.switch) != (after.mode, after.switch)


def support() -> Support:
    """Return the known terminal support."""
    return _Terminal.support


def colours(environ: Mapping[str, str]) -> str | None:
    """Return the value for ``COLORTERM`` if an xterm does not announce its colours.

    xterm supports 24-bit colours since patch 331, but sets no variable for it.

    >>> colours({"TERM": "xterm", "XTERM_VERSION": "XTerm(379)"})
    'truecolor'
    """
    version = "".join(filter(str.isdigit, environ.get("XTERM_VERSION", "")))
    direct = environ.get("TERM", "").startswith("xterm") and int(version or 0) >= _DIRECT_COLOURS
    return "truecolor" if direct and "COLORTERM" not in environ else None


def turned() -> bool:
    """Return whether the app reorders right-to-left text itself."""
    return _Terminal.support.mode == "app"


def tell(write: Callable[[str], object]) -> None:
    """Stop or restore the terminal's own reordering, as needed.

    The screen must then be redrawn: existing lines keep their direction.
    """
    _tell(write, _Terminal.support.switch, _CLEAR)


def give_back() -> None:
    """Restore the terminal after the app, if its driver did not."""
    output = sys.__stderr__
    if output is not None and output.isatty():
        _tell(output.write, None)
        output.flush()


def _tell(write: Callable[[str], object], wanted: Switch | None, after: str = "") -> None:
    told = _Terminal.told
    if told != wanted:
        _Terminal.told = wanted
        write((told.again if told else "") + (wanted.stop if wanted else "") + after)


def with_switch(driver: type[Driver]) -> type[Driver]:
    """Return a driver that stops the terminal's own reordering while the app runs.

    If the environment is unclear, the driver asks the terminal and continues; the answer is sent
    to the app whenever it comes.
    """
    module = vars(sys.modules[driver.__module__])
    understands = "XTermParser" in module
    if understands:
        module["XTermParser"] = AnsweringParser

    class SwitchingDriver(driver):  # type: ignore[misc, valid-type]
        """Stops the terminal's own reordering on entering, and restores it."""

        def start_application_mode(self) -> None:
            super().start_application_mode()
            go_on = getattr(self, "_sigcont_application", None)
            if go_on is not None:
                # A signal unknown to the event loop may not wake it after a suspension: if another
                # thread gets it, Python handles it only at the next event, perhaps never.
                asyncio.get_running_loop().add_signal_handler(signal.SIGCONT, go_on)
            tell(self.write)
            if understands and getattr(self, "input_tty", False) and not support().sure:
                self.write(ASK_TURNING)

        def process_message(self, message: Message) -> None:
            if isinstance(message, DirectionAnswered):
                if not take_answer(message.setting):
                    return
                tell(self.write)
            super().process_message(message)

        def stop_application_mode(self) -> None:
            super().stop_application_mode()  # the thread that takes answers ends here
            _tell(self.write, None)

        def write(self, data: str) -> None:
            super().write(runs_turned(data) if support().runs else data)

    return SwitchingDriver


@dataclass
class DirectionAnswered(Message):
    """The terminal reported whether it reorders text: its DECRPM setting, 0 to 4."""

    setting: int


class AnsweringParser(XTermParser):
    """Textual's parser of a terminal's input, which knows this answer too.

    >>> parser = AnsweringParser()
    >>> [type(event).__name__ for event in parser.feed("a\\x1b[8;1$yb")]
    ['Key', 'DirectionAnswered', 'Key']
    """

    def __init__(self, debug: bool = False) -> None:
        self._sequence = ""
        super().__init__(debug)

    def tick(self) -> Iterable[Message]:
        """Give up on an unfinished sequence, but never on an answer."""
        return () if _STARTED.fullmatch(self._sequence) else super().tick()

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[Key]:
        """Return the keys of a sequence; called again with each further character."""
        self._sequence = sequence
        answer = _ANSWER.fullmatch(sequence)
        if answer is None:
            return super()._sequence_to_key_events(sequence, alt)
        self._tokens.append(DirectionAnswered(int(answer[1])))
        return [Key(Keys.Ignore, sequence)]


class SafeLines(LineFilter):
    """Shows control characters as signs, and removes addresses from styles."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return segments that give the terminal only text and styles."""
        return list(map(_safe, segments))


def _safe(segment: Segment) -> Segment:
    text, style, control = segment
    is_safe = text.isprintable() or in_one_line(text) == text
    if is_safe and not control and not (style and style.link):
        return segment
    return Segment(in_one_line(text), style.update_link(None) if style else None)
