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

    takes_room = False

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

    def renew(self, renamed: tuple[str, str] | None) -> None:
        """Let filters know what there is now, and stay at a collection that was renamed."""
        library = self.session.library
        self._renamed = renamed or self._renamed
        self.session.ask(
            self,
            lambda: FacetsFound(library.read.facets(), library.collections.tree()),
            "facets-again",
        )

    @on(FacetsFound)
    async def _narrow(self, found: FacetsFound) -> None:
        renamed, self._renamed = self._renamed, None
        await self._search.keep_up(found, renamed)
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            await self._search.narrow(wanted or None, found)
