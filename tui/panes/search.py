"""The pane that finds: the search box, the filters, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Input

from tui.messages import (
    FacetsFound,
    Imported,
    PageFound,
    ProvenFound,
    ResultsFound,
    TakeSuggestion,
)
from tui.panes.pane import Pane
from tui.session import Wanted
from tui.titles import Context, list_title
from tui.widgets.chip import Chip
from tui.widgets.filter_bar import FilterBar
from tui.widgets.search_box import QueryInput, SearchBox

if TYPE_CHECKING:
    from kb.model import Filters, Page, Results
    from tui.widgets.nothing import Empty


class SearchPane(Pane):
    """A `SearchBox` and a `FilterBar`; the screen lists what is found."""

    @dataclass
    class Asked(Message):
        """Something else is looked for."""

    @dataclass
    class Answered(Message):
        """The last question was answered; what is listed is to be this."""

    @dataclass
    class PageCame(Message):
        """A page that was asked for came, or without results could not be fetched."""

        page: Page
        results: Results | None

    @dataclass
    class Done(Message):
        """The reader is done with typing or narrowing, and goes to what was found."""

    @dataclass
    class Told(Message):
        """Something else is to stand above the list."""

        title: str

    _hidden = False
    _many: int | None = None

    def compose(self) -> ComposeResult:
        """Put the box above the filters."""
        yield SearchBox(id="search")
        yield FilterBar(id="filters")

    @property
    def query_text(self) -> str:
        """What stands in the search box."""
        return self.query_one("#query", Input).value

    @property
    def filters(self) -> Filters:
        """What the list is narrowed by."""
        return self.query_one(FilterBar).filters

    @property
    def wanted(self) -> Wanted:
        """What is looked for."""
        return Wanted(self.query_text, self.filters, self._hidden)

    def facts(self) -> Mapping[str, Any]:
        """Return what was found, as far as commands depend on it."""
        found = self.session.found
        return {
            "listed": found.listed,
            "suggestion": bool(found.suggestion),
            "filtered": self.query_one(FilterBar).filtered or self._hidden,
            "marked": len(self.session.marks),
            "hidden_list": self._hidden,
        }

    def look(self) -> None:
        """Ask for what the search box says, narrowed by the filters, once that can be seen."""
        number = self.session.found.ask()
        self.session.verified = None
        self.post_message(self.Asked())
        self.session.forget_page()
        # Behind a dialog nothing is typed, and what waits for a dialog's drawing ends with it.
        begin = self.call_after_refresh if self.screen.is_active else self.call_later
        begin(self.session.find, self, self.wanted, number)

    def fetch(self, page: Page) -> None:
        """Fetch more of what is listed, unless something else is being looked for."""
        found = self.session.found
        if found.answered is not None:
            wanted = self.wanted._replace(words=found.answered.query)
            self.session.fetch_page(self, wanted, found.asked, page)

    def clear(self) -> None:
        """Look for nothing; where nothing is looked for, take the filters away."""
        if self.query_text:
            self.query_one("#query", Input).value = ""
        elif self.query_one(FilterBar).filtered or self._hidden:
            self.action_no_filter()

    def remember(self) -> None:
        """Keep what was searched for, to be brought back."""
        self.query_one(QueryInput).remember()

    def translate(self) -> None:
        """Speak the language of the interface."""
        self.query_one(SearchBox).translate()
        self.query_one(FilterBar).translate()
        self.tell()

    def tell(self) -> None:
        """Say how much was found, and how much is marked."""
        results = self.session.found.results
        if results is None:
            return
        beside = self._told_beside
        if not (beside.narrowed or self._hidden or results.query.strip()):
            self._many = results.total
            beside = beside._replace(many=self._many)
        self.query_one(SearchBox).tell(results, beside)
        self.post_message(self.Told(list_title(results, beside)))

    @property
    def _told_beside(self) -> Context:
        return Context(
            len(self.session.marks),
            narrowed=self.query_one(FilterBar).named,
            hidden=self._hidden,
            many=self._many,
            verified=self.session.verified,
            typing=isinstance(self.screen.focused, Input),
            enters=not isinstance(self.screen.focused, Chip),
        )

    @property
    def empty(self) -> Empty | None:
        """Why nothing is listed; nothing where something is, or was not looked for yet."""
        found = self.session.found
        if found.results is None or found.listed:
            return None
        from tui.widgets.nothing import Empty

        return Empty(found.results, self._told_beside, found.beyond, found.offer)

    def forget_length(self) -> None:
        """Know no more how long the whole list is: it has changed."""
        self._many = None

    def lay_out_again(self) -> None:
        """Show what is typed anew."""
        self.query_one(SearchBox).lay_out_again()

    async def show_collection(self, imported: Imported) -> None:
        """Narrow to a collection that was imported, and nothing else."""
        self.session.found.titles = imported.collections
        self.clear()
        bar = self.query_one(FilterBar)
        await bar.offer(imported.facets, imported.tree)
        bar.only("collection", imported.report.collection)
        self.forget_length()
        self.look()

    async def narrow(self, collection: str | None, found: FacetsFound) -> None:
        """Narrow to a collection and those below it, or to none."""
        self._hidden = False
        bar = self.query_one(FilterBar)
        await bar.offer(found.facets, found.tree)
        bar.narrow("collection", collection)
        bar.display = bar.filtered
        self.look()

    async def keep_up(self, found: FacetsFound, renamed: tuple[str, str] | None) -> None:
        """Offer what there is now; stay at a collection that was renamed, and leave one gone."""
        bar = self.query_one(FilterBar)
        if not bar.display:
            return
        here = wanted = bar.value("collection")
        await bar.offer(found.facets, found.tree)
        if here is not None and renamed and f"{here}/".startswith(f"{renamed[0]}/"):
            wanted = renamed[1] + here[len(renamed[0]) :]
        bar.narrow("collection", wanted if wanted in [each.id for each in found.tree] else None)
        if bar.value("collection") != here:
            self.look()

    def show_hidden(self) -> None:
        """List what the reader has hidden."""
        self.query_one("#query", Input).value = ""
        self.query_one(FilterBar).clear()
        self._hidden = True
        self.look()

    @on(ResultsFound)
    def _take(self, message: ResultsFound) -> None:
        """Tell what was found, unless it answers an older question."""
        found = self.session.found
        if found.awaits(message.number):
            if found.results is None:  # the first screen is painted before
                self.call_after_refresh(self.session.count_proven, self)
            found.take(message.results, message.collections, message.beyond, message.telling)
            self.tell()
            self.post_message(self.Answered())

    @on(PageFound)
    def _take_page(self, message: PageFound) -> None:
        """Pass on what came, and say so where more is known to be there than before."""
        found = self.session.found
        if not found.awaits(message.number) or found.results is None:
            return
        self.post_message(self.PageCame(message.page, message.results))
        if message.results is not None and message.results.total != found.results.total:
            found.results = found.results._replace(total=message.results.total)
            self.tell()

    @on(ProvenFound)
    def _take_proven(self, message: ProvenFound) -> None:
        self.query_one(SearchBox).prove(message.proven)

    @on(Input.Changed, "#query")
    @on(Chip.Changed)
    def _changed(self) -> None:
        if self.query_text.strip():
            self._hidden = False
        self.look()

    @on(Input.Submitted, "#query")
    def _submitted(self) -> None:
        """Do what is offered where nothing matches, else go to what was found."""
        if not self.take_offer():
            self.remember()
            self.post_message(self.Done())

    def take_offer(self) -> bool:
        """Do what is offered where nothing is listed, if anything is."""
        offer = {"suggestion": self.action_take_suggestion, "no-filter": self.action_no_filter}
        take = offer.get(self.session.found.offer)
        if take is not None:
            take()
        return take is not None

    @on(FacetsFound)
    async def _offer_filters(self, message: FacetsFound) -> None:
        bar = self.query_one(FilterBar)
        await bar.offer(message.facets, message.tree)
        first = next((chip for chip in bar.query(Chip) if chip.display), None)
        if first is not None:
            first.focus()

    def action_search(self) -> None:
        """Type what to look for in place of the old text; the very next key goes there."""
        query = self.query_one("#query", Input)
        self.screen.set_focus(query)
        query.action_select_all()

    def action_filter(self) -> None:
        """Go to the filters."""
        self.session.fetch_facets(self)

    def action_no_filter(self) -> None:
        """Take all filters away."""
        self._hidden = False
        self.query_one(FilterBar).clear()
        self.post_message(self.Done())
        self.look()

    @on(TakeSuggestion)
    def action_take_suggestion(self) -> None:
        """Search for the suggested spelling."""
        suggestion = self.session.found.suggestion
        if suggestion:
            self.query_one("#query", Input).value = suggestion
