"""Dialogs for files: import and export.

The form of an import asks for a file or folder, and a collection. For a table, its first rows are
shown, and the reader sets the role of each column. The preview lists what is imported and what is
skipped, with reasons. The form of an export asks for scope, format and path.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from textual import events, on
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from kb.i18n import N_, _, digits, ngettext, of_language
from tui.bidi import label
from tui.choices import Choice, named
from tui.commands import Place
from tui.phrases import COLUMNS
from tui.screens.commanding import FormScreen, PageScreen
from tui.screens.questions import PickScreen
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.pick_list import PickList
from tui.widgets.scrolling import ScrollingForm

if TYPE_CHECKING:
    from kb.model.reports import Dropped, ImportReport, TablePreview
    from kb.service.exporting import Export


T = TypeVar("T")


@dataclass(frozen=True)
class ImportChoice:
    """The reader's choice; a folder names its collections itself."""

    path: str
    collection: str | None


_HINT = N_("Enter goes to the next field, then reads the file. Esc goes back.")


class ImportScreen(FormScreen[ImportChoice | None]):
    """A form that returns an `ImportChoice`, or nothing.

    ``endings`` are readable file suffixes; ``before`` is a previous choice that failed, to be
    corrected.
    """

    def __init__(self, endings: Sequence[str], before: ImportChoice | None = None) -> None:
        path = BidiText(_("File or folder")), BidiInput(id="path", compact=True)
        collection = BidiText(_("Collection")), BidiInput(id="collection", compact=True)
        super().__init__(_("Import"), _(_HINT), [*path, *collection])
        self._endings = endings
        self._before = before
        self._suggested = ""

    def on_mount(self) -> None:
        """Show the previous choice, if any."""
        if self._before is not None:
            self.query_one("#path", Input).value = self._before.path
            self.query_one("#collection", Input).value = self._before.collection or ""

    @property
    def path(self) -> str:
        """The path with ``~`` expanded."""
        return os.path.expanduser(self.query_one("#path", Input).value.strip())

    @on(Input.Changed, "#path")
    def _suggest(self) -> None:
        """Name the collection after the file, unless it was named otherwise."""
        collection = self.query_one("#collection", Input)
        suggested = "" if os.path.isdir(self.path) else Path(self.path).stem
        if collection.value == self._suggested:
            collection.value = suggested
        self._suggested = suggested
        self.hint(self._hint)

    @on(Input.Submitted, "#path")
    def _go_on(self) -> None:
        if self._check():
            self.query_one("#collection", Input).focus()

    @on(Input.Submitted, "#collection")
    def _submitted(self) -> None:
        if self._check():
            collection = self.query_one("#collection", Input).value.strip()
            folder = os.path.isdir(self.path)
            self.dismiss(ImportChoice(self.path, None if folder else collection or None))

    def _check(self) -> bool:
        """Show what is wrong with the path, if anything."""
        if os.path.isdir(self.path):
            return True
        if not self.path:
            problem = _("A file needs a name.")
        elif not os.path.isfile(self.path):
            problem = _("There is no such file.")
        elif self.path.lower().endswith(tuple(self._endings)):
            return True
        else:
            endings = _(", ").join(self._endings)
            problem = _("Files that can be read end in {endings}.").format(endings=endings)
        self.warn(problem)
        self.query_one("#path", Input).focus()
        return False


_HEADER = "header"
_NOTHING = "nothing"
_LONGEST_CELLS = 24
_SHOWN = 3


class ColumnsScreen(FormScreen[str | None]):
    """Returns the roles of columns as for `kb import --map`, or nothing."""

    PLACES = ("dialog", "columns")

    def __init__(self, file: str, table: TablePreview) -> None:
        title = _("The columns of {file}").format(file=file)
        self._table = table
        self._roles: dict[int, str] = dict(table.roles)
        self._header = table.header
        assumed = (BidiText(_(each), classes="hint") for each in table.assumed)
        fields = [*assumed, PickList(list(self._choices()))]
        super().__init__(title, _("Enter chooses what a column is."), fields)

    @property
    def unsaved(self) -> bool:
        """Whether a role was changed."""
        return (self._roles, self._header) != (dict(self._table.roles), self._table.header)

    def _choices(self) -> Iterator[Choice]:
        """Yield the choices for the first row and each column."""
        told = _("names the columns") if self._header else _("is an entry")
        yield Choice(_HEADER, _("The first row"), note=told)
        for place in range(max(map(len, self._table.rows), default=0)):
            role = self._roles.get(place)
            note = _(COLUMNS.get(role, role)) if role else _(COLUMNS[_NOTHING])
            yield Choice(str(place), f"{digits(str(place + 1))}. {self._cells(place)}", note=note)

    def _cells(self, place: int) -> str:
        """Return the first cells of a column in a line."""
        cells = (row[place] if place < len(row) else "" for row in self._table.rows[:_SHOWN])
        return " · ".join(" ".join(cell.split())[:_LONGEST_CELLS] for cell in cells)

    @on(PickList.Picked)
    def _picked(self, message: PickList.Picked) -> None:
        """Toggle the first row, or ask for the role of a column."""
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

    def action_save(self) -> None:
        """Continue once there is a question or answer."""
        if any(role.partition(".")[0] in ("question", "answer") for role in self._roles.values()):
            self.dismiss(as_option(self._roles, header=self._header))
        else:
            self.hint(_("Which column is the question?"))


