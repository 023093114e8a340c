"""The list of entries, and which of its pages are loaded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partialmethod
from typing import Literal, NamedTuple, TypeAlias

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from kb.model.results import Hit, Page, Results
from tui.bidi import strip_of, style_of
from tui.commands import bindings
from tui.messages import OpenEntry, Titles
from tui.mirror import BarAtEdge
from tui.widgets.rows import Lines, ListRow, list_rows, marked

HITS_OF_PAGE = 100
"""The number of hits loaded at once."""

MOST_HELD = 1000
"""Above this, the loaded hits farthest from a new page are dropped."""

ROWS_AHEAD = 50
"""The distance to either end at which more hits are loaded, once the reader has moved."""

Reason: TypeAlias = Literal["near", "first", "last", "reload"]
"""Why a page is requested: near the view, at an end (the cursor goes there), or reloaded."""


class Window(NamedTuple):
    """The loaded hits from ``first`` on, of ``total``.

    >>> Window(("a", "b", "c"), first=4, total=9).end
    7
    """

    hits: tuple[Hit, ...] = ()
    first: int = 0
    total: int = 0

    @property
    def end(self) -> int:
        """The index after the last loaded hit."""
        return self.first + len(self.hits)

    def beginning(self) -> Page | None:
        """Return the first page of all, unless it is loaded."""
        return Page(min(HITS_OF_PAGE, self.first), 0) if self.first else None

    def ending(self) -> Page | None:
        """Return the last page of all, unless it is loaded.

        >>> Window(("a", "b"), total=100_000).ending()
        Page(limit=100, offset=99900)
        """
        last = min(HITS_OF_PAGE, self.total - self.end)
        return Page(last, self.total - last) if last > 0 else None

    def near(self, sight: tuple[int, int], rows: int, *, moved: bool) -> list[Page]:
        """Return the pages near the first and last rows in ``sight``, of this many.

        >>> Window(("a", "b"), first=1, total=9).near((0, 1), 2, moved=True)
        [Page(limit=100, offset=3), Page(limit=1, offset=0)]
        """
        first, last = sight
        pages = []
        if self.end < self.total and last + (ROWS_AHEAD if moved else 0) >= rows:
            pages.append(Page(HITS_OF_PAGE, self.end))
        if self.first and first < ROWS_AHEAD:
            start = max(0, self.first - HITS_OF_PAGE)
            pages.append(Page(self.first - start, start))
        return pages

    def joined(self, page: Page, found: Results) -> Window:
        """Return the loaded hits with a new page, without distant ones.

        A page that does not touch the loaded hits replaces them. An empty page only means that
        there are none after the loaded hits.
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


