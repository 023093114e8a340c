"""The search box with its status line, the title of the list, and the message in an empty list.

Past searches are stored one per line in a file beside the settings, latest last. An empty list
names the query, and what would find more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from kb.i18n import _, in_own_direction, ngettext, share
from kb.model.results import Results
from kb.settings import remember, remembered
from kb.terminal.bidi.direction import has_rtl
from tui.bidi import TOOLTIP, StyledSpan, label
from tui.commands import BY_ID, Place, action_of, bar_key, bindings, written_key
from tui.phrases import meant, verified
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import ActionText

if TYPE_CHECKING:
    from kb.model.reports import Proven, Verification
    from kb.service.files import Unsynced
    from tui.screens.commanding import Commanding

_ROOM_FOR_ALL = 50
_ROOM_FOR_COUNTS = 80

_SEARCHES, _MOST = "searches", 200


class QueryInput(BidiInput):
    """The search input with a history."""

    PLACES: ClassVar[tuple[Place, ...]] = ("search",)
    BINDINGS = bindings("search")

    def __init__(self) -> None:
        super().__init__(id="query", compact=True, select_on_focus=False)
        self._back = 0

    def remember(self) -> None:
        """Store the search."""
        words = self.value.strip()
        if words:
            kept = [*(each for each in remembered(_SEARCHES) if each != words), words][-_MOST:]
            remember(_SEARCHES, kept)  # where nothing can be kept, one can search all the same
        self._back = 0

    def on_key(self, event: events.Key) -> None:
        """Take the suggestion with Tab, or with the arrow that goes on at the end."""
        ahead = "left" if has_rtl(self.value) else "right"
        at_end = self.selection == Selection.cursor(len(self.value))
        keys = ("tab", ahead) if at_end else ("tab",)
        if event.key in keys and cast("Commanding[None]", self.screen).situation.suggestion:
            event.stop().prevent_default()
            self.call_later(self.screen.run_action, "do('take_suggestion')")

    def action_up(self) -> None:
        """Show an earlier search; after the first, the latest again."""
        every = reversed(remembered(_SEARCHES))
        past = [each for each in every if each != self.value.strip() or self._back]
        if past:
            self.value = past[self._back % len(past)]
            self._back += 1
            self.cursor_position = len(self.value)

    def action_down(self) -> None:
        """Go to the results."""
        self.screen.query_one("#list").focus()


class SearchBox(Vertical):
    """The app's name, the input, the share of verified evidence, and a status line below.

    A click on the status line accepts the suggested spelling.
    """

    _proven: Proven | None = None
    _unsynced: Unsynced | None = None

    def compose(self) -> ComposeResult:
        """Yield the parts."""
        yield Static(id="name", markup=False)
        yield Static(id="proven", markup=False)
        yield QueryInput()
        yield ActionText(action="do('take_suggestion')", id="status")

    def on_resize(self) -> None:
        """Give a small space to the input alone."""
        self.set_class(self.size.width < _ROOM_FOR_ALL, "-slim")
        self._tell_unsynced()

    def translate(self) -> None:
        """Switch to the interface language."""
        command = BY_ID["search"]
        self.query_one(Input).placeholder = label(
            f"{_(command.label)} ({written_key(bar_key(command, typing=False))})"
        )
        self._tell_unsynced()
        self._tell_proven()

    on_mount = translate

    def lay_out_again(self) -> None:
        """Redraw after a change of who reorders text."""
        self.translate()
        self.query_one(QueryInput).refresh()

    def tell(self, context: Context) -> None:
        """Show the status; the line is hidden if there is none."""
        line, said = self.query_one(ActionText), status(context)
        line.show(said)
        line.display = bool(said)

    def count(self, proven: Proven, unsynced: Unsynced) -> None:
        """Show how many annotations a run here has confirmed, and what is not synced."""
        self._proven, self._unsynced = proven, unsynced
        self._tell_unsynced()
        self._tell_proven()

    def _tell_unsynced(self) -> None:
        unsent, conflicts = self._unsynced or (0, 0)
        told = [_("danesh")]
        if self.size.width >= _ROOM_FOR_COUNTS:
            told += [ngettext("{n} unsent", "{n} unsent", unsent)] * bool(unsent)
            told += [ngettext("{n} conflict", "{n} conflicts", conflicts)] * bool(conflicts)
        line = self.query_one("#name", Static)
        line.update(label(" · ".join(told)))
        said = _("'kb sync' sends your changes. Ctrl+P: Conflicts shows both versions.")
        line.tooltip = Content(label(said, TOOLTIP)) if told[1:] else None

    def _tell_proven(self) -> None:
        if self._proven is None:
            return
        line, (confirmed, total) = self.query_one("#proven", Static), self._proven
        part = share(confirmed, total)
        here = _("you verified {share} annotations", share=part)
        told = f"{part} ✓" if confirmed == total else here
        line.update(label(told) if confirmed else "")
        line.tooltip = Content(label(_("Annotations with confirmed evidence"), TOOLTIP))
        line.set_class(confirmed == total, "-all")


class Context(NamedTuple):
    """The results of a list, and its context: which part of ``many`` results it shows.

    While the reader is ``typing``, letters are not keys. Enter goes to the list and its offers
    (``enters``), unless a filter value is being chosen. If the list is empty, there would be
    ``beyond`` results without filters, and Enter runs the command ``offer``, in the search box and
    in the list. ``collection`` tells that it is the only filter.
    """

    results: Results
    marked: int = 0
    narrowed: tuple[str, ...] = ()
    hidden: bool = False
    many: int | None = None
    verified: Sequence[Verification] | None = None
    not_synced: str = ""
    typing: bool = False
    enters: bool = True
    beyond: int = 0
    offer: str = ""
    collection: bool = False


def list_title(context: Context) -> str:
    """Return the title of the list: number of results, query and filters."""
    words = " ".join(context.results.query.split())
    marked = [ngettext("{n} marked", "{n} marked", context.marked)] if context.marked else []
    return " · ".join(filter(None, [_counted(context), *marked, words, *context.narrowed]))


def _counted(context: Context) -> str:
    total = context.results.total
    if context.hidden:
        return ngettext("{n} hidden entry", "{n} hidden entries", total)
    if context.results.query.strip():
        return ngettext("{n} found", "{n} found", total) if total else _("nothing found")
    if context.narrowed and context.many is not None:
        return _("{share} entries").format(share=share(total, context.many))
    return ngettext("{n} entry", "{n} entries", total)


def status(context: Context) -> str:
    """Return the status of a search; mostly empty.

    For an empty list, the list itself shows the suggestion.
    """
    parts, results = [], context.results
    if results.suggestion and results.hits:
        key = "Tab" if context.typing else bar_key(BY_ID["palette"], typing=False)
        parts.append(meant(results.suggestion, written_key(key)))
    if results.notice:
        parts.append(_(results.notice))
    if context.verified is not None:
        parts.append(verified(context.verified))
    return " · ".join(filter(None, [*parts, context.not_synced]))


class Line(NamedTuple):
    """A line with highlighted words, and the command of a click."""

    text: str
    bold: str = ""
    command: str = ""
    style: str = "said"


def lines_of(empty: Context) -> Iterator[Line]:
    """Yield the lines about an empty list, and what fills it: a suggestion first."""
    words, suggestion = empty.results.query.strip(), empty.results.suggestion
    narrowed, bare = empty.narrowed, empty.collection and not words
    if empty.hidden:
        yield Line(_("Nothing is hidden."))
    elif words:
        yield Line(_("Nothing matches “{words}”.").format(words=words), words)
    elif not narrowed:
        yield Line(_("There are no entries yet"))
        bare = True
    else:
        yield Line(_("This collection is empty.") if bare else _("Nothing matches these filters."))
    if suggestion:
        yield Line(meant(suggestion, _key("suggestion", empty)), suggestion, "suggestion", "offer")
    if narrowed:
        yield Line(" · ".join(narrowed), style="advice")
    for command in ("write", "import") if bare else ():
        key = written_key(bar_key(BY_ID[command], typing=empty.typing))
        label = _(BY_ID[command].label)
        yield Line(f"{label} ({key})" if key else label, command=command, style="offer")
    if narrowed and empty.beyond:
        said = ngettext(
            "Without filters there is {n} entry",
            "Without filters there are {n} entries",
            empty.beyond,
        )
        yield Line(f"{said} ({_key('no-filter', empty)})", "", "no-filter", "offer")
    elif words and not suggestion:
        yield Line(_("Fewer or other words may find more."), style="advice")
    if (words or empty.hidden) and empty.enters and not empty.typing:
        said = _("Esc clears the search.") if words else _("Esc lists all entries.")
        yield Line(said, style="advice")


def _key(command: str, empty: Context) -> str:
    """Return the key of a command here, or that of the palette."""
    enters = command == empty.offer and empty.enters
    return written_key("Enter" if enters else bar_key(BY_ID["palette"], typing=False))


class Nothing(Vertical):
    """The lines, centred in the available space."""

    _said: tuple[Line, ...] = ()

    async def say(self, empty: Context) -> None:
        """Show why the list is empty."""
        said = tuple(lines_of(empty))
        if said != self._said:
            self._said = said
            await self.remove_children()
            await self.mount_all(map(_shown, said))


def _shown(line: Line) -> ActionText:
    """Return a line; a click accepts its offer."""
    text = in_own_direction(line.text)
    start = text.find(line.bold) if line.bold else -1
    marks = [StyledSpan(start, start + len(line.bold), "bold")] if start >= 0 else []
    action = action_of(BY_ID[line.command], "screen") if line.command else ""
    return ActionText(text, marks, action=action, classes=line.style)
