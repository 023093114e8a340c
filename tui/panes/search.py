"""The search pane with search box, filters and collections, and the pane that lists results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partialmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Input

from kb.i18n import _
from kb.model.results import Filters, Page, Results
from tui.messages import OpenEntry, Titles
from tui.panes.pane import Pane
from tui.session import Session, Tell, cancelled
from tui.welcoming import beginning
from tui.widgets.chip import Chip, FilterBar
from tui.widgets.entry_list import EntryList
from tui.widgets.search_box import Context, Nothing, QueryInput, SearchBox, list_title

if TYPE_CHECKING:
    from kb.service.find import Find

MOST_HITS = 50
MOST_LISTED = 300


class Wanted(NamedTuple):
    """The current request: words, everything without words, or hidden entries."""

    words: str
    filters: Filters
    hidden: bool = False

    def page(self, find: Find, **page: Any) -> Results:
        """Return a page of what is wanted, in a worker."""
        if self.words.strip():
            return find.search(self.words, filters=self.filters, cancelled=cancelled, **page)
        return find.list(filters=self.filters, hidden=self.hidden, **page)


class SearchPane(Pane):
    """A `SearchBox` and a `FilterBar`; the screen lists the results."""

    class Asked(Message):
        """The query or filters have changed."""

    class Answered(Message):
        """The last query was answered; these results are to be listed."""

    class Done(Message):
        """The reader finished the query, and goes to the results."""

    _hidden = False
    _renamed: tuple[str, str] | None = None
    _many: int | None = None
    _due = 0

    def compose(self) -> ComposeResult:
        """Compose the box above the filters."""
        yield SearchBox(id="search")
        yield FilterBar(id="filters")

    @property
    def query_text(self) -> str:
        """The text of the search box."""
        return self.query_one("#query", Input).value

    @property
    def filters(self) -> Filters:
        """The current filters."""
        return self.query_one(FilterBar).filters

    @property
    def wanted(self) -> Wanted:
        """The current query and filters."""
        return Wanted(self.query_text, self.filters, self._hidden)

    def facts(self) -> Mapping[str, Any]:
        """Return the facts about the results that commands depend on."""
        found = self.session.found
        return {
            "listed": found.listed,
            "suggestion": bool(found.suggestion),
            "filtered": self.query_one(FilterBar).filtered or self._hidden,
            "marked": len(self.session.marks),
            "hidden_list": self._hidden,
            "due": self._due,
        }

    def look(self) -> None:
        """Search for the text of the box with the filters, after the next redraw."""
        number = self.session.found.ask()
        self.session.verified = None
        self.post_message(self.Asked())
        self.screen.workers.cancel_group(self.screen, "page")
        # Behind a dialog nothing is typed, and what waits for a dialog's drawing ends with it.
        begin = self.call_after_refresh if self.screen.is_active else self.call_later
        begin(self._find, self.wanted, number)

    def _find(self, wanted: Wanted, number: int) -> None:
        """Search while typing, or list everything for an empty query."""
        library = self.session.library

        def work(tell: Tell) -> None:
            titles = library.read.collections()
            if not wanted.words.strip():
                listed = wanted.page(library.find, limit=MOST_LISTED)
                begins = beginning(library, listed.hits) if number == 1 else ""
                tell(self.take, number, listed, titles, self._beyond(wanted, listed), begins)
                return
            tiers = library.search_typed(
                wanted.words, limit=MOST_HITS, filters=wanted.filters, cancelled=cancelled
            )
            for results in tiers:
                tell(self.take, number, results, titles, self._beyond(wanted, results))

        self.session.start(work, "search", exclusive=True)

    def _beyond(self, wanted: Wanted, found: Results) -> int:
        """Return the number of results without filters, if there are none with them."""
        if found.total or not any(wanted.filters) or wanted.hidden:
            return 0
        return wanted._replace(filters=Filters()).page(self.session.library.find, limit=0).total

    def take(
        self, number: int, results: Results, titles: Titles, beyond: int = 0, begins: str = ""
    ) -> None:
        """Show results, unless they answer an older query: `Found.take`."""
        found = self.session.found
        if found.awaits(number):
            if found.results is None:  # the first screen is painted before
                self.call_after_refresh(self.count)
            found.take(results, titles, beyond, begins)
            self.tell()
            self.post_message(self.Answered())

    @work(exclusive=True, group="count", exit_on_error=False)
    async def count(self) -> None:
        """Show the numbers of confirmed annotations, unsent changes, conflicts and due reviews."""
        of = self.session.library
        found = await self.session.run(
            lambda: (of.read.proven(), of.files.unsynced(), of.study.waiting()), "count"
        )
        self._due = found[2]
        self.query_one(SearchBox).count(*found[:2])
        self.screen.refresh_bindings()

    def fetch(self, page: Page, then: Callable[[Page, Results | None], None]) -> None:
        """Load more results, unless the query has changed.

        ``then`` is called with the page and its hits, or with nothing after a failure.
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
            try:
                results = wanted.page(self.session.library.find, **page._asdict())
            except Exception:
                tell(came, None)
                raise
            # A search that was stopped, to be told by its notice, is no end of what there is.
            stopped = bool(results.notice) and not results.hits
            tell(came, None if stopped else results)

        self.session.start(work, "page", exclusive=True)

    def clear(self) -> None:
        """Clear the query, or the filters if there is no query."""
        if self.query_text:
            self.query_one("#query", Input).value = ""
        elif self.query_one(FilterBar).filtered or self._hidden:
            self.action_no_filter()

    def clear_all(self) -> bool:
        """Clear query and filters; return whether there were any."""
        query, bar = self.query_one("#query", Input), self.query_one(FilterBar)
        narrowed = bool(query.value or bar.filtered or self._hidden)
        query.value, self._hidden = "", False
        bar.only()
        if narrowed:
            self.look()
        return narrowed

    def remember(self) -> None:
        """Store the query in the search history."""
        self.query_one(QueryInput).remember()

    def translate(self) -> None:
        """Switch to the interface language."""
        self.query_one(SearchBox).translate()
        self.query_one(FilterBar).translate()
        self.tell()

    def tell(self) -> None:
        """Show the numbers of results and marked entries."""
        context = self._shown_context
        if context is None:
            return
        if not (context.narrowed or self._hidden or context.results.query.strip()):
            self._many = context.results.total
            context = context._replace(many=self._many)
        self.query_one(SearchBox).tell(context)
        self.screen.query_one("#listing", Pane).entitle(list_title(context))

    @property
    def _shown_context(self) -> Context | None:
        """The results with their context, once there are any."""
        found = self.session.found
        if found.results is None:
            return None
        return Context(
            found.results,
            len(self.session.marks),
            narrowed=self.query_one(FilterBar).named,
            hidden=self._hidden,
            many=self._many,
            verified=self.session.verified,
            not_synced=self.session.not_synced,
            typing=isinstance(self.screen.focused, Input),
            enters=not isinstance(self.screen.focused, Chip),
            beyond=found.beyond,
            offer=found.offer,
            collection=Filters() != self.filters == Filters(collection=self.filters.collection),
        )

    @property
    def empty(self) -> Context | None:
        """Why the list is empty; nothing if it is not, or is still loading."""
        return None if self.session.found.listed else self._shown_context

    def forget_length(self) -> None:
        """Forget the length of the whole list: it has changed."""
        self._many = None

    @work(exit_on_error=False)
    async def show_collection(self, collection: str) -> None:
        """Filter by an imported collection only."""
        self.clear()
        bar = await self._offer()
        bar.only("collection", collection)
        self.forget_length()
        self.look()

    async def _offer(self) -> FilterBar:
        """Show the filters with their current values."""
        found, bar = await self.session.facets(), self.query_one(FilterBar)
        await bar.offer(*found)
        return bar

    @work(exit_on_error=False)
    async def action_collections(self) -> None:
        """Choose a collection, all entries or the hidden ones, and list them."""
        from tui.screens.questions import HIDDEN, TreeScreen

        at = HIDDEN if self._hidden else self.filters.collection
        chosen = await self.app.push_screen_wait(TreeScreen(self.session, at))
        if chosen is None:
            return
        self.post_message(self.Done())
        if chosen == HIDDEN:
            self.clear_all()
            self._hidden = True
        else:
            bar = await self._offer()
            self._hidden = False
            bar.narrow("collection", chosen or None)
            bar.display = bar.filtered
        self.look()

    @work(exclusive=True, group="facets-again", exit_on_error=False)
    async def renew(self, renamed: tuple[str, str] | None) -> None:
        """Update the filter values; follow a renamed collection, and leave a deleted one."""
        self._renamed = renamed or self._renamed
        (values, tree), bar = await self.session.facets(), self.query_one(FilterBar)
        renamed, self._renamed = self._renamed, None
        if not bar.display:
            return
        here = wanted = bar.filters.collection
        await bar.offer(values, tree)
        if here is not None and renamed and f"{here}/".startswith(f"{renamed[0]}/"):
            wanted = renamed[1] + here[len(renamed[0]) :]
        bar.narrow("collection", wanted if wanted in [each.id for each in tree] else None)
        if bar.filters.collection != here:
            self.look()

    @on(Input.Changed, "#query")
    @on(Chip.Changed)
    def _changed(self) -> None:
        if self.query_text.strip():
            self._hidden = False
        self.look()

    @on(Input.Submitted, "#query")
    def _submitted(self) -> None:
        """Accept the offer if nothing matches, else go to the results."""
        if not self.take_offer():
            self.remember()
            self.post_message(self.Done())

    def take_offer(self) -> bool:
        """Accept the offer for an empty list, if any."""
        offer = {"suggestion": self.action_take_suggestion, "no-filter": self.action_no_filter}
        take = offer.get(self.session.found.offer)
        if take is not None:
            take()
        return take is not None

    def action_search(self) -> None:
        """Focus the search box with its text selected; the next key goes there."""
        query = self.query_one("#query", Input)
        self.screen.set_focus(query)
        query.action_select_all()

    @work(exit_on_error=False)
    async def action_filter(self) -> None:
        """Focus the filters."""
        bar = await self._offer()
        first = next((chip for chip in bar.query(Chip) if chip.display), None)
        if first is not None:
            first.focus()

    def action_no_filter(self) -> None:
        """Clear all filters."""
        self._hidden = False
        self.query_one(FilterBar).only()
        self.post_message(self.Done())
        self.look()

    def action_take_suggestion(self) -> None:
        """Search for the suggested spelling."""
        suggestion = self.session.found.suggestion
        if suggestion:
            self.query_one("#query", Input).value = suggestion