class EntryList(BarAtEdge, ScrollView, can_focus=True):
    """Entries under their collections' titles, or search results, with the reader's ``marks``.

    Only a span of the results is loaded; near its ends, or when the reader goes to the first or
    last, another page is requested. Only visible rows are laid out, and only visible lines are
    drawn.

    Textual's own lists lay out every row: an `OptionList` of 100,000 rows took 47 s to fill, 20 s
    to draw at another width and 324 MiB, a `DataTable` of 20,000 rows with wrapped lines 9 s
    (Textual 8.2, two busy cores). Neither can add rows before existing ones.
    """

    BINDINGS = bindings("list")
    COMPONENT_CLASSES = {"entry-list--cursor"}
    ALLOW_SELECT = False

    cursor: reactive[int | None] = reactive[int | None](None)

    @dataclass
    class Highlighted(Message):
        """The cursor moved to an entry."""

        entry: str

    class NothingToOpen(Message):
        """An entry was to be opened, but the list is empty."""

    @dataclass
    class FetchPage(Message):
        """A page is requested, for `EntryList.add`."""

        page: Page

    def __init__(self, marks: Collection[str] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._window = Window()
        self._titles: Titles = {}
        self._lines = Lines()
        self._requested: tuple[Page, Reason] | None = None
        self._marks = marks

    @property
    def ids(self) -> list[str]:
        """The ids of the loaded entries, in order."""
        return [hit.id for hit in self._window.hits]

    @property
    def is_whole(self) -> bool:
        """Whether all entries are loaded."""
        return len(self._window.hits) >= self._window.total

    @property
    def chosen(self) -> str | None:
        """The id of the entry under the cursor."""
        return self._lines.entry_at(self.cursor)

    def show(self, results: Results, titles: Titles, at: str = "") -> None:
        """List a result; the cursor goes to ``at`` if present, else to the first entry."""
        self._window, self._titles = Window(results.hits, 0, results.total), titles
        self._requested = None
        self.set_reactive(EntryList.cursor, None)
        self._make_rows()
        self.scroll_home(animate=False)
        place = self._lines.place_of(at)
        self.cursor = self._lines.entry_from(0, 1) if place is None else place

    def add(self, page: Page, results: Results | None) -> None:
        """Add a requested page, or give up on one that failed to load; cursor and view stay."""
        if self._requested is None or page != self._requested[0]:
            return
        why, self._requested = self._requested[1], None
        if results is None or (why == "near" and page not in self._near()):
            return
        fresh = Window(results.hits, page.offset, results.total)
        self._change(fresh if why == "reload" else self._window.joined(page, results))
        if why in ("first", "last"):
            self.set_reactive(EntryList.cursor, None)
            end, step = (0, 1) if why == "first" else (len(self._lines.rows) - 1, -1)
            self.cursor = self._lines.entry_from(end, step)

    def renew(self, titles: Titles | None = None) -> bool:
        """Reload the loaded hits, and a page at least; return whether there are any."""
        self._titles, held = titles or self._titles, len(self._window.hits)
        self._ask(Page(max(held, HITS_OF_PAGE), self._window.first) if held else None, "reload")
        return held > 0

    def choose(self, entry: str) -> None:
        """Put the cursor on an entry, if it is loaded."""
        place = self._lines.place_of(entry)
        if place is not None:
            self._stay()
            self.cursor = place

    def neighbour(self, step: int) -> str | None:
        """Return the id of the entry this many rows after the cursor, if any."""
        place = self._lines.entry_from(self._here + step, 1 if step > 0 else -1)
        return self._lines.entry_at(place)

    def lay_out_again(self) -> None:
        """Rebuild the rows after a change of language or direction."""
        self._make_rows()
        self._show_cursor()

    def watch_cursor(self, cursor: int | None) -> None:
        """Scroll to the cursor, and report its position."""
        self.refresh()
        if cursor is not None and self._lines.width > 0:
            self._show_cursor()
            if self.chosen:
                self.post_message(self.Highlighted(self.chosen))
        self._look_ahead()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out visible rows, and load more before the end."""
        super().watch_scroll_y(old_value, new_value)
        self._look_ahead()

    def on_resize(self) -> None:
        """Lay out the rows for the new width, with the cursor visible."""
        if self.scrollable_content_region.width != self._lines.width:
            self._lay_out(self._lines.rows)
            self.call_after_refresh(self._show_cursor)

    def on_click(self, event: events.Click) -> None:
        """Open the entry under the mouse."""
        offset = event.get_content_offset(self)
        line = self._lines.at(offset.y + self.scroll_offset.y) if offset else None
        if line is not None and self._lines.entry_at(line[0]):
            self.cursor = line[0]
            self.action_open()

    def render_line(self, y: int) -> Strip:
        """Return a line of the list; the row under the cursor is highlighted."""
        width = self.scrollable_content_region.width
        base = self.visual_style
        line = self._lines.at(y + self.scroll_offset.y)
        if line is None:
            return Strip.blank(width, base.rich_style)
        place, content = line
        if place == self.cursor:
            base = style_of(self, "entry-list--cursor")
        if self._marks and self._lines.entry_at(place) in self._marks:
            content = marked(content)
        return strip_of(self, content, width, base)

    def action_open(self) -> None:
        """Open the entry under the cursor."""
        self._stay()
        self.post_message(OpenEntry(self.chosen) if self.chosen else self.NothingToOpen())

    def _step(self, step: int) -> None:
        """Move to the next or previous entry."""
        self._go(self._here + step, step)

    action_down = partialmethod(_step, 1)
    action_up = partialmethod(_step, -1)

    def action_top(self) -> None:
        """Move to the first entry of all."""
        self._go(0, 1)
        self._ask(self._window.beginning(), "first")

    def action_bottom(self) -> None:
        """Move to the last entry of all, without loading what is between."""
        self._go(len(self._lines.rows) - 1, -1)
        self._ask(self._window.ending(), "last")

    def _ask(self, page: Page | None, why: Reason) -> None:
        if page is not None:
            self._requested = page, why
            self.post_message(self.FetchPage(page))

    def _stay(self) -> None:
        """Cancel a pending move to an end: the reader has moved."""
        if self._requested is not None and self._requested[1] in ("first", "last"):
            self._requested = None

    def _look_ahead(self) -> None:
        """Load a nearby page, one at a time."""
        near = self._near()
        if near and self._requested is None:
            self._ask(near[0], "near")

    def _near(self) -> list[Page]:
        """Return the pages near the view, or near the cursor if nothing is visible."""
        width, height = self.scrollable_content_region.size
        rows = len(self._lines.rows)
        if width > 0 and self._lines.width == width and rows:
            top = self._lines.at(self.scroll_offset.y)
            bottom = self._lines.at(self.scroll_offset.y + height)
            self._measure()
            first, last = top[0] if top else rows, bottom[0] if bottom else rows
        elif width <= 0 and self.cursor is not None:
            first = last = self.cursor
        else:
            return []
        moved = bool(first or (self.cursor or 0) > 1)
        return self._window.near((first, last), rows, moved=moved)

    def _change(self, window: Window) -> None:
        """Replace the loaded entries; cursor and view stay if possible.

        An entry that moved is followed, if it was in sight.
        """
        chosen, place = self.chosen, self.cursor
        in_sight = self._sees(place)
        seen, below = self._lines.entry_of(self.scroll_offset.y)
        self._window = window
        self.set_reactive(EntryList.cursor, None)
        self._make_rows()
        again = self._lines.place_of(chosen)
        if again is None and place is not None and window.hits:
            again = self._lines.entry_from(min(place, len(self._lines.rows) - 1), -1)
        self.set_reactive(EntryList.cursor, again)
        top = self._lines.place_of(seen)
        if top is not None:
            y = self._lines.top(top) + below
            self._measure()
            if y != self.scroll_offset.y:
                self.scroll_to(y=y, animate=False, force=True, immediate=True)
        if in_sight and not self._sees(again):
            self._show_cursor()
        self._look_ahead()

    def _sees(self, place: int | None) -> bool:
        """Return whether a row begins in sight."""
        line = -1.0 if place is None else self._lines.top(place) - self.scroll_offset.y
        return 0 <= line < self.scrollable_content_region.height

    def _go(self, place: int, step: int) -> None:
        self._stay()
        found = self._lines.entry_from(place, step)
        if found is not None:
            self.cursor = found

    def _go_page(self, step: int) -> None:
        """Move a screen down or up."""
        line = self._lines.at(max(0, self._lines.top(self._here) + step * self.size.height))
        place = line[0] if line is not None else len(self._lines.rows) - 1
        found = self._lines.entry_from(place, -step)
        self._go(place if found is None else found, step)

    action_page_down = partialmethod(_go_page, 1)
    action_page_up = partialmethod(_go_page, -1)

    @property
    def _here(self) -> int:
        """The row of the cursor, or the top row if the cursor's is not loaded."""
        if self.cursor is not None:
            return self.cursor
        line = self._lines.at(self.scroll_offset.y)
        return line[0] if line is not None else 0

    def _show_cursor(self) -> None:
        """Scroll to the cursor, with the title above it."""
        if self.cursor is None or self._lines.width <= 0:
            return
        top, end = self._lines.top(self.cursor), self._lines.top(self.cursor + 1)
        self._measure()
        titled = self.cursor and not self._lines.entry_at(self.cursor - 1)
        here = Region(0, top - 1, 1, end - top + 1) if titled else Region(0, top, 1, end - top)
        self.scroll_to_region(here, animate=False, force=True)

    def _make_rows(self) -> None:
        self._lay_out(list_rows(self._window.hits, self._titles))

    def _lay_out(self, rows: Sequence[ListRow]) -> None:
        self._lines = Lines(rows, self.scrollable_content_region.width)
        self._measure()
        self.refresh()

    def _measure(self) -> None:
        """Set the height of the list, as far as known."""
        if self._lines.width > 0:
            self.virtual_size = Size(self._lines.width, self._lines.height)
