"""What the signs of annotations say, and the letters of levels."""

from __future__ import annotations

from kb.i18n import _
from tui.bidi import StyledSpan
from tui.phrases import LEVELS, VERDICTS, level_name, level_sign
from tui.widgets.bidi_text import BidiText

_UNBREAKABLE = "\u00a0"


class Legend(BidiText):
    """Every verdict's sign in its colour, and every level's letter, with their names."""

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(*_legend(), classes=classes)


def _legend() -> tuple[str, list[StyledSpan]]:
    """Return the lines and the styles of the signs in them; they break between names alone."""
    text, marks = "", []
    for verdict in VERDICTS.values():
        text += "  " if text else ""
        marks.append(StyledSpan(len(text), len(text) + len(verdict.sign), f"{verdict.style} bold"))
        text += f"{verdict.sign} {_(verdict.name)}".replace(" ", _UNBREAKABLE)
    levels = [f"{level_sign(level)}{_UNBREAKABLE}{level_name(level)}" for level in LEVELS]
    return f"{text}\n{'  '.join(levels)}", marks
