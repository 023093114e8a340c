"""The columns of a table: its first rows, and what each column is, as the reader says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from kb.i18n import N_, _, digits
from kb.i18n.sentences import said
from tui.choices import Choice, named
from tui.commands import bindings
from tui.phrases import COLUMNS
from tui.screens.commanding import CommandingModal
from tui.screens.picking import PickScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.pick_list import PickList

if TYPE_CHECKING:
    from kb.records import TablePreview

HINT = N_("Enter says what a column is; Ctrl+S goes on, Esc goes back.")
_HEADER = "header"
_NOTHING = "nothing"
_LONGEST = 24
_SHOWN = 3


class ColumnsScreen(CommandingModal[str | None]):
    """Returns what the columns are, as `kb import --map` is told, or nothing."""

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog", "columns")
    BINDINGS = [*bindings("dialog"), *bindings("columns")]

    def __init__(self, file: str, table: TablePreview) -> None:
        super().__init__()
        self._file = file
        self._table = table
        self._roles: dict[int, str] = dict(table.roles)
        self._header = table.header

    def compose(self) -> ComposeResult:
        """Put the columns under what is said of them."""
        with Vertical(id="form"):
            title = _("The columns of {file}").format(file=self._file)
            yield BidiText(title, classes="caption")
            for assumed in self._table.assumed:
                yield BidiText(said(assumed), classes="hint")
            yield PickList(list(self._choices()))
            yield BidiText(_(HINT), id="told", classes="hint")

    def _choices(self) -> Iterator[Choice]:
        """Yield what can be said: of the first row, and of each column."""
        told = _("names the columns") if self._header else _("is an entry")
        yield Choice(_HEADER, _("The first row"), note=told)
        for place in range(max(map(len, self._table.rows), default=0)):
            role = self._roles.get(place)
            note = _(COLUMNS.get(role, role)) if role else _(COLUMNS[_NOTHING])
            yield Choice(str(place), f"{digits(str(place + 1))}. {self._cells(place)}", note=note)

    def _cells(self, place: int) -> str:
        """Return the first cells of a column, in a line."""
        cells = (row[place] if place < len(row) else "" for row in self._table.rows[:_SHOWN])
        return " · ".join(" ".join(cell.split())[:_LONGEST] for cell in cells)

    @on(PickList.Picked)
    def _picked(self, message: PickList.Picked) -> None:
        """Turn what is said of the first row, or ask what a column is."""
        if message.value == _HEADER:
            self._header = not self._header
            self._list(_HEADER)
            return
        place = int(message.value)
        names = {role: COLUMNS.get(role, role) for role in (*self._table.known, _NOTHING)}
        asked = PickScreen(self._cells(place), named(names), self._roles.get(place, _NOTHING))
        self.app.push_screen(asked, lambda role: self._take(place, role))

    def _take(self, place: int, role: str | None) -> None:
        if role is None:
            return
        self._roles.pop(place, None)
        if role != _NOTHING:
            self._roles[place] = role
        self._list(str(place))

    def _list(self, current: str) -> None:
        picks = self.query_one(PickList)
        picks.clear()
        picks.offer(list(self._choices()), current)

    def action_keep_columns(self) -> None:
        """Go on, once there is a question or an answer."""
        if any(role.partition(".")[0] in ("question", "answer") for role in self._roles.values()):
            self.dismiss(as_option(self._roles, header=self._header))
        else:
            self.query_one("#told", BidiText).show(_("Which column is the question?"))


def as_option(roles: Mapping[int, str], *, header: bool) -> str:
    """Return what columns are as `kb import --map` is told.

    >>> as_option({2: "answer", 0: "question", 3: "answer"}, header=True)
    'question=1,answer=3+4,header=yes'
    """
    places: dict[str, list[str]] = {}
    for place, role in sorted(roles.items()):
        places.setdefault(role, []).append(str(place + 1))
    told = [f"{role}={'+'.join(of)}" for role, of in places.items()]
    return ",".join([*told, f"header={'yes' if header else 'no'}"])
