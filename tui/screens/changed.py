"""What became of an entry: each change with what it made different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from kb.i18n import _, ahead, digits
from kb.present.changes import differing, is_short, text_of
from tui.bidi import StyledSpan
from tui.commands import bindings
from tui.phrases import deed_named
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingPane

if TYPE_CHECKING:
    from kb.records.changes import Change, FieldChange

_STYLES = {"+": "$text-success", "-": "$text-error"}
_MOST = 200


class ChangeText(ScrollingPane):
    """Changes, the first first, scrolled by the keys of a reader."""

    BINDINGS = bindings("reading")

    def __init__(self, entry: str, changes: Sequence[Change]) -> None:
        super().__init__(id="changes")
        self._entry = entry
        self._changes = changes

    def compose(self) -> ComposeResult:
        """Put the changes under each other."""
        yield BidiText(_("What became of {id}").format(id=self._entry), classes="title")
        if not self._changes:
            yield BidiText(_("It is as it was first stored."), classes="item")
        for change in self._changes[-_MOST:]:
            yield BidiText(heading(change), classes="caption")
            for field in change.fields:
                if field.entry == self._entry and not _is_within(field):
                    yield from _field(field)


class ChangedScreen(CommandingModal[None]):
    """The changes of an entry, until a key closes them."""

    CSS_PATH = "changed.tcss"
    PLACES = ("shown",)
    BINDINGS = bindings("shown")

    def __init__(self, entry: str, changes: Sequence[Change]) -> None:
        super().__init__()
        self._entry = entry
        self._changes = changes

    def compose(self) -> ComposeResult:
        """Show the changes."""
        yield ChangeText(self._entry, self._changes)

    def on_mount(self) -> None:
        """Let keys scroll at once."""
        self.query_one(ChangeText).focus()

    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)


def heading(change: Change) -> str:
    """Return the line above a change: when, whose, what, and whether it stands."""
    deed = deed_named(change.deed, 1)
    again = {"undo": _("Undone: {deed}"), "redo": _("Redone: {deed}")}.get(change.what)
    said = again.format(deed=deed) if again else deed
    when = digits(change.at[:16].replace("T", " "))
    state = "" if change.state == "done" else _("undone")
    return " · ".join(filter(None, [when, change.who, said, state]))


def _is_within(field: FieldChange) -> bool:
    """Say whether a field concerns how entries are kept, and not what they say."""
    name = field.field or ""
    return name in ("owner", "position") or name.startswith("record.")


def _field(field: FieldChange) -> Iterator[BidiText]:
    """Yield a field as it was before and after: short values in a line, texts by lines."""
    name = field.field or _("the whole entry")
    before, after = text_of(field.before), text_of(field.after)
    if is_short(before, after):
        nothing = _("nothing")
        yield BidiText(f"{name}: {before or nothing} {ahead()} {after or nothing}", classes="item")
        return
    yield BidiText(f"{name}:", classes="item")
    made = [f"+{line}" for line in after.split("\n")]
    for line in differing(before, after) if before else made:
        style = _STYLES.get(line[:1])
        marks = [StyledSpan(0, len(line), style)] if style else []
        yield BidiText(line, marks, direction="auto", classes="line")
