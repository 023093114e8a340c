"""Chips: a field with a value from a list; and the filter bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partialmethod
from typing import ClassVar

from textual import events, work
from textual.containers import Horizontal
from textual.message import Message

from kb.i18n import N_, _, right_to_left
from kb.model.changes import Collection
from kb.model.results import Filters
from tui import choices
from tui.choices import Choice
from tui.commands import Place, bindings
from tui.phrases import FIELDS
from tui.widgets.bidi_text import BidiText

_CROSS = " ×"


class Chip(BidiText, can_focus=True):
    """A field and its value; a key or click opens the list of values.

    It is visible with at least this many values. ``unset`` is shown without a value; it is empty if
    a value is required. With ``free``, a value that is not listed can be typed.
    """

    PLACES: ClassVar[tuple[Place, ...]] = ("chip",)
    BINDINGS = bindings("chip")

    class Changed(Message):
        """The value has changed."""

    def __init__(
        self,
        field: str,
        choices: Sequence[Choice] = (),
        value: str | None = None,
        *,
        unset: str = N_("any"),
        least: int = 2,
        free: bool = False,
        id: str | None = None,
    ) -> None:
        super().__init__(classes="chip", id=id)
        self.field = field
        self._unset = unset
        self._least = least
        self._free = free
        self.value = value
        self.offer(choices)
        self.take(value)

    def offer(self, choices: Sequence[Choice]) -> None:
        """Set the available values."""
        self._choices = choices
        self.display = len(choices) >= self._least
        self.say()

    def take(self, value: str | None) -> None:
        """Set a value, or none if it is not available."""
        known = self._free or (self.display and value in [each.value for each in self._choices])
        self.value = value if value is not None and known else None
        self.say()

    def say(self) -> None:
        """Show field and value in the interface language."""
        cross = _CROSS if self._crossed else ""
        self.show(f"{_(FIELDS[self.field])}: {self.named}{cross}")
        self.set_class(self.value is not None, "-set")
        if self.has_focus:
            self.on_focus()  # it may have grown

    def on_focus(self) -> None:
        """Move the row if there is no room for all fields."""
        self.call_after_refresh(self.scroll_visible, animate=False, force=True)

    @property
    def _crossed(self) -> bool:
        """Whether there is a removable value."""
        return self.value is not None and bool(self._unset)

    @property
    def named(self) -> str:
        """The value in the interface language."""
        names = {each.value: each.whole or each.name for each in self._choices}
        return _(self._unset) if self.value is None else names.get(self.value, self.value)

    @work(exit_on_error=False)
    async def action_open(self) -> None:
        """Open the list of values."""
        from tui.screens.questions import PickScreen

        none = [Choice("", _(self._unset))] if self._unset else []
        screen = PickScreen(
            _(FIELDS[self.field]), [*none, *self._choices], self.value or "", free=self._free
        )
        chosen = await self.app.push_screen_wait(screen)
        if chosen is not None:
            self._set(chosen or None)

    def action_delete(self) -> None:
        """Remove the value, if allowed."""
        if self._crossed:
            self._set(None)

    def _step_right(self, step: int) -> None:
        """Move to the field at the right or left."""
        fields = [each for each in self.screen.focus_chain if isinstance(each, Chip)]
        at = fields.index(self) + (-step if right_to_left() else step)
        if 0 <= at < len(fields):
            fields[at].focus()

    action_right = partialmethod(_step_right, 1)
    action_left = partialmethod(_step_right, -1)

    def on_click(self, event: events.Click) -> None:
        """Open the list; a click on the cross removes the value."""
        event.stop()
        self.focus()
        offset = event.get_content_offset(self)
        place = self.place_at(*offset) if offset is not None else None
        if place is not None and place >= len(self.text) - len(_CROSS) and self._crossed:
            self.action_delete()
            return
        self.action_open()

    def _step_down(self, step: int) -> None:
        """Choose the next or previous value; none comes after the last."""
        values = [*([None] if self._unset else []), *(each.value for each in self._choices)]
        if values:
            here = values.index(self.value) if self.value in values else -1
            self._set(values[(here + step) % len(values)])

    action_down = partialmethod(_step_down, 1)
    action_up = partialmethod(_step_down, -1)

    def _set(self, value: str | None) -> None:
        self.value = value
        self.say()
        self.post_message(self.Changed())


class FilterBar(Horizontal):
    """The filter chips: created on first use, and visible while one is set."""

    _facets: Mapping[str, Sequence[str]] = {}
    _tree: Sequence[Collection] = ()

    @property
    def filters(self) -> Filters:
        """The current filters."""
        return Filters(**{chip.field: chip.value for chip in self.query(Chip)})

    @property
    def filtered(self) -> bool:
        """Whether any filter is set."""
        return any(chip.value is not None for chip in self.query(Chip))

    @property
    def named(self) -> tuple[str, ...]:
        """The filter values in the interface language."""
        return tuple(chip.named for chip in self.query(Chip) if chip.value is not None)

    def on_descendant_blur(self) -> None:
        """Hide the fields when the reader leaves them without a filter."""
        self.display = self.filtered or isinstance(self.screen.focused, Chip | None)

    async def offer(self, facets: Mapping[str, Sequence[str]], tree: Sequence[Collection]) -> None:
        """Show the fields with available values."""
        if not self.query(Chip):
            # Of tags one is enough: there are entries without it.
            await self.mount_all(Chip(each, least=1 + (each != "tag")) for each in Filters._fields)
        self._facets, self._tree = facets, tree
        self.translate()
        self.display = True

    def translate(self) -> None:
        """Show the choices in the interface language."""
        for chip in self.query(Chip):
            chip.offer(self._choices(chip.field))

    def _choices(self, field: str) -> list[Choice]:
        values = self._facets.get(field, ())
        if field == "collection":
            return choices.collections(self._tree)
        if field == "lang":
            return choices.languages(values)
        known = {"level": choices.levels, "verdict": choices.verdicts}
        if field in known:
            return [each for each in known[field]() if each.value in values]
        return [Choice(value, value) for value in values]

    def only(self, field: str = "", value: str | None = None) -> None:
        """Filter by this value alone, if it is available, or by nothing."""
        for chip in self.query(Chip):
            chip.take(value if chip.field == field else None)
        self.display = self.filtered

    def narrow(self, field: str, value: str | None) -> None:
        """Add this filter; the chips stay visible."""
        for chip in self.query(Chip):
            if chip.field == field:
                chip.take(value)
