"""The pane for a reader's additions: notes, annotations, programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import work

from kb.i18n import _
from tui.messages import KeepCode
from tui.panes.pane import Pane
from tui.session import Session
from tui.widgets.entry_view import EntryView

if TYPE_CHECKING:
    from kb.model import Annotation
    from tui.screens.note import NoteChoice, ProgramChoice


class NotesPane(Pane):
    """Edits the additions of the displayed entry; sends `OwnChanged` to the screen."""

    def __init__(self, session: Session, view: EntryView) -> None:
        super().__init__(session)
        self._view = view

    @work(exit_on_error=False)
    async def action_annotate(self) -> None:
        """Open the form for a note, and store it."""
        await self._ask(None)

    @work(exit_on_error=False)
    async def action_edit_note(self) -> None:
        """Open the form for the reader's own note."""
        note = self._view.current_annotation
        if note is not None and note.own:
            await self._ask(note)

    async def _ask(self, note: Annotation | None) -> None:
        """Open the form for a new or existing note, and store the result."""
        from tui.screens.note import NoteScreen

        reading, own = self._view.reading, self.session.library.own
        if reading is None:
            return
        entry = reading.entry.id

        def keep(choice: NoteChoice) -> str:
            said, verdict, evidence = choice.note, choice.verdict, choice.evidence
            if note is not None:
                return own.amend(note.id, said, verdict=verdict, evidence=evidence).id
            assert choice.words is not None
            return own.annotate(entry, choice.words, said, verdict=verdict, evidence=evidence).id

        async def store(choice: NoteChoice) -> str:
            return await self.session.keep_own(lambda: keep(choice))

        at = self._view.selected_words() if note is None else None
        screen = NoteScreen(reading, at, note, self._view.figures, store)
        if await self.app.push_screen_wait(screen) is not None:
            self.session.say(_("Saved the annotation. 'u' undoes it."))

    @work(exit_on_error=False)
    async def action_new_program(self) -> None:
        """Open the form for a program of the reader, and store it."""
        from tui.screens.note import ProgramScreen

        reading = self._view.reading
        if reading is None:
            return
        entry, own = reading.entry.id, self.session.library.own

        async def store(choice: ProgramChoice) -> str:
            name = choice.name or None
            return await self.session.keep_own(
                lambda: own.save_snippet(entry, choice.code, name=name).id
            )

        await self.app.push_screen_wait(ProgramScreen(store))

    def action_make_main(self) -> None:
        """Make the focused program the entry's default."""
        reading, program = self._view.reading, self._view.focused_snippet
        if reading is None or program is None or not program.own:
            return
        entry, own = reading.entry.id, self.session.library.own
        self._change(lambda: own.save_snippet(entry, program.code, name=program.id, main=True).id)

    @work(exit_on_error=False)
    async def action_withdraw(self) -> None:
        """Delete the focused note or program, after asking."""
        from tui.screens.questions import ConfirmScreen

        name = self._view.own_in_focus
        if name is None:
            return
        question = _("Delete this for good?")
        hint = _("y deletes it, Esc cancels.")
        if await self.app.push_screen_wait(ConfirmScreen(question, hint)):
            self._change(lambda: self.session.library.own.withdraw(name))

    @work(exit_on_error=False)
    async def keep_code(self, message: KeepCode) -> None:
        """Save the reader's changed code as a new or existing own program.

        Until it is stored, it stays in the entry's drafts.
        """
        reading = self._view.reading
        if reading is None:
            return
        entry, own, name = reading.entry.id, self.session.library.own, message.snippet.id
        drafts = self._view.drafts
        renewed = name if message.snippet.own else None
        before = message.snippet.code
        why = await self.session.keep_own(
            lambda: own.save_snippet(entry, message.code, name=renewed, based_on=before).id
        )
        if why:
            self.session.say(why, failed=True)
        elif drafts.get(name, message.code) == message.code:
            drafts.pop(name, None)

    @work(exit_on_error=False)
    async def _change(self, change: Callable[[], str | None]) -> None:
        """Make a change without a form, and show why it failed, if it did."""
        why = await self.session.keep_own(change)
        if why:
            self.session.say(why, failed=True)
