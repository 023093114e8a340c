"""What marked words say of themselves while the mouse is over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from kb.display import Direction, Shown, direction_of, lines_of
from kb.i18n import _, of_language
from kb.present.sentences import said_first
from tui.bidi import TOOLTIP, StyledSpan, TextRow, direction_in, styled
from tui.phrases import verdict_of
from tui.terminal import turned

if TYPE_CHECKING:
    from kb.records import Annotation

_LONGEST = 180
"""So many letters of a sentence are shown, in some five lines."""


def hint_of(annotation: Annotation, lang: str) -> Content:
    """Return an annotation's verdict, and the first sentence of its note, for a tooltip."""
    verdict = verdict_of(annotation.verdict)
    name = f"{verdict.sign} {_(verdict.name)}"
    spoken, note = of_language(annotation.note, lang)
    head = _rows(name, direction_in("interface"))
    said = _rows(said_first(note, spoken, _LONGEST), direction_of(spoken)) if note else []
    width = max(row.line.width for row in (*head, *said))
    mark = StyledSpan(0, len(name), f"{verdict.style} bold")
    lines = [styled(row, [mark], width) for row in head]
    return Content("\n").join([*lines, *(styled(row, (), width) for row in said)])


def _rows(text: str, direction: Direction) -> list[TextRow]:
    lines = lines_of(Shown(text, range(len(text))), TOOLTIP, direction, turned())
    return [TextRow(0, line) for line in lines]
