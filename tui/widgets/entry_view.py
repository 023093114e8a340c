"""An entry as it is read: question, answers, annotations, snippets, related entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from kb.model import Entry, Evidence, Snippet
from tui.commands import bindings
from tui.i18n import _
from tui.messages import OpenEntry
from tui.widgets.bidi_text import BidiText
from tui.widgets.blocks import Reading, annotation_blocks, answer_blocks, question_blocks
from tui.widgets.scrolling import ScrollingPane
from tui.widgets.snippet_view import Run, RunPanel, SnippetView


class EntryView(ScrollingPane):
    """The entry that is read, in one of its languages; a card keeps its answer back."""

    BINDINGS = bindings("reading")

    reading: reactive[Reading | None] = reactive[Reading | None](None, recompose=True)

    @dataclass
    class Appeared(Message):
        """There is room for the view now."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.runs: dict[str, Run] = {}

    def on_show(self) -> None:
        """Tell that there is room."""
        self.post_message(self.Appeared())

    def compose(self) -> ComposeResult:
        """Put the parts of the entry together."""
        if self.reading is None:
            yield BidiText(_("Choose an entry."), classes="hint")
            return
        if self.reading.beside:
            yield from islice(question_blocks(self.reading), 1)
            yield Horizontal(*map(Side, self.reading.sides), classes="sides")
        else:
            yield from question_blocks(self.reading)
        if self.reading.hidden:
            yield HiddenAnswer(_("The answer is hidden: press Space to see it."), classes="hint")
            return
        yield from self._answer(self.reading)

    def _answer(self, reading: Reading) -> Iterator[Widget]:
        if reading.beside:
            yield from annotation_blocks(reading)
        for role in reading.roles if not reading.beside else ():
            yield from answer_blocks(reading, role)
            if role == "source":
                yield from annotation_blocks(reading)
        for snippet in reading.entry.snippets:
            evidence = evidence_of(reading.entry, snippet)
            yield SnippetView(snippet, reading.lang, evidence, self.runs.get(snippet.id))
        if reading.entry.related:
            yield BidiText(_("Related"), classes="caption")
        for entry in reading.entry.related:
            yield RelatedLink(entry)

    def chosen_snippet(self) -> str | None:
        """Return the snippet that has the focus, or the main one of the entry."""
        if self.reading is None or self.reading.hidden:
            return None
        focused = self.screen.focused
        if isinstance(focused, SnippetView):
            return focused.snippet.id
        main = self.reading.entry.main_snippet()
        return main.id if main else None

    def step_note(self, step: int) -> None:
        """Go to an annotation so many further on, the first or the last if at none."""
        notes = list(self.query(".verdict"))
        if not notes:
            return
        at = next((n for n, note in enumerate(notes) if note.has_class("-current")), None)
        place = (at + step) % len(notes) if at is not None else (0 if step > 0 else -1)
        for note in notes:
            note.set_class(note is notes[place], "-current")
        # The words it speaks of stand above it, so it comes to the middle.
        self.scroll_to_center(notes[place], animate=False)

    def view_of(self, snippet: str) -> SnippetView | None:
        """Return the widget that shows a snippet."""
        return next((v for v in self.query(SnippetView) if v.snippet.id == snippet), None)

    async def follow(self, run: Run) -> None:
        """Show a new run under its snippet, and bring it into sight."""
        self.runs[run.snippet] = run
        view = self.view_of(run.snippet)
        if view is not None:
            await view.follow(run)
            self.call_after_refresh(self._to_output, view)

    def progress(self, run: Run) -> None:
        """Show what a run wrote, or how it ended."""
        view = self.view_of(run.snippet)
        for panel in view.query(RunPanel) if view else ():
            panel.follow()
            self.call_after_refresh(self._to_output, view)

    def _to_output(self, view: Widget | None) -> None:
        for panel in view.query(RunPanel) if view else ():
            panel.scroll_visible(animate=False)


class Side(Vertical):
    """A question and its answers in one language, beside the other."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(classes="side")
        self._reading = reading

    def compose(self) -> ComposeResult:
        """Put the texts of this language together."""
        yield from islice(question_blocks(self._reading), 1, None)  # what it is stands above
        for role in self._reading.roles if not self._reading.hidden else ():
            yield from answer_blocks(self._reading, role)


class HiddenAnswer(BidiText):
    """What stands in place of a card's answer; a click shows it."""

    async def on_click(self, event: events.Click) -> None:
        """Show the answer."""
        event.stop()
        await self.screen.run_action("reveal")


class RelatedLink(BidiText, can_focus=True):
    """The id of a related entry, by keys or mouse."""

    BINDINGS = bindings("link")

    def __init__(self, entry: str) -> None:
        super().__init__(f"→ {entry}", classes="related")
        self._entry = entry

    def on_click(self, event: events.Click) -> None:
        """Open the entry."""
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the entry."""
        self.post_message(OpenEntry(self._entry))


def evidence_of(entry: Entry, snippet: Snippet) -> Sequence[Evidence]:
    """Return the figures of this snippet that annotations of the entry rest on, once each."""
    found: Mapping[Evidence, None] = {
        evidence: None
        for annotation in entry.annotations
        for evidence in annotation.evidence
        if evidence.snippet == snippet.id
    }
    return tuple(found)
