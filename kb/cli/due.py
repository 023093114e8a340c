"""``kb due`` and ``kb stats``: what is due, and how studying went."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import click

from kb.cli import documents
from kb.cli.options import Command, Invocation
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, counted
from kb.i18n import N_, _, digits, number, of_language
from kb.i18n.names import CONFIDENCE, due_in

if TYPE_CHECKING:
    from kb.model.study import Statistics

_WIDEST = 30
_WEEKS = 4


@click.command("due", cls=Command)
def due(invocation: Invocation) -> int:
    """Show what is due today, by collection.

    \b
      kb due

    Exit code 1 means that nothing is left today. The daily limits are settings.
    """
    with invocation.open() as library:
        due = library.study.due()
    left = due.reviews + due.new + sum(each.again for each in due.collections)
    if invocation.as_json:
        write_json(documents.due(due))
        return ExitCode.DONE if left else ExitCode.FINDINGS
    printer = Printer(invocation.color)
    for each in due.collections:
        told = printer.joined(due_in(each.due, each.again, each.new))
        if told:
            title = of_language(each.title)[1] or each.collection
            printer.line(f"{title}  {told}")
    reviews = counted(due.reviews, "{n} review", "{n} reviews")
    printer.say("today: {reviews} and {new} new", reviews=reviews, new=due.new)
    if due.overdue:
        printer.say("due before today: {n}", n=due.overdue)
    printer.say(
        "done today: {done}; due tomorrow: {tomorrow}", done=due.done, tomorrow=due.tomorrow
    )
    if due.suspended or due.leeches:
        printer.say(
            "not asked: {suspended} suspended, {leeches} forgotten too often",
            suspended=due.suspended,
            leeches=due.leeches,
        )
    return ExitCode.DONE if left else ExitCode.FINDINGS


@click.command("stats", cls=Command)
def stats(invocation: Invocation) -> None:
    """Show how studying went, and what is due in the next weeks.

    \b
      kb stats

    Retention counts exercises that came back after a day or more, in the last 30 days. The Brier
    score is the mean square between how sure you were and what was right. 0 is best.
    """
    with invocation.open() as library:
        found = library.study.statistics()
    if invocation.as_json:
        write_json(documents.statistics(found))
        return
    printer = Printer(invocation.color)
    reviews = counted(found.reviews, "{n} review", "{n} reviews")
    exercises = counted(found.cards, "{n} exercise", "{n} exercises")
    printer.say("{reviews}, {exercises}", reviews=reviews, exercises=exercises)
    if found.retention is not None:
        printer.say(
            "retention {retention}%, desired {desired}%",
            retention=round(100 * found.retention),
            desired=round(100 * found.desired),
        )
    _write_weeks(printer, found)
    _write_calibration(printer, found)


def _write_weeks(printer: Printer, found: Statistics) -> None:
    """Write a bar for each past and each coming week."""
    past = [
        sum(found.days.get(found.day - timedelta(days=7 * week + n), 0) for n in range(7))
        for week in range(_WEEKS)
    ]
    for heading, weeks in (
        (N_("studied in the last weeks"), past),
        (N_("due in the next weeks"), found.weeks),
    ):
        if any(weeks):
            printer.say(heading)
            most = max(weeks)
            for week, count in enumerate(weeks, 1):
                bar = "" if printer.plain else "█" * round(_WIDEST * count / most)
                printer.row(f"  {digits(str(week))}  {bar} {number(count)}")


def _write_calibration(printer: Printer, found: Statistics) -> None:
    if found.brier is None:
        return
    printer.say("Brier score {score}", score=round(found.brier, 3))
    for each in found.calibration:
        printer.say(
            "{level}: {right}% right of {answers}",
            level=_(CONFIDENCE[each.confidence]),
            right=round(100 * each.right),
            answers=each.answers,
            indent=2,
        )
