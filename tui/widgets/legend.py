"""What the signs of annotations say, in a line."""

from __future__ import annotations

from tui.bidi import StyledSpan
from tui.i18n import _
from tui.phrases import VERDICTS
from tui.widgets.bidi_text import BidiText

_UNBREAKABLE = "\u00a0"


class Legend(BidiText):
    """Every verdict's sign in its colour, with its name."""

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(*_legend(), classes=classes)


def _legend() -> tuple[str, list[StyledSpan]]:
    """Return the line and the styles of the signs in it; it breaks between verdicts alone."""
    text, marks = "", []
    for verdict in VERDICTS.values():
        text += "  " if text else ""
        marks.append(StyledSpan(len(text), len(text) + len(verdict.sign), f"{verdict.style} bold"))
        text += f"{verdict.sign} {_(verdict.name)}".replace(" ", _UNBREAKABLE)
    return text, marks
