"""The pane that narrows to a collection, or to what is hidden."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on, work
from textual.message import Message

from tui.messages import FacetsFound
from tui.panes.pane import Pane
from tui.panes.search import SearchPane
from tui.session import Session


class CollectionsPane(Pane):
    """Shows the tree, and lists what is chosen in it."""

    face = False

    @dataclass
    class Chosen(Message):
        """Something else is listed, and the reader goes there."""

    def __init__(self, session: Session, search: SearchPane) -> None:
        super().__init__(session)
        self._search = search
        self._wanted: str | None = None
        self._renamed: tuple[str, str] | None = None

    @work(exit_on_error=False)
    async def action_collections(self) -> None:
        """Choose a collection from the tree."""
        from tui.screens.collections import HIDDEN, TreeScreen

        at = HIDDEN if self._search.wanted.hidden else self._search.filters.collection
        chosen = await self.app.push_screen_wait(TreeScreen(self.session, at))
        if chosen is None:
            return
        self.post_message(self.Chosen())
        if chosen == HIDDEN:
            self._search.show_hidden()
        else:
            self._wanted = chosen
            self.session.fetch_facets(self)

    def renamed(self, former: str, name: str) -> None:
        """Stay at a collection that has another name now."""
        self._renamed = former, name
        self.session.fetch_facets(self)

    @on(FacetsFound)
    async def _narrow(self, found: FacetsFound) -> None:
        if self._renamed is not None:
            former, name = self._renamed
            self._renamed = None
            await self._search.rename(former, name, found)
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            await self._search.narrow(wanted or None, found)
