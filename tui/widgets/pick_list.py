"""A list to pick from: typing filters it, arrows move, Enter picks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partialmethod
from typing import ClassVar

from textual import events, on
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from kb.i18n import _, ngettext
from kb.terminal.layout import text_width
from tui.bidi import first_rows, from_left, label, styled
from tui.choices import Choice, narrowed
from tui.commands import Place, bindings
from tui.mirror import BarAtEdge
from tui.widgets.bidi_input import BidiInput

_MOST = 300
"""The maximum number of listed choices; typing finds the others."""


class PickInput(BidiInput):
    """The filter of the list; up and down move in the list below."""

    PLACES: ClassVar[tuple[Place, ...]] = ("pick",)
    BINDINGS = bindings("pick")

    def _go(self, action: str) -> None:
        """Move in the list."""
        getattr(self.screen.query_one(Options), f"action_{action}")()

    action_down = partialmethod(_go, "cursor_down")
    action_up = partialmethod(_go, "cursor_up")
    action_page_down = partialmethod(_go, "page_down")
    action_page_up = partialmethod(_go, "page_up")


class ChoiceList(BarAtEdge, OptionList):
    """Choices as lines, one of which is under the cursor."""

    choices: Sequence[Choice] = ()

    def offer(self, choices: Sequence[Choice], width: int, here: int | None = 0) -> None:
        """List choices in lines of this width, and go to one of them."""
        self.choices = choices
        self.clear_options()
        self.add_options([Option(line(each, width)) for each in choices])
        self.highlighted = here if choices else None

    @property
    def chosen(self) -> str | None:
        """The value under the cursor."""
        return None if self.highlighted is None else self.choices[self.highlighted].value


class Options(ChoiceList, can_focus=False):
    """The lines to pick from."""


class PickList(Vertical):
    """Choices with a filter input.

    With ``free``, typed text can be picked even if it is not listed.
    """

    @dataclass
    class Picked(Message):
        """A choice was picked, with its value."""

        value: str

    def __init__(
        self, choices: Sequence[Choice], current: str | None = None, *, free: bool = False
    ) -> None:
        said = _("Type to filter or to name a new one") if free else _("Type to filter")
        super().__init__(PickInput(compact=True, placeholder=label(said)), Options(markup=False))
        self._choices = choices
        self._current = current
        self._free = free

    def on_mount(self) -> None:
        """Select the current value."""
        self._list()

    @property
    def typed(self) -> str:
        """The typed text."""
        return self.query_one(PickInput).value.strip()

    @property
    def picked(self) -> str | None:
        """The value under the cursor."""
        return self.query_one(Options).chosen

    def offer(self, choices: Sequence[Choice], current: str | None = None) -> None:
        """List other choices, with one of them or the old position selected."""
        self._current = current if current is not None else self.picked
        self._choices = choices
        self._list()

    def clear(self) -> None:
        """Narrow by nothing."""
        self.query_one(PickInput).value = ""

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        event.stop()
        self._current = None
        self._list()

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _pick(self, event: Message) -> None:
        event.stop()
        if self.picked is not None:
            self.post_message(self.Picked(self.picked))

    def on_resize(self, event: events.Resize) -> None:
        """Lay out the lines for the new width."""
        self._current = self.picked or self._current
        self._list()

    def _list(self) -> None:
        found = narrowed(self._choices, self.typed)
        values = {each.value for each in found}
        if self._free and self.typed and self.typed not in values:
            new = Choice(self.typed, _("new: {name}").format(name=self.typed))
            # What is found by its id alone is not what the reader sees and means.
            told = (each._replace(value="") for each in found)
            found.insert(len(found) if narrowed(told, self.typed) else 0, new)
        options = self.query_one(Options)
        width = max(1, self.content_size.width - 2)
        here = (n for n, each in enumerate(found[:_MOST]) if each.value == self._current)
        options.offer(found[:_MOST], width, next(here, 0))
        if len(found) > _MOST:
            more = ngettext("{n} more", "{n} more", len(found) - _MOST)
            options.add_option(Option(line(Choice("", more), width), disabled=True))


def line(choice: Choice, width: int) -> Content:
    """Return a choice as a line of this width, mirrored in Persian."""
    after = [" ", label(choice.note)] if choice.note else []
    before = ["  " * choice.depth, *([choice.sign, " "] if choice.sign else [])]
    room = max(1, width - text_width("".join([*before, *after])))
    (row,) = first_rows(choice.name or " ", room, 1)
    name = styled(row, ())
    blank = Content(" " * max(0, room - name.cell_length))
    note = (Content.styled(each, "$text-muted") for each in after)
    parts = [*map(Content, before), name, blank, *note]
    return Content("").join(from_left(parts))
