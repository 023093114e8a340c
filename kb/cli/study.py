"""``kb study``, ``due`` and ``stats``: a session in plain lines, what is due, and how it went.

A session is for terminals, screen readers and pipes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from kb.cli import documents, messages
from kb.cli.consenting import agreed
from kb.cli.options import Command, Invocation, collection_option, complete_id, plain_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Message, Untrusted, UsageError, counted
from kb.i18n import N_, _, digits, in_line, language, number, of_language
from kb.i18n.names import CONFIDENCE, STUDY_STATES, TOPICS, due_in, in_days, values_told
from kb.model.values import EXERCISES

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.study import Asked, Exercise, Fitted, Graded, Mode, Outcome, Statistics


_SURE = Message("Answer in your mind. How sure are you: 1 unsure, 2 fairly sure, 3 sure? [2]")
_HOW_SURE = Message("How sure are you: 1 unsure, 2 fairly sure, 3 sure? [2]")
_MEETS = {"1": 1.0, "2": 0.1, "3": 0.0}


@click.command("study", cls=Command)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_id)
@collection_option("Only entries of this collection and those below it.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(EXERCISES),
    help="Only exercises of this kind.",
)
@click.option(
    "--limit", "-n", metavar="N", type=click.IntRange(min=1), help="Ask at most N exercises."
)
@click.option("--add", is_flag=True, help="Study these entries, too. Notes need it.")
@click.option("--suspend", is_flag=True, help="Suspend these entries.")
@click.option("--resume", is_flag=True, help="Resume suspended entries.")
@click.option("--undo", is_flag=True, help="Undo the last rating.")
@click.option("--fit", is_flag=True, help="Fit the weights of the schedule to your log.")
@click.option("--cram", is_flag=True, help="Repeat studied exercises without rating them.")
@click.option("--preview", is_flag=True, help="Look at new exercises without rating them.")
@plain_option
def study(
    invocation: Invocation,
    ids: tuple[str, ...],
    collection: str | None,
    kinds: tuple[str, ...],
    limit: int | None,
    plain: bool,
    **flags: bool,
) -> int:
    """Study what is due: recall, find the fault, predict.

    \b
      kb study
      kb study -c systems-for-ml -n 10
      kb study --add notes/attention
      kb study --cram -c systems-for-ml

    Each answer is kept at once, so you can stop at any time. Type q to stop, u to undo, s to
    skip, h for a hint. What feels harder now lasts longer.
    """
    given = [name for name, wanted in flags.items() if wanted]
    if len(given) > 1:
        raise UsageError("use one of --add, --suspend, --resume, --undo, --fit, --cram, --preview")
    with invocation.open() as library:
        study = library.study
        changes = {"add": study.add, "suspend": study.suspend, "resume": study.resume}
        if given and given[0] in changes:
            return _told(invocation, changes[given[0]](library.read.full_ids(ids)))
        if ids:
            raise UsageError("name entries with --add, --suspend or --resume")
        if "fit" in given:
            return _fit(invocation, study.fit())
        if "undo" in given:
            undone = study.undo()
            return _told(invocation, undone[:1] if undone else ())
        mode: Mode = "cram" if flags["cram"] else "preview" if flags["preview"] else "study"
        session = _Session(invocation, library, mode, plain=plain)
        session.ask_all(collection or "", kinds, limit)
        session.end()
    return ExitCode.DONE if session.met else ExitCode.FINDINGS


def _told(invocation: Invocation, ids: Sequence[str]) -> int:
    if invocation.unless_json({"ids": list(ids)}):
        messages.notice("{entries}", entries=counted(len(ids)))
    return ExitCode.DONE if ids else ExitCode.FINDINGS


def _fit(invocation: Invocation, found: Fitted) -> int:
    """Store fitted weights in the settings, if they predict better than those of today."""
    better = found.after < found.before
    if better:
        from kb.settings import change_settings

        change_settings({"study_weights": list(found.weights)})
    if invocation.unless_json({**found._asdict(), "stored": better}):
        told = {"n": found.reviews, "before": found.before, "after": found.after}
        messages.notice("log loss of {n:,} reviews: {before:.4f} before, {after:.4f} after", **told)
    if better and not invocation.as_json:
        messages.notice("the new weights are stored in the settings as study_weights")
    return ExitCode.DONE if better else ExitCode.FINDINGS


class _Instead(Exception):
    """Raised with what the reader types instead of an answer: q to stop, u to undo, s to skip."""


_INSTEAD = {"q": "q", "quit": "q", "u": "u", "s": "s"}


class _Session:
    """Asks exercises until none is left or the reader stops.

    With ``--json``, questions go to stderr, and one document is written at the end.
    """

    def __init__(
        self, invocation: Invocation, library: Library, mode: Mode, *, plain: bool
    ) -> None:
        self._library = library
        self._study = library.study
        self._mode = mode
        self._json = invocation.as_json
        self._printer = Printer(invocation.color, plain=plain)
        self._skipped: list[tuple[str, str]] = []
        self.asked = 0
        self.met = False
        self.graded: list[Graded] = []

    def ask_all(self, collection: str, kinds: Sequence[str], limit: int | None) -> None:
        """Ask the exercises one by one."""
        while limit is None or self.asked < limit:
            asked = self._study.next(
                collection, lang=language(), kinds=kinds, mode=self._mode, skip=self._skipped
            )
            if asked is None:
                return
            self.met = True
            try:
                self._ask(asked)
            except _Instead as typed:
                if typed.args == ("q",):
                    return
                if typed.args == ("u",):
                    self._undo()
                else:
                    self._skipped.append((asked.exercise.entry, asked.exercise.key))

    def end(self) -> None:
        """Write a summary, and what is due tomorrow."""
        due = self._study.due()
        recalled = sum(each.rating > 1 for each in self.graded)
        if self._json:
            write_json(documents.session(self.graded, due))
            return
        if self.asked and self._mode == "study":
            answers = counted(len(self.graded), "{n} answer", "{n} answers")
            self._say(Message("{answers}, {recalled} recalled", answers=answers, recalled=recalled))
        elif not self.met:
            self._say(Message("nothing is due"))
        self._say(Message("due tomorrow: {n}", n=due.tomorrow))

    def _undo(self) -> None:
        if not self.graded:
            self._say(Message("there is nothing to undo"))
            return
        self._study.undo(self.graded.pop().id)
        self.asked -= 1
        self._say(Message("undone"))

    # One exercise.

    def _ask(self, asked: Asked) -> None:
        exercise, began, kind = asked.exercise, time.monotonic(), asked.exercise.kind
        self._exercise, self._hinted = exercise, False
        self._line()
        topic = _(TOPICS.get(exercise.topic, exercise.topic))
        state = _(STUDY_STATES[asked.state])
        self._line(self._printer.joined([state, exercise.entry, topic]))
        self._prose(exercise.question, exercise.lang)
        if exercise.answer_lang:
            self._say(Message("Answer in the other language."))
        if kind == "fault":
            self._say(Message("A passage of a source's answer:"))
        if exercise.passage:
            self._prose(exercise.passage, exercise.lang, indent=2)
        if told := values_told(exercise):
            self._line(told)
        typed = self._typed(exercise)
        sure = int(self._choose(_HOW_SURE if typed else _SURE, "123", "2"))
        took, hinted = round(1000 * (time.monotonic() - began)), self._hinted
        if kind in ("fault", "predict"):
            judged = self._fault if kind == "fault" else self._predicted
            outcome = judged(exercise, typed)._replace(hint=hinted)
            rating, why = self._study.rate(outcome, confidence=sure, took=took)
            self._say(Message("{why}: rated {rating}", why=why, rating=rating))
        else:
            outcome, rating = None, self._recalled(asked)
        self._keep(exercise, rating, confidence=sure, took=took, outcome=outcome)

    def _typed(self, exercise: Exercise) -> str:
        """Return what the reader says of a passage or figure, if the exercise asks that."""
        if exercise.kind == "fault":
            told = Message("Is it right? Type r if it is, or w and what is wrong.")
            return self._choose(told, "rw", more=True)
        while exercise.kind == "predict":
            typed = self._read(Message("What is [?]? Type a number or a range."))
            try:
                self._study.check_prediction(typed)
            except UsageError as error:
                self._say(error.message)
            else:
                return typed
        return ""

    def _recalled(self, asked: Asked) -> int:
        """Show the answer, and return the rating that the reader gives."""
        exercise, days = asked.exercise, asked.intervals
        self._prose(exercise.answer, exercise.answer_lang or exercise.lang)
        if self._mode != "study":
            return 0
        told = Message(
            "1 again, 2 hard ({hard}), 3 good ({good}), 4 easy ({easy})? [3]",
            hard=in_days(days[2]), good=in_days(days[3]), easy=in_days(days[4]),
        )  # fmt: skip
        return int(self._choose(told, "1234", "3"))

    def _fault(self, exercise: Exercise, typed: str) -> Outcome:
        wrong, given = typed[0] == "w", typed[1:].strip()
        outcome = self._study.find_fault(exercise.entry, exercise.key, wrong=wrong, given=given)
        if exercise.annotation is None:
            self._say(Message("It is right: {reason}", reason=exercise.reason))
            return outcome
        self._say(Message("It is {verdict}.", verdict=_(exercise.annotation.verdict)))
        self._prose(exercise.answer, exercise.lang, indent=2)
        if exercise.annotation.evidence:
            self._say(Message("Its proof: kb verify {id}", id=exercise.annotation.id))
        if wrong:
            told = Message("Does yours say the same: 1 no, 2 partly, 3 yes? [3]")
            outcome = outcome._replace(error=_MEETS[self._choose(told, "123", "3")])
        return outcome

    def _predicted(self, exercise: Exercise, typed: str) -> Outcome:
        """Return the outcome of a prediction; an untrusted program needs consent first."""
        predict = partial(self._study.predict, exercise.entry, exercise.key, typed)
        try:
            outcome = predict()
        except Untrusted:
            programs = self._library.programs.of_run(
                exercise.snippet.id if exercise.snippet else ""
            )
            yes = agreed(programs, trust=False)
            if not yes:
                raise _Instead("s") from None
            outcome = predict(yes=yes)
        if outcome.problem or outcome.measured is None:
            self._say(Message("{problem}: this was not counted", problem=outcome.problem))
            raise _Instead("s")
        self._say(Message("The program measures {figure}.", figure=number(outcome.measured)))
        self._prose(exercise.answer, exercise.lang, indent=2)
        return outcome

    def _keep(self, exercise: Exercise, rating: int, **answer: Any) -> None:
        self.asked += 1
        if self._mode != "study":
            self._skipped.append((exercise.entry, exercise.key))
            return
        graded = self._study.grade(exercise.entry, exercise.key, rating, **answer)
        self.graded.append(graded)
        self._say(Message("comes back {when}", when=in_days(graded.interval)))
        if graded.leech:
            self._say(Message("forgotten too often: suspended until 'kb study --resume'"))

    # What is asked and said, a line at a time.

    def _choose(
        self, told: Message, allowed: str, otherwise: str = "", *, more: bool = False
    ) -> str:
        """Return a key of those ``allowed``, or the usual one; ``more`` may follow it."""
        while True:
            typed = self._read(told) or otherwise
            key = typed[:1].casefold()
            if key and key in allowed and (more or len(typed) == 1):
                return key + typed[1:]
            self._say(Message("Type one of {known}.", known=", ".join(allowed)))

    def _read(self, told: Message) -> str:
        while True:
            self._say(told)
            line = sys.stdin.readline()
            typed = line.strip()
            if not line or typed in _INSTEAD:
                raise _Instead(_INSTEAD.get(typed, "q"))
            if typed != "h":
                return typed
            self._hinted = True
            exercise = self._exercise
            self._say(self._study.hint(exercise.entry, exercise.key, lang=exercise.lang))

    def _say(self, sentence: str) -> None:
        self._line(in_line(sentence))

    def _line(self, text: str = "") -> None:
        if self._json:
            messages.show([text])
        else:
            self._printer.line(text)

    def _prose(self, text: str, lang: str, indent: int = 0) -> None:
        if self._json:
            messages.show(text.split("\n"))
            return
        from kb.cli.show import write_prose

        write_prose(self._printer, text, lang, indent=indent)


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
    left = due.reviews + due.new
    printer = invocation.unless_json(documents.due(due))
    if printer is None:
        return ExitCode.DONE if left else ExitCode.FINDINGS
    for each in due.collections:
        told = printer.joined(due_in(each.due + each.again, each.new))
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
    printer = invocation.unless_json(documents.statistics(found))
    if printer is None:
        return
    reviews = counted(found.reviews, "{n} review", "{n} reviews")
    exercises = counted(found.cards, "{n} exercise", "{n} exercises")
    printer.say("{reviews} of {exercises}", reviews=reviews, exercises=exercises)
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