class ListPane(Pane):
    """An `EntryList` that loads pages of results as the reader scrolls."""

    def __init__(self, session: Session, search: SearchPane, *, id: str | None = None) -> None:
        super().__init__(session, EntryList(session.marks, id="list"), id=id)
        self._search = search
        self._goals: Sequence[str] = ()
        self._new: str | None = None

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
        self.entries.add(page, results)
        if results is not None:
            self._arrive()

    def renew(self, goals: Sequence[str] = (), new: str | None = None) -> bool:
        """Reload the list; return whether there is anything to load.

        It goes to the first of the ``goals`` that it has. Search and filters that leave out a
        ``new`` entry are cleared.
        """
        self._goals, self._new = goals, new
        return self.entries.renew(self.session.found.titles)

    def _arrive(self) -> None:
        goals, new = self._goals, self._new
        self._goals, self._new = (), None
        goal = next((each for each in goals if each in self.entries.ids), None)
        if goal is not None:
            self._go(goal)
        elif new and self.entries.is_whole and self._search.clear_all():
            self._goals = (new,)
            self.session.say(_("All entries are listed again, with the new one."))

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
            return [hit.id for hit in wanted.page(find).hits]

        self.session.marks.update(dict.fromkeys(await self.session.run(ids)))
        self._tell_marks()

    def unmark(self) -> None:
        """Unmark all entries."""
        self.session.marks.clear()
        self._tell_marks()

    def _tell_marks(self) -> None:
        self.entries.refresh()
        self._search.tell()
        self.screen.refresh_bindings()

    def translate(self) -> None:
        """Rebuild the rows."""
        self.entries.lay_out_again()

    def _step(self, step: int) -> None:
        """Move to the next or previous entry of the list, and open it while reading."""
        entry = self.entries.neighbour(step)
        if entry is not None:
            self._go(entry)

    def _go(self, entry: str) -> None:
        """Go to an entry of the list, and open it while reading."""
        self.entries.choose(entry)
        if self.screen.has_class("-showing") and entry != self.session.open_now:
            self.post_message(OpenEntry(entry))

    action_next_entry = partialmethod(_step, 1)
    action_previous_entry = partialmethod(_step, -1)
