"""The pane that lists results, loading pages on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partialmethod

from textual import work
from textual.message import Message

from kb.model import Page, Results
from tui.messages import OpenEntry
from tui.panes.pane import Pane
from tui.panes.search import SearchPane
from tui.session import Session
from tui.widgets.entry_list import EntryList
from tui.widgets.search_box import Nothing


class ListPane(Pane):
    """An `EntryList` that loads pages of results as the reader scrolls."""

    class Marked(Message):
        """The marked entries have changed."""

    def __init__(self, session: Session, search: SearchPane, *, id: str | None = None) -> None:
        super().__init__(session, EntryList(session.marks, id="list"), id=id)
        self._search = search
        self._goal: str | None = None

    @property
    def entries(self) -> EntryList:
        """The list itself."""
        return self.query_one(EntryList)

    def show(self, at: str = "") -> None:
        """List results; the cursor goes to ``at`` if present, else to the first."""
        found = self.session.found
        if found.results is not None:
            self.entries.show(found.results, found.titles, at)
        self._arrive()

    async def tell(self) -> None:
        """Show a message in an empty list; the widget is created on first use."""
        empty = self._search.empty
        if empty is not None:
            if not self.query(Nothing):
                await self.mount(Nothing(id="nothing"))
            await self.query_one(Nothing).say(empty)
        self.set_class(empty is not None, "-empty")

    def take(self, page: Page, results: Results | None) -> None:
        """Add a loaded page, or give up on it."""
        if results is None:
            self.entries.give_up(page)
        else:
            self.entries.add(page, results)
            self._arrive()

    def renew(self, titles: Mapping[str, Mapping[str, str]], goal: str | None = None) -> bool:
        """Reload the list; return whether there is anything to load.

        ``goal`` is the entry to go to, if it exists.
        """
        self._goal = goal
        return self.entries.renew(titles)

    def _arrive(self) -> None:
        if self._goal is not None:
            self.entries.choose(self._goal)
            self._goal = None

    def action_mark(self) -> None:
        """Mark or unmark the entry under the cursor, and move to the next."""
        entry, marks = self.entries.chosen, self.session.marks
        if entry is None:
            return
        if entry in marks:
            del marks[entry]
        else:
            marks[entry] = None
        if self.entries.has_focus:
            self.entries.action_down()
        self._tell_marks()

    @work(exit_on_error=False)
    async def action_mark_all(self) -> None:
        """Mark all listed entries, loaded or not, or unmark all."""
        if self.session.marks:
            self.unmark()
            return
        find, wanted = self.session.library.find, self._search.wanted

        def ids() -> Sequence[str]:
            if wanted.words.strip():
                return find.ids(wanted.words, filters=wanted.filters)
            listed = find.list(filters=wanted.filters, hidden=wanted.hidden)
            return [hit.id for hit in listed.hits]

        self.session.marks.update(dict.fromkeys(await self.session.run(ids)))
        self._tell_marks()

    def unmark(self) -> None:
        """Unmark all entries."""
        self.session.marks.clear()
        self._tell_marks()

    def _tell_marks(self) -> None:
        self.entries.refresh()
        self.post_message(self.Marked())

    def lay_out_again(self) -> None:
        """Rebuild the rows."""
        self.entries.lay_out_again()

    translate = lay_out_again

    def _step(self, step: int) -> None:
        """Move to the next or previous entry of the list, and open it while reading."""
        entry = self.entries.neighbour(step)
        if entry is not None:
            self.entries.choose(entry)
            if self.screen.has_class("-showing"):
                self.post_message(OpenEntry(entry))

    action_next_entry = partialmethod(_step, 1)
    action_previous_entry = partialmethod(_step, -1)
