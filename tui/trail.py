"""The entries that were read, in order, to go back and forward among."""

from __future__ import annotations


class Trail:
    """Where a reader has been; going back and then elsewhere forgets what lay ahead.

    >>> trail = Trail()
    >>> for entry in ("one", "two", "three"):
    ...     trail.visit(entry)
    >>> trail.step(-1), trail.step(-1), trail.step(-1), trail.step(1)
    ('two', 'one', None, 'two')
    >>> trail.visit("four")
    >>> trail.step(1), trail.step(-1)
    (None, 'two')
    """

    def __init__(self) -> None:
        self._visited: list[str] = []
        self._at = -1

    def visit(self, entry: str) -> None:
        """Remember an entry, unless it is the one where the reader is."""
        if not self._visited or self._visited[self._at] != entry:
            self._visited[self._at + 1 :] = [entry]
            self._at += 1

    def leads(self, step: int) -> bool:
        """Say whether there is an entry so many steps on."""
        return 0 <= self._at + step < len(self._visited)

    def step(self, step: int) -> str | None:
        """Go so many steps, and return the entry there, or stay and return nothing."""
        if not self.leads(step):
            return None
        self._at += step
        return self._visited[self._at]
