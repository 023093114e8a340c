"""Saving what a form holds: told to the form, which stays until it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

from kb.errors import Conflict, KbError
from kb.i18n import _
from tui.deeds import Done, changed
from tui.failures import sentence
from tui.messages import EntriesChanged
from tui.session import Session

if TYPE_CHECKING:
    from kb.records.draft import Draft


@dataclass
class Saved(Message):
    """The entry is stored; ``changed`` is what the main screen is to show."""

    changed: EntriesChanged


@dataclass
class NotSaved(Message):
    """The entry was not stored, and why; ``seen`` is what is there by now."""

    why: str
    seen: str | None = None


def save(
    session: Session, to: MessagePump, draft: Draft, entry: str | None, seen: str | None
) -> None:
    """Store a draft as a new entry, or as what an entry is now → `Saved` or `NotSaved`."""
    edit = session.library.edit

    def make() -> Message:
        try:
            done = edit.edit(entry, draft, seen=seen) if entry else edit.new(draft)
        except Conflict as error:
            if entry is None or edit.digest_of(entry) == seen:
                return NotSaved(sentence(error))
            why = _(
                "Another program has changed this entry meanwhile; nothing was overwritten. "
                "Ctrl+S again puts what stands here in its place."
            )
            return NotSaved(why, edit.digest_of(entry))
        except KbError as error:
            return NotSaved(sentence(error))
        (id,) = done.ids
        said = _("Saved: {id}").format(id=id) if done.change else _("Nothing was changed.")
        return Saved(changed(session, Done(said, done.ids, opened=id)))

    session.ask(to, make, "deed")
