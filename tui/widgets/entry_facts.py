"""What an entry is and where it belongs, in a form: kind, level, collection, tags, topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from kb.i18n import N_, _
from kb.records.typed import in_a_line, tags_in
from tui import choices
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.text_field import Problem

if TYPE_CHECKING:
    from kb.records.changes import Collection
    from kb.records.draft import Draft


class EntryFacts(Vertical):
    """Chips whose values are picked from lists, and two lines to type in."""

    DEFAULT_CSS = """
    EntryFacts {
        height: auto;
        #facts {
            height: 1;
            margin: 1 0 0 0;
        }
        #tags, #topic {
            background: $panel;
        }
    }
    """

    def __init__(self, draft: Draft, tree: Sequence[Collection]) -> None:
        super().__init__()
        self._draft = draft
        self._tree = tree

    def compose(self) -> ComposeResult:
        """Put the chips above the lines."""
        with Horizontal(id="facts"):
            yield Chip("kind", unset="")
            yield Chip("level", unset=N_("none"))
            yield Chip("collection", unset="", least=0, free=True)
        yield Problem(id="collection-problem")
        yield BidiText(_("Tags, with commas between them"))
        yield BidiInput(in_a_line(self._draft.tags), id="tags", compact=True)
        yield Problem(id="tags-problem")
        yield BidiText(_("Topic"))
        yield BidiInput(self._draft.topic or "", id="topic", compact=True)

    def on_mount(self) -> None:
        """Show what the entry has."""
        offered = {"kind": choices.kinds(), "level": choices.levels()}
        offered["collection"] = choices.collections(self._tree)
        for chip in self.query(Chip):
            chip.offer(offered[chip.field])
            chip.take(getattr(self._draft, chip.field))

    def written(self, draft: Draft) -> Draft:
        """Return a draft with what stands here."""
        facts = {chip.field: chip.value for chip in self.query(Chip)}
        return replace(
            draft,
            kind=facts["kind"] or draft.kind,
            level=facts["level"],
            collection=facts["collection"] or "",
            topic=self.query_one("#topic", Input).value.strip() or None,
            tags=tags_in(self.query_one("#tags", Input).value),
        )

    def tell(self, problems: Mapping[str, str]) -> None:
        """Say what is wrong beside each field."""
        for field in ("collection", "tags"):
            self.query_one(f"#{field}-problem", Problem).tell(problems.get(field, ""))
