"""Who puts right-to-left text in order, and how a terminal is told not to.

A terminal that is told must be told back, whatever ends the app: so it is done by the
driver, which enters and leaves the terminal at start, exit, suspension and crash alike.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from textual.driver import Driver

from kb.display.terminal import STOP_TURNING, TURN_AGAIN, Support, direction_support

_DIRECT_COLOURS = 331


class _Terminal:
    """What is known of the terminal; one for the process."""

    support = direction_support({})


def look_at(environ: Mapping[str, str], chosen: str = "auto") -> Support:
    """Find out who turns text, or take what the reader settled, and keep to it from now on."""
    _Terminal.support = direction_support(environ, chosen)
    return _Terminal.support


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


def with_switch(driver: type[Driver]) -> type[Driver]:
    """Return a driver that stops the terminal's own turning while the app has the screen."""

    class SwitchingDriver(driver):  # type: ignore[misc, valid-type]
        """Asks for text as it comes on entering, and gives the terminal back as it was."""

        def start_application_mode(self) -> None:
            super().start_application_mode()
            self.write(STOP_TURNING)

        def stop_application_mode(self) -> None:
            self.write(TURN_AGAIN)
            super().stop_application_mode()

    return SwitchingDriver


def give_back() -> None:
    """Give a terminal that was told to stop its turning back, after any end of the app."""
    output = sys.__stderr__
    if _Terminal.support.switch and output is not None and output.isatty():
        output.write(TURN_AGAIN)
        output.flush()
