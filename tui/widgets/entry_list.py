"""The list of entries, by keys or by mouse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.bidi import strip_of, style_of
from tui.commands import bindings
from tui.messages import OpenEntry
from tui.widgets.lines import Lines
from tui.widgets.rows import Heading, ListRow, list_rows
from tui.widgets.window import Page, Window

if TYPE_CHECKING:
    from kb.model import Results

_ROWS_AHEAD = 50
"""So far from either end of what is held, more is asked for."""


class EntryList(ScrollView, can_focus=True):
    """Entries under the titles of their collections, or what a search found.

    However many were found, only a stretch of them is held; near its ends, or when the reader
    goes to the very first or last, the list asks for a page of the others. Only rows that
    come in sight are laid out, and only lines in sight are drawn.
    """

    BINDINGS = bindings("list")
    COMPONENT_CLASSES = {"entry-list--cursor"}
    ALLOW_SELECT = False

    cursor: reactive[int | None] = reactive[int | None](None)

    @dataclass
    class Highlighted(Message):
        """The cursor came to an entry."""

        entry: str

    @dataclass
    class Wanted(Message):
        """A page of what was found is to be fetched, and given to `EntryList.add`."""

        page: Page

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._window = Window()
        self._titles: Mapping[str, Mapping[str, str]] = {}
        self._rows: list[ListRow] = []
        self._lines = Lines((), 0)
        self._awaited: Page | None = None
        self._going: Literal["first", "last"] | None = None

    @property
    def ids(self) -> list[str]:
        """The ids of the entries held, in order."""
        return [hit.id for hit in self._window.hits]

    @property
    def chosen(self) -> str | None:
        """The id of the entry under the cursor."""
        return self._entry_at(self.cursor)

    def show(self, results: Results, titles: Mapping[str, Mapping[str, str]]) -> None:
        """List a result; the cursor goes to the first entry."""
        self._window, self._titles = Window(results.hits, 0, results.total), titles
        self._awaited = self._going = None
        self.set_reactive(EntryList.cursor, None)
        self._make_rows()
        self.scroll_home(animate=False)
        self.cursor = self._entry_from(0, 1)

    def add(self, page: Page, results: Results) -> None:
        """Hold a page that was asked for, too; cursor and view stay where they are."""
        if page != self._awaited:
            return
        going, self._awaited, self._going = self._going, None, None
        chosen, (seen, below) = self.chosen, self._first_in_sight()
        self._window = self._window.joined(page, results)
        self.set_reactive(EntryList.cursor, None)
        self._make_rows(self._lines)
        if going is not None:
            last = len(self._rows) - 1
            self.cursor = self._entry_from(0, 1) if going == "first" else self._entry_from(last, -1)
            return
        self.set_reactive(EntryList.cursor, self._place(chosen))
        place = self._place(seen)
        if place is not None:
            y = self._lines.top(place) + below
            self._measure()
            if y != self.scroll_offset.y:
                self.scroll_to(y=y, animate=False, force=True, immediate=True)
        self._look_ahead()

    def choose(self, entry: str) -> None:
        """Put the cursor on an entry, if it is held."""
        place = self._place(entry)
        if place is not None:
            self.cursor = place

    def neighbour(self, step: int) -> str | None:
        """Return the id of the entry so many rows after the cursor, if there is one."""
        return self._entry_at(self._entry_from(self._here + step, 1 if step > 0 else -1))

    def lay_out_again(self) -> None:
        """Make the rows anew, after the interface changed its language or its direction."""
        self._make_rows()
        self._show_cursor()

    def watch_cursor(self, cursor: int | None) -> None:
        """Bring the cursor into sight and tell where it is."""
        self.refresh()
        if cursor is not None and self._lines.width > 0:
            self._show_cursor()
            if self.chosen:
                self.post_message(self.Highlighted(self.chosen))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what comes in sight, and ask for more before the end is there."""
        super().watch_scroll_y(old_value, new_value)
        self._look_ahead()

    def on_resize(self) -> None:
        """Lay the rows out for the new width, and keep the cursor in sight."""
        if self._width() != self._lines.width:
            self._lay_out()
            self.call_after_refresh(self._show_cursor)

    def on_click(self, event: events.Click) -> None:
        """Open the entry under the mouse."""
        offset = event.get_content_offset(self)
        line = self._lines.at(offset.y + self.scroll_offset.y) if offset else None
        if line is not None and self._entry_at(line[0]):
            self.cursor = line[0]
            self.action_open()

    def render_line(self, y: int) -> Strip:
        """Return a line of the list; the row under the cursor stands out."""
        width = self.scrollable_content_region.width
        base = self.visual_style
        line = self._lines.at(y + self.scroll_offset.y)
        if line is None:
            return Strip.blank(width, base.rich_style)
        place, content = line
        if place == self.cursor:
            base = style_of(self, "entry-list--cursor")
        return strip_of(content, width, base, self.app.stylesheet.parse_style)

    def action_open(self) -> None:
        """Open the entry under the cursor."""
        if self.chosen:
            self.post_message(OpenEntry(self.chosen))

    def action_down(self) -> None:
        """Go to the next entry."""
        self._go(self._here + 1, 1)

    def action_up(self) -> None:
        """Go to the entry before."""
        self._go(self._here - 1, -1)

    def action_page_down(self) -> None:
        """Go a screenful of lines down."""
        self._go_lines(self.size.height, -1)

    def action_page_up(self) -> None:
        """Go a screenful of lines up."""
        self._go_lines(-self.size.height, 1)

    def action_top(self) -> None:
        """Go to the first entry of all."""
        self._go(0, 1)
        self._ask(self._window.beginning(), "first")

    def action_bottom(self) -> None:
        """Go to the last entry of all; what lies between is not fetched."""
        self._go(len(self._rows) - 1, -1)
        self._ask(self._window.ending(), "last")

    def _ask(self, page: Page | None, going: Literal["first", "last"] | None = None) -> None:
        if page is not None:
            self._awaited, self._going = page, going
            self.post_message(self.Wanted(page))

    def _look_ahead(self) -> None:
        """Ask for the page that is near, and for one at a time."""
        width, height = self.scrollable_content_region.size
        if self._lines.width != width or not self._rows:
            return
        top = self._lines.at(self.scroll_offset.y)
        bottom = self._lines.at(self.scroll_offset.y + height)
        self._measure()
        if self._awaited is not None:
            return
        if bottom is None or bottom[0] + _ROWS_AHEAD >= len(self._rows):
            self._ask(self._window.after())
        if top is not None and top[0] < _ROWS_AHEAD and self._awaited is None:
            self._ask(self._window.before())

    def _go(self, place: int, step: int) -> None:
        if self._going is not None:  # the reader has gone elsewhere since
            self._awaited = self._going = None
        found = self._entry_from(place, step)
        if found is not None:
            self.cursor = found

    def _go_lines(self, lines: int, step: int) -> None:
        line = self._lines.at(max(0, self._lines.top(self._here) + lines))
        place = line[0] if line is not None else len(self._rows) - 1
        found = self._entry_from(place, step)
        self._go(place if found is None else found, -step)

    @property
    def _here(self) -> int:
        """The row of the cursor; that at the top of the view, if the cursor's is held no more."""
        line = self._lines.at(self.scroll_offset.y)
        return self.cursor if self.cursor is not None else line[0] if line is not None else 0

    def _entry_from(self, place: int, step: int) -> int | None:
        """Return the first row from ``place`` on that is an entry, going by ``step``."""
        while 0 <= place < len(self._rows):
            if self._entry_at(place):
                return place
            place += step
        return None

    def _entry_at(self, place: int | None) -> str | None:
        row = self._rows[place] if place is not None else None
        return None if row is None or isinstance(row, Heading) else row.id

    def _place(self, entry: str | None) -> int | None:
        """Return the row of an entry, if it is held."""
        places = range(len(self._rows)) if entry else ()
        return next((place for place in places if self._entry_at(place) == entry), None)

    def _first_in_sight(self) -> tuple[str | None, int]:
        """Return the first entry that begins in sight or above, and how far the view is below."""
        y = self.scroll_offset.y
        line = self._lines.at(y)
        place = self._entry_from(line[0], 1) if line is not None else None
        return self._entry_at(place), y - self._lines.top(place) if place is not None else 0

    def _show_cursor(self) -> None:
        """Bring the cursor into sight, with the title above it."""
        if self.cursor is None or self._lines.width <= 0:
            return
        top, end = self._lines.top(self.cursor), self._lines.top(self.cursor + 1)
        self._measure()
        first = top - 1 if self.cursor and not self._entry_at(self.cursor - 1) else top
        here = Region(0, first, 1, end - first)
        self.scroll_to_region(here, animate=False, force=True)
        self._look_ahead()

    def _width(self) -> int:
        return self.scrollable_content_region.width

    def _make_rows(self, before: Lines | None = None) -> None:
        self._rows = list_rows(self._window.hits, self._titles)
        self._lay_out(before)

    def _lay_out(self, before: Lines | None = None) -> None:
        self._lines = Lines(self._rows, self._width(), before)
        self._measure()
        self.refresh()

    def _measure(self) -> None:
        """Tell how high the list is, as far as it is known."""
        if self._lines.width > 0:
            self.virtual_size = Size(self._lines.width, self._lines.height)
