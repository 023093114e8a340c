"""The place in what was found: which question was asked last, and what its answer is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kb.records import Filters, Hit, Results


class Wanted(NamedTuple):
    """What is looked for: words, or everything without them; or what the reader has hidden."""

    words: str
    filters: Filters
    hidden: bool = False


def most_telling(hits: Sequence[Hit], named: str) -> str:
    """Return the entry to begin at: the one that is named, else one that is wrong, else the first.

    ``named`` is taken only if it is among the hits.
    """
    told = [hit.id for hit in hits if hit.id == named]
    wrong = [hit.id for hit in hits if hit.verdicts.get("wrong")]
    return next(iter([*told, *wrong, *(hit.id for hit in hits[:1])]), "")


class Found:
    """What was asked and found. Each question has a number; an older one's answer is dropped.

    >>> found = Found()
    >>> first, second = found.ask(), found.ask()
    >>> found.awaits(first), found.awaits(second)
    (False, True)
    """

    def __init__(self) -> None:
        self.results: Results | None = None
        self.titles: Mapping[str, Mapping[str, str]] = {}
        self.begins = ""
        """The entry to begin at, of those that were listed first."""
        self.everything = 0
        """How many entries there were at the beginning."""
        self.asked = 0
        self.beyond = 0
        self._answered = 0

    def ask(self) -> int:
        """Return the number of a new question."""
        self.asked += 1
        return self.asked

    def awaits(self, number: int) -> bool:
        """Say whether this is the number of the question that was asked last."""
        return number == self.asked

    def take(
        self,
        results: Results,
        titles: Mapping[str, Mapping[str, str]],
        beyond: int = 0,
        telling: str = "",
    ) -> None:
        """Keep the answer to the last question; ``beyond`` its filters there are so many."""
        if not self._answered:
            self.begins, self.everything = most_telling(results.hits, telling), results.total
        self.results, self.titles, self._answered = results, titles, self.asked
        self.beyond = beyond

    @property
    def answered(self) -> Results | None:
        """The results of the last question, once they have come."""
        return self.results if self._answered == self.asked else None

    @property
    def listed(self) -> bool:
        """Whether anything was found."""
        return bool(self.results and self.results.hits)

    @property
    def suggestion(self) -> str | None:
        """The spelling that was probably meant."""
        return self.results.suggestion if self.results else None

    @property
    def offer(self) -> str:
        """The command that is to find more where nothing is listed, if one can."""
        if self.listed:
            return ""
        return "suggestion" if self.suggestion else "no-filter" if self.beyond else ""
