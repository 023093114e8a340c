"""The forms for what a reader adds to an entry, and for a run with other values.

A note has words, verdict, text and evidence, a program its name and code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, TextArea

from kb.errors import UsageError
from kb.i18n import N_, _, number
from kb.i18n.names import language_name
from kb.model.entry import Annotation, Evidence, Snippet, TextSpan
from kb.model.values import NOTE
from kb.present.annotated import in_quotes
from kb.present.programs import parameters_of, with_values
from kb.terminal.bidi.direction import direction_of
from kb.terminal.numerals import figure
from tui import choices
from tui.choices import Choice
from tui.phrases import error_sentence, range_of, role_name
from tui.reading import Reading, Values
from tui.screens.commanding import FormScreen, SavingForm, Store
from tui.session import Session
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.scrolling import ScrollingForm
from tui.widgets.span_picker import SpanPicker, parts_of
from tui.widgets.text_area import BidiArea, PythonArea

_TOLERANCE = 1e-6
_PLAIN = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩٫٬", "01234567890123456789.,")
_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?")


@dataclass(frozen=True)
class NoteChoice:
    """The reader's note; ``words`` only if they were chosen again."""

    words: TextSpan | None
    verdict: str
    note: str
    evidence: tuple[Evidence, ...] = ()


class NoteScreen(SavingForm[NoteChoice]):
    """A form that returns a `NoteChoice` once it is stored, or nothing.

    A new note begins at ``at``; an existing one keeps its words. ``figures`` are values measured
    by the entry's programs, which can be evidence.
    """

    CSS_PATH = "note.tcss"
    PLACES = ("dialog", "note")

    def __init__(
        self,
        session: Session,
        store: Store[NoteChoice],
        reading: Reading,
        at: TextSpan | None,
        annotation: Annotation | None,
        figures: Values,
    ) -> None:
        super().__init__(session, store)
        self._reading = reading
        self._figures = figures
        self._at = at
        self._annotation = annotation

    def compose(self) -> ComposeResult:
        """Compose words, note and verdict."""
        with ScrollingForm(id="form"):
            yield BidiText(id="about", classes="caption")
            with ScrollingForm(id="passage"):
                if self._annotation is None:
                    parts = parts_of(self._reading.entry, self._reading.langs[0])
                    yield SpanPicker(parts, self._at, self._write, id="words")
                else:
                    target = self._annotation.target
                    direction = direction_of(target.lang)
                    quote = in_quotes(target.quote, target.lang)
                    yield BidiText(quote, direction=direction, formulas=True)
            yield BidiText(_("Your annotation"), classes="caption")
            yield BidiArea(id="note")
            with Horizontal(classes="line"):
                yield Chip("verdict", unset=N_("none, just a remark"), id="verdict")
            yield ProofLine(self._figures, self._annotation)
            yield BidiText(classes="hint")

    def on_mount(self) -> None:
        """Focus the words, or the note if they are chosen."""
        chip, area = self.query_one("#verdict", Chip), self.query_one(TextArea)
        if self._annotation is not None:
            verdict = self._annotation.verdict
            chip.value = None if verdict == NOTE else verdict
            area.load_text("\n\n".join(self._annotation.note.values()))
            area.move_cursor(area.document.end)
            self._say_which(self._annotation.target.role, self._annotation.target.lang)
        chip.offer([each for each in choices.verdicts() if each.value != NOTE])
        chosen = self._at is not None and self._at.end > self._at.start
        (area if chosen or self._annotation else self.query_one(SpanPicker)).focus()

    def _write(self, text: str) -> None:
        """Continue in the note with text typed at the words."""
        area = self.query_one(TextArea)
        self.set_focus(area)
        area.insert(text)

    @on(SpanPicker.Moved)
    def _moved(self, message: SpanPicker.Moved) -> None:
        self._say_which(message.passage.role, message.passage.lang)

    def on_descendant_focus(self) -> None:
        """Offer the numbers in the chosen words."""
        if self._annotation is None and not self.query_one(SpanPicker).has_focus:
            role, lang, start, end = self.query_one(SpanPicker).words
            self.query_one(ProofLine).speak_of(self._reading.entry.text(role, lang)[start:end])

    def _say_which(self, role: str, lang: str) -> None:
        """Show which text the words are in."""
        name = role_name(role, own=self._reading.own)
        named = _("Annotate: {text}", text=f"{name} ({language_name(lang)})")
        self.query_one("#about", BidiText).show(named)

    @on(TextArea.Changed)
    def _typed(self) -> None:
        """Show no error any more."""
        self.hint("")

    @property
    def written(self) -> tuple[str, str, tuple[Evidence, ...]]:
        """The note, its verdict and its evidence."""
        verdict = self.query_one("#verdict", Chip).value or NOTE
        return self.query_one(TextArea).text.strip(), verdict, self.query_one(ProofLine).evidence

    def action_save(self) -> None:
        """Return the note unless it is empty."""
        note, verdict, evidence = self.written
        if not note:
            self.warn(_("An annotation needs some words."))
            self.query_one(TextArea).focus()
            return
        words = self.query_one(SpanPicker).words if self._annotation is None else None
        self.save(NoteChoice(words, verdict, note, evidence))


