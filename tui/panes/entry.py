"""The reading pane: one entry, in one or two languages."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partialmethod
from typing import TYPE_CHECKING, Any

from textual import on, work

from kb import i18n
from kb.errors import KbError
from kb.i18n import _, digits
from kb.model.values import OWN_TARGET_ROLES as ROLES
from kb.present.markdown.reader import read_ahead
from kb.present.titles import asked_in, named
from kb.terminal.terminal import in_one_line
from tui.commands import BY_ID, bar_key
from tui.messages import EntryLoaded, OpenEntry, OpenPicture, ReadPicture
from tui.panes.pane import ROOM_FOR_TWO, Pane
from tui.phrases import KINDS, level_name
from tui.reading import CODE, Reading
from tui.session import Session, Tell
from tui.welcoming import remember_read
from tui.widgets.entry_view import EntryView
from tui.widgets.links import Fold
from tui.widgets.scroll_places import FirstMatch

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.entry import Entry, Media
    from kb.present.pictures import Pixels
    from tui.viewer import Viewer

Picture = tuple["Pixels | None", str]
"""The pixels of media, or why there are none.

Media that are not pictures, and not called pictures, have neither.
"""

_ROOM_FOR_ALL = 180
"""The number of columns from which two languages fit beside the list."""

_REST_SECONDS = 0.3

_MOST_PIXELS = (640, 480)
"""The stored size of a picture: more than half cells can show."""


class Trail:
    """The history of read entries; going back and then elsewhere clears what is ahead.

    >>> trail = Trail()
    >>> for entry in ("one", "two", "three"):
    ...     trail.visit(entry)
    >>> trail.step(-1), trail.step(-1), trail.step(-1), trail.step(1)
    ('two', 'one', None, 'two')
    >>> trail.visit("four")
    >>> trail.step(1), trail.step(-1)
    (None, 'two')
    """

    def __init__(self) -> None:
        self._visited: list[str] = []
        self._at = -1

    def visit(self, entry: str) -> None:
        """Add an entry to the history, unless it is the current one."""
        if not self._visited or self._visited[self._at] != entry:
            self._visited[self._at + 1 :] = [entry]
            self._at += 1

    def leads(self, step: int) -> bool:
        """Return whether there is an entry this many steps ahead."""
        return 0 <= self._at + step < len(self._visited)

    def step(self, step: int) -> str | None:
        """Move this many steps and return the entry there, or return nothing."""
        if not self.leads(step):
            return None
        self._at += step
        return self._visited[self._at]


async def rest() -> None:
    """Wait until no key is pressed for a moment."""
    await asyncio.sleep(_REST_SECONDS)


def found_in(marks: Mapping[tuple[str, str], Sequence[object]], wanted: str) -> str:
    """Return the language to read in: the wanted one, unless a search matched another.

    >>> found_in({("question", "en"): [], ("source", "fa"): [(0, 4)]}, "en")
    'fa'
    """
    found = Counter(lang for (_role, lang), places in marks.items() for _each in places if lang)
    return wanted if found[wanted] or not found.total() else found.most_common(1)[0][0]


def _matches(
    library: Library, entry: Entry, query: str
) -> Mapping[tuple[str, str], tuple[tuple[int, int], ...]]:
    """Return the matches of a query in an entry's texts, by role and language, and in `CODE`."""
    texts = {(role, lang): entry.text(role, lang) for role in ROLES for lang in entry.languages}
    texts[CODE] = "\n".join(each.code for each in entry.snippets)
    marks = library.find.marks
    return {at: marks(text, at[1] or "en", query) for at, text in texts.items() if text}


def _picture(library: Library, media: Media) -> Picture:
    """Read the pixels of media, if they are a picture."""
    from kb.present.markdown.inline import is_called_picture
    from kb.present.pictures import pixels_of, suffix_of

    try:
        data = library.read.bytes_of(media)
        if not suffix_of(data) and not is_called_picture(media.name):
            return None, ""
        return pixels_of(data, _MOST_PIXELS), ""
    except KbError as error:
        return None, _(error.message)


