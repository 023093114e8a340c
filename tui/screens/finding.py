"""The part of the main screen that finds: the search box, the filters, what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual import on
from textual.reactive import reactive
from textual.widgets import Input

from tui.messages import FacetsFound, PageFound, TakeSuggestion
from tui.screens.noting import NotingScreen
from tui.widgets.entry_list import EntryList
from tui.widgets.filter_bar import Chip, FilterBar
from tui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from kb.records import Results


class FindingScreen(NotingScreen):
    """A screen with a `SearchBox`, a `FilterBar` and an `EntryList`.

    Each question has a number, and an answer to an older one is dropped. ``showing`` says
    that the reader is at an entry, and not at what was found.
    """

    showing: reactive[bool] = reactive(False, toggle_class="-showing")

    _asked = 0
    _answered = 0
    _results: Results | None = None
    _titles: Mapping[str, Mapping[str, str]] = {}

    @property
    def query_text(self) -> str:
        """What stands in the search box."""
        return self.query_one("#query", Input).value

    def look(self) -> None:
        """Ask for what the search box says, narrowed by the filters, once that can be seen."""
        self._asked += 1
        self.keep_waiting()
        self.workers.cancel_group(self, "page")
        filters = self.query_one(FilterBar).filters
        # Behind a dialog nothing is typed, and what waits for a dialog's drawing ends with it.
        begin = self.call_after_refresh if self.is_active else self.call_later
        begin(self.find, self.query_text, filters, self._asked)

    def take(self, number: int, results: Results, titles: Mapping[str, Mapping[str, str]]) -> bool:
        """Show what was found, unless it answers an older question; say whether it did."""
        if number != self._asked:
            return False
        self._results, self._titles, self._answered = results, titles, number
        self.query_one(EntryList).show(results, titles)
        self.query_one(SearchBox).tell(results)
        return True

    @on(EntryList.Wanted)
    def _fetch_page(self, message: EntryList.Wanted) -> None:
        """Fetch more of what is listed, unless something else is being looked for."""
        if self._results is not None and self._answered == self._asked:
            filters = self.query_one(FilterBar).filters
            self.fetch_page(self._results.query, filters, self._asked, message.page)

    @on(PageFound)
    def _take_page(self, message: PageFound) -> None:
        """List what came, and say so where more is known to be there than before."""
        if message.number != self._asked or self._results is None:
            return
        if message.results is None:
            self.query_one(EntryList).give_up(message.page)
            return
        self.query_one(EntryList).add(message.page, message.results)
        if message.results.total != self._results.total:
            self._results = self._results._replace(total=message.results.total)
            self.query_one(SearchBox).tell(self._results)

    @on(Input.Changed, "#query")
    @on(Chip.Changed)
    def _changed(self) -> None:
        self.look()

    @on(Input.Submitted, "#query")
    def _submitted(self) -> None:
        """Take the suggestion where nothing matches, else go to what was found."""
        if self._results and self._results.suggestion and not self._results.hits:
            self.action_take_suggestion()
        else:
            self.query_one(SearchBox).remember()
            self.query_one(EntryList).focus()

    @on(FacetsFound)
    async def _offer_filters(self, message: FacetsFound) -> None:
        bar = self.query_one(FilterBar)
        await bar.offer(message.facets, self._titles)
        first = next((chip for chip in bar.query(Chip) if chip.display), None)
        if first is not None:
            first.focus()

    def action_search(self) -> None:
        """Type what to look for; the very next key goes there."""
        self.set_focus(self.query_one("#query", Input))

    def action_filter(self) -> None:
        """Go to the filters."""
        self.fetch_facets()

    def action_no_filter(self) -> None:
        """Take all filters away."""
        self.query_one(FilterBar).clear()
        self.query_one(EntryList).focus()
        self.look()

    @on(TakeSuggestion)
    def action_take_suggestion(self) -> None:
        """Search for the suggested spelling."""
        if self._results and self._results.suggestion:
            self.query_one("#query", Input).value = self._results.suggestion