class ProofLine(Horizontal):
    """Offers the figures of the last runs, and the numbers in the words as claimed values.

    Hidden if nothing was measured.
    """

    def __init__(self, figures: Values, annotation: Annotation | None) -> None:
        super().__init__(
            Chip("figure", unset=N_("none"), least=1, id="figure"),
            Chip("claimed", unset=N_("none"), least=1, free=True, id="claimed"),
            classes="line",
        )
        self._known = annotation.evidence if annotation is not None else ()
        self._figures = {**{(e.snippet, e.figure): e.expected for e in self._known}, **figures}
        self._words = ""

    def on_mount(self) -> None:
        """Offer the measured figures, with the note's current one selected."""
        self.display = bool(self._figures)
        proof, claimed = self.query_one("#figure", Chip), self.query_one("#claimed", Chip)
        proof.offer(
            [
                Choice(_named(*key), f"{key[1]} = {number(value)} ({key[0]})")
                for key, value in self._figures.items()
            ]
        )
        claimed.offer([Choice("0", "0")])
        if self._known:
            first = self._known[0]
            proof.take(_named(first.snippet, first.figure))
            if first.claimed is not None:
                claimed.take(figure(first.claimed).replace(",", ""))

    def speak_of(self, words: str) -> None:
        """Offer the numbers in the marked words; select a single one."""
        if words == self._words:
            return
        self._words = words
        numbers = numbers_in(words)
        claimed = self.query_one("#claimed", Chip)
        claimed.offer([Choice(each, each) for each in numbers] or [Choice("0", "0")])
        claimed.take(numbers[0] if len(numbers) == 1 else None)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The chosen figure; further evidence of the note stays."""
        chosen, said = (self.query_one(f"#{id}", Chip).value for id in ("figure", "claimed"))
        for key, value in self._figures.items():
            if _named(*key) == chosen:
                exact = 0.0 if float(value).is_integer() else _TOLERANCE
                return (Evidence(*key, value, number_of(said), exact), *self._known[1:])
        return ()


def _named(program: str, figure: str) -> str:
    return f"{program}: {figure}"


def numbers_in(words: str) -> Sequence[str]:
    """Return the numbers in words, in ASCII digits, without duplicates.

    >>> numbers_in("about 1,000,000 of ۲۵ steps, 25 in all")
    ['1000000', '25']
    """
    found = _NUMBER.findall(words.translate(_PLAIN))
    return list(dict.fromkeys(each.replace(",", "") for each in found))


def number_of(text: str | None) -> float | None:
    """Return the number that a text is, or nothing.

    >>> number_of("۱٫۵"), number_of("many")
    (1.5, None)
    """
    try:
        return float((text or "").translate(_PLAIN).replace(",", ""))
    except ValueError:
        return None


@dataclass(frozen=True)
class ProgramChoice:
    """The reader's program; an empty name is generated."""

    name: str
    code: str


class ProgramScreen(SavingForm[ProgramChoice]):
    """A form that returns a `ProgramChoice` once it is stored, or nothing."""

    PLACES = ("dialog", "program")

    def __init__(self, session: Session, store: Store[ProgramChoice]) -> None:
        title = _("A program of your own for this entry")
        hint = _("Print values as “name: value”. Ctrl+S saves the program, Esc closes.")
        name = BidiText(_("Name")), BidiInput(id="name", compact=True)
        super().__init__(
            session, store, title, hint, [*name, BidiText(_("Code")), PythonArea(id="code")]
        )

    def on_input_submitted(self) -> None:
        """Move to the code."""
        self.query_one(PythonArea).focus()

    @property
    def written(self) -> ProgramChoice:
        """The program."""
        name = self.query_one(Input).value.strip()
        return ProgramChoice(name, self.query_one(PythonArea).text)

    def action_save(self) -> None:
        """Return the program, if it is valid."""
        if self.written.code.strip():
            self.save(self.written)
        else:
            self.warn(_("A program needs some code."))


class RunningScreen(FormScreen[str | None]):
    """Returns the code of a program with the values that the reader typed, or nothing."""

    def __init__(self, snippet: Snippet, code: str) -> None:
        hint = _("Enter goes to the next field, then runs the program. Esc goes back.")
        fields: list[BidiText | BidiInput] = []
        for each in parameters_of(code):
            typed = BidiInput(f"{each.value}", id=each.name, compact=True)
            fields += BidiText(range_of(each)), typed
        super().__init__(_("Run {program} with", program=snippet.id), hint, fields)
        self._code = code

    def on_key(self, event: events.Key) -> None:
        """Go to the field above or below."""
        move = {"up": self.focus_previous, "down": self.focus_next}.get(event.key)
        if move is not None:
            event.stop()
            move()

    @on(Input.Changed)
    def _changed(self) -> None:
        """Take back what was said of the value before."""
        self.hint(self._hint)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        fields = list(self.query(Input))
        if event.input is not fields[-1]:
            self.focus_next()
            return
        code = self._code
        for field in fields:
            try:
                code = with_values(code, {str(field.id): field.value.strip()})
            except UsageError as error:
                field.focus()
                field.select_all()
                self.warn(error_sentence(error))
                return
        self.dismiss(code)
