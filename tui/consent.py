"""What is to be started, and what the reader said of code that needs a yes."""

from __future__ import annotations

from typing import NamedTuple


class Answer(NamedTuple):
    """The digests of the code that was shown and may run: now, or ``always``; none for a no."""

    yes: frozenset[str] = frozenset()
    always: bool = False


class Started(NamedTuple):
    """A program of an entry that is to run, or the code that the reader made of it.

    ``begun_from`` is the code that the changes began with.
    """

    entry: str
    snippet: str
    code: str | None = None
    begun_from: str | None = None

    @property
    def name(self) -> str:
        """The program as the library knows it, whatever else has its name."""
        return f"{self.entry}::{self.snippet}"
