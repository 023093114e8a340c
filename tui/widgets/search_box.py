"""The search box, and what came of what was typed in it: also what stands above the list.

Past searches are kept a line each in a file beside the settings, the latest last.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from kb import limits
from kb.errors import KbError
from kb.foreign import read_text
from kb.i18n import _, ngettext, share
from kb.settings import settings_path, write_lines
from tui.bidi import TOOLTIP, label
from tui.commands import BY_ID, Place, bar_key, bindings, written_key
from tui.phrases import meant, verified
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import ActionText

if TYPE_CHECKING:
    from kb.model import Proven, Results, Verification

_ROOM_FOR_ALL = 50


_MOST = 200


class QueryInput(BidiInput):
    """The input of the search, which remembers what was searched for."""

    PLACES: ClassVar[tuple[Place, ...]] = ("search",)
    BINDINGS = bindings("search")

    def __init__(self) -> None:
        super().__init__(id="query", compact=True, select_on_focus=False)
        self._back = 0

    def remember(self) -> None:
        """Keep what was searched for."""
        words = self.value.strip()
        if words:
            with suppress(OSError):  # where nothing can be kept, one can search all the same
                remember_search(words)
        self._back = 0

    def action_up(self) -> None:
        """Bring back what was searched for before; beyond the first, the latest again."""
        past = [
            each for each in reversed(past_searches()) if each != self.value.strip() or self._back
        ]
        if past:
            self.value = past[self._back % len(past)]
            self._back += 1
            self.cursor_position = len(self.value)

    async def action_open(self) -> None:
        """Go to what was found, or do what is offered where nothing was."""
        await self.action_submit()

    def action_down(self) -> None:
        """Go to what was found."""
        self.screen.query_one("#list").focus()


class SearchBox(Vertical):
    """The app's name, the input, how much is verified, and below what came of a search.

    A click there takes the spelling that is suggested.
    """

    _proven: Proven | None = None

    def compose(self) -> ComposeResult:
        """Yield the parts."""
        yield Static(id="name", markup=False)
        yield Static(id="proven", markup=False)
        yield QueryInput()
        yield ActionText(action="do('take_suggestion')", id="status")

    def on_mount(self) -> None:
        """Show what can be typed."""
        self.translate()

    def on_resize(self) -> None:
        """Leave what little room there is to the input."""
        self.set_class(self.size.width < _ROOM_FOR_ALL, "-slim")

    def translate(self) -> None:
        """Speak the language of the interface."""
        command = BY_ID["search"]
        self.query_one("#name", Static).update(label(_("danesh")))
        self.query_one(Input).placeholder = label(
            f"{_(command.label)} ({written_key(bar_key(command, typing=False))})"
        )
        self._tell_proven()

    def lay_out_again(self) -> None:
        """Show what is typed, or can be, after it was settled who turns it."""
        self.translate()
        self.query_one(QueryInput).refresh()

    def tell(self, results: Results, context: Context) -> None:
        """Say what is to be said of what was found; the line is there for nothing else."""
        line, said = self.query_one(ActionText), status(results, context)
        line.show(said)
        line.display = bool(said)

    def prove(self, proven: Proven) -> None:
        """Say of how much evidence a run here has shown that it holds."""
        self._proven = proven
        self._tell_proven()

    def _tell_proven(self) -> None:
        if self._proven is None:
            return
        line, (confirmed, total) = self.query_one("#proven", Static), self._proven
        part = share(confirmed, total)
        told = f"{part} ✓" if confirmed == total else _("{share} verified here").format(share=part)
        line.update(label(told) if confirmed else "")
        line.tooltip = Content(label(_("Annotations with confirmed evidence"), TOOLTIP))
        line.set_class(confirmed == total, "-all")


def past_searches() -> list[str]:
    """Return what was searched for, each once; nothing where it cannot be read."""
    try:
        lines = read_text(_file(), limits.FORM).split("\n")
    except KbError:
        return []
    return list(dict.fromkeys(line for line in reversed(lines) if line.strip()))[::-1]


def remember_search(words: str) -> None:
    """Keep what was searched for, as the latest. Raises `OSError`."""
    kept = [*(each for each in past_searches() if each != words), words][-_MOST:]
    write_lines(_file(), kept)


def _file() -> Path:
    return settings_path().with_name("searches")


class Context(NamedTuple):
    """What is said of a list beside its length: of how ``many`` it is what part.

    While the reader is ``typing``, a letter is no key. Enter goes on to the list and what is
    offered there (``enters``), unless a value of a filter is being chosen.
    """

    marked: int = 0
    narrowed: tuple[str, ...] = ()
    hidden: bool = False
    many: int | None = None
    verified: Sequence[Verification] | None = None
    typing: bool = False
    enters: bool = True


def list_title(results: Results, context: Context) -> str:
    """Return how much is listed, what was looked for, and what it is narrowed by."""
    words = " ".join(results.query.split())
    marked = [ngettext("{n} marked", "{n} marked", context.marked)] if context.marked else []
    return " · ".join(filter(None, [_counted(results, context), *marked, words, *context.narrowed]))


def _counted(results: Results, context: Context) -> str:
    total = results.total
    if context.hidden:
        return ngettext("{n} hidden entry", "{n} hidden entries", total)
    if results.query.strip():
        return ngettext("{n} found", "{n} found", total) if total else _("nothing found")
    if context.narrowed and context.many is not None:
        return _("{share} entries").format(share=share(total, context.many))
    return ngettext("{n} entry", "{n} entries", total)


def status(results: Results, context: Context) -> str:
    """Return what else is to be said of a search; mostly nothing.

    Where nothing is listed, the middle of the list says what was probably meant.
    """
    parts = []
    if results.suggestion and results.hits:
        key = bar_key(BY_ID["palette"], typing=context.typing)  # it comes first there
        parts.append(meant(results.suggestion, written_key(key)))
    if results.notice:
        parts.append(_(results.notice))
    if context.verified is not None:
        parts.append(verified(context.verified))
    return " · ".join(parts)
