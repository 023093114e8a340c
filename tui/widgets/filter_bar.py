"""What the list is narrowed by, as chips: one for each field, each with its value or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.containers import Horizontal

from tui import choices
from tui.choices import Choice
from tui.phrases import FILTERS
from tui.widgets.chip import Chip

if TYPE_CHECKING:
    from kb.model import Filters
    from kb.model.changes import Collection


class FilterBar(Horizontal):
    """The chips; there once they were asked for, and in sight as long as one is set."""

    _facets: Mapping[str, Sequence[str]] = {}
    _tree: Sequence[Collection] = ()

    @property
    def filters(self) -> Filters:
        """What the list is narrowed by."""
        from kb.model import Filters

        return Filters(**{chip.field: chip.value for chip in self.query(Chip)})

    @property
    def filtered(self) -> bool:
        """Whether anything is narrowed."""
        return any(chip.value is not None for chip in self.query(Chip))

    @property
    def named(self) -> tuple[str, ...]:
        """What is narrowed to, in the language of the interface."""
        return tuple(chip.named for chip in self.query(Chip) if chip.value is not None)

    async def offer(self, facets: Mapping[str, Sequence[str]], tree: Sequence[Collection]) -> None:
        """Show the fields with the values there are."""
        if not self.query(Chip):
            # Of tags one is enough: there are entries without it.
            await self.mount_all(Chip(each, least=1 + (each != "tag")) for each in FILTERS)
        self._facets, self._tree = facets, tree
        self.translate()
        self.display = True

    def translate(self) -> None:
        """Say what there is to choose from in the language of the interface."""
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
        return choices.plain(values)

    def only(self, field: str, value: str | None) -> None:
        """Narrow by this value alone, if it is one of several that were offered."""
        for chip in self.query(Chip):
            chip.take(value if chip.field == field else None)
        self.display = self.filtered

    def narrow(self, field: str, value: str | None) -> None:
        """Narrow by this value, beside what else is narrowed; the chips stay in sight."""
        for chip in self.query(Chip):
            if chip.field == field:
                chip.take(value)

    def value(self, field: str) -> str | None:
        """Return what a field is narrowed to."""
        return next((chip.value for chip in self.query(Chip) if chip.field == field), None)

    def clear(self) -> None:
        """Narrow by nothing, and go out of sight."""
        self.only("", None)
