"""Detects from the environment how the terminal handles right-to-left text.

Most terminals print cells in order, and the program must reorder the text. Some reorder it
themselves, and must not get reordered text. VTE terminals, Konsole and mlterm can be told to stop
and are then like the others. kitty only reverses the letters of each run of Arabic script. If the
environment is unknown, as over ssh, a terminal can be asked (DECRQM, ``CSI 8 $ p``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, NamedTuple, TextIO

from kb.errors import Message

Mode = Literal["app", "terminal"]


class Switch(NamedTuple):
    """The sequences that ``stop`` a terminal's own reordering, and restore it (``again``)."""

    stop: str
    again: str


VTE = Switch("\x1b[8l", "\x1b[8h")
"""ECMA-48 BDSM: explicit direction, and implicit, the default."""

KONSOLE = Switch("\x1b]50;BidiRenderingEnabled=false\a", "\x1b]50;BidiRenderingEnabled=true\a")
"""The sequence of ``konsoleprofile``: it applies to the session and not to the profile."""

MLTERM = Switch("\x1b]5379;use_ctl=false\a", "\x1b]5379;use_ctl=true\a")
"""mlterm's configuration protocol: complex text layout, which includes bidi."""

ASK_TURNING = "\x1b[8$p"
"""Asks whether the terminal reorders text; terminals that support it answer ``CSI 8 ; n $ y``."""


class Support(NamedTuple):
    """Who reorders text: the ``app`` or the ``terminal``; ``switch`` if it must be told.

    ``sure`` means that the terminal need not be asked; ``runs``, that it always reverses the
    letters of each run of Arabic script (see `kb.terminal.bidi.shaping`).
    """

    terminal: str
    mode: Mode
    switch: Switch | None
    reason: str
    sure: bool = True
    runs: bool = False


_TURNS_ITSELF = Message("it reorders right-to-left text itself, so danesh sends logical order")
_TURNED_FOR = Message("it does not reorder text, so danesh reorders right-to-left text")
_SWITCHED = Message("danesh asked it not to reorder text, and reorders right-to-left text itself")

_TURNS_WORDS = Message("it reverses the letters of each word, so danesh sends them reversed")

_SETTLED = Message("--bidi or the settings say so")

_KNOWN: Mapping[str, Support] = {
    "TMUX STY": Support(Message("tmux or screen"), "app", None, _TURNED_FOR),
    "KONSOLE_VERSION": Support("Konsole", "app", KONSOLE, _SWITCHED),
    "MLTERM": Support("mlterm", "app", MLTERM, _SWITCHED),
    "KITTY_WINDOW_ID TERM=xterm-kitty": Support("kitty", "app", None, _TURNS_WORDS, runs=True),
    "TERM_PROGRAM=Apple_Terminal": Support("Apple Terminal", "terminal", None, _TURNS_ITSELF),
    "VTE_VERSION": Support("VTE", "app", VTE, _SWITCHED),
    "XTERM_VERSION": Support("xterm", "app", None, _TURNED_FOR),
}
"""The terminals known by a variable that is set, or has a value."""

_ANSWERED: Mapping[int | None, Support] = {
    None: Support(Message("a terminal like most"), "app", None, _TURNED_FOR, sure=False),
    1: Support(Message("a terminal that turns text"), "app", VTE, _SWITCHED),
    3: Support(Message("a terminal that always turns text"), "terminal", None, _TURNS_ITSELF),
}
"""The meaning of answers: it reorders now (1) or always (3); otherwise it does not, or does not
know.
"""


def direction_support(
    environ: Mapping[str, str], chosen: str = "auto", answer: int | None = None
) -> Support:
    """Return who reorders text in the terminal that these variables describe.

    ``chosen`` is the reader's setting: ``auto`` detects, ``app`` reorders here, and ``terminal``
    and ``off`` send text in logical order. ``answer`` is the terminal's report (DECRPM), if it
    was asked; it is used if the variables say nothing.

    >>> direction_support({"VTE_VERSION": "7006"}).switch == VTE
    True
    >>> direction_support({"TERM_PROGRAM": "Apple_Terminal"}).mode
    'terminal'
    >>> direction_support({}).sure, direction_support({}, answer=1).switch == VTE
    (False, True)
    """
    said = {key for name, value in environ.items() if value for key in (name, f"{name}={value}")}
    known = (support for names, support in _KNOWN.items() if not said.isdisjoint(names.split()))
    found = next(known, _ANSWERED.get(answer, _ANSWERED[None]._replace(sure=True)))
    if chosen == "auto":
        return found
    if chosen == "app":
        return found._replace(mode="app", reason=_SETTLED)
    return found._replace(mode="terminal", switch=None, reason=_SETTLED, sure=True, runs=False)


# Text from outside, made fit for a terminal.
#
# A terminal obeys control characters, and direction controls can make a line read as
# something else than it says (CVE-2021-42574, "Trojan Source"). Both are shown as
# visible signs. Every character is replaced by one character, so that offsets into the
# text stay valid.


REPLACEMENT = "\ufffd"

_KEPT_CONTROLS = "\n\t"
_HIDDEN = (
    (0x80, 0x9F),  # C1 controls: CSI and OSC in one character
    (0x2028, 0x2029),  # line and paragraph separator
    (0x202A, 0x202E),  # direction embeddings and overrides
    (0x2066, 0x206F),  # direction isolates, and the deprecated controls of swapping and shapes
    (0xD800, 0xDFFF),  # lone surrogates: they cannot be written as UTF-8
    (0xFDD0, 0xFDEF),  # noncharacters, and the last two of each plane
    *((plane << 16 | 0xFFFE, plane << 16 | 0xFFFF) for plane in range(17)),
    (0xE0000, 0xE007F),  # tag characters: text that no one sees
)
_SIGNS = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in _KEPT_CONTROLS},
    0x7F: "\u2421",
    **{code: REPLACEMENT for first, last in _HIDDEN for code in range(first, last + 1)},
}


def safe(text: str) -> str:
    r"""Return the text with every control character made visible.

    C0 controls become their pictures (U+2400 to U+241F), DEL becomes U+2421, all others U+FFFD.
    Newline and tab stay, and so do ZWNJ, ZWJ, LRM and RLM, which Persian needs. The result has
    the same length.

    >>> safe("\x1b[31mred\r\n")
    '␛[31mred␍\n'
    """
    return text.translate(_SIGNS)


def in_one_line(text: str) -> str:
    r"""Return a safe text in one line, without tabs.

    For ids, numbers, names and tags: a line break becomes U+240A, a tab U+2409. The result has
    the same length.

    >>> in_one_line("a\tb\n")
    'a␉b␊'
    """
    return safe(text).replace("\n", "␊").replace("\t", "␉")


def give_up(stream: TextIO) -> None:
    """Discard unwritten output, so that the interpreter does not try to write it at exit."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
