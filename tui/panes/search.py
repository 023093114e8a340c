"""The pane that finds: the search box, the filters, the collections, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Input

from tui.messages import Imported
from tui.panes.pane import Pane
from tui.session import Tell, Wanted, cancelled
from tui.welcoming import beginning
from tui.widgets.chip import Chip, FilterBar
from tui.widgets.search_box import Context, QueryInput, SearchBox, list_title

if TYPE_CHECKING:
    from kb.model import Filters, Page, Results
    from tui.widgets.nothing import Empty

MOST_HITS = 50
MOST_LISTED = 300


class SearchPane(Pane):
    """A `SearchBox` and a `FilterBar`; the screen lists what is found."""

    @dataclass
    class Asked(Message):
        """Something else is looked for."""

    @dataclass
    class Answered(Message):
        """The last question was answered; what is listed is to be this."""

    @dataclass
    class Done(Message):
        """The reader is done with typing or narrowing, and goes to what was found."""

    @dataclass
    class Told(Message):
        """Something else is to stand above the list."""

        title: str

    _hidden = False
    _renamed: tuple[str, str] | None = None
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
        self.screen.workers.cancel_group(self.screen, "page")
        # Behind a dialog nothing is typed, and what waits for a dialog's drawing ends with it.
        begin = self.call_after_refresh if self.screen.is_active else self.call_later
        begin(self._find, self.wanted, number)

    def _find(self, wanted: Wanted, number: int) -> None:
        """Search as one types, or list everything for an empty query."""
        library = self.session.library

        def work(tell: Tell) -> None:
            titles = library.read.collections()
            if not wanted.words.strip():
                listed = self._lister(wanted)(limit=MOST_LISTED, filters=wanted.filters)
                beyond = self._beyond(wanted, listed)
                begins = beginning(library, listed.hits) if number == 1 else ""
                tell(self.take, number, listed, titles, beyond, begins)
                return
            tiers = library.search_typed(
                wanted.words, limit=MOST_HITS, filters=wanted.filters, cancelled=cancelled
            )
            for results in tiers:
                tell(self.take, number, results, titles, self._beyond(wanted, results))

        self.session.start(work, "search", exclusive=True)

    def _lister(self, wanted: Wanted) -> Callable[..., Results]:
        library = self.session.library
        return partial(library.find.list, hidden=True) if wanted.hidden else library.list

    def _beyond(self, wanted: Wanted, found: Results) -> int:
        """Return how many there are without the filters, where with them nothing was found."""
        library = self.session.library
        if found.total or not any(wanted.filters) or wanted.hidden:
            return 0
        if wanted.words.strip():
            return library.find.search(wanted.words, limit=0, cancelled=cancelled).total
        return library.list(limit=0).total

    def take(
        self,
        number: int,
        results: Results,
        titles: Mapping[str, Mapping[str, str]],
        beyond: int = 0,
        begins: str = "",
    ) -> None:
        """Tell what was found, unless it answers an older question: `Found.take`."""
        found = self.session.found
        if found.awaits(number):
            if found.results is None:  # the first screen is painted before
                self.call_after_refresh(self.count_proven)
            found.take(results, titles, beyond, begins)
            self.tell()
            self.post_message(self.Answered())

    @work(exclusive=True, group="proven", exit_on_error=False)
    async def count_proven(self) -> None:
        """Count how much of the evidence is confirmed, and say so."""
        read = self.session.library.read
        self.query_one(SearchBox).prove(await self.session.run(read.proven, "proven"))

    def fetch(self, page: Page, then: Callable[[Page, Results | None], None]) -> None:
        """Fetch more of what is listed, unless something else is being looked for.

        ``then`` is called with the page and its hits, or with nothing if it could not be fetched.
        """
        found = self.session.found
        if found.answered is None:
            return
        wanted, number = self.wanted._replace(words=found.answered.query), found.asked

        def came(results: Results | None) -> None:
            if not found.awaits(number) or found.results is None:
                return
            then(page, results)
            if results is not None and results.total != found.results.total:
                found.results = found.results._replace(total=results.total)
                self.tell()

        def work(tell: Tell) -> None:
            options: dict[str, Any] = {
                "limit": page.limit,
                "offset": page.offset,
                "filters": wanted.filters,
            }
            try:
                if wanted.words.strip():
                    search = self.session.library.find.search
                    results = search(wanted.words, cancelled=cancelled, **options)
                else:
                    results = self._lister(wanted)(**options)
            except Exception:
                tell(came, None)
                raise
            # A search that was stopped, to be told by its notice, is no end of what there is.
            stopped = bool(results.notice) and not results.hits
            tell(came, None if stopped else results)

        self.session.start(work, "page", exclusive=True)

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
        """Show what is typed again."""
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

    @work(exit_on_error=False)
    async def action_collections(self) -> None:
        """Choose a collection from the tree, or all, or what is hidden, and list that."""
        from tui.screens.collections import HIDDEN, TreeScreen

        at = HIDDEN if self._hidden else self.filters.collection
        chosen = await self.app.push_screen_wait(TreeScreen(self.session, at))
        if chosen is None:
            return
        self.post_message(self.Done())
        if chosen == HIDDEN:
            self.query_one("#query", Input).value = ""
            self.query_one(FilterBar).clear()
            self._hidden = True
        else:
            found = await self.session.facets()
            self._hidden = False
            bar = self.query_one(FilterBar)
            await bar.offer(found.values, found.tree)
            bar.narrow("collection", chosen or None)
            bar.display = bar.filtered
        self.look()

    @work(exclusive=True, group="facets-again", exit_on_error=False)
    async def renew(self, renamed: tuple[str, str] | None) -> None:
        """Offer what there is now; stay at a collection that was renamed, and leave one gone."""
        self._renamed = renamed or self._renamed
        found, bar = await self.session.facets(), self.query_one(FilterBar)
        renamed, self._renamed = self._renamed, None
        if not bar.display:
            return
        here = wanted = bar.value("collection")
        await bar.offer(found.values, found.tree)
        if here is not None and renamed and f"{here}/".startswith(f"{renamed[0]}/"):
            wanted = renamed[1] + here[len(renamed[0]) :]
        bar.narrow("collection", wanted if wanted in [each.id for each in found.tree] else None)
        if bar.value("collection") != here:
            self.look()

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

    def action_search(self) -> None:
        """Type what to look for in place of the old text; the very next key goes there."""
        query = self.query_one("#query", Input)
        self.screen.set_focus(query)
        query.action_select_all()

    @work(exit_on_error=False)
    async def action_filter(self) -> None:
        """Go to the filters."""
        found, bar = await self.session.facets(), self.query_one(FilterBar)
        await bar.offer(found.values, found.tree)
        first = next((chip for chip in bar.query(Chip) if chip.display), None)
        if first is not None:
            first.focus()

    def action_no_filter(self) -> None:
        """Take all filters away."""
        self._hidden = False
        self.query_one(FilterBar).clear()
        self.post_message(self.Done())
        self.look()

    def action_take_suggestion(self) -> None:
        """Search for the suggested spelling."""
        suggestion = self.session.found.suggestion
        if suggestion:
            self.query_one("#query", Input).value = suggestion
