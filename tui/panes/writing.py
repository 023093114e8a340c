"""The pane for writing entries, and for actions on one or several.

Undo, redo, history and conflicts are here, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partialmethod
from typing import TYPE_CHECKING, NamedTuple

from textual import work

from kb.errors import NotFound
from kb.i18n import _, digits, language, ngettext
from kb.model.changes import Collection
from kb.model.values import NOTES, TITLES
from tui import choices
from tui.messages import EntriesChanged
from tui.panes.entry import EntryPane
from tui.panes.pane import Pane
from tui.panes.search import ListPane
from tui.phrases import action_on, change_named
from tui.session import Session
from tui.widgets.chip import FilterBar

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.changes import Change
    from kb.model.draft import Draft
    from kb.service.write import Edited
    from tui.screens.questions import TagChoice

_LOOKED_AT = 300
"""The number of entries whose tags are read."""


class FormReady(NamedTuple):
    """The initial content of a form; without ``entry`` it is for a new one."""

    entry: str | None
    draft: Draft
    seen: str | None
    tree: Sequence[Collection]
    own: bool = False


class WritingPane(Pane):
    """Writes, changes, moves, tags and deletes the marked entries or the current one.

    It undoes and redoes the app's changes, and shows the history of entries.

    It sends `EntriesChanged` to the screen.
    """

    def __init__(self, session: Session, listing: ListPane, entry: EntryPane) -> None:
        super().__init__(session)
        self._listing = listing
        self._entry = entry

    @property
    def at_hand(self) -> str | None:
        """The entry being read, or the one under the cursor."""
        reading, chosen = self._entry.reading, self._listing.entries.chosen
        if reading is not None and (chosen is None or self._entry.has_focus_within):
            return reading.entry.id
        return chosen

    @property
    def ids(self) -> tuple[str, ...]:
        """The targets of a change: the marked entries, or the current one."""
        here = self.at_hand
        return tuple(self.session.marks) or ((here,) if here else ())

    def action_write(self) -> None:
        """Write a new entry, in the collection of a current own entry, or an empty one listed."""
        self._begin(None)

    def action_change_entry(self) -> None:
        """Edit the current entry."""
        if self.at_hand is not None:
            self._begin(self.at_hand)

    @work(exit_on_error=False)
    async def action_editor(self) -> None:
        """Edit the current entry in the reader's editor, as ``kb edit`` does."""
        import subprocess

        from textual.app import SuspendNotSupported

        entry, library = self.at_hand, self.session.library
        if entry is None:
            return
        command = [sys.executable, "-P", "-m", "kb", "edit", "--db", library.path, "--", entry]
        spoken, before = {**os.environ, "KB_LANG": language()}, library.edit.digest_of(entry)
        try:
            with self.app.suspend():
                # What it says would be gone with its screen: it is said here.
                ended = subprocess.run(command, env=spoken, stderr=subprocess.PIPE, check=False)
        except SuspendNotSupported:
            self.session.say(_("No editor can be opened here. Press e to edit."), failed=True)
            return
        if ended.returncode:
            self.session.say(ended.stderr.decode(errors="replace").strip(), failed=True)
            return

        def change() -> EntriesChanged:
            same = library.edit.digest_of(entry) == before
            saved = _("Saved “{title}”", title=self.session.title(entry))
            return EntriesChanged(_("Nothing was changed.") if same else saved, (entry,))

        await self.session.change(change)

    @work(exit_on_error=False)
    async def _begin(self, entry: str | None) -> None:
        from tui.screens.writing import WritingScreen

        near, library = self.at_hand, self.session.library
        ready = await self.session.run(lambda: form_of(library, entry, near))
        into = self.screen.query_one(FilterBar).filters.collection
        if into and not (entry or self.session.found.listed):
            ready = ready._replace(draft=replace(ready.draft, collection=into))
        self.app.push_screen(WritingScreen(self.session, ready))

    @work(exit_on_error=False)
    async def action_remove(self) -> None:
        """Delete the marked entries or the current one, after asking."""
        from tui.screens.questions import ConfirmScreen

        ids, library = self.ids, self.session.library
        if not ids:
            return
        hidden = await self.session.run(lambda: sum(map(library.read.is_bundled, ids)))
        title = await self.session.named(ids[0]) if len(ids) == 1 else ""
        if hidden < len(ids):
            question = ngettext("Delete {n} entry?", "Delete {n} entries?", len(ids))
            question = _("Delete the entry “{title}”?", title=title) if title else question
            hint = _("y deletes, Esc cancels. u undoes it.")
            hint += f" {_('Bundled entries are only hidden.')}" if hidden else ""
        else:
            question = ngettext("Hide {n} bundled entry?", "Hide {n} bundled entries?", len(ids))
            question = _("Hide the bundled entry “{title}”?", title=title) if title else question
            hint = _("y hides, Esc cancels. u undoes it.")
        if not await self.app.push_screen_wait(ConfirmScreen(question, hint)):
            return

        def change() -> EntriesChanged:
            done = library.edit.remove(ids)
            return EntriesChanged(removed(len(done.ids), len(done.hidden)), done.ids, done.ids)

        await self.session.change(change)

    @work(exit_on_error=False)
    async def action_show_again(self) -> None:
        """Show the marked hidden entries, or the current one, again."""
        ids, edit = self.ids, self.session.library.edit

        def change() -> EntriesChanged:
            done = edit.unhide(ids)
            shown = ngettext("{n} entry shown again", "{n} entries shown again", len(done.ids))
            return EntriesChanged(shown, done.ids, done.ids)

        if ids:
            await self.session.change(change)

    @work(exit_on_error=False)
    async def action_move(self) -> None:
        """Move the marked entries or the current one to a collection."""
        from tui.screens.questions import PickScreen

        ids, edit = self.ids, self.session.library.edit
        if not ids:
            return
        tree = await self.session.run(self.session.library.collections.tree)
        title = ngettext("Move {n} entry to", "Move {n} entries to", len(ids))
        screen = PickScreen(title, choices.collections(tree), free=True)
        chosen, back = await self.app.push_screen_wait(screen), _("u undoes it")

        def change() -> EntriesChanged:
            done = edit.move(ids, chosen or "")
            moved = ngettext("{n} entry moved to", "{n} entries moved to", len(done.ids))
            return EntriesChanged(f"{moved} {chosen} · {back}", done.ids)

        if chosen:
            await self.session.change(change)

    @work(exit_on_error=False)
    async def action_tag(self) -> None:
        """Add and remove tags of the marked entries or the current one."""
        from tui.screens.questions import TagScreen

        ids, library = self.ids, self.session.library
        edit = library.edit
        if not ids:
            return

        def known() -> tuple[Sequence[str], Sequence[Sequence[str]]]:
            return library.read.facets()["tag"], [library.show(e).tags for e in ids[:_LOOKED_AT]]

        def change(choice: TagChoice) -> EntriesChanged | None:
            if not (choice.add or choice.remove):
                return None
            done = edit.tag(ids, choice.add, choice.remove)
            return EntriesChanged(tagged(len(done.ids), choice.add, choice.remove), done.ids)

        screen = TagScreen(self.session, change, *await self.session.run(known), len(ids))
        await self.app.push_screen_wait(screen)

    @work(exit_on_error=False)
    async def _replay(self, *, forward: bool) -> None:
        """Undo the app's newest change, or redo its last undo.

        If there is none, ask about the newest of all.
        """
        from kb.model.changes import Change
        from tui.screens.questions import ConfirmScreen

        session, changes = self.session, self.session.library.changes
        replay, newest = (
            (changes.redo, changes.next_redo) if forward else (changes.undo, changes.next_undo)
        )

        def make() -> EntriesChanged | Change:
            latest = newest()
            # What is undone may have no title afterwards.
            entries = {field.entry for field in latest.fields if field.entry}
            before = {each: session.title(each) for each in entries} if len(entries) == 1 else {}
            try:
                return session.changed(self._done(replay(own=True), forward, before))
            except NotFound:
                return latest

        found = await session.run(make, "change")
        if not isinstance(found, Change):
            self.post_message(found)
            return
        if isinstance(self.app.screen, ConfirmScreen):
            return  # the key was pressed twice
        # Nothing of the app's own is left: name the newest change, and ask about it.
        ids = dict.fromkeys(field.entry for field in found.fields if field.entry)
        titles = {id: await session.named(id) for id in ids} if len(ids) == 1 else {}
        quoted = {id: _("“{title}”", title=title) for id, title in titles.items()}
        if await self.app.push_screen_wait(ConfirmScreen(*_question(found, forward, quoted))):
            await session.change(lambda: self._done(replay(change=found.id), forward, titles))

    def _done(self, taken: Edited, forward: bool, before: Mapping[str, str]) -> EntriesChanged:
        """Return the message about an undo or redo; ``before`` are the titles before it."""
        said = _("Redone: {action}") if forward else _("Undone: {action}")
        back = _("u undoes it") if forward else _("U redoes it")
        id = taken.ids[0] if len(taken.ids) == 1 else ""
        title = self.session.title(id) or before.get(id) if id else ""
        on = [_("“{title}”", title=title)] if title else taken.ids
        named = said.format(action=action_on(taken.actions[0], on))
        hidden = {hit.id for hit in self.session.library.find.list(hidden=True).hits}
        away = hidden.intersection(taken.ids)
        return EntriesChanged(f"{named} · {back}", taken.ids, away, goals=taken.ids)

    action_undo = partialmethod(_replay, forward=False)
    action_redo = partialmethod(_replay, forward=True)

    @work(exit_on_error=False)
    async def action_history(self) -> None:
        """Show the history of the current entry."""
        from tui.screens.change_log import ChangedScreen

        entry, library = self.at_hand, self.session.library
        if entry is not None:
            title = await self.session.named(entry)
            changes, own = await self.session.run(
                lambda: (library.changes.history(entry), library.read.is_own(entry))
            )
            self.app.push_screen(ChangedScreen(entry, title, changes, own=own))

    def action_conflicts(self) -> None:
        """Show the conflicts."""
        from tui.screens.change_log import ContestedScreen

        self.app.push_screen(ContestedScreen(self.session))

    def action_proposals(self) -> None:
        """Show the proposals that wait."""
        from tui.screens.change_log import ProposalsScreen

        self.app.push_screen(ProposalsScreen(self.session))


