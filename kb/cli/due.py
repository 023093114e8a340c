"""``kb due``: show what is due today."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, counted
from kb.i18n import _, of_language


@click.command("due")
@global_options
def command(invocation: Invocation) -> int:
    """Show what is due today, by collection.

    \b
      kb due

    Exit code 1 means that nothing is left today. The daily limits are settings.
    """
    with invocation.open() as library:
        due = library.study.due()
    left = due.reviews + due.new + sum(each.again for each in due.collections)
    if invocation.as_json:
        from kb.model.study import due_document

        write_json(due_document(due))
        return ExitCode.DONE if left else ExitCode.FINDINGS
    printer = Printer(invocation.color)
    for each in due.collections:
        facts = [
            counted(each.due, "{n} review", "{n} reviews") if each.due else None,
            counted(each.again, "{n} again", "{n} again") if each.again else None,
            counted(each.new, "{n} new", "{n} new") if each.new else None,
        ]
        told = printer.joined(_(fact) for fact in facts if fact)
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
