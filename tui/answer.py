"""The terminal's answer to the question whether it turns text, taken out of what is typed.

An answer comes among the keys, at once, late or never. Textual's parser knows answers on
private modes alone (``CSI ? … $ y``); this one would appear as typed keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

# The drivers let no other parser be passed, so this one has to be the parser they name.
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.keys import Keys
from textual.message import Message

_ANSWER = re.compile(r"\x1b\[8;(\d)\$y")
_BEGUN = re.compile(r"\x1b\[8(;(\d\$?)?)?")


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
        return () if _BEGUN.fullmatch(self._sequence) else super().tick()

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[Key]:
        """Return the keys that a sequence stands for; it is asked with every character more."""
        self._sequence = sequence
        answer = _ANSWER.fullmatch(sequence)
        if answer is None:
            return super()._sequence_to_key_events(sequence, alt)
        self._tokens.append(DirectionAnswered(int(answer[1])))
        return [Key(Keys.Ignore, sequence)]
