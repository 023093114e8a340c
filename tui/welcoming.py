"""The start of the app: an entry worth reading, and a welcome for new readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from kb import i18n
from kb.errors import NotFound
from kb.i18n import LANGUAGES, N_, _, ngettext
from kb.i18n.names import language_name
from kb.settings import remember, remembered, settings_path
from kb.terminal.layout import text_width
from tui.commands import BY_ACTION, BY_ID, Place, bar_key, bindings, written_key
from tui.commands.table import ENTRIES, FINDING
from tui.messages import EntryLoaded, OpenEntry
from tui.widgets.bidi_text import BidiText
from tui.widgets.help_lines import KeyLine, Legend

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.results import Hit
    from tui.panes.entry import EntryPane
    from tui.panes.search import ListPane
    from tui.screens.main import MainScreen

_NEXT = {
    "open": N_("read an answer with mistakes"),
    "run": N_("run a program that checks it"),
    "search": N_("search"),
    "language": N_("read it in {language}"),
    "help": N_("all keys, and how to search"),
}
_PLAIN = {"open": N_("read this entry"), "run": N_("run its program")}


class Welcome(VerticalScroll, can_focus=True):
    """The welcome, with the number of entries; Enter opens the suggested one.

    ``wrong`` means that this entry has a mistake to show.
    """

    PLACES: ClassVar[tuple[Place, ...]] = ("link",)
    BINDINGS = bindings("link")

    def __init__(self, entry: str, total: int, *, wrong: bool) -> None:
        super().__init__()
        self.entry = entry
        self._total = total
        self._wrong = wrong
        self._useless: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        """Compose sentences, signs and keys."""
        yield BidiText(self._sentence(), classes="paragraph")
        yield Legend()
        yield from self._keys()

    def _sentence(self) -> str:
        entries = ngettext("{n} entry", "{n} entries", self._total)
        wrong = _("Annotations explain what is wrong, and many have a program that checks it.")
        what = _("danesh is an offline knowledge base: {entries}.", entries=entries)
        return f"{what} {wrong}" if self._wrong else what

    def _keys(self) -> Iterator[KeyLine]:
        told = _NEXT if self._wrong else {**_NEXT, **_PLAIN}
        other = next(language_name(code) for code in LANGUAGES if code != i18n.language())
        keys = {id: bar_key(BY_ID[id], typing=False) for id in told}
        column = max(map(text_width, keys.values()))
        for id, sentence in told.items():
            if id not in self._useless:
                said, classes = _(sentence).format(language=other), "first" if id == "open" else ""
                yield KeyLine(written_key(keys[id]), said, column=column, classes=classes)

    def offer(self, *, runnable: bool, languages: Sequence[str]) -> None:
        """Show only keys that are useful for the entry."""
        self._useless = ["run"] * (not runnable) + ["language"] * (len(languages) < 2)
        self.refresh(recompose=True)

    def action_open(self) -> None:
        """Open the entry."""
        self.post_message(OpenEntry(self.entry))


_WELCOMED, _NEW_KEYS = "welcomed", "new-keys"
_LAST_READ = "last-read"
"""The file with a line per database, latest first: entry, tab, path."""
_MOST_REMEMBERED = 20
"""The number of databases whose last read entry is stored."""


class Welcoming:
    """Shows and hides the welcome; it ``begins`` unless an entry was requested.

    It is above the entry that the app begins with.
    """

    def __init__(
        self, screen: MainScreen, listing: ListPane, entry: EntryPane, *, begins: bool
    ) -> None:
        self._screen = screen
        self._list = listing
        self._entry = entry
        self._begins = begins
        self._welcome: Welcome | None = None

    def begin(self) -> str:
        """Return the entry that a list begins at: at the first time, one worth reading.

        New readers are then welcomed.
        """
        begins, self._begins = self._begins, False
        if begins and not (settings_path().parent / _WELCOMED).exists():
            self._screen.call_later(self.welcome)
        return self._list.session.found.begins if begins else ""

    async def welcome(self) -> None:
        """Show the welcome above its entry; on a narrow screen, only these two."""
        found = self._list.session.found
        if not found.begins:
            return
        if self._welcome is None:
            hits = found.hits
            wrong = any(hit.id == found.begins and hit.verdicts.get("wrong") for hit in hits)
            self._welcome = Welcome(found.begins, found.everything, wrong=wrong)
            await self._entry.mount(self._welcome, before=self._entry.view)
        self._list.entries.choose(found.begins)
        if self._screen.has_class("-narrow") or self._screen.showing:
            self._screen.open(found.begins, read=False)
            self._screen.showing = True
            self._welcome.focus()

    def loaded(self, message: EntryLoaded) -> None:
        """Show the commands of the entry below; make space when it is read."""
        if self._welcome is None:
            return
        entry = message.reading.entry
        if message.read or entry.id != self._welcome.entry:
            self._go()
        else:
            self._welcome.offer(runnable=bool(entry.snippets), languages=entry.languages)

    def give_way(self, action: str) -> None:
        """Make space for the result of a command; who quits at once is welcomed again."""
        if self._welcome is not None and action != "quit":
            self._go()
            if BY_ACTION[action].group in (FINDING, ENTRIES):
                self._screen.showing = False

    def translate(self) -> None:
        """Switch to the interface language."""
        if self._welcome is not None:
            self._welcome.refresh(recompose=True)

    def _go(self) -> None:
        """Hide the welcome, also at later starts."""
        if self._welcome is None:
            return
        focused = self._welcome.has_focus
        self._welcome.remove()
        self._welcome = None
        remember_welcome()
        if focused:
            self._screen.set_focus(self._entry.view)  # at once: a command may lead elsewhere


def remember_welcome() -> None:
    """Do not show the welcome again; if that cannot be stored, the next start does."""
    remember(_WELCOMED, [_NEW_KEYS])


def first_press(key: str) -> bool:
    """Return whether a reader of an earlier version presses a moved key for the first time.

    Readers welcomed by this version know its keys.
    """
    told = remembered(_WELCOMED)
    if _NEW_KEYS in told or key in told:
        return False
    remember(_WELCOMED, [*told, key])
    return True


def beginning(library: Library, hits: Sequence[Hit]) -> str:
    """Return the listed entry to begin at: that of the content, or the last read or changed.

    If there is none, it is one with a mistake, else the first.
    """
    named = library.read.telling()
    if named in [hit.id for hit in hits]:
        return named
    known = last_read(library.path)
    if known:
        with suppress(NotFound):
            return library.show(known).id
    wrong = (hit.id for hit in hits if hit.verdicts.get("wrong"))
    return library.read.last_changed() or next(wrong, hits[0].id if hits else "")


def last_read(database: str) -> str:
    """Return the last read entry of a database, or nothing."""
    known = (line.partition("\t") for line in remembered(_LAST_READ))
    return next((entry for entry, _tab, path in known if path == database), "")


def remember_read(database: str, entry: str) -> None:
    """Store the last read entry for the next start; ignore failures."""
    others = [line for line in remembered(_LAST_READ) if line.partition("\t")[2] != database]
    if not {"\n", "\t"} & {*database, *entry}:
        remember(_LAST_READ, [f"{entry}\t{database}", *others][:_MOST_REMEMBERED])
