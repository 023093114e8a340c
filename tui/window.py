"""Which of the hits a list holds: a stretch of them all, which grows at either end by pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kb.records import Page

if TYPE_CHECKING:
    from kb.records import Hit, Results

HITS_OF_PAGE = 100
"""So many are asked for at once."""

MOST_HELD = 1000
"""Beyond this, what lies farthest from a page that comes is given up."""


class Window(NamedTuple):
    """The hits from ``first`` on that are held, of ``total``.

    >>> window = Window(("a", "b", "c"), first=4, total=9)
    >>> window.before(), window.after(), window.end
    (Page(limit=4, offset=0), Page(limit=100, offset=7), 7)
    """

    hits: tuple[Hit, ...] = ()
    first: int = 0
    total: int = 0

    @property
    def end(self) -> int:
        """The place behind the last hit that is held."""
        return self.first + len(self.hits)

    def all(self) -> Page | None:
        """Return what is held as a page, if anything is."""
        return Page(len(self.hits), self.first) if self.hits else None

    def before(self) -> Page | None:
        """Return the page before what is held, if there is one."""
        start = max(0, self.first - HITS_OF_PAGE)
        return Page(self.first - start, start) if self.first else None

    def after(self) -> Page | None:
        """Return the page behind what is held, if there is one."""
        return Page(HITS_OF_PAGE, self.end) if self.end < self.total else None

    def beginning(self) -> Page | None:
        """Return the first page of all, unless it is held."""
        return Page(min(HITS_OF_PAGE, self.first), 0) if self.first else None

    def ending(self) -> Page | None:
        """Return the last page of all, unless it is held.

        >>> Window(("a", "b"), total=100_000).ending()
        Page(limit=100, offset=99900)
        """
        last = min(HITS_OF_PAGE, self.total - self.end)
        return Page(last, self.total - last) if last > 0 else None

    def joined(self, page: Page, found: Results) -> Window:
        """Return what is held when a page has come; what lies far from it is given up.

        A page that does not touch what is held takes its place. One without hits changes
        nothing, but that none come behind what is held.
        """
        hits = found.hits
        if not hits:
            return self._replace(total=self.end) if page.offset == self.end else self
        if page.offset == self.end:
            every = self.hits + hits
            dropped = max(0, len(every) - MOST_HELD)
            return Window(every[dropped:], self.first + dropped, found.total)
        if page.offset + len(hits) == self.first:
            return Window((hits + self.hits)[:MOST_HELD], page.offset, found.total)
        return Window(hits, page.offset, found.total)
