"""The pane that reads: one entry, in one language or two."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.app import ComposeResult

from tui import i18n
from tui.messages import CodeColoured, EntryLoaded, EntryRenewed, OpenEntry
from tui.panes.pane import Pane
from tui.session import Session
from tui.trail import Trail
from tui.widgets.bidi_text import BidiText
from tui.widgets.blocks import Reading
from tui.widgets.entry_view import EntryView
from tui.widgets.snippet_view import SnippetView
from tui.widgets.text_block import CodeBlock

if TYPE_CHECKING:
    from tui.widgets.welcome import Welcome

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


class EntryPane(Pane):
    """An `EntryView`; what the reader settles for one entry holds for the next."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(session, id=id)
        self._wanted = 0
        self._both: bool | None = None
        self._goal: str | None = None
        self._lang = i18n.language()
        self._role = ""
        self._trail = Trail()
        self._welcome: Welcome | None = None

    def compose(self) -> ComposeResult:
        """Show the entry."""
        yield EntryView(id="entry")

    @property
    def view(self) -> EntryView:
        """The entry as it is shown."""
        return self.query_one(EntryView)

    @property
    def reading(self) -> Reading | None:
        """The entry that is read, and how."""
        return self.view.reading

    @property
    def welcome(self) -> Welcome | None:
        """The welcome, while it stands in the place of the entry."""
        return self._welcome

    async def show_welcome(self) -> None:
        """Say what this library is; the key that opens an entry opens the one to begin with."""
        from tui.widgets.welcome import Welcome

        found = self.session.found
        if self._welcome is None and found.begins:
            hits = found.results.hits if found.results else ()
            wrong = any(hit.id == found.begins and hit.verdicts.get("wrong") for hit in hits)
            self._welcome = Welcome(found.begins, found.everything, wrong=wrong)
            self.view.display = False
            await self.mount(self._welcome)

    def go_on(self) -> None:
        """Show the entry in place of the welcome, from now on at every start."""
        if self._welcome is not None:
            from tui import welcomed

            focused = self._welcome.has_focus
            self._welcome.remove()
            self._welcome = None
            self.view.display = True
            welcomed.remember()
            if focused:
                self.view.focus()

    def facts(self, in_sight: bool = True) -> Mapping[str, Any]:
        """Return what can be done with the entry, as far as it is ``in_sight``."""
        reading = self.reading if in_sight else None
        facts: dict[str, Any] = {"earlier": self._trail.leads(-1), "later": self._trail.leads(1)}
        if reading is None:
            return facts
        note = self.view.current_annotation
        return facts | {
            "entry": True,
            "languages": len(reading.languages),
            "hidden_answer": reading.hidden,
            "notes": bool(reading.entry.annotations and not reading.hidden),
            "answers": len(reading.answered) if not reading.hidden else 0,
            "own": self.view.own_in_focus is not None,
            "own_note": note is not None and note.own,
        }

    def open(self, entry: str, query: str, *, read: bool) -> None:
        """Fetch an entry, and what a query matches in it; ``read`` moves the reader to it, too."""
        self.keep_waiting()
        self._fetch(entry, query, read)

    @work(exclusive=True, group="glance", exit_on_error=False)
    async def glance(self, entry: str, query: str) -> None:
        """Fetch an entry once the keys rest: showing it takes longer than a letter may."""
        await rest()
        self._fetch(entry, query, read=False)

    def keep_waiting(self) -> None:
        """Fetch nothing that was to be fetched at a rest of the keys."""
        self.workers.cancel_group(self, "glance")

    def _fetch(self, entry: str, query: str, read: bool) -> None:
        self._wanted += 1
        # The screen takes it: it knows what else is to be shown.
        self.session.load(self.screen, entry, self._wanted, query, read)

    def awaits(self, message: EntryLoaded) -> bool:
        """Say whether this is the entry that was asked for last."""
        return message.number == self._wanted

    def read(self, message: EntryLoaded) -> None:
        """Show an entry that came."""
        both = self.app.size.width >= _ROOM_FOR_TWO if self._both is None else self._both
        wanted = found_in(message.marks, self._lang)
        reading = Reading(
            message.entry, wanted, message.titles, message.marks, both=both, role=self._role
        )
        self.view.show(reading, self._goal)
        self._goal = None
        if self._welcome is not None and (message.read or message.entry.id != self._welcome.entry):
            self.go_on()
        if self._welcome is not None:
            self._welcome.offer(runnable=bool(message.entry.snippets), languages=reading.languages)
        if message.read:
            self._trail.visit(message.entry.id)

    def renew(self, goal: str | None = None) -> None:
        """Show the entry as it is now stored; ``goal`` is the part of it to go to."""
        if goal is not None:
            self._goal = goal
        if self.reading is not None:
            self.session.renew(self, self.reading.entry.id)

    @on(EntryRenewed)
    def _renewed(self, message: EntryRenewed) -> None:
        reading = self.reading
        if reading is not None and reading.entry.id == message.entry.id:
            self.view.show(replace(reading, entry=message.entry), self._goal)
            self._goal = None

    def translate(self) -> None:
        """Read in the language of the interface."""
        self._lang = i18n.language()
        if self._welcome is not None:
            self._welcome.refresh(recompose=True)
        if self.reading is not None:
            self.view.turn(replace(self.reading, wanted=self._lang, interface=self._lang))

    def lay_out_again(self) -> None:
        """Show every text anew."""
        for block in self.query(BidiText):
            block.lay_out_again()

    @on(CodeColoured)
    def _coloured(self, message: CodeColoured) -> None:
        for view in (*self.query(SnippetView), *self.query(CodeBlock)):
            if view.code == message.code:
                view.colour(message.marks)

    def action_other_language(self) -> None:
        """Read the entry in its next language, and those after it too."""
        if self.reading is not None:
            self.view.turn(self.reading.in_next_language())
            self._lang = self.reading.wanted

    def action_both(self) -> None:
        """Show two languages beside each other, or one, and so with the entries after it."""
        if self.reading is not None:
            self._both = not self.reading.both
            self.view.turn(replace(self.reading, both=self._both))

    def action_other_answer(self) -> None:
        """Show the source's answer alone, the reference answer alone, or both."""
        if self.reading is not None:
            self.view.turn(self.reading.with_next_role())
            self._role = self.reading.role

    def action_earlier(self) -> None:
        """Go back to the entry that was read before."""
        self._go(-1)

    def action_later(self) -> None:
        """Go forward again."""
        self._go(1)

    def _go(self, step: int) -> None:
        entry = self._trail.step(step)
        if entry is not None:
            self.post_message(OpenEntry(entry))

    def action_reveal(self) -> None:
        """Show the answer of a card."""
        if self.reading is not None:
            self.view.reading = replace(self.reading, revealed=True)
        self.screen.refresh_bindings()

    def action_next_note(self) -> None:
        """Go to the next annotation of the entry."""
        self.view.step_note(1)

    def action_note_before(self) -> None:
        """Go to the annotation before."""
        self.view.step_note(-1)
