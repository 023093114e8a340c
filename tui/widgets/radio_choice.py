"""One of several choices, with a sign that says whether it is the one."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import RadioButton

from kb.i18n import right_to_left
from tui.bidi import label

_LONGEST = 60
_SIGNS = {True: "●", False: "○"}


class RadioChoice(RadioButton):
    """A choice, its sign where one begins to read: not told by colour alone."""

    def __init__(self, name: str, chosen: bool, *, id: str) -> None:
        first = not right_to_left()
        super().__init__(Content(label(name, _LONGEST)), chosen, button_first=first, id=id)

    def render(self) -> Content:
        """Return the sign and the name."""
        self.BUTTON_INNER = _SIGNS[self.value]
        return super().render()