def as_option(roles: Mapping[int, str], *, header: bool) -> str:
    """Return the roles of columns as for `kb import --map`.

    >>> as_option({2: "answer", 0: "question", 3: "answer"}, header=True)
    'question=1,answer=3+4,header=yes'
    """
    places: dict[str, list[str]] = {}
    for place, role in sorted(roles.items()):
        places.setdefault(role, []).append(str(place + 1))
    told = [f"{role}={'+'.join(of)}" for role, of in places.items()]
    return ",".join([*told, f"header={'yes' if header else 'no'}"])


_MOST = 200
_LONGEST = 60


class PreviewScreen(PageScreen[bool]):
    """Returns whether to import."""

    PLACES = ("dialog", "preview")

    def __init__(self, report: ImportReport) -> None:
        super().__init__(_preview(report))

    def action_open(self) -> None:
        """Confirm the import."""
        self.dismiss(True)


def _preview(report: ImportReport) -> Iterator[BidiText]:
    """Yield the counts, then what is skipped, then what is imported."""
    yield BidiText(_("Import {file}").format(file=report.file), classes="title")
    for line in counts(report):
        yield BidiText(line, classes="item")
    yield from _section(_("Skipped"), (*report.dropped, *report.bad), _dropped)
    yield from _section(_("Claimed in the file, but not trusted"), report.disbelieved, _dropped)
    yield from _section(_("Programs that never run"), report.unfit, _dropped)
    yield from _section(_("Changed here and in the file"), report.conflicts, str)
    yield from _section(_("No longer in the file"), report.gone, str)
    yield from _section(
        _("Entries in the file"),
        report.entries,
        lambda each: _placed(of_language(each.question)[1] or each.id, each.line),
    )


def counts(report: ImportReport) -> Iterator[str]:
    """Yield a line for each nonzero count of an import."""
    new, renewed, same = report.added, report.updated, report.unchanged
    both, gone = len(report.conflicts), len(report.gone)
    lost = len(report.dropped) + len(report.bad)
    told = (
        (new, ngettext("{n} new entry", "{n} new entries", new)),
        (renewed, ngettext("{n} updated entry", "{n} updated entries", renewed)),
        (same, ngettext("{n} unchanged entry", "{n} unchanged entries", same)),
        (both, ngettext(
            "{n} was changed here and in the file: yours stays (Ctrl+P: Conflicts)",
            "{n} were changed here and in the file: yours stay (Ctrl+P: Conflicts)", both)),
        (gone, ngettext("{n} is no longer in the file and stays here",
                        "{n} are no longer in the file and stay here", gone)),
        (lost, ngettext("{n} block is skipped", "{n} blocks are skipped", lost)),
    )  # fmt: skip
    yield from [line for count, line in told if count] or [_("It is empty.")]


def _section(title: str, told: Sequence[T], line: Callable[[T], str]) -> Iterator[BidiText]:
    """Yield a title, the first of its lines, and the number of others."""
    if told:
        yield BidiText(title, classes="caption")
    for each in told[:_MOST]:
        yield BidiText(line(each), classes="item")
    if len(told) > _MOST:
        yield BidiText(ngettext("{n} more", "{n} more", len(told) - _MOST), classes="item")


def _dropped(dropped: Dropped) -> str:
    began = dropped.text.strip().split("\n")[0][:_LONGEST]
    return _placed(": ".join(filter(None, [_(dropped.reason), began])), dropped.line)


def _placed(said: str, line: int | None) -> str:
    if line is None:
        return said
    return _("line {line}: {said}").format(line=digits(str(line)), said=said)


Scope = Literal["entry", "listed", "all"]

_LONGEST_NAME = 64
_OUT_HINT = N_("Enter goes to the next field, then writes the file. Esc goes back.")


@dataclass(frozen=True)
class ExportChoice:
    """The reader's choice."""

    format: str
    path: str
    scope: Scope


