"""The pane for a reader's additions: notes, annotations, programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from kb.i18n import _
from tui.messages import KeepCode, PartsChanged
from tui.panes.pane import Pane
from tui.session import Session
from tui.widgets.entry_view import EntryView

if TYPE_CHECKING:
    from kb.model.entry import Annotation
    from tui.screens.note import NoteChoice, ProgramChoice


class NotesPane(Pane):
    """Edits the additions of the displayed entry; sends `PartsChanged` to the screen."""

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

        def store(choice: NoteChoice) -> PartsChanged:
            said, verdict, evidence = choice.note, choice.verdict, choice.evidence
            if note is not None:
                kept = own.amend(note.id, said, verdict=verdict, evidence=evidence)
            else:
                assert choice.words is not None
                kept = own.annotate(entry, choice.words, said, verdict=verdict, evidence=evidence)
            return PartsChanged(kept.id)

        at = self._view.selected_words() if note is None else None
        screen = NoteScreen(self.session, store, reading, at, note, self._view.figures)
        if await self.app.push_screen_wait(screen) is not None:
            self.session.say(" · ".join([_("Annotation saved"), _("u undoes it")]))

    @work(exit_on_error=False)
    async def action_new_program(self) -> None:
        """Open the form for a program of the reader, and store it."""
        from tui.screens.note import ProgramScreen

        entry, save = self.session.open_now, self.session.library.own.save_snippet

        def store(choice: ProgramChoice) -> PartsChanged:
            return PartsChanged(save(entry, choice.code, name=choice.name or None).id)

        if entry:
            await self.app.push_screen_wait(ProgramScreen(self.session, store))

    @work(exit_on_error=False)
    async def action_make_main(self) -> None:
        """Make the focused program the entry's default."""
        entry, program = self.session.open_now, self._view.focused_snippet
        save = self.session.library.own.save_snippet
        if program is not None and program.own:
            code, name = program.code, program.id
            await self.session.change(
                lambda: PartsChanged(save(entry, code, name=name, main=True).id)
            )

    @work(exit_on_error=False)
    async def action_withdraw(self) -> None:
        """Delete the focused note or program, after asking."""
        from tui.screens.questions import ConfirmScreen

        name = self._view.own_in_focus
        if name is None:
            return
        program = self._view.focused_snippet is not None
        question = _("Delete your program?") if program else _("Delete your annotation?")
        hint = _("y deletes, Esc cancels. u undoes it.")
        if not await self.app.push_screen_wait(ConfirmScreen(question, hint)):
            return

        def withdraw() -> PartsChanged:
            self.session.library.own.withdraw(name)
            return PartsChanged()

        if not await self.session.change(withdraw):
            said = _("Your program is deleted") if program else _("Your annotation is deleted")
            self.session.say(f"{said} · {_('u undoes it')}")

    @work(exit_on_error=False)
    async def keep_code(self, message: KeepCode) -> None:
        """Save the reader's changed code as a new or existing own program.

        Until it is stored, it stays in the entry's drafts.
        """
        entry, before, code = self.session.open_now, message.snippet, message.code
        drafts, save = self._view.drafts, self.session.library.own.save_snippet
        name = before.id if before.own else None
        why = await self.session.change(
            lambda: PartsChanged(save(entry, code, name=name, based_on=before.code).id)
        )
        if not why and drafts.get(before.id, code) == code:
            drafts.pop(before.id, None)
