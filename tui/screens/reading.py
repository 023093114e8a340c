"""The part of the main screen that reads: one entry, in one language or two."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on, work

from tui import i18n
from tui.messages import CodeColoured, ColourCode, EntryLoaded
from tui.screens.running import RunningScreen
from tui.trail import Trail
from tui.widgets.blocks import Reading
from tui.widgets.entry_view import EntryView
from tui.widgets.snippet_view import SnippetView

if TYPE_CHECKING:
    from kb.library import Library

_ROOM_FOR_TWO = 180
"""From so many columns on, both languages of an entry are shown beside each other."""

_REST_SECONDS = 0.3


async def rest() -> None:
    """Wait as long as keys rest where someone stops to look."""
    await asyncio.sleep(_REST_SECONDS)


def found_in(marks: Mapping[tuple[str, str], Sequence[object]], wanted: str) -> str:
    """Return the language to read an entry in: the one wanted, unless a search found another.

    >>> found_in({("question", "en"): [], ("source", "fa"): [(0, 4)]}, "en")
    'fa'
    """
    found: Counter[str] = Counter()
    for (_, lang), places in marks.items():
        found[lang] += len(places)
    return wanted if found[wanted] or not found.total() else found.most_common(1)[0][0]


class ReadingScreen(RunningScreen):
    """A screen with an `EntryView`; what the reader settles for one entry holds for the next."""

    _wanted = 0
    _both: bool | None = None
    _at: str | None = None

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._lang = i18n.language()
        self._trail = Trail()
        self._role = ""

    @property
    def query_text(self) -> str:
        """What is searched for; its matches are marked in an entry."""
        return ""

    def open(self, entry: str, *, read: bool) -> None:
        """Fetch an entry; ``read`` moves the reader to it, too."""
        self.keep_waiting()
        self._fetch(entry, read)

    @work(exclusive=True, group="glance", exit_on_error=False)
    async def glance(self, entry: str) -> None:
        """Fetch an entry once the keys rest: showing it takes longer than a letter may."""
        await rest()
        self._fetch(entry, read=False)

    def keep_waiting(self) -> None:
        """Fetch nothing that was to be fetched at a rest of the keys."""
        self.workers.cancel_group(self, "glance")

    def _fetch(self, entry: str, read: bool) -> None:
        self._wanted += 1
        self.load(entry, self._wanted, self.query_text, read)

    def read(self, message: EntryLoaded) -> None:
        """Show an entry that came."""
        view = self.query_one(EntryView)
        if view.reading is None or view.reading.entry.id != message.entry.id:
            self.stop_running()
        both = self.app.size.width >= _ROOM_FOR_TWO if self._both is None else self._both
        wanted = found_in(message.marks, self._lang)
        reading = Reading(
            message.entry, wanted, message.titles, message.marks, both=both, role=self._role
        )
        view.show(reading, self._at)
        self._at = None
        if message.read:
            self._trail.visit(message.entry.id)

    @on(ColourCode)
    def _colour(self, message: ColourCode) -> None:
        self.colour(message.code)

    @on(CodeColoured)
    def _coloured(self, message: CodeColoured) -> None:
        for view in self.query(SnippetView):
            if view.code == message.code:
                view.colour(message.marks)

    def action_other_language(self) -> None:
        """Read the entry in its next language, and those after it too."""
        view = self.query_one(EntryView)
        if view.reading is not None:
            view.turn(view.reading.in_next_language())
            self._lang = view.reading.wanted

    def action_both(self) -> None:
        """Show two languages beside each other, or one, and so with the entries after it."""
        view = self.query_one(EntryView)
        if view.reading is not None:
            self._both = not view.reading.both
            view.turn(replace(view.reading, both=self._both))

    def action_other_answer(self) -> None:
        """Show the source's answer alone, the reference answer alone, or both."""
        view = self.query_one(EntryView)
        if view.reading is not None:
            view.turn(view.reading.with_next_role())
            self._role = view.reading.role

    def action_earlier(self) -> None:
        """Go back to the entry that was read before."""
        self._go(-1)

    def action_later(self) -> None:
        """Go forward again."""
        self._go(1)

    def _go(self, step: int) -> None:
        entry = self._trail.step(step)
        if entry is not None:
            self.open(entry, read=True)

    def action_reveal(self) -> None:
        """Show the answer of a card."""
        view = self.query_one(EntryView)
        if view.reading is not None:
            view.reading = replace(view.reading, revealed=True)
        self.refresh_bindings()

    def action_next_note(self) -> None:
        """Go to the next annotation of the entry."""
        self.query_one(EntryView).step_note(1)

    def action_note_before(self) -> None:
        """Go to the annotation before."""
        self.query_one(EntryView).step_note(-1)
