"""The part of the main screen that takes in what a reader adds: notes, annotations, code."""

from __future__ import annotations

from collections.abc import Callable

from textual import on, work

from tui.i18n import _
from tui.messages import KeepCode
from tui.screens.reading import ReadingScreen
from tui.widgets.entry_view import EntryView
from tui.widgets.snippet_view import SnippetView


class NotingScreen(ReadingScreen):
    """A screen with an `EntryView` whose texts can be written on."""

    @work(exit_on_error=False)
    async def action_annotate(self) -> None:
        """Ask for words, verdict and note, and keep them."""
        from tui.screens.note import NoteScreen

        view = self.query_one(EntryView)
        if view.reading is None:
            return
        entry, lang = view.reading.entry, view.reading.lang
        choice = await self.app.push_screen_wait(NoteScreen(entry, lang, view.selected_words()))
        if choice is not None and choice.words is not None:
            words, own = choice.words, self.library.own
            self._change(
                lambda: own.annotate(entry.id, words, choice.note, verdict=choice.verdict).id
            )

    @work(exit_on_error=False)
    async def action_edit_note(self) -> None:
        """Ask what a note of one's own shall say instead."""
        from tui.screens.note import NoteScreen

        view = self.query_one(EntryView)
        note = view.current_annotation
        if view.reading is None or note is None or not note.own:
            return
        screen = NoteScreen(view.reading.entry, view.reading.lang, None, note)
        choice = await self.app.push_screen_wait(screen)
        if choice is not None:
            own = self.library.own
            self._change(lambda: own.amend(note.id, choice.note, verdict=choice.verdict).id)

    @work(exit_on_error=False)
    async def action_withdraw(self) -> None:
        """Take back the note or the program in focus, after asking."""
        from tui.screens.confirm import ConfirmScreen

        name = self.query_one(EntryView).own_in_focus
        if name is None:
            return
        question = _("Take this back for good?")
        hint = _("Enter takes it back, Esc leaves it.")
        if await self.app.push_screen_wait(ConfirmScreen(question, hint)):
            self._change(lambda: self.library.own.withdraw(name))

    def _change(self, change: Callable[[], str | None]) -> None:
        reading = self.query_one(EntryView).reading
        if reading is not None:
            self.change_own(reading.entry.id, change)

    async def action_change_code(self) -> None:
        """Let the reader change the code of the snippet in focus, or of the main one."""
        view = self._snippet_view()
        if view is not None:
            await view.edit()

    async def action_reset_code(self) -> None:
        """Put the code of the snippet in focus, or of the main one, back as it was."""
        view = self._snippet_view()
        if view is not None:
            await view.reset()

    @on(KeepCode)
    def _keep_code(self, message: KeepCode) -> None:
        reading = self.query_one(EntryView).reading
        if reading is None:
            return
        entry, own, name = reading.entry.id, self.library.own, message.snippet.id
        renewed = name if message.snippet.own else None
        self.query_one(EntryView).drafts.pop(name, None)
        self._change(lambda: own.save_snippet(entry, message.code, name=renewed).id)

    def _snippet_view(self) -> SnippetView | None:
        view = self.query_one(EntryView)
        chosen = view.chosen_snippet()
        return view.view_of(chosen.id) if chosen else None