class ExportScreen(FormScreen[ExportChoice | None]):
    """A form that returns an `ExportChoice`, or nothing.

    A format of ``exports`` without a file suffix writes a folder. An existing file is replaced
    only after a second Enter, a non-empty folder never.
    """

    def __init__(
        self, exports: Export, *, entry: str | None, named: str, listed: int, every: int
    ) -> None:
        # What can be exported; what is read comes first.
        scopes: dict[str, str] = {}
        if entry is not None:
            scopes["entry"] = _("this entry: {title}", title=named)
        if 0 < listed < every:
            scopes["listed"] = ngettext("the {n} entry listed", "the {n} entries listed", listed)
        scopes["all"] = ngettext("everything: {n} entry", "everything: {n} entries", every)
        formats = {name: f"{name}: {_(summary)}" for name, summary in exports.formats().items()}
        fields = (
            OneOf(scopes, "scope"),
            BidiText(_("Format"), classes="caption"),
            OneOf(formats, "format"),
            BidiText(_("File or folder, in {folder}", folder=os.getcwd()), classes="caption"),
            BidiInput(id="path", compact=True),
        )
        super().__init__(_("Export"), _(_OUT_HINT), fields)
        self._endings = exports.endings()
        self._entry = entry
        self._warned: str | None = None
        self._suggested = ""

    def on_mount(self) -> None:
        """Suggest a path for what is read or listed, and the first format; show the title."""
        self._suggest()
        self.call_after_refresh(self.query_one(ScrollingForm).scroll_home, animate=False)

    @property
    def scope(self) -> Scope:
        """What is exported."""
        chosen = self.query_one("#scope", OneOf).value
        return "entry" if chosen == "entry" else "listed" if chosen == "listed" else "all"

    @property
    def format(self) -> str:
        """The chosen format."""
        return self.query_one("#format", OneOf).value

    @on(OptionList.OptionHighlighted)
    def _suggest(self) -> None:
        """Update the path for format and scope, unless it was edited."""
        path = self.query_one("#path", Input)
        stem = (self._entry or "") if self.scope == "entry" else "danesh"
        name = "".join(char if char.isalnum() or char in "-_." else "-" for char in stem)
        suggested = f"{name}{self._endings[self.format] or f'-{self.format}'}"
        if path.value == self._suggested:
            path.value = suggested
        self._suggested = suggested

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        """Go to the next field."""
        self.focus_next()

    @on(Input.Changed)
    def _renamed(self) -> None:
        """Show the hint again instead of a warning about another name."""
        if self._warned != self._path:
            self.hint(self._hint)

    @property
    def _path(self) -> str:
        return os.path.expanduser(self.query_one("#path", Input).value.strip())

    def _format_of(self, path: str) -> str:
        """Return the format whose file suffix a name has: the chosen one, if several have it."""
        suffix = os.path.splitext(path)[1].lower()
        named = [each for each, ending in self._endings.items() if ending and ending == suffix]
        return self.format if self.format in named else next(iter(named), "")

    def on_key(self, event: events.Key) -> None:
        """Go up from the name to the formats."""
        if event.key == "up" and isinstance(self.focused, Input):
            event.stop()
            self.focus_previous()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        path = self._path
        taken = os.path.exists(path) and (not os.path.isdir(path) or os.listdir(path))
        other = self._format_of(path)
        if not path:
            self.warn(_("A file needs a name."))
        elif other not in ("", self.format):
            self.warn(_("This name is for {other}: choose {other} above.").format(other=other))
        elif not self._endings[self.format] and taken:
            self.warn(_("This folder is not empty: name another one."))
        elif self._endings[self.format] and os.path.exists(path) and self._warned != path:
            self._warned = path
            self.warn(_("This file exists. Press Enter again to replace it."))
        else:
            self.dismiss(ExportChoice(self.format, path, self.scope))


class OneOf(OptionList):
    """Values of which the one under the cursor is chosen; beyond them are the other fields."""

    PLACES: ClassVar[tuple[Place, ...]] = ("field",)
    action_open = OptionList.action_select

    def __init__(self, choices: Mapping[str, str], id: str) -> None:
        self._names = list(choices.values())
        options = (Option(Content(name), id=value) for value, name in choices.items())
        super().__init__(*options, id=id, markup=False)
        self.highlighted = 0

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Mark the choice by a sign, not by colour alone."""
        super().watch_highlighted(highlighted)
        for number, name in enumerate(self._names):
            sign = "●" if number == highlighted else "○"
            prompt = Content(label(f"{sign} {name}", _LONGEST_NAME))
            self.replace_option_prompt_at_index(number, prompt)

    @property
    def value(self) -> str:
        """The chosen value."""
        return str(self.get_option_at_index(self.highlighted or 0).id)

    def on_key(self, event: events.Key) -> None:
        """Go to the next value that begins with a typed letter, if there is one."""
        typed, here = (event.character or "").casefold(), self.highlighted or 0
        turned = [*range(here + 1, self.option_count), *range(here)]
        if typed.isalpha():
            for place in turned:
                if self._names[place].casefold().startswith(typed):
                    event.stop().prevent_default()
                    self.highlighted = place
                    return

    def action_cursor_up(self) -> None:
        """Go up, from the first value to the field above, if there is one."""
        if self.highlighted:
            super().action_cursor_up()
        elif self.screen.focus_chain[0] is not self:
            self.screen.focus_previous()

    def action_cursor_down(self) -> None:
        """Go down, from the last value to the field below."""
        if self.highlighted != self.option_count - 1:
            super().action_cursor_down()
        else:
            self.screen.focus_next()
