"""What writes, changes and arranges entries, and what takes that back.

The function keys stand where file managers have them: F4 edits, F6 moves, F8 deletes.
"""

from __future__ import annotations

from kb.i18n import N_
from tui.commands.command import ENTRIES, Command, Situation


def _some(situation: Situation) -> bool:
    """Say whether there is an entry to do something to."""
    return bool(situation.entry or situation.listed or situation.marked) and not situation.typing


COMMANDS: tuple[Command, ...] = (
    Command("write", ("w",), N_("New"), N_("Write an entry: a question, an answer, or both."),
            ENTRIES, "write", available=lambda s: not s.typing, bar={"list": 70, "reading": 130}),
    Command("change-entry", ("f4",), N_("Edit"),
            N_("Change this entry: its texts, level, kind, tags and collection."), ENTRIES,
            "change_entry", available=_some, bar={"list": 80, "reading": 115}),
    Command("mark", ("m", "insert"), N_("Mark"),
            N_("Mark this entry, or take its mark away; deeds are done to what is marked."),
            ENTRIES, "mark", available=lambda s: s.listed and not s.typing, bar={"list": 60}),
    Command("mark-all", ("asterisk", "ctrl+a"), N_("Mark all"),
            N_("Mark everything that is listed, or take all marks away."), ENTRIES,
            "mark_all", available=lambda s: bool(s.listed or s.marked) and not s.typing),
    Command("move", ("f6",), N_("Move"),
            N_("Move this entry, or what is marked, to a collection."), ENTRIES,
            "move", available=_some, bar={"list": 130}),
    Command("tag", ("f9",), N_("Tags"),
            N_("Add tags to this entry, or to what is marked, and take tags away."), ENTRIES,
            "tag", available=_some, bar={"list": 140}),
    Command("remove", ("f8",), N_("Delete"),
            N_("Delete this entry, or what is marked; what came with danesh is hidden."), ENTRIES,
            "remove", available=_some, bar={"list": 150}),
    Command("show-again", ("equals_sign",), N_("Show again"),
            N_("Let a hidden entry, or those that are marked, be listed and found again."),
            ENTRIES, "show_again", available=lambda s: s.hidden_list and not s.typing,
            bar={"list": 35, "reading": 35}),
    Command("collections", ("f7",), N_("Collections"),
            N_("Choose a collection, or make, rename and remove one; see what is hidden."),
            ENTRIES, "collections", available=lambda s: not s.typing, bar={"list": 120}),
    Command("undo", ("u", "ctrl+z"), N_("Undo"),
            N_("Undo the newest change made here, or another one after asking."), ENTRIES,
            "undo", available=lambda s: not s.typing, bar={"list": 160}),
    Command("redo", ("y", "ctrl+y"), N_("Redo"),
            N_("Redo what was undone here last, or elsewhere after asking."), ENTRIES,
            "redo", available=lambda s: not s.typing),
    Command("history", ("h",), N_("History"),
            N_("Show what became of this entry, with the differences."), ENTRIES,
            "history", available=_some, bar={"reading": 140}),
    Command("conflicts", ("ctrl+k",), N_("Conflicts"),
            N_("Show what was changed both here and in its file, and choose whose words stay."),
            ENTRIES, "conflicts", available=lambda s: not s.typing),
)  # fmt: skip
