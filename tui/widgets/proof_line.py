"""The evidence of a note: a measured figure, and the claimed value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal

from kb.i18n import N_, number
from kb.model import Evidence
from kb.terminal.numerals import figure
from tui.choices import Choice
from tui.widgets.chip import Chip

if TYPE_CHECKING:
    from kb.model import Annotation

Figures = Mapping[tuple[str, str], float]
"""Measured values by program and figure name."""

_TOLERANCE = 1e-6
_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?")


class ProofLine(Horizontal):
    """Offers the figures of the last runs, and the numbers in the words as claimed values.

    Hidden if nothing was measured.
    """

    def __init__(self, figures: Figures, annotation: Annotation | None) -> None:
        super().__init__(classes="line")
        self._known = annotation.evidence if annotation is not None else ()
        self._figures = {**{(e.snippet, e.figure): e.expected for e in self._known}, **figures}
        self._names = [f"{program}: {name}" for program, name in self._figures]
        self._words = ""

    def compose(self) -> ComposeResult:
        """Compose the figure beside the claimed value."""
        yield Chip("figure", unset=N_("none"), least=1, id="figure")
        yield Chip("claimed", unset=N_("no figure"), least=1, free=True, id="claimed")

    def on_mount(self) -> None:
        """Offer the measured figures, with the note's current one selected."""
        self.display = bool(self._figures)
        measured = zip(self._names, self._figures.items(), strict=True)
        proof, claimed = self.query_one("#figure", Chip), self.query_one("#claimed", Chip)
        proof.offer(
            [
                Choice(name, f"{key[1]} = {number(value)} ({key[0]})")
                for name, (key, value) in measured
            ]
        )
        claimed.offer([Choice("0", "0")])
        if self._known:
            first = self._known[0]
            proof.take(f"{first.snippet}: {first.figure}")
            if first.claimed is not None:
                claimed.take(figure(first.claimed).replace(",", ""))

    def speak_of(self, words: str) -> None:
        """Offer the numbers in the marked words; select a single one."""
        if words == self._words:
            return
        self._words = words
        numbers = numbers_in(words)
        claimed = self.query_one("#claimed", Chip)
        claimed.offer([Choice(each, each) for each in numbers] or [Choice("0", "0")])
        claimed.take(numbers[0] if len(numbers) == 1 else None)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The chosen figure; further evidence of the note stays."""
        chosen = self.query_one("#figure", Chip).value
        if chosen is None:
            return ()
        program, name = list(self._figures)[self._names.index(chosen)]
        value = self._figures[program, name]
        said = number_of(self.query_one("#claimed", Chip).value)
        exact = 0.0 if float(value).is_integer() else _TOLERANCE
        return (Evidence(program, name, value, said, exact), *self._known[1:])


def numbers_in(words: str) -> Sequence[str]:
    """Return the numbers in words, in ASCII digits, without duplicates.

    >>> numbers_in("about 1,000,000 of ۲۵ steps, 25 in all")
    ['1000000', '25']
    """
    plain = "".join(_plain(char) for char in words)
    return list(dict.fromkeys(each.replace(",", "") for each in _NUMBER.findall(plain)))


def number_of(text: str | None) -> float | None:
    """Return the number that a text is, or nothing.

    >>> number_of("۱٫۵"), number_of("many")
    (1.5, None)
    """
    try:
        return float("".join(_plain(char) for char in text or "").replace(",", ""))
    except ValueError:
        return None


def _plain(char: str) -> str:
    """Return a digit or separator in ASCII."""
    if char in "٫٬":
        return {"٫": ".", "٬": ","}[char]
    digit = unicodedata.decimal(char, None)
    return char if digit is None else str(digit)
