"""The list of entries, by keys or by mouse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.bidi import strip_of, style_of
from tui.commands import bindings
from tui.messages import OpenEntry
from tui.widgets.rows import Heading, ListRow, columns, list_rows, row_lines

if TYPE_CHECKING:
    from kb.model import Results


class EntryList(ScrollView, can_focus=True):
    """Entries under the titles of their collections, or what a search found.

    Each row knows its lines; only lines in sight are drawn.
    """

    BINDINGS = bindings("list")
    COMPONENT_CLASSES = {"entry-list--cursor"}
    ALLOW_SELECT = False

    cursor: reactive[int | None] = reactive[int | None](None)

    @dataclass
    class Highlighted(Message):
        """The cursor came to an entry."""

        entry: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: list[ListRow] = []
        self._lines: list[tuple[int, Content]] = []
        self._tops: list[int] = []
        self._laid_width = -1

    @property
    def ids(self) -> list[str]:
        """The ids of the entries listed, in order."""
        return [row.id for row in self._rows if not isinstance(row, Heading)]

    @property
    def chosen(self) -> str | None:
        """The id of the entry under the cursor."""
        row = self._rows[self.cursor] if self.cursor is not None else None
        return None if row is None or isinstance(row, Heading) else row.id

    def show(self, results: Results, titles: Mapping[str, Mapping[str, str]]) -> None:
        """List a result; the cursor goes to the first entry."""
        self._rows = list_rows(results, titles)
        self.set_reactive(EntryList.cursor, None)
        self._lay_out()
        self.scroll_home(animate=False)
        self.cursor = self._entry_from(0, 1)

    def choose(self, entry: str) -> None:
        """Put the cursor on an entry, if it is listed."""
        for place, row in enumerate(self._rows):
            if not isinstance(row, Heading) and row.id == entry:
                self.cursor = place

    def neighbour(self, step: int) -> str | None:
        """Return the id of the entry so many rows after the cursor, if there is one."""
        place = self._entry_from((self.cursor or 0) + step, 1 if step > 0 else -1)
        row = self._rows[place] if place is not None else None
        return None if row is None or isinstance(row, Heading) else row.id

    def lay_out_again(self) -> None:
        """Make the rows anew, after the interface changed its language."""
        self._lay_out()

    def watch_cursor(self, cursor: int | None) -> None:
        """Bring the cursor into sight and tell where it is."""
        self.refresh()
        if cursor is None or cursor >= len(self._tops):
            return
        top = self._tops[cursor]
        first = top - 1 if cursor and isinstance(self._rows[cursor - 1], Heading) else top
        height = self._tops[cursor + 1] - first
        self.scroll_to_region(Region(0, first, 1, height), animate=False, force=True)
        if self.chosen:
            self.post_message(self.Highlighted(self.chosen))

    def on_resize(self) -> None:
        """Lay the rows out for the new width, and keep the cursor in sight."""
        if self._width() != self._laid_width:
            self._lay_out()
            if self.cursor is not None:
                height = self._tops[self.cursor + 1] - self._tops[self.cursor]
                here = Region(0, self._tops[self.cursor], 1, height)
                self.call_after_refresh(self.scroll_to_region, here, animate=False, force=True)

    def on_click(self, event: events.Click) -> None:
        """Open the entry under the mouse."""
        offset = event.get_content_offset(self)
        line = offset.y + self.scroll_offset.y if offset else -1
        if 0 <= line < len(self._lines):
            place = self._lines[line][0]
            if not isinstance(self._rows[place], Heading):
                self.cursor = place
                self.action_open()

    def render_line(self, y: int) -> Strip:
        """Return a line of the list; the row under the cursor stands out."""
        line = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base = self.visual_style
        if line >= len(self._lines):
            return Strip.blank(width, base.rich_style)
        place, content = self._lines[line]
        if place == self.cursor:
            base = style_of(self, "entry-list--cursor")
        return strip_of(content, width, base, self.app.stylesheet.parse_style)

    def action_open(self) -> None:
        """Open the entry under the cursor."""
        if self.chosen:
            self.post_message(OpenEntry(self.chosen))

    def action_down(self) -> None:
        """Go to the next entry."""
        self._go((self.cursor or 0) + 1, 1)

    def action_up(self) -> None:
        """Go to the entry before."""
        self._go((self.cursor or 0) - 1, -1)

    def action_page_down(self) -> None:
        """Go a screenful of lines down."""
        self._go_lines(self.size.height, -1)

    def action_page_up(self) -> None:
        """Go a screenful of lines up."""
        self._go_lines(-self.size.height, 1)

    def action_top(self) -> None:
        """Go to the first entry."""
        self._go(0, 1)

    def action_bottom(self) -> None:
        """Go to the last entry."""
        self._go(len(self._rows) - 1, -1)

    def _go(self, place: int, step: int) -> None:
        found = self._entry_from(place, step)
        if found is not None:
            self.cursor = found

    def _go_lines(self, lines: int, step: int) -> None:
        if self.cursor is not None:
            line = min(max(0, self._tops[self.cursor] + lines), len(self._lines) - 1)
            found = self._entry_from(self._lines[line][0], step)
            self._go(self._lines[line][0] if found is None else found, -step)

    def _entry_from(self, place: int, step: int) -> int | None:
        """Return the first row from ``place`` on that is an entry, going by ``step``."""
        while 0 <= place < len(self._rows):
            if not isinstance(self._rows[place], Heading):
                return place
            place += step
        return None

    def _width(self) -> int:
        return self.scrollable_content_region.width

    def _lay_out(self) -> None:
        self._laid_width = width = self._width()
        if width <= 0:
            return
        shared = columns(self._rows)
        self._lines, self._tops = [], []
        for place, row in enumerate(self._rows):
            self._tops.append(len(self._lines))
            self._lines.extend((place, line) for line in row_lines(row, width, shared))
        self._tops.append(len(self._lines))
        self.virtual_size = Size(width, len(self._lines))
        self.refresh()
