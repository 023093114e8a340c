"""Study statistics: due weeks, retention, calibration, and a year of days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.app import ComposeResult

from kb.i18n import _, ngettext, number, right_to_left
from kb.i18n.names import CONFIDENCE
from kb.model.study import Statistics
from kb.present.markdown.document import Block, Document, Prose, added
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import BidiText
from tui.widgets.charts import YearOfDays
from tui.widgets.prose import ProseText
from tui.widgets.scrolling import ScrollingPane


class StatisticsScreen(CommandingModal[None]):
    """Shows past results and upcoming reviews."""

    CSS_PATH = "changed.tcss"
    PLACES = ("dialog",)

    def __init__(self, found: Statistics) -> None:
        super().__init__()
        self._found = found

    def compose(self) -> ComposeResult:
        """Compose the numbers, the tables, and the year."""
        found = self._found
        with ScrollingPane(id="changes"):
            yield BidiText(_("Statistics"), classes="title")
            reviews = ngettext("{n} review", "{n} reviews", found.reviews)
            exercises = ngettext("{n} exercise", "{n} exercises", found.cards)
            yield BidiText(_("{reviews}, {exercises}", reviews=reviews, exercises=exercises))
            yield BidiText(_("Due in the next weeks"), classes="caption")
            weeks = (_("week"), *map(number, range(1, len(found.weeks) + 1)))
            yield _table([weeks, (_("reviews"), *map(number, found.weeks))])
            if found.retention is not None:
                said = _("Recalled in the last 30 days: {share:.0%}", share=found.retention)
                wish = _("desired: {share:.0%}", share=found.desired)
                yield BidiText(f"{said} ({wish})", classes="caption")
            if found.brier is not None:
                title = _("Right answers by how sure you were, in percent")
                yield BidiText(title, classes="caption")
                yield _table(self._calibration())
                said = _("Brier score {n:.3f} (0 is best, guessing gives 0.25)", n=found.brier)
                yield BidiText(said)
            if found.days:
                days = ngettext("{n} day", "{n} days", len(found.days))
                said = _("A year of days, a column a week: studied on {days}", days=days)
                yield BidiText(said, classes="caption")
                yield YearOfDays(found.day, found.days)

    def _calibration(self) -> Iterable[Sequence[str]]:
        """Yield the share of right answers for each confidence."""
        yield "", _("answers"), _("you said"), _("right")
        for each in self._found.calibration:
            shares = (number(round(100 * part)) for part in (each.expected, each.right))
            yield _(CONFIDENCE[each.confidence]), number(each.answers), *shares


def _table(rows: Iterable[Sequence[str]]) -> ProseText:
    """Return a table of a name and numbers in each row."""
    grid = tuple(tuple(Prose((added(cell),)) for cell in row) for row in rows)
    aligned = ("", *["right"] * (len(grid[0]) - 1))
    block = Block("table", 0, 0, rows=grid, aligned=aligned)
    return ProseText(Document("", "rtl" if right_to_left() else "ltr", (block,)))