def form_of(library: Library, entry: str | None, near: str | None = None) -> FormReady:
    """Return the form of an entry, or of a new one in the collection of the entry ``near``."""
    tree = library.collections.tree()
    if all(each.id != NOTES for each in tree):
        tree = [*tree, Collection(NOTES, TITLES[NOTES], 0, None)]
    if entry is not None:
        draft, seen = library.edit.draft_of(entry), library.edit.digest_of(entry)
        return FormReady(entry, draft, seen, tree, library.read.is_own(entry))
    draft = replace(library.edit.blank(near), question={language(): ""})
    return FormReady(None, draft, None, tree)


def removed(count: int, hidden: int) -> str:
    """Return the message about a deletion: the numbers of deleted and hidden entries."""
    gone = ngettext("{n} entry deleted", "{n} entries deleted", count - hidden)
    hid = ngettext("{n} bundled entry hidden", "{n} bundled entries hidden", hidden)
    parts = [*[gone] * (count > hidden), *[hid] * (hidden > 0), _("u undoes it")]
    return " · ".join(parts)


def tagged(count: int, add: Iterable[str], remove: Iterable[str]) -> str:
    """Return the message about tagging.

    >>> tagged(3, ["exam"], ["later"])
    '3 entries tagged: +exam −later'
    """
    said = ngettext("{n} entry tagged", "{n} entries tagged", count)
    return f"{said}: {' '.join([*(f'+{tag}' for tag in add), *(f'−{tag}' for tag in remove)])}"


def _question(change: Change, forward: bool, titles: Mapping[str, str]) -> tuple[str, str]:
    """Return the question before an undo or redo, and the message after it."""
    if forward:
        question = _("Redo this change: {action}?")
        hint = _("{who} undid it at {when}, not in this session. y redoes it, Esc cancels.")
    else:
        question = _("Undo this change: {action}?")
        hint = _("{who} made it at {when}, not in this session. y undoes it, Esc cancels.")
    when = digits(change.at[:16].replace("T", " "))
    named = change_named(change, titles)
    return question.format(action=named), hint.format(who=change.who, when=when)
