"""The panes of the main screen that take no room."""

from __future__ import annotations

from typing import NamedTuple

from tui.panes.changes import ChangesPane
from tui.panes.collections import CollectionsPane
from tui.panes.entry import EntryPane
from tui.panes.listing import ListPane
from tui.panes.notes import NotesPane
from tui.panes.search import SearchPane
from tui.panes.snippets import SnippetPane
from tui.panes.work import WorkPane
from tui.panes.writing import WritingPane
from tui.session import Session


class Faceless(NamedTuple):
    """What works for the panes one sees, in the order in which it is asked for a command."""

    snippets: SnippetPane
    notes: NotesPane
    work: WorkPane
    writing: WritingPane
    changes: ChangesPane
    collections: CollectionsPane


def faceless(session: Session, search: SearchPane, listing: ListPane, entry: EntryPane) -> Faceless:
    """Return these panes, made for the panes one sees."""
    writing = WritingPane(session, listing, entry)
    return Faceless(
        SnippetPane(session, entry.view),
        NotesPane(session, entry.view),
        WorkPane(session, search, entry),
        writing,
        ChangesPane(session, writing),
        CollectionsPane(session, search),
    )
