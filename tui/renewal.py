"""What a change of entries leads to: list, counts, marks and the entry shown as they are now."""

from __future__ import annotations

from tui.messages import EntriesChanged
from tui.panes.collections import CollectionsPane
from tui.panes.entry import EntryPane
from tui.panes.listing import ListPane
from tui.panes.search import SearchPane
from tui.session import Session


class Renewal:
    """Brings panes up to date; ``leaving`` says that the entry shown is to be left for another."""

    def __init__(
        self,
        session: Session,
        search: SearchPane,
        listing: ListPane,
        entry: EntryPane,
        collections: CollectionsPane,
    ) -> None:
        self.leaving = False
        self._session = session
        self._search = search
        self._list = listing
        self._entry = entry
        self._collections = collections

    def show(self, message: EntriesChanged) -> None:
        """Say what was changed, and ask anew for all that is in sight; the places are kept."""
        self._session.say(message.said)
        self._session.found.titles = message.titles
        for entry in message.gone & self._session.marks.keys():
            del self._session.marks[entry]
        reading = self._entry.reading
        self.leaving = reading is not None and reading.entry.id in message.gone
        self._collections.renew(message.renamed)
        if not self._list.renew(message.titles, message.opened):
            self._search.look()
        if message.opened is None and not self.leaving:
            self._entry.renew()
        self._search.tell()
