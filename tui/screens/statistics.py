"""Study statistics: due weeks, retention, calibration, and a year of days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.i18n import _, ngettext, number
from kb.i18n.names import CONFIDENCE
from kb.model.study import Calibration, Statistics
from kb.present.charts.reading import Chart, Piece, Series
from tui.screens.commanding import PageScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.charts import ChartLines, YearOfDays


class StatisticsScreen(PageScreen[None]):
    """Shows past results and upcoming reviews."""

    def __init__(self, found: Statistics) -> None:
        super().__init__(_parts(found))


def _parts(found: Statistics) -> Iterator[BidiText]:
    """Yield the numbers, the charts, and the year."""
    yield BidiText(_("Statistics"), classes="title")
    reviews = ngettext("{n} review", "{n} reviews", found.reviews)
    exercises = ngettext("{n} exercise", "{n} exercises", found.cards)
    yield BidiText(_("{reviews} of {exercises}", reviews=reviews, exercises=exercises))
    weeks = Series("", tuple(map(float, found.weeks)))
    names = [_("week {n}", n=n) for n in range(2, len(found.weeks) + 1)]
    yield _bars(_("Due in the next weeks"), [_("this week"), *names], weeks)
    if found.retention is not None:
        title = _("Recalled in the last 30 days, in percent")
        values = (_percent(found.retention), _percent(found.desired))
        yield _bars(title, [_("recalled"), _("desired")], Series("", values))
    if found.brier is not None:
        yield _calibration(found.calibration)
        yield BidiText(_("Brier score {score}", score=round(found.brier, 3)))
        said = _("How far confidence was from results: 0 is best, guessing gives 0.25.")
        yield BidiText(said, classes="hint")
    if found.days:
        days = ngettext("{n} day", "{n} days", len(found.days))
        said = _("A year of days, a column a week: studied on {days}", days=days)
        yield BidiText(said, classes="caption")
        yield YearOfDays(found.day, found.days)


def _bars(title: str, words: Sequence[str], *series: Series) -> ChartLines:
    """Return bars that fit the available width."""
    lines = ChartLines()
    chart = Chart(title, "", (), tuple(words), series, log_x=False, log_y=False, other={})
    text = [title, *(f"{each.name} {' '.join(map(number, each.values))}" for each in series)]
    lines.follow([Piece("\n".join(text), chart)])
    return lines


def _calibration(found: Sequence[Calibration]) -> ChartLines:
    """Return the share of right answers for each confidence."""
    title = _("Right answers by how sure you were, in percent")
    answers = [ngettext("{n} answer", "{n} answers", each.answers) for each in found]
    sure = [_(CONFIDENCE[each.confidence]) for each in found]
    names = [" · ".join(each) for each in zip(sure, answers, strict=True)]
    said = Series(_("expected"), tuple(_percent(each.expected) for each in found))
    right = Series(_("right"), tuple(_percent(each.right) for each in found))
    return _bars(title, names, said, right)


def _percent(part: float) -> float:
    return float(round(100 * part))
