"""What is wrong in a folder of content: the first mistake is raised, or all are kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from kb import limits
from kb.errors import BadData


class Mistakes:
    """Where readers of content report what is wrong.

    ``found`` are mistakes, with which nothing can be stored; unless they are to be
    ``kept``, the first is raised. ``advice`` is what a careful author would still mend.
    """

    def __init__(self, *, kept: bool = False) -> None:
        self.kept = kept
        self.found: list[BadData] = []
        self.advice: list[BadData] = []

    def add(self, mistake: BadData) -> None:
        """Report a mistake."""
        if not self.kept:
            raise mistake
        _add(self.found, mistake)

    def advise(self, mistake: BadData) -> None:
        """Report what is no mistake but weak."""
        _add(self.advice, mistake)

    @property
    def full(self) -> bool:
        """Whether no more advice is told."""
        return len(self.advice) > limits.ADVICE

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Report a mistake raised within; what was being read is then left out."""
        try:
            yield
        except BadData as mistake:
            self.add(mistake)


def _add(told: list[BadData], mistake: BadData) -> None:
    """Keep what is told, up to a limit; that there is more is told, too."""
    if len(told) < limits.ADVICE:
        told.append(mistake)
    elif len(told) == limits.ADVICE:
        told.append(BadData("there is more: the first {most:,} are told", most=limits.ADVICE))
