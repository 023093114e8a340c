"""Who puts right-to-left text in order, and how a terminal is told not to.

A terminal that is told must be told back, whatever ends the app: so it is done by the
driver, which enters and leaves the terminal at start, exit, suspension and crash alike.

The terminal's answer to the question whether it turns text comes among the keys, at once, late
or never. Textual's parser knows answers on private modes alone (``CSI ? … $ y``); this one
would appear as typed keys, so a parser of our own takes it out.
"""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.events import Key
from textual.keys import Keys
from textual.message import Message

from kb.terminal.bidi.shaping import runs_turned
from kb.terminal.terminal import ASK_TURNING, VTE, Support, Switch, direction_support

_DIRECT_COLOURS = 331
_CLEAR = "\x1b[2J"


_ANSWER = re.compile(r"\x1b\[8;(\d)\$y")

_STARTED = re.compile(r"\x1b\[8(;(\d\$?)?)?")


class _Terminal:
    """What is known of the terminal, and whether it was told to stop; one for the process."""

    environ: Mapping[str, str] = {}
    answer: int | None = None
    support = direction_support({})
    told: Switch | None = None


def look_at(environ: Mapping[str, str], chosen: str = "auto", answer: int | None = None) -> Support:
    """Find out who turns text, or take what the reader settled, and keep to it from now on."""
    found = direction_support(environ, chosen, answer)
    if chosen == "app" and not found.sure:
        # What is settled is not asked for; a terminal that turns nothing ignores the order.
        found = found._replace(switch=VTE, sure=True)
    _Terminal.environ, _Terminal.answer, _Terminal.support = environ, answer, found
    return found


def settle(chosen: str) -> Support:
    """Keep to what the reader settles now, in the terminal that is known."""
    return look_at(_Terminal.environ, chosen, _Terminal.answer)


def take_answer(setting: int) -> bool:
    """Know from now on what the terminal answered, where that was left open.

    Say whether that changes how text is shown.
    """
    before = _Terminal.support
    if not before.sure:
        look_at(_Terminal.environ, answer=setting)
    after = _Terminal.support
    return (before.mode, before.switch) != (after.mode, after.switch)


def support() -> Support:
    """Return what is known of the terminal."""
    return _Terminal.support


def colours(environ: Mapping[str, str]) -> str | None:
    """Return what ``COLORTERM`` should say where an xterm does not tell of its colours.

    xterm draws 24-bit colours since patch 331, but sets no variable that says so.

    >>> colours({"TERM": "xterm", "XTERM_VERSION": "XTerm(379)"})
    'truecolor'
    """
    version = "".join(filter(str.isdigit, environ.get("XTERM_VERSION", "")))
    direct = environ.get("TERM", "").startswith("xterm") and int(version or 0) >= _DIRECT_COLOURS
    return "truecolor" if direct and "COLORTERM" not in environ else None


def turned() -> bool:
    """Say whether the app turns right-to-left text itself."""
    return _Terminal.support.mode == "app"


def tell(write: Callable[[str], object]) -> None:
    """Stop the terminal's own turning, or give it back, where it is not as it should be.

    The screen is then to be written again: lines that stand keep the direction they had.
    """
    _tell(write, _Terminal.support.switch, _CLEAR)


def give_back() -> None:
    """Give the terminal back after any end of the app, where its driver did not come to it."""
    output = sys.__stderr__
    if output is not None and output.isatty():
        _tell(output.write, None)
        output.flush()


def _tell(write: Callable[[str], object], wanted: Switch | None, after: str = "") -> None:
    told = _Terminal.told
    if told != wanted:
        _Terminal.told = wanted
        write((told.again if told else "") + (wanted.stop if wanted else "") + after)


def _wake_to_go_on(go_on: Callable[[], object] | None) -> None:
    """Let the loop itself go on after a suspension: of a signal it does not know it may not wake.

    Where another thread takes the signal, what Python has to do for it waits for the loop,
    which waits for what happens next: with nothing on its way, the app would wait forever.
    """
    if go_on is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGCONT, go_on)


def with_switch(driver: type[Driver]) -> type[Driver]:
    """Return a driver that stops the terminal's own turning while the app has the screen.

    Where the environment leaves open what the terminal does, the driver asks and goes on:
    the answer is taken whenever it comes, and is sent on to the app.
    """
    module = vars(sys.modules[driver.__module__])
    understands = "XTermParser" in module
    if understands:
        module["XTermParser"] = AnsweringParser

    class SwitchingDriver(driver):  # type: ignore[misc, valid-type]
        """Asks for text as it comes on entering, and gives the terminal back as it was."""

        def start_application_mode(self) -> None:
            super().start_application_mode()
            _wake_to_go_on(getattr(self, "_sigcont_application", None))
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
    """The terminal told whether it turns text: the setting of its report (DECRPM), 0 to 4."""

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
        """Give up on a sequence that goes on no more, but never on an answer that has begun."""
        return () if _STARTED.fullmatch(self._sequence) else super().tick()

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[Key]:
        """Return the keys that a sequence stands for; it is asked with every character more."""
        self._sequence = sequence
        answer = _ANSWER.fullmatch(sequence)
        if answer is None:
            return super()._sequence_to_key_events(sequence, alt)
        self._tokens.append(DirectionAnswered(int(answer[1])))
        return [Key(Keys.Ignore, sequence)]