class EntryPane(Pane):
    """An `EntryView`; choices made for one entry apply to the next."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(session, EntryView(id="entry"), id=id)
        self._wanted, self._to_read = 0, False
        self._both = False
        self._goal: str | None = None
        self._lang = i18n.language()
        self._trail = Trail()
        self._back_to: str | None = None
        self._noted: object = None
        self._pictures: dict[str, Picture] = {}
        """The pictures of this entry read so far, by digest."""
        self._one_picture = asyncio.Lock()
        """A lock for reading pictures, because each may need the maximum memory."""

    def on_mount(self) -> None:
        """Track the reader's position and the displayed entry."""
        self.watch(self.screen, "showing", self._give_way, init=False)
        self.watch(self.view, "reading", self._give_way, init=False)
        self.watch(self.view, "scroll_y", self.say_place, init=False)

    def on_resize(self) -> None:
        """Lay out two languages for the new size."""
        super().on_resize()
        self._give_way()

    def _give_way(self) -> None:
        """Shrink or hide the list for two languages."""
        self.session.open_now = self.reading.entry.id if self.reading is not None else ""
        width, two = self.app.size.width, self.reading is not None and self.reading.bilingual
        wide = width >= _ROOM_FOR_ALL
        alone = two and not wide and width >= ROOM_FOR_TWO and self.screen.has_class("-showing")
        self.screen.set_class(alone, "-alone")
        self.screen.set_class(two and wide, "-beside")

    @property
    def view(self) -> EntryView:
        """The displayed entry."""
        return self.query_one(EntryView)

    @property
    def reading(self) -> Reading | None:
        """The current entry and its display state."""
        return self.view.reading

    @on(EntryView.Turned)
    def _turned(self) -> None:
        """Say so also if the same is current: its parts are new."""
        self._noted = None
        self.say_place()

    def say_place(self) -> None:
        """Show the entry and the reader's position in the title, and how to get to the question."""
        note = self.view.current_annotation
        told = entry_title(self.reading, note.id if note else None) if self.reading else ""
        if self.reading and self.view.scroll_offset.y:
            asked = asked_in(self.reading.entry, self.reading.langs[0])[1]
            question = named(asked, self.size.width)
            told = f"{told} ─ {bar_key(BY_ID['top'], typing=False)} ↑ {question}"
        self.entitle(told)
        part = self.view.folding
        noted = note, None if part is None else part.shown
        if noted != self._noted:
            self._noted = noted
            self.screen.refresh_bindings()

    def facts(self, in_sight: bool = True) -> Mapping[str, Any]:
        """Return which commands are possible; ``in_sight`` tells if the entry is visible."""
        reading = self.reading if in_sight else None
        facts: dict[str, Any] = {"earlier": self._trail.leads(-1), "later": self._trail.leads(1)}
        if reading is None:
            return facts
        note, part = self.view.current_annotation, self.view.folding
        return facts | {
            "entry": True,
            "languages": len(reading.entry.languages),
            "bilingual": reading.bilingual,
            "hidden_answer": reading.hidden,
            "notes": bool(reading.notes and not reading.hidden),
            "foldable": part is not None,
            "unfolded": part is not None and part.shown,
            "source": reading.has("source"),
            "picture": self.view.chosen_picture() is not None,
            "own": self.view.own_in_focus is not None,
            "own_note": note is not None and note.own,
        }

    def open(self, entry: str, query: str, *, read: bool) -> None:
        """Load an entry and its matches; ``read`` also moves the reader there."""
        self.keep_waiting()
        self._fetch(entry, query, read)

    @work(exclusive=True, group="glance", exit_on_error=False)
    async def glance(self, entry: str, query: str) -> None:
        """Load an entry after a pause in typing: showing it would delay keys."""
        await rest()
        self._fetch(entry, query, read=False)

    def keep_waiting(self) -> None:
        """Cancel a pending load."""
        self.workers.cancel_group(self, "glance")

    def _fetch(self, entry: str, query: str, read: bool) -> None:
        self._wanted, self._to_read = self._wanted + 1, read
        number, library = self._wanted, self.session.library

        def load(tell: Tell) -> None:
            found = library.show(entry)
            marks = _matches(library, found, query) if query.strip() else {}
            read_ahead(found)
            backlinks, similar = library.read.backlinks(entry), library.meaning.similar(entry)
            if read:
                remember_read(library.path, entry)
            reading = Reading(
                found,
                self._lang,
                library.read.collections().get(found.collection, {}),
                marks,
                backlinks=backlinks,
                own=library.read.is_own(entry),
                similar=similar,
                asked=library.read.questions((*found.links, *backlinks, *similar)),
            )
            # The screen takes it: it knows what else is to be shown.
            tell(self.post_message, EntryLoaded(number, reading, read))

        self.session.start(load, "entry", exclusive=True)

    def awaits(self, message: EntryLoaded) -> bool:
        """Return whether this is the last requested entry."""
        return message.number == self._wanted

    def read(self, message: EntryLoaded) -> None:
        """Show a loaded entry."""
        entry, marks = message.reading.entry.id, message.reading.matched
        # It may be its annotations that matched, which are not marked.
        hits = ((each.id, each.lang) for each in self.session.found.hits)
        matched = (entry, self._lang) in hits
        wanted, interface = self._lang if matched else found_in(marks, self._lang), i18n.language()
        reading = replace(message.reading, wanted=wanted, both=self._both, interface=interface)
        before = self.reading
        if before is not None and before.entry.id == entry:
            reading = replace(reading, opened=before.opened, revealed=before.revealed)
        else:
            self._pictures.clear()
        # Reading starts at a match, unless the reader returns to the entry.
        shown = before and (before.entry.id, before.matched)
        fresh = shown != (entry, marks) and entry != self._back_to
        goal = self._goal or (FirstMatch(marks) if fresh and any(marks.values()) else None)
        if isinstance(goal, FirstMatch):
            reading = reading.with_match()
        self.view.show(reading, goal)
        self._goal = self._back_to = None
        self.remove_class("-left")
        if message.read:
            self._trail.visit(entry)

    def leave(self) -> None:
        """Show nothing if there is no entry; ignore pending loads but one that is to be read."""
        self.keep_waiting()
        if not self._to_read:
            self._wanted += 1
        self.view.reading = None
        self.add_class("-left")

    @work(exit_on_error=False)
    async def renew(self, goal: str | None = None) -> None:
        """Reload the entry; ``goal`` is the part to go to."""
        if goal is not None:
            self._goal = goal
        if self.reading is None:
            return
        id, library = self.reading.entry.id, self.session.library
        entry, titles = await self.session.run(
            lambda: (library.show(id), library.read.collections()), "entry-again"
        )
        if self.reading is not None and self.reading.entry.id == id:
            named = titles.get(entry.collection, {})
            self.view.show(replace(self.reading, entry=entry, titles=named), self._goal)
            self._goal = None

    def translate(self) -> None:
        """Switch to the interface language."""
        self._lang = i18n.language()
        if self.reading is not None:
            self.view.turn(replace(self.reading, wanted=self._lang, interface=self._lang))

    @on(ReadPicture)
    @work(exit_on_error=False)
    async def _read_picture(self, message: ReadPicture) -> None:
        block, library = message.block, self.session.library
        media = block.media
        async with self._one_picture:
            # Nobody who has left the entry waits for a picture of it.
            if block.is_attached and media.sha256 not in self._pictures:
                found = await self.session.run(lambda: _picture(library, media), "picture")
                self._pictures[media.sha256] = found
        if block.is_attached:
            block.show(*self._pictures[media.sha256])

    @on(OpenPicture)
    @work(exit_on_error=False)
    async def _open_picture(self, message: OpenPicture) -> None:
        media, read = message.media, self.session.library.read
        await self.session.run(lambda: self._viewer.open(read.bytes_of(media)), "viewer")
        self.session.say(_("Opening {address}").format(address=in_one_line(media.name)))

    @cached_property
    def _viewer(self) -> Viewer:
        from tui.viewer import Viewer  # with the first picture that is opened

        return Viewer()

    def action_other_language(self) -> None:
        """Switch to the entry's next language, also for later entries."""
        if self.reading is not None:
            languages = self.reading.entry.languages
            after = (languages.index(self.reading.langs[0]) + 1) % len(languages)
            self._lang = languages[after]
            self.view.turn(replace(self.reading, wanted=self._lang))

    def action_both(self) -> None:
        """Show two languages, or one, also for later entries.

        If they only fit without the list, the focus moves to the entry.
        """
        if self.reading is None:
            return
        self._both = not self.reading.both
        self.view.turn(replace(self.reading, both=self._both))
        if self._both and ROOM_FOR_TWO <= self.app.size.width < _ROOM_FOR_ALL:
            self.post_message(OpenEntry(self.reading.entry.id))

    def action_open_picture(self) -> None:
        """Open the focused or most visible picture in another program."""
        picture = self.view.chosen_picture()
        if picture is not None:
            self.post_message(OpenPicture(picture))

    def action_source(self) -> None:
        """Show or fold the source's answer."""
        self.view.toggle("source")

    def _go(self, step: int) -> None:
        """Go back to the previously read entry, or forward again."""
        entry = self._trail.step(step)
        if entry is not None:
            self._back_to = entry
            self.post_message(OpenEntry(entry))

    action_earlier = partialmethod(_go, -1)
    action_later = partialmethod(_go, 1)

    def action_reveal(self) -> None:
        """Show a card's answer, or unfold or fold what is current or in sight."""
        part = self.view.folding
        if self.reading is not None and self.reading.hidden:
            self.view.reading = replace(self.reading, revealed=True)
        elif isinstance(part, Fold) or (part is not None and part.has_focus):
            self.view.follower.leave()  # what is unfolded is to be seen, not the run's start
            part.action_open()
        else:
            self.view.action_open()
        self.call_after_refresh(self.say_place)

    action_fold_answer = action_reveal

    def _step_note(self, step: int) -> None:
        """Go to the next annotation of the entry, or to the one before."""
        focused = self.screen.focused
        if focused is not None and self.view in focused.ancestors:
            self.view.focus(scroll_visible=False)  # else what was left behind would be run
        self.view.step_note(step)

    action_next_note = partialmethod(_step_note, 1)
    action_note_before = partialmethod(_step_note, -1)


def entry_title(reading: Reading, note: str | None) -> str:
    """Return the current entry and note as a title."""
    entry, here = reading.entry, reading.numbers.get(note or "")
    name = digits(entry.number) if entry.number else _(KINDS.get(entry.kind, entry.kind))
    at = _("annotation {number}").format(number=digits(str(here.number))) if here else ""
    return " · ".join(filter(None, [name, level_name(entry.level), at]))
