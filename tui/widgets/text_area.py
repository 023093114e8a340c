"""Areas to write in: what is typed or pasted is shown, never obeyed."""

from __future__ import annotations

from textual import events
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from kb.display import safe
from tui.mirror import BarAtEdge
from tui.typed import JOINERS


class SafeArea(BarAtEdge, TextArea):
    """An area that shows control characters instead of obeying them."""

    def on_key(self, event: events.Key) -> None:
        """Take half-spaces too, though they do not print."""
        if event.character in JOINERS and not self.read_only:
            event.stop().prevent_default()
            self.replace(event.character, *self.selection, maintain_selection_offset=False)

    def edit(self, edit: Edit) -> EditResult:
        """Take in what may be shown, as long as what was typed."""
        edit.text = safe(edit.text)
        return super().edit(edit)

    def load_text(self, text: str) -> None:
        """Begin with a text, as far as it may be shown."""
        super().load_text(safe(text))
