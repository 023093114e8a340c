"""What is wrong in a folder of content: the first mistake is raised, or all are kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from kb.errors import BadData


class Mistakes:
    """Where readers of content report what is wrong.

    ``found`` are mistakes, with which nothing can be stored; unless they are to be
    ``kept``, the first is raised. ``advice`` is what a careful author would still mend.
    """

    def __init__(self, *, kept: bool = False) -> None:
        self._kept = kept
        self.found: list[BadData] = []
        self.advice: list[BadData] = []

    def add(self, mistake: BadData) -> None:
        """Report a mistake."""
        if not self._kept:
            raise mistake
        self.found.append(mistake)

    def advise(self, mistake: BadData) -> None:
        """Report what is no mistake but weak."""
        self.advice.append(mistake)

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Report a mistake raised within; what was being read is then left out."""
        try:
            yield
        except BadData as mistake:
            self.add(mistake)
