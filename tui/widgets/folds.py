"""Lines that stand for what is folded: a key or a click shows it, and folds it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from kb.i18n import ahead
from tui.commands import Place, bindings
from tui.widgets.bidi_text import BidiText


class Fold(BidiText, can_focus=True):
    """The line that stands for what ``name`` names."""

    PLACES: ClassVar[tuple[Place, ...]] = ("link", "reading")
    BINDINGS = bindings("link")

    @dataclass
    class Toggled(Message):
        """What is folded was asked for, or is to be folded again."""

        name: str

    def __init__(
        self, name: str, text: str = "", *, shown: bool = False, classes: str = "fold"
    ) -> None:
        super().__init__(name=name, classes=classes)
        self.tell(text, shown)

    def tell(self, text: str, shown: bool) -> None:
        """Say what there is, and whether it is shown."""
        self.show(f"{'▾' if shown else ahead('▸')} {text}")

    def on_click(self, event: events.Click) -> None:
        """Show it, or fold it."""
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show it, or fold it."""
        self.post_message(self.Toggled(str(self.name)))
