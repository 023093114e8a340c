"""What the list is narrowed by, as chips: one for each field, each with its value or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.containers import Horizontal
from textual.message import Message

from tui.commands import bindings
from tui.i18n import LANGUAGES, N_, _, of_language
from tui.phrases import FIELDS, LEVELS, VERDICTS
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.records import Filters


class Chip(BidiText, can_focus=True):
    """A field and the value it is narrowed to; a key or a click takes the next value."""

    BINDINGS = bindings("chip")

    @dataclass
    class Changed(Message):
        """Another value was taken."""

    def __init__(self, field: str, *, unset: str = N_("any")) -> None:
        super().__init__(classes="chip")
        self.field = field
        self._unset = unset
        self.value: str | None = None
        self._values: Sequence[str] = ()
        self._named: Mapping[str, str] = {}

    def offer(self, values: Sequence[str], named: Mapping[str, str]) -> None:
        """Take the values there are to choose from, and what they are called."""
        self._values, self._named = values, named
        self.display = len(values) > 1
        self.say()

    def take(self, value: str | None) -> None:
        """Take a value, or none where it is not to be chosen."""
        self.value = value if value in self._values and len(self._values) > 1 else None
        self.say()

    def say(self) -> None:
        """Show the field and its value in the language of the interface."""
        value = _(self._unset) if self.value is None else self._named.get(self.value, self.value)
        self.show(f"{_(FIELDS[self.field])}: {value}")
        self.set_class(self.value is not None, "-set")

    def action_next_value(self) -> None:
        """Take the next value; after the last comes none."""
        self._step(1)

    def action_value_before(self) -> None:
        """Take the value before."""
        self._step(-1)

    def on_click(self, event: events.Click) -> None:
        """Take the next value."""
        event.stop()
        self.action_next_value()

    def _step(self, step: int) -> None:
        choices = [None, *self._values]
        self.value = choices[(choices.index(self.value) + step) % len(choices)]
        self.say()
        self.post_message(self.Changed())


class FilterBar(Horizontal):
    """The chips; there once they were asked for, and in sight as long as one is set."""

    _facets: Mapping[str, Sequence[str]] = {}
    _titles: Mapping[str, Mapping[str, str]] = {}

    @property
    def filters(self) -> Filters:
        """What the list is narrowed by."""
        from kb.records import Filters

        return Filters(**{chip.field: chip.value for chip in self.query(Chip)})

    @property
    def filtered(self) -> bool:
        """Whether anything is narrowed."""
        return any(chip.value is not None for chip in self.query(Chip))

    async def offer(
        self, facets: Mapping[str, Sequence[str]], titles: Mapping[str, Mapping[str, str]]
    ) -> None:
        """Show the fields with the values there are."""
        if not self.query(Chip):
            await self.mount_all(Chip(field) for field in FIELDS)
        self._facets, self._titles = facets, titles
        self._name_values()
        self.display = True

    def translate(self) -> None:
        """Speak the language of the interface."""
        self._name_values()

    def _name_values(self) -> None:
        """Say what there is to choose from in the language of the interface."""
        titles = self._titles
        named = {
            "lang": LANGUAGES,
            "collection": {id: of_language(title)[1] or id for id, title in titles.items()},
            "level": {level: f"{level} ({_(name)})" for level, name in LEVELS.items()},
            "verdict": {word: _(verdict.name) for word, verdict in VERDICTS.items()},
        }
        for chip in self.query(Chip):
            chip.offer(self._facets.get(chip.field, ()), named[chip.field])

    def only(self, field: str, value: str) -> None:
        """Narrow by this value alone, if it is one of several that were offered."""
        for chip in self.query(Chip):
            chip.take(value if chip.field == field else None)
        self.display = self.filtered

    def clear(self) -> None:
        """Narrow by nothing, and go out of sight."""
        for chip in self.query(Chip):
            chip.value = None
            chip.say()
        self.display = False
