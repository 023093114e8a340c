"""Lines of an entry that lead elsewhere, by keys or mouse: to an address, to another entry."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual import events

from kb.i18n import ahead
from tui.bidi import Flow
from tui.commands import Place, bindings
from tui.messages import OpenEntry
from tui.widgets.bidi_text import BidiText
from tui.widgets.prose import open_address


class Link(BidiText, can_focus=True):
    """A line that a key or a click opens."""

    PLACES: ClassVar[tuple[Place, ...]] = ("link", "reading")
    BINDINGS = bindings("link")

    def __init__(self, text: str, direction: Flow = "interface") -> None:
        super().__init__(text, classes="related", direction=direction)

    def on_click(self, event: events.Click) -> None:
        """Open it."""
        event.stop()
        self.action_open()

    @abstractmethod
    def action_open(self) -> None:
        """Open it."""


class LinkLine(Link):
    """An address that the text leads to."""

    def __init__(self, address: str) -> None:
        super().__init__(f"→ {address}", "ltr")
        self._address = address

    def action_open(self) -> None:
        """Open the address."""
        open_address(self, self._address)


class RelatedLink(Link):
    """The id of a related entry."""

    def __init__(self, entry: str) -> None:
        super().__init__(f"{ahead()} {entry}")
        self._entry = entry

    def action_open(self) -> None:
        """Open the entry."""
        self.post_message(OpenEntry(self._entry))
