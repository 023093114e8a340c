"""An entry for reading: its layers, then its links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from kb.i18n import _, ngettext, of_language
from kb.present.claims import claims_of, proof_of
from tui.messages import DraftChanged, ShowPart
from tui.reading import Reading, Values
from tui.widgets.bidi_text import ActionText, BidiText
from tui.widgets.blocks import addresses, annotation_blocks, facts_block, heading, row_blocks
from tui.widgets.figures import EvidenceTable, FigureTable
from tui.widgets.links import Fold, LinkLine, RelatedLink, RemarkLine
from tui.widgets.scroll_places import (
    FirstMatch,
    Landmark,
    Landmarks,
    NoteWalk,
    RunFollower,
    go_to,
    go_to_match,
    landmarks,
)
from tui.widgets.scrolling import ScrollingPane, bring, line_of, most_in_sight, rows_in_sight
from tui.widgets.snippet_view import RunPanel, SnippetRun, SnippetView
from tui.widgets.text_block import AnnotationHead, CodeBlock, TextBlock

if TYPE_CHECKING:
    from kb.model.entry import Annotation, Media, Snippet, TextSpan
    from kb.present.layers import Part


class EntryView(ScrollingPane):
    """The entry being read, in one or two languages; a card's answer is hidden first."""

    PLACES = ()  # the screen says where it is read

    reading: reactive[Reading | None] = reactive[Reading | None](None, recompose=True)

    class Appeared(Message):
        """The view now has space."""

    class Turned(Message):
        """The display state, or the current note, has changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.runs: dict[str, SnippetRun] = {}
        self.drafts: dict[str, str] = {}
        self._kept: dict[str, tuple[dict[str, SnippetRun], dict[str, str]]] = {}
        """The runs and the reader's changed programs by entry, kept for a later return."""
        self._walk = NoteWalk(self, lambda: self.post_message(self.Turned()))
        self._goal: str | Landmarks | FirstMatch | None = None
        self.follower = RunFollower(self)

    def show(self, reading: Reading, goal: str | FirstMatch | Landmarks | None = None) -> None:
        """Show an entry from its start, or the same one at the current position.

        ``goal`` is the annotation, program or match to go to.
        """
        if self.reading is None or self.reading.entry.id != reading.entry.id:
            self.runs, self.drafts = self._kept.setdefault(reading.entry.id, ({}, {}))
            for program in self.runs:
                reading = reading.with_part(program)
            self._walk.current = None
            self.scroll_home(animate=False)
        elif goal is None and not self.follower.follows:
            goal = self._goal or landmarks(self, self._walk.current) or None
        self._goal = goal
        self.reading = replace(reading, figures=self.figures)

    def turn(self, reading: Reading) -> None:
        """Change the display state at the current position."""
        if self._goal is None and reading != self.reading:
            self._goal = landmarks(self, self._walk.current) or None
        self.reading = reading

    def watch_virtual_size(self) -> None:
        """Keep the result of a run visible."""
        self.follower.shifted()

    async def recompose(self) -> None:
        """Rebuild the parts, go to the wanted position, and report the display state."""
        reading, follows = self.reading, self.follower.follows
        held = self.screen.focused
        await super().recompose()
        held_part = held.name if isinstance(held, Fold | SnippetView) else None
        for part in self.query("Fold, SnippetView"):
            if part.name == held_part:
                part.focus(scroll_visible=False)
        self._walk.light()
        if follows and self._goal is None:
            self.follower.again()
        if self._goal is not None:
            self.call_after_refresh(self._arrive, self._goal, reading)
        self.post_message(self.Turned())

    def on_resize(self) -> None:
        """Stay at the current annotation though lines break elsewhere."""
        if (note := self.current_annotation) is not None:
            self.call_after_refresh(self._walk.go, note.id)

    def on_show(self) -> None:
        """Report that there is space."""
        self.post_message(self.Appeared())

    def compose(self) -> ComposeResult:
        """Compose the parts of the entry."""
        reading = self.reading
        if reading is None:
            yield BidiText(_("Choose an entry."), classes="hint")
            return
        yield facts_block(reading)
        for part in reading.parts:
            above = heading(reading, part)
            if above is not None and (part.fold == part.key or reading.shows(part)):
                yield above
            if reading.shows(part):
                yield from self._part(reading, part)
        if reading.hidden:
            said = _("The answer is hidden: press Space to see it.")
            yield ActionText(said, action="do('reveal')", classes="hint")
        else:
            yield from self._links(reading)

    def _part(self, reading: Reading, part: Part) -> Iterator[Widget]:
        for row in part.rows:
            yield from row_blocks(reading, row)
        yield from (EvidenceTable(each, reading.figures) for each in part.claims)
        if part.key in ("source", "notes"):
            yield from annotation_blocks(reading)
        elif part.key == "programs":
            yield from map(self._program, reading.programs)
        else:
            yield from map(RemarkLine, part.remarks)

    def _program(self, snippet: Snippet) -> SnippetView:
        assert self.reading is not None
        claims = claims_of(self.reading.entry, snippet, self.reading.langs)
        view = SnippetView(snippet, self.reading.wanted, claims, self.runs.get(snippet.id))
        view.draft = self.drafts.get(snippet.id)
        view.unfolded = view.fold in self.reading.opened
        return view

    def _links(self, reading: Reading) -> Iterator[Widget]:
        links = addresses(reading)
        if links:
            yield BidiText(_("Links"), classes="caption")
            yield from map(LinkLine, links)
        related = reading.entry.links
        linked = [each for each in reading.backlinks if each not in related]
        similar = [each for each in reading.similar if each not in linked]
        named = (("", related), (_("Linked from"), linked), (_("Similar"), similar))
        count = sum(len(entries) for _caption, entries in named)
        shown = "related" in reading.opened
        if count:
            told = ngettext("{n} related entry", "{n} related entries", count)
            yield Fold("related", told, shown=shown, classes="caption fold")
        for caption, entries in named if shown else ():
            if entries and caption:
                yield BidiText(caption, classes="caption")
            for each in entries:
                yield RelatedLink(each, *of_language(reading.asked.get(each, {}), reading.wanted))

    def chosen_snippet(self) -> Snippet | None:
        """Return the focused program, the current note's, the most visible, or the default one.

        After scrolling from the note to a program, the visible one counts. A Python block counts
        as visible where it is read. Without a current note, the first remark with evidence counts.
        At a note without a program there is none.
        """
        if self.reading is None or self.reading.hidden:
            return None
        entry, current = self.reading.entry, self._walk.here
        focused = self._evidence_in_focus
        if focused is not None:
            return focused
        shown = self._programs_shown()
        part = most_in_sight(self, shown)
        heads = [h for h in self.query(AnnotationHead) if h.annotation.id == current]
        proof = proof_of(entry, current) if not part or most_in_sight(self, heads) else None
        if current and not (part or proof):
            return self.focused_snippet
        remarks = (proof_of(entry, each.annotation.id) for each in self.query(RemarkLine))
        seen = shown[part] if part else next(filter(None, remarks), entry.main_snippet())
        return self.focused_snippet or proof or seen or next(iter(self.reading.programs), None)

    @property
    def _evidence_in_focus(self) -> Snippet | None:
        """The program of the focused remark or table of figures."""
        focused = self.screen.focused
        if self.reading is None or not isinstance(focused, EvidenceTable | RemarkLine):
            return None
        figures = {each.snippet for each in focused.annotation.evidence[:1]}
        snippets = self.reading.entry.snippets
        first = next((each for each in snippets if each.id in figures), None)
        return first or proof_of(self.reading.entry, focused.annotation.id)

    def _programs_shown(self) -> dict[Widget, Snippet]:
        """Return the programs by the widgets that show them: in texts, and below them.

        The latter count only after scrolling there.
        """
        known = {each.code: each for each in self.reading.programs} if self.reading else {}
        views = self.query(SnippetView) if self.scroll_target_y else ()
        blocks = (each for each in self.query(CodeBlock) if each.python in known)
        return {**{v: v.snippet for v in views}, **{b: known[b.python] for b in blocks}}

    def chosen_picture(self) -> Media | None:
        """Return the focused picture, the most visible, or the first."""
        if self.reading is None or not self.reading.entry.media:
            return None
        from tui.widgets.picture import PictureBlock

        blocks = [block for block in self.query(PictureBlock) if block.seen]
        focused = [block for block in blocks if block.has_focus_within]
        seen = most_in_sight(self, blocks)
        chosen = [*focused, *([seen] if seen else []), *blocks]
        return chosen[0].media if chosen else None

    def step_note(self, step: int) -> None:
        """Move by this many annotations, at most to the first or last."""
        if self.reading is None or not self.reading.notes:
            return
        self.screen.clear_selection()
        if not self.reading.has("source") or "source" in self.reading.opened:
            self._walk.step(step)
            return
        ids = [each.annotation.id for each in self.reading.notes]
        before = ids.index(self._walk.current) if self._walk.current in ids else -(step > 0)
        self._go_to_part(ids[(before + step) % len(ids)])

    @property
    def folding(self) -> Fold | EvidenceTable | None:
        """What is unfolded or folded here: the focused part, or the values of the current note.

        Else it is the first line in sight, or the one above whose part fills the view. After a
        run it is the run's, not the program's code.
        """
        tables, folds = self.query(EvidenceTable), [f for f in self.query(Fold) if f.display]
        focused = [each for each in (*tables, *folds) if each.has_focus]
        noted = [each for each in tables if each.annotation.id == self._walk.here]
        panels = [each for each in self.query(RunPanel) if rows_in_sight(self, each)]
        of_runs = [each for each in folds if each.parent in panels]
        programs = [panel.parent for panel in panels]
        seen = [each for each in folds if rows_in_sight(self, each) and each.parent not in programs]
        above = [each for each in folds if line_of(self, each) < self.scroll_target_y]
        run_first = of_runs if self.follower.follows else []
        found = (*focused, *noted, *run_first, *seen, *of_runs, *above[-1:], *folds)
        return next(iter(found), None)

    def toggle(self, key: str) -> None:
        """Unfold or fold a layer or a program's code, with its line where one sees it change."""
        for line in (each for each in self.query(Fold) if each.name == key):
            y, half = line_of(self, line) - self.scroll_target_y, self.size.height // 2
            self._goal = (Landmark(key, min(max(0, int(y)), half)),)
        if self.reading is not None:
            self.turn(replace(self.reading, opened=self.reading.opened ^ {key}))

    @on(Fold.Toggled)
    def _toggled(self, message: Fold.Toggled) -> None:
        message.stop()
        self.toggle(message.name)

    def _arrive(
        self, goal: str | Landmarks | FirstMatch, reading: Reading | None, tries: int = 30
    ) -> None:
        """Go to the previous position, the match, or the note or program with an id.

        If another ``reading`` is pending, it goes there instead. A refresh of another part of the
        screen may come before the new parts are laid out.
        """
        if tries and not any(each.region for each in self.children):
            self.call_after_refresh(self._arrive, goal, reading, tries - 1)
            return
        if reading is self.reading and goal == self._goal:
            self._goal = None
        if isinstance(goal, FirstMatch):
            go_to_match(self, goal)
        elif isinstance(goal, str):
            self._go_to_part(goal)
        else:
            go_to(self, goal)

    def _go_to_part(self, id: str) -> None:
        """Go to a program or note, unfolding its layer."""
        if self.reading is None:
            return
        unfolded = self.reading.with_part(id)
        if unfolded != self.reading:
            self.show(unfolded, id)
        elif (program := self.view_of(id)) is not None:
            program.focus()
        else:
            self._walk.go(id)

    def action_open(self) -> None:
        """Unfold or fold the values of the current note, and return to it and its words."""
        self._walk.go(self._walk.current or "")  # else a run that is followed stays in sight
        for table in self.query(EvidenceTable):
            if table.annotation.id == self._walk.current:
                table.action_open()
                self.call_after_refresh(self._walk.go, table.annotation.id)
                self.call_after_refresh(bring, self, table)

    @on(ShowPart)
    def _to_part(self, message: ShowPart) -> None:
        message.stop()
        if message.words:
            self._walk.go(message.id, to_words=True)
        else:
            self._go_to_part(message.id)

    @property
    def current_annotation(self) -> Annotation | None:
        """The current annotation, while the reader stays at it."""
        annotations, here = self.reading.entry.annotations if self.reading else (), self._walk.here
        return next((each for each in annotations if each.id == here), None)

    @property
    def focused_snippet(self) -> Snippet | None:
        """The focused program."""
        around = self.screen.focused.ancestors_with_self if self.screen.focused else ()
        return next((each.snippet for each in around if isinstance(each, SnippetView)), None)

    @property
    def at_program(self) -> bool:
        """Whether a program has the focus, or a bundled one has run in the view.

        After running the program of an own entry, its text is edited.
        """
        own = self.reading is not None and self.reading.own
        ran = not own and most_in_sight(self, self.query(RunPanel)) is not None
        return ran or self.focused_snippet is not None

    @property
    def figures(self) -> Values:
        """The figures of the last runs, by program and name; changed programs have none."""
        return {
            (run.snippet, name): value
            for run in self.runs.values()
            if run.outcome is not None and not (run.change or run.snippet in self.drafts)
            for name, value in run.outcome.figures.items()
        }

    @property
    def own_in_focus(self) -> str | None:
        """The id of the reader's own program or note at the cursor."""
        chosen = self.focused_snippet or self.current_annotation
        return chosen.id if chosen is not None and chosen.own else None

    def selected_words(self) -> TextSpan | None:
        """Return the selected words, or the start of the words of the current note.

        If these are not visible, it is the first passage that begins in view, or is in view, or
        else the last one above. A run that is followed is not where one reads.
        """
        blocks = list(self.query(TextBlock))
        chosen = next((words for block in blocks if (words := block.selected_words())), None)
        if chosen is not None:
            return chosen
        seen, current = [each for each in blocks if rows_in_sight(self, each)], self._walk.current
        near = blocks if self.follower.follows else seen
        noted = [block for block in near if block.words_of(current)]
        whole = [each for each in seen if line_of(self, each) >= self.scroll_target_y]
        above = [each for each in blocks[::-1] if line_of(self, each) < self.scroll_target_y]
        read = next(iter(noted or whole or seen or above or blocks), None)
        if read is None:
            return None
        start = max(read.start, (read.words_of(current) or [(0, 0)])[0][0])
        return read.words(start, start)

    @on(DraftChanged)
    def _changed(self, message: DraftChanged) -> None:
        if message.code is None:
            self.drafts.pop(message.snippet, None)
        else:
            self.drafts[message.snippet] = message.code
        self.screen.refresh_bindings()

    @property
    def has_drafts(self) -> bool:
        """Whether a program of any entry is changed and not saved."""
        return any(drafts for _runs, drafts in self._kept.values())

    async def unfolded(self, snippet: str) -> SnippetView | None:
        """Return the widget of a program, unfolded with the others."""
        if self.reading is not None and self.view_of(snippet) is None:
            self.set_reactive(EntryView.reading, self.reading.with_part(snippet))
            await self.recompose()
        return self.view_of(snippet)

    def turn_to(self, part: SnippetView) -> None:
        """Scroll to a program's title, and stop following the run."""
        self.follower.leave()
        self.call_after_refresh(bring, self, part)

    def view_of(self, snippet: str) -> SnippetView | None:
        """Return the widget of a program."""
        return next((v for v in self.query(SnippetView) if v.snippet.id == snippet), None)

    async def follow(self, run: SnippetRun) -> None:
        """Show a new run below its program, and scroll to it.

        The reader stays at an annotation that rests on it: what it proves is shown there, unless
        the reader has changed it.
        """
        aside = not run.change and self._rests_on(run.snippet)
        before = self.runs.get(run.snippet)
        run.times = before.times + (before.outcome is not None) if before is not None else 1
        view = await self.unfolded(run.snippet)
        self.runs[run.snippet] = run
        if aside:
            self._wait(run)
        if view is not None:
            await self.follower.begin(run, view, aside=aside)

    def _rests_on(self, snippet: str) -> bool:
        """Return whether the current annotation, in sight, rests on a program."""
        current = self._walk.current
        heads = [h for h in self.query(AnnotationHead) if h.annotation.id == current]
        if self.reading is None or self.focused_snippet or not most_in_sight(self, heads):
            return False
        proof = proof_of(self.reading.entry, current)
        return proof is not None and proof.id == snippet

    def progress(self, run: SnippetRun) -> None:
        """Show the output or result of a run."""
        if not run.running:
            self._wait(run)
        self.follower.progress(run)

    def _wait(self, run: SnippetRun) -> None:
        """Say at the annotations that rest on a program that it runs, or has ended."""
        for table in self.query(EvidenceTable):
            if any(each.snippet == run.snippet for each in table.annotation.evidence):
                table.wait(run.running)

    @on(RunPanel.Grew)
    def _panel_grew(self, message: RunPanel.Grew) -> None:
        message.stop()
        self.follower.grew(message.panel, message.before)

    @on(FigureTable.Chosen)
    def _figure_chosen(self, message: FigureTable.Chosen) -> None:
        message.stop()
        notes = self.reading.notes if self.reading is not None else ()
        self._go_to_part({number: note.id for number, note in notes}.get(message.note, ""))
