"""Small dialogs: pick from a list or a tree, add and remove tags, type a line, say yes or no.

One asks how Persian reads right in this terminal: it shows two lines, one of which is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual import events, on, work
from textual.widgets import Input, Static

from kb.i18n import N_, _, digits, ngettext, number, share
from kb.model.changes import Collection
from kb.terminal.layout import lay_out
from tui import choices
from tui.bidi import from_left
from tui.choices import Choice, narrowed
from tui.messages import EntriesChanged
from tui.screens.commanding import FormScreen, SavingForm, Store
from tui.session import Session
from tui.widgets.bidi_input import BidiInput
from tui.widgets.pick_list import PickList


class PickScreen(FormScreen[str | None]):
    """Returns the picked value, or nothing.

    With ``free``, typed text can be picked, too.
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        current: str | None = None,
        *,
        free: bool = False,
    ) -> None:
        super().__init__(title, fields=[PickList(choices, current, free=free)])

    @on(PickList.Picked)
    def _picked(self, message: PickList.Picked) -> None:
        self.dismiss(message.value)


class ConfirmScreen(FormScreen[bool]):
    """Returns whether the reader agreed, by a key that nobody presses out of habit."""

    PLACES = ("dialog", "confirm")

    def action_agree(self) -> None:
        """Say yes."""
        self.dismiss(True)

    def action_refuse(self) -> None:
        """Say no."""
        self.dismiss(False)

    def on_key(self, event: events.Key) -> None:
        """Take any other letter as no: somebody may be typing a word."""
        if event.is_printable and event.key not in self.active_bindings:
            event.stop()
            self.dismiss(False)


class LineScreen(SavingForm[str]):
    """Returns the line that the reader typed, once it is stored, or nothing.

    ``needed`` means that it must not be empty.
    """

    def __init__(
        self,
        session: Session,
        store: Store[str],
        title: str,
        hint: str,
        line: str = "",
        *,
        needed: bool = False,
    ) -> None:
        field = BidiInput(line, id="name", compact=True, select_on_focus=False)
        super().__init__(session, store, title, hint, [field])
        self._needed = needed

    @property
    def written(self) -> str:
        """The line."""
        return self.query_one(Input).value.strip()

    @on(Input.Submitted)
    def _given(self) -> None:
        if self.written or not self._needed:
            self.save(self.written)


SAMPLE = "شبکه‌های عصبی (RNN) در ۲۰ گام آموزش می‌بینند."
"""Half-spaces, brackets, a foreign name and a number: everything that wrong direction breaks."""

_WAYS = ("off", "app", "terminal")


def _sample(way: int) -> Static:
    """Return the sample with its number, reordered by the app or by the terminal."""
    (line,) = lay_out(SAMPLE, 200, turned=_WAYS[way] == "app")
    shown = "   ".join(from_left([digits(str(way)), line.text]))
    return Static(shown, markup=False, classes="line")


class DirectionScreen(FormScreen[str | None]):
    """Asks which line reads right; returns ``app``, ``terminal``, ``off`` or nothing."""

    def __init__(self) -> None:
        hint = _("Press the number of that line, or 0 for none. Esc changes nothing.")
        super().__init__(_("Which line reads right?"), hint, map(_sample, (1, 2)))

    def on_key(self, event: events.Key) -> None:
        """Accept the number of a line in either script."""
        pressed = event.character or ""
        if pressed.isdecimal() and int(pressed) < len(_WAYS):
            event.stop()
            self.dismiss(_WAYS[int(pressed)])


class TagChoice(NamedTuple):
    """The tags to add and to remove."""

    add: tuple[str, ...]
    remove: tuple[str, ...]


