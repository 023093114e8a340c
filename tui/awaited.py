"""Which pages a list asks for, and why."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from kb.records import Page
from tui.window import Window

ROWS_AHEAD = 50
"""So far from either end of what is held, more is asked for, once the reader has moved."""

Reason: TypeAlias = Literal["near", "first", "last", "anew"]


class Awaited(NamedTuple):
    """A page that was asked for: because it is near, to go to one end, or to be shown anew."""

    page: Page
    why: Reason

    @property
    def goes(self) -> bool:
        """Whether the cursor is to go there."""
        return self.why in ("first", "last")


def pages_near(window: Window, sight: tuple[int, int], rows: int, *, moved: bool) -> list[Page]:
    """Return the pages near to the rows in ``sight``, its first and its last, of so many.

    >>> pages_near(Window(("a", "b"), first=1, total=9), (0, 1), 2, moved=True)
    [Page(limit=100, offset=3), Page(limit=1, offset=0)]
    """
    first, last = sight
    after = window.after() if last + (ROWS_AHEAD if moved else 0) >= rows else None
    before = window.before() if first < ROWS_AHEAD else None
    return [page for page in (after, before) if page is not None]
