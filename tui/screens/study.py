"""Studying: due collections, one exercise at a time, and a summary.

Each rating is kept at once, so the reader can stop anywhere. The program of a prediction runs
while the reader thinks, if it is trusted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import ClassVar, Literal, TypeVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.worker import WorkerFailed

from kb.errors import NotFound, UsageError
from kb.i18n import N_, _, digits, language, ngettext, number, of_language
from kb.i18n.names import CONFIDENCE, STUDY_STATES, TOPICS, due_in, in_days, values_told
from kb.model.entry import Entry, Snippet
from kb.model.study import AGAIN, FAIRLY_SURE, GOOD, Asked, Due, DueIn, Graded, Outcome
from kb.present.claims import claims_of, proof_of
from kb.present.titles import named
from tui.bidi import StyledSpan
from tui.choices import Choice
from tui.commands import Place, Situation, bindings
from tui.messages import RunSnippet
from tui.panes.snippets import Runner
from tui.phrases import verdict_of
from tui.screens.commanding import CommandingModal, takes_letters
from tui.session import Session
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import ActionText, BidiText
from tui.widgets.blocks import prose_blocks
from tui.widgets.figures import EvidenceTable
from tui.widgets.pick_list import ChoiceList
from tui.widgets.scrolling import ScrollingPane, bring
from tui.widgets.snippet_view import RunPanel, SnippetRun

T = TypeVar("T")

Phase = Literal[
    "", "due", "typing", "passage", "sure", "waiting", "compare", "rate", "rated", "ended"
]  # fmt: skip
"""What the reader is to do; while something is looked for or kept, nothing."""

KINDS = {
    "recall": N_("recall"),
    "cloze": N_("fill the gap"),
    "fault": N_("find the fault"),
    "predict": N_("predict, then run"),
}
_RATINGS = (N_("Again"), N_("Hard"), N_("Good"), N_("Easy"))
_MEETS = (N_("no"), N_("partly"), N_("yes"))
_ERRORS = (1.0, 0.1, 0.0)
"""The errors of a correction that says something else, partly the same, or the same."""

_MOST_ANSWERS = 4

_ANSWERING = ("typing", "passage", "sure")
_ASKED = (*_ANSWERING, "compare", "rate", "rated")
_USUAL = {"sure": FAIRLY_SURE, "compare": len(_MEETS), "rate": GOOD}
"""The answer that Enter or Space gives, by phase."""

_TITLE = 70


class Page(ScrollingPane):
    """The question, the answer and the program of an exercise."""

    PLACES = ()


class Lines(ChoiceList):
    """The due collections, or the rated exercises."""

    PLACES: ClassVar[tuple[Place, ...]] = ("pick", "due")
    BINDINGS = bindings("pick")

    def on_resize(self) -> None:
        """Lay out the lines for the new width."""
        self.offer(self.choices, max(1, self.content_size.width), self.highlighted)

    action_open = OptionList.action_select
    action_down = OptionList.action_cursor_down
    action_up = OptionList.action_cursor_up


class Numbers(Horizontal):
    """The answers for number keys, each with its number; the usual one is marked."""

    def compose(self) -> ComposeResult:
        """Compose as many as there can be."""
        for n in range(1, _MOST_ANSWERS + 1):
            yield ActionText(action=f"number({n})")

    def show(self, answers: Sequence[str], usual: int) -> None:
        """Show other answers."""
        key = [StyledSpan(0, 1, "$key bold")]
        for n, each in enumerate(self.query(ActionText)):
            each.display = n < len(answers)
            each.set_class(n + 1 == usual, "-usual")
            if each.display:
                each.show(f"{digits(str(n + 1))} {answers[n]}", key)
        self.display = bool(answers)


class StudyScreen(CommandingModal[None]):
    """Shows what is due, asks it, and ends with a summary."""

    CSS_PATH = "study.tcss"
    PLACES = ("dialog", "study")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._study = session.library.study
        self._phase: Phase = ""
        self._shown: Phase = ""
        """The phase on the screen, which holds again after an error."""
        self._collection = ""
        self._due: Due | None = None
        self._asked: Asked | None = None
        self._entry: Entry | None = None
        self._skipped: list[tuple[str, str]] = []
        self._answers: list[tuple[Asked, Graded]] = []
        """The rated exercises."""
        self._new = 0
        """The number of new exercises that are left today of what is studied."""
        self._outcome: Outcome | None = None
        self._runner = Runner(session, self._begun, self._progress)
        self._forget()

    def _forget(self) -> None:
        """Stop a program that runs, and clear the answers to the previous exercise."""
        self._runner.stop()
        self._runner.run = self._outcome = None
        self._began, self._took = time.monotonic(), 0
        self._sure = 0
        self._wrong: bool | None = None
        self._given = self._said = self._hint = ""

    on_unmount = _forget

    def compose(self) -> ComposeResult:
        """Compose the heading, the exercise and the possible answers."""
        with Vertical(id="study"):
            yield BidiText(_("Study"), classes="title")
            yield Page(id="page")
            yield Lines(markup=False, compact=True)
            yield BidiText(classes="hint")
            yield BidiText(classes="ask")
            yield BidiInput(id="typed", compact=True)
            yield Numbers()

    def on_mount(self) -> None:
        """Load the due exercises."""
        self._overview()

    @property
    def situation(self) -> Situation:
        """The state for commands."""
        typing = takes_letters(self.focused)
        return Situation(
            typing=typing,
            studying=True,
            entry=self._phase in _ASKED,
            asked=self._phase == "passage",
            hidden_answer=self._phase == "sure",
            choices=len(self._choices),
            rated=bool(self._answers and self._phase),
            running=self._runner.running,
            runnable=self._program is not None,
        )

    @property
    def here(self) -> tuple[Place, ...]:
        """The places for the bar: at the end there is nothing to choose."""
        return self.PLACES if self._phase == "ended" else super().here

    # What is shown.

    @property
    def _revealed(self) -> bool:
        return self._phase in ("compare", "rate", "rated")

    @property
    def _choices(self) -> Sequence[str]:
        """The current answers for number keys."""
        if self._phase == "sure":
            return [_(each) for each in CONFIDENCE.values()]
        if self._phase == "compare":
            return [_(each) for each in _MEETS]
        if self._phase == "rate" and self._asked is not None:
            days = self._asked.intervals
            named = {n: ngettext("{n} day", "{n} days", n) for n in days.values()} | {0: _("today")}
            return [f"{_(e)} · {named[days[n]]}" for n, e in enumerate(_RATINGS, AGAIN)]
        return ()

    async def _show(self, phase: Phase) -> None:
        """Show a phase of the session."""
        self._phase = self._shown = phase
        page, lines, typed = self.query_one(Page), self.query_one(Lines), self.query_one(Input)
        goals: list[Widget] = []
        async with self.batch():
            await page.remove_children()
            await page.mount_all(self._parts())
            if self._revealed and self._asked is not None:
                shown = list(self._answer(self._asked, self._entry))
                # The answer begins in sight, with as much of it as there is room for.
                goals = shown[-1:] if self._runner.running else [shown[-1], shown[0]]
                await page.mount_all(shown)
            lines.display = phase in ("due", "ended")
            typed.display = phase == "typing"
            self.query_one(Numbers).show(self._choices, _USUAL.get(phase, 0))
            self.query_one(".ask", BidiText).show(self._ask())
            self.hint(self._hint if phase in _ANSWERING else "")
        if lines.display:
            lines.offer(self._lines(), max(1, lines.content_size.width))
        (lines if lines.display else typed if typed.display else page).focus()
        page.scroll_home(animate=False, immediate=True)  # before the answer is brought
        for goal in goals:
            self.call_after_refresh(bring, page, goal)
            # On a busy machine the first refresh may still have the old layout.
            self.call_after_refresh(self.call_after_refresh, bring, page, goal)
        self.refresh_bindings()
        self.set_class(lines.display, "-listing")

    def _parts(self) -> Iterator[Widget]:
        if self._phase in ("due", "ended"):
            yield from self._told()
        elif self._asked is not None:
            exercise = self._asked.exercise
            facts = [_(STUDY_STATES[self._asked.state]), _(KINDS[exercise.kind])]
            if exercise.topic:
                facts.append(_(TOPICS.get(exercise.topic, exercise.topic)))
            if left := _(", ").join(due_in(self._asked.left, self._new)):
                facts.append(_("left today: {exercises}", exercises=left))
            yield BidiText(" · ".join(facts), classes="facts")
            yield from prose_blocks(exercise.question, exercise.lang, "question")
            if exercise.answer_lang:
                yield BidiText(_("Answer in the other language."), classes="caption")
            if exercise.kind == "fault":
                yield BidiText(_("A passage of a source's answer:"), classes="caption")
            if exercise.passage:
                yield from prose_blocks(exercise.passage, exercise.lang, "passage")
            if told := values_told(exercise):
                yield BidiText(told, classes="caption")

    def _ask(self) -> str:
        """Return the instruction to the reader."""
        kind = self._asked.exercise.kind if self._asked is not None else ""
        sure = _("How sure are you? Space says “fairly sure”.")
        if kind not in ("fault", "predict"):
            sure = _("Answer in your mind. How sure are you? Space says “fairly sure”.")
        return {
            "typing": _("What is wrong there? Enter goes on, also without words.")
            if kind == "fault"
            else _("What is [?]? Type a number or a range."),
            "passage": _("Is it right? Press y, or n if something is wrong."),
            "sure": " ".join(filter(None, [self._answered(), sure])),
            "compare": _("Does yours say the same? Enter says “yes”."),
            "rate": _("How well did you know it? Enter says “Good”."),
            "rated": self._said,
            "waiting": _("The program is running…"),
        }.get(self._phase, "")

    def _answered(self) -> str:
        """Return the reader's answer in words."""
        if self._wrong is not None:
            return _("You say that it is wrong.") if self._wrong else _("You say that it is right.")
        return _("You say {given}.").format(given=self._given) if self._given else ""

    def _answer(self, asked: Asked, entry: Entry | None) -> Iterator[Widget]:
        """Yield the widgets to show after the reader's answer."""
        exercise, outcome = asked.exercise, self._outcome
        if exercise.kind == "fault" and exercise.annotation is None:
            yield BidiText(_("It is right."), classes="caption")
            yield from prose_blocks(exercise.reason, exercise.lang, "answer")
        elif exercise.kind == "fault" and exercise.annotation is not None:
            verdict = verdict_of(exercise.annotation.verdict)
            yield BidiText(f"{verdict.sign} {_(verdict.name)}", classes="caption")
            yield from prose_blocks(exercise.answer, exercise.lang, "answer")
            if exercise.annotation.evidence:
                yield EvidenceTable(exercise.annotation, {})
            if self._wrong and self._given:
                yield BidiText(_("Yours"), classes="caption")
                yield BidiText(self._given, direction="auto", classes="answer")
        else:
            said = _("Answer")
            if outcome is not None and outcome.measured is not None:
                figure = number(outcome.measured)
                said = _("The program measures {figure}.", figure=figure)
            yield BidiText(said, classes="caption")
            lang = exercise.answer_lang or exercise.lang
            yield from prose_blocks(exercise.answer, lang, "answer")
        snippet = self._snippet
        if self._runner.run is not None and snippet is not None and entry is not None:
            claims = claims_of(entry, snippet, [exercise.lang])
            yield RunPanel(self._runner.run, () if exercise.values else claims, whole=True)

    def _told(self) -> Iterator[BidiText]:
        """Yield the totals: due exercises, or the summary."""
        due = self._due
        if due is None:
            return
        if self._phase == "ended" and self._answers:
            recalled = sum(graded.rating > AGAIN for _asked, graded in self._answers)
            answers = ngettext("{n} answer", "{n} answers", len(self._answers))
            said = _("{answers}, {recalled} recalled", answers=answers, recalled=recalled)
            yield BidiText(said, classes="caption")
        elif not self._collections:
            yield BidiText(_("Nothing is due."), classes="caption")
        reviews = ngettext("{n} review", "{n} reviews", due.reviews)
        yield BidiText(_("today: {reviews} and {new} new", reviews=reviews, new=due.new))
        if due.overdue:
            yield BidiText(_("due before today: {n}", n=due.overdue))
        done = _(
            "done today: {done}; due tomorrow: {tomorrow}", done=due.done, tomorrow=due.tomorrow
        )
        yield BidiText(done)

    @property
    def _collections(self) -> Sequence[DueIn]:
        told = self._due.collections if self._due is not None else ()
        return [each for each in told if each.due or each.again or each.new]

    def _lines(self) -> list[Choice]:
        """Return the due collections, or the rated exercises with their intervals."""
        if self._phase == "ended":
            return [
                Choice(
                    graded.entry,
                    named(asked.exercise.question, _TITLE),
                    note=in_days(graded.interval),
                    sign="✓" if graded.rating > AGAIN else "✗",
                )
                for asked, graded in self._answers
            ]
        found = [
            Choice(
                each.collection,
                of_language(each.title)[1] or each.collection,
                note=" · ".join(due_in(each.due + each.again, each.new)),
            )
            for each in self._collections
        ]
        if self._due is None or not found:
            return found
        every = sum(each.new for each in self._collections)
        within_limits = " · ".join(due_in(self._due.reviews, self._due.new, every))
        return [Choice("", _("All collections"), note=within_limits), *found]

    # What is asked.

    async def _look(self, find: Callable[[], T], group: str = "study") -> T | None:
        """Run work while keys are ignored; an error changes nothing."""
        self._phase = ""
        try:
            return await self._session.run(find, group)
        except WorkerFailed:
            self._phase = self._shown
            return None

    @work(exit_on_error=False)
    async def _overview(self, phase: Phase = "due") -> None:
        self._forget()
        self._due = await self._look(self._study.due)
        await self._show(phase)

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        if self._phase == "due":
            self._collection = chosen = self.query_one(Lines).chosen or ""
            within = f"{chosen}/" if chosen else ""
            there = (e.new for e in self._collections if f"{e.collection}/".startswith(within))
            self._new = min(sum(there), self._due.new if self._due is not None else 0)
            self._next()
        elif self._phase == "ended":
            self._overview()

    @work(exit_on_error=False)
    async def _next(self, rating: int = 0) -> None:
        """Store the rating of this exercise, and ask the next one, or end."""
        if rating and await self._rate(rating) is None:
            return

        def find() -> tuple[Asked, Entry] | tuple[()]:
            asked = self._study.next(self._collection, lang=language(), skip=tuple(self._skipped))
            return (asked, self._session.library.show(asked.exercise.entry)) if asked else ()

        found = await self._look(find)
        if found:
            await self._put(*found)
        elif found is not None:
            self._overview("ended")

    async def _rate(self, rating: int) -> Graded | None:
        """Store the rating of this exercise; return nothing after an error."""
        asked = self._asked
        if asked is None:
            return None
        grade = partial(self._study.grade, asked.exercise.entry, asked.exercise.key, rating)
        told = partial(grade, confidence=self._sure, took=self._took, outcome=self._outcome)
        graded = await self._look(told, "change")
        if graded is not None:
            self._answers.append((asked, graded))
            self._new -= asked.state == "new"
            if graded.leech:
                self._session.say(_("Forgotten too often: suspended until you resume it."))
        return graded

    async def _put(self, asked: Asked, entry: Entry) -> None:
        """Ask an exercise."""
        self._forget()
        self._asked, self._entry = asked, entry
        self.query_one(Input).value = ""
        kind = asked.exercise.kind
        if kind == "predict":
            unasked = self._run_program(asking=False)  # not if it needs consent
            self.run_worker(unasked, exit_on_error=False)
        await self._show(
            "typing" if kind == "predict" else "passage" if kind == "fault" else "sure"
        )

    # What the reader answers.

    def on_key(self, event: events.Key) -> None:
        """Accept numbers in either script, and Space for the usual answer."""
        if takes_letters(self.focused):
            return
        pressed = event.character or ""
        if pressed.isdecimal() and self._choices:
            event.stop()
            if 0 < int(pressed) <= len(self._choices):
                self.action_number(int(pressed))
        elif event.key == "space" and self._revealed:
            event.stop()
            self.action_open()

    def action_number(self, given: int) -> None:
        """Give the confidence, the match of a correction with ours, or the rating."""
        phase, self._phase = self._phase, ""  # what is pressed twice is answered once
        if phase == "sure":
            self._sure, self._took = given, round(1000 * (time.monotonic() - self._began))
            self._reveal()
        elif phase == "compare" and self._outcome is not None:
            self._outcome = self._outcome._replace(error=_ERRORS[given - 1])
            self._keep()
        elif phase == "rate":
            self._next(given)
        else:
            self._phase = phase

    def action_reveal(self) -> None:
        """Show the answer to a reader who is fairly sure."""
        self.action_number(FAIRLY_SURE)

    def action_open(self) -> None:
        """Continue with the most frequent answer."""
        if self._phase == "rated":
            self._next()
        elif self._phase == "typing":
            self.call_later(self.query_one(Input).action_submit)
        else:
            self.action_number(_USUAL.get(self._phase, 0))

    action_rate = action_open

    def action_agree(self) -> None:
        """Call a passage right."""
        self._wrong = False
        self.call_later(self._show, "sure")

    def action_refuse(self) -> None:
        """Call a passage wrong, and ask why."""
        self._wrong = True
        self.call_later(self._show, "typing")

    @on(Input.Submitted)
    async def _typed(self, event: Input.Submitted) -> None:
        """Accept a prediction (a number or a range), or a correction."""
        event.stop()
        typed = event.value.strip()
        if self._wrong is None:
            try:
                self._study.check_prediction(typed)
            except UsageError as error:
                self.warn(_(error.message))
                self.query_one(Input).select_all()
                return
        self._given = typed
        await self._show("sure")

    @work(exit_on_error=False)
    async def action_hint(self) -> None:
        """Show a hint."""
        if self._asked is None:
            return
        of = self._asked.exercise
        found = await self._look(lambda: self._study.hint(of.entry, of.key, lang=of.lang))
        self._phase = self._shown
        if found:
            self._hint = _(found)
            self.hint(self._hint)

    @work(exit_on_error=False)
    async def _reveal(self) -> None:
        """Show the answer, and judge a fault or prediction."""
        asked, run = self._asked, self._runner.run
        if asked is None:
            return
        kind, named = asked.exercise.kind, (asked.exercise.entry, asked.exercise.key)
        given, wrong, hint = self._given, bool(self._wrong), bool(self._hint)
        if kind not in ("predict", "fault"):
            await self._show("rate")
            return
        if kind == "fault":
            judge = partial(self._study.find_fault, *named, wrong=wrong, given=given)
        elif run is not None and run.outcome is not None:
            judge = partial(self._study.predict, *named, given, hint=hint, ran=run.outcome)
        else:
            await self._show("waiting")  # for its program, which may need consent
            await self._run_program()
            return
        outcome = await self._look(judge)
        self._outcome = outcome and outcome._replace(hint=hint)
        if outcome is not None and outcome.problem:
            await self._skip(_(outcome.problem))
        elif outcome is not None and outcome.right and not outcome.sound:
            await self._show("compare")
        elif outcome is not None:
            self._keep()

    async def _skip(self, why: str) -> None:
        """Skip an exercise that cannot be judged; it comes back another day."""
        assert self._asked is not None
        self._skipped.append((self._asked.exercise.entry, self._asked.exercise.key))
        self._outcome = None
        self._said = _("{problem}: this was not counted", problem=why.rstrip("."))
        await self._show("rated")

    @work(exit_on_error=False)
    async def _keep(self) -> None:
        """Rate an outcome by the rule, store the rating, and show the reason."""
        if self._outcome is None:
            return
        rating, why = self._study.rate(self._outcome, confidence=self._sure, took=self._took)
        graded = await self._rate(rating)
        if graded is None:
            return
        said = _("{why}: rated {rating}", why=why, rating=rating)
        self._said = f"{said} · {in_days(graded.interval)}"
        await self._show("rated")

    @work(exit_on_error=False)
    async def action_undo(self) -> None:
        """Undo the last rating of this session, and ask that exercise again."""
        if not self._answers:
            return
        before, last = self._answers[-1]

        def undo() -> tuple[Asked, Entry]:
            self._study.undo(last.id)
            asked = self._study.exercise(last.entry, last.exercise, lang=language())
            again = before._replace(exercise=asked.exercise)
            return again, self._session.library.show(last.entry)

        found = await self._look(undo, "change")
        if found is not None:
            self._answers.pop()
            self._new += before.state == "new"
            await self._put(*found)
            self.hint(_("Undone: answer again."))

    @work(exit_on_error=False)
    async def action_edit(self) -> None:
        """Edit the entry, and return to the exercise."""
        from tui.panes.writing import form_of
        from tui.screens.writing import WritingScreen

        asked, phase, library = self._asked, self._phase, self._session.library
        if asked is None:
            return
        id, key = asked.exercise.entry, asked.exercise.key
        ready = await self._session.run(lambda: form_of(library, id), "study")
        await self.app.push_screen_wait(WritingScreen(self._session, ready))

        def again() -> tuple[Asked, Entry] | None:
            try:
                return self._study.exercise(id, key, lang=language()), library.show(id)
            except NotFound:
                return None

        found = await self._session.run(again, "study")
        if found is None:
            self._next()
            return
        self._asked, self._entry = asked._replace(exercise=found[0].exercise), found[1]
        await self._show(phase)

    def action_back(self) -> None:
        """Stop and show the summary, or leave."""
        if self._answers and self._phase in (*_ASKED, "waiting"):
            self._overview("ended")
        elif self._phase or not self._answers:
            self.dismiss(None)

    # Programs.

    @property
    def _snippet(self) -> Snippet | None:
        """The program of this exercise: that of its figure or proof, or the entry's main one."""
        if self._asked is None or self._entry is None:
            return None
        exercise, programs = self._asked.exercise, self._entry.snippets
        if exercise.annotation is not None:
            return exercise.snippet or proof_of(self._entry, exercise.annotation.id)
        return next((each for each in programs if each.main), next(iter(programs), None))

    @property
    def _program(self) -> Snippet | None:
        """The program that can run now: before the answer only that of a prediction."""
        early = self._asked is not None and self._asked.exercise.kind == "predict"
        ready = self._revealed or (early and self._phase in _ANSWERING and self._runner.run is None)
        return self._snippet if ready else None

    @work(exit_on_error=False)
    async def action_run_snippet(self) -> None:
        """Run the program of this exercise, after consent if it is untrusted."""
        await self._run_program()

    async def _run_program(self, *, asking: bool = True) -> None:
        """Run the program of this exercise, and show the answer if it waits for it."""
        snippet, asked = self._snippet, self._asked
        if snippet is None or asked is None or self._runner.running:
            return
        run = self._runner.ask if asking else self._runner.start
        program = RunSnippet(snippet.id, asked.exercise.code, based_on=snippet.code)
        await run(asked.exercise.entry, program)
        ended = self._runner.run
        if ended is None or ended.running or self._revealed:
            return
        if ended.outcome is None:
            self._runner.run = None  # the reader is asked once the answer needs it
        if self._phase == "waiting" and ended.outcome is None:
            await self._skip(ended.refusal)
        elif self._phase == "waiting":
            self._reveal()

    async def _begun(self, run: SnippetRun) -> None:
        if self._revealed:
            await self._show(self._phase)
        self.refresh_bindings()

    def _progress(self, run: SnippetRun) -> None:
        for panel in self.query(RunPanel):
            if panel.run is run:
                panel.follow()
        if not run.running:
            self.refresh_bindings()

    @work(exit_on_error=False)
    async def action_statistics(self) -> None:
        """Show the statistics."""
        from tui.screens.statistics import StatisticsScreen

        found = await self._session.run(self._study.statistics, "study")
        self.app.push_screen(StatisticsScreen(found))
