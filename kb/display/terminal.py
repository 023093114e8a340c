"""What the terminal at hand does to right-to-left text by itself, told by its environment.

Most terminals print cells as they come, and the program has to turn the text. Some
turn it themselves, and turning it for them would turn it twice. VTE's can be asked
to stop (ECMA-48 BDSM, ``CSI 8 l``) and is then like the others. Where the environment
does not arrive, as over ssh, a terminal can be asked what it does (DECRQM, ``CSI 8 $ p``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

Mode = Literal["app", "terminal"]

STOP_TURNING = "\x1b[8l"
"""Asks a terminal that turns text to print it as it comes (explicit direction)."""

TURN_AGAIN = "\x1b[8h"
"""Gives a terminal back its own direction (implicit), as it is by default."""

ASK_TURNING = "\x1b[8$p"
"""Asks whether the terminal turns text; those that know the question answer ``CSI 8 ; n $ y``."""


class Support(NamedTuple):
    """Who turns the text: the ``app`` or the ``terminal``; ``switch`` where it must be told.

    ``sure`` says that nothing is left to ask the terminal.
    """

    terminal: str
    mode: Mode
    switch: bool
    reason: str
    sure: bool = True


_TURNS_ITSELF = "it turns right-to-left text itself, so text is sent in logical order"
_TURNED_FOR = "it prints cells as they come, so danesh turns right-to-left text"
_SWITCHED = "it is asked to print cells as they come, and danesh turns right-to-left text"

_SETTLED = "so it was settled with --bidi or in the settings"

_Test = Callable[[Mapping[str, str]], bool]

_KNOWN: tuple[tuple[str, _Test, Mode, bool, str], ...] = (
    ("tmux or screen", lambda e: bool(e.get("TMUX") or e.get("STY")), "app", False, _TURNED_FOR),
    ("Konsole", lambda e: bool(e.get("KONSOLE_VERSION")), "terminal", False, _TURNS_ITSELF),
    ("mlterm", lambda e: bool(e.get("MLTERM")), "terminal", False, _TURNS_ITSELF),
    (
        "kitty",
        lambda e: bool(e.get("KITTY_WINDOW_ID")) or e.get("TERM") == "xterm-kitty",
        "terminal",
        False,
        "it turns each word by itself, so text is sent in logical order",
    ),
    (
        "Apple Terminal",
        lambda e: e.get("TERM_PROGRAM") == "Apple_Terminal",
        "terminal",
        False,
        _TURNS_ITSELF,
    ),
    ("VTE", lambda e: bool(e.get("VTE_VERSION")), "app", True, _SWITCHED),
    ("xterm", lambda e: bool(e.get("XTERM_VERSION")), "app", False, _TURNED_FOR),
)


_ANSWERED: Mapping[int | None, Support] = {
    None: Support("a terminal like most", "app", False, _TURNED_FOR, sure=False),
    1: Support("a terminal that turns text", "app", True, _SWITCHED),
    3: Support("a terminal that always turns text", "terminal", False, _TURNS_ITSELF),
}
"""By the answer: it turns text now (1) or always (3); else it does not, or knows no such thing."""


def direction_support(
    environ: Mapping[str, str], chosen: str = "auto", answer: int | None = None
) -> Support:
    """Return who turns text in the terminal that these variables describe.

    ``chosen`` is what the reader settled: ``auto`` finds out, ``app`` turns here, and
    ``terminal`` and ``off`` send text in logical order. ``answer`` is the setting that the
    terminal reported (DECRPM), if it was asked; it counts where the variables tell nothing.

    >>> direction_support({"VTE_VERSION": "7006"}).switch
    True
    >>> direction_support({"KONSOLE_VERSION": "221203"}).mode
    'terminal'
    >>> direction_support({}).sure, direction_support({}, answer=1).switch
    (False, True)
    """
    found = _found(environ, answer)
    if chosen == "auto":
        return found
    if chosen == "app":
        return found._replace(mode="app", reason=_SETTLED)
    return found._replace(mode="terminal", switch=False, reason=_SETTLED, sure=True)


def _found(environ: Mapping[str, str], answer: int | None) -> Support:
    for name, test, mode, switch, reason in _KNOWN:
        if test(environ):
            return Support(name, mode, switch, reason)
    return _ANSWERED.get(answer, _ANSWERED[None]._replace(sure=True))