class TagScreen(SavingForm[TagChoice]):
    """Returns a `TagChoice` once it is stored, or nothing.

    ``worn`` are the tags of each of the ``entries``, or of the first of many. Picking a tag adds
    it to all, then removes it from all, then leaves it unchanged.
    """

    PLACES = ("dialog", "tags")

    def __init__(
        self,
        session: Session,
        store: Store[TagChoice],
        known: Sequence[str],
        worn: Sequence[Iterable[str]],
        entries: int,
    ) -> None:
        title = ngettext("Tags of {n} entry", "Tags of {n} entries", entries)
        hint = _("Enter adds (+) or removes (−) a tag. Ctrl+S saves, Esc cancels.")
        self._worn = Counter(tag for tags in worn for tag in dict.fromkeys(tags))
        self._entries = entries
        self._all_known = len(worn) == entries
        self._known = list(dict.fromkeys((*self._worn, *known)))
        self._wanted: dict[str, bool] = {}
        super().__init__(session, store, title, hint, [PickList(self._choices(), free=True)])

    def _choices(self) -> list[Choice]:
        return [Choice(tag, tag, note=self._note(tag), sign=self._sign(tag)) for tag in self._known]

    def _sign(self, tag: str) -> str:
        wanted = self._wanted.get(tag)
        if wanted is not None:
            return "+" if wanted else "−"
        return "✓" if self._worn[tag] == self._entries else "·" if self._worn[tag] else " "

    def _note(self, tag: str) -> str:
        some = 0 < self._worn[tag] < self._entries
        return share(self._worn[tag], self._entries) if some and self._all_known else ""

    @on(PickList.Picked)
    def _turn(self, message: PickList.Picked) -> None:
        """Switch a tag between add, remove and unchanged."""
        tag, picks = message.value, self.query_one(PickList)
        if tag not in self._known:
            self._known.insert(0, tag)
        worn = bool(self._worn[tag]) or not self._all_known
        ways = [None, *[True] * (self._worn[tag] < self._entries), *[False] * worn]
        here = ways.index(self._wanted.get(tag))
        wanted = ways[(here + 1) % len(ways)]
        self._wanted.pop(tag, None)
        if wanted is not None:
            self._wanted[tag] = wanted
        picks.clear()
        picks.offer(self._choices(), tag)

    @property
    def written(self) -> TagChoice:
        """The choice, including a typed new tag that is not picked yet."""
        typed = self.query_one(PickList).typed
        new = bool(typed) and not narrowed(self._choices(), typed)
        wanted = {**self._wanted, typed: True} if new else self._wanted
        return TagChoice(
            tuple(tag for tag, added in wanted.items() if added),
            tuple(tag for tag, added in wanted.items() if not added),
        )

    def action_save(self) -> None:
        """Return the choice."""
        self.save(self.written)


_NAMED = N_("A slash nests collections: a/b. Enter continues, Esc closes.")

ALL, HIDDEN = "", "\0hidden"
"""Choices besides collections: everything, and hidden entries."""


class TreeScreen(PickScreen):
    """Returns a collection, `ALL` or `HIDDEN`, or nothing."""

    PLACES = ("dialog", "tree")

    def __init__(self, session: Session, at: str | None) -> None:
        super().__init__(_("Collections"), [])
        self._session = session
        self._at = at

    def on_mount(self) -> None:
        """Load the collections."""
        self._look(self._at)

    @work(exit_on_error=False)
    async def _look(self, at: str | None) -> None:
        library = self._session.library

        def make() -> tuple[Sequence[Collection], int]:
            return library.collections.tree(), library.find.list(limit=0, hidden=True).total

        found, hidden = await self._session.run(make)
        entries = sum(each.entries for each in found if each.parent is None)
        every = [Choice(ALL, _("Everything"), note=number(entries)), *choices.collections(found)]
        if hidden:
            every.append(Choice(HIDDEN, _("Hidden entries"), note=number(hidden)))
        self.query_one(PickList).offer(every, at or ALL)

    @property
    def _chosen(self) -> str | None:
        """The collection under the cursor, if any."""
        picked = self.query_one(PickList).picked
        return picked if picked not in (None, ALL, HIDDEN) else None

    @work(exit_on_error=False)
    async def action_new_collection(self) -> None:
        """Create a collection, by default within the one under the cursor."""
        above = f"{self._chosen}/" if self._chosen else ""

        def new(name: str) -> EntriesChanged:
            self._session.library.collections.new(name)
            return EntriesChanged(_("Created: {name}").format(name=name))

        await self._ask(new, _("A new collection"), above)

    @work(exit_on_error=False)
    async def action_rename_collection(self) -> None:
        """Rename the collection under the cursor."""
        former = self._chosen
        if former is None:
            return

        def rename(name: str) -> EntriesChanged | None:
            if name == former:
                return None
            self._session.library.collections.rename(former, name)
            said = _("{old} is now called {new}").format(old=former, new=name)
            return EntriesChanged(said, renamed=(former, name))

        await self._ask(rename, _("Another name for {name}").format(name=former), former)

    @work(exit_on_error=False)
    async def action_remove_collection(self) -> None:
        """Delete the collection under the cursor, if it is empty."""
        name = self._chosen
        if name is None:
            return

        def remove() -> EntriesChanged:
            self._session.library.collections.remove(name)
            return EntriesChanged(_("Deleted: {name}").format(name=name))

        if not await self._session.change(remove):
            self._go_to(ALL)

    async def _ask(self, store: Store[str], title: str, line: str) -> None:
        """Ask for the name of a collection, store it, and go there."""
        asked = LineScreen(self._session, store, title, _(_NAMED), line, needed=True)
        name = await self.app.push_screen_wait(asked)
        if name is not None:
            self._go_to(name)

    def _go_to(self, collection: str) -> None:
        self.query_one(PickList).clear()
        self._look(collection)
