"""What an import would do, before it does it: what is taken, what is not, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from kb.i18n import _, digits, ngettext, of_language
from kb.i18n.sentences import said
from tui.commands import bindings
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingPane

if TYPE_CHECKING:
    from kb.records import Dropped, ImportReport

_MOST = 200
_LONGEST = 60


class Report(ScrollingPane):
    """What would be done, scrolled by the keys of a reader."""

    BINDINGS = bindings("reading")

    def __init__(self, report: ImportReport) -> None:
        super().__init__(id="changes")
        self._report = report

    def compose(self) -> ComposeResult:
        """Put the counts first, then what is not taken, then what is."""
        report = self._report
        yield BidiText(_("Import {file}").format(file=report.file), classes="title")
        for line in counts(report):
            yield BidiText(line, classes="item")
        yield BidiText(_("Enter imports it as one change, Esc leaves it."), classes="hint")
        lost = (*report.dropped, *report.bad)
        yield from _section(_("Not taken"), (_dropped(each) for each in lost), len(lost))
        claims = (_dropped(each) for each in report.disbelieved)
        yield from _section(_("Claimed, and not believed"), claims, len(report.disbelieved))
        unfit = (_dropped(each) for each in report.unfit)
        yield from _section(_("Programs that never run"), unfit, len(report.unfit))
        yield from _section(
            _("Changed here and in the file"), report.conflicts, len(report.conflicts)
        )
        yield from _section(_("Gone from the file"), report.gone, len(report.gone))
        taken = (
            _placed(of_language(each.question)[1] or each.id, each.line) for each in report.entries
        )
        yield from _section(_("Entries in the file"), taken, len(report.entries))


class PreviewScreen(CommandingModal[bool]):
    """Returns whether the reader wants it done."""

    CSS_PATH = "changed.tcss"
    PLACES = ("dialog", "preview")
    BINDINGS = [*bindings("dialog"), *bindings("preview")]

    def __init__(self, report: ImportReport) -> None:
        super().__init__()
        self._report = report

    def compose(self) -> ComposeResult:
        """Show the report."""
        yield Report(self._report)

    def on_mount(self) -> None:
        """Let keys scroll at once."""
        self.query_one(Report).focus()

    def action_take_in(self) -> None:
        """Let it be done."""
        self.dismiss(True)


def counts(report: ImportReport) -> Iterator[str]:
    """Yield a line for each number of an import that is not zero."""
    lost = len(report.dropped) + len(report.bad)
    told = (
        (report.added, ngettext("{n} entry is new", "{n} entries are new", report.added)),
        (report.updated, ngettext("{n} is renewed", "{n} are renewed", report.updated)),
        (report.unchanged, ngettext("{n} is unchanged", "{n} are unchanged", report.unchanged)),
        (
            len(report.conflicts),
            ngettext(
                "{n} was changed here and in the file: yours stays (Ctrl+K)",
                "{n} were changed here and in the file: yours stay (Ctrl+K)",
                len(report.conflicts),
            ),
        ),
        (
            len(report.gone),
            ngettext(
                "{n} is gone from the file and stays here",
                "{n} are gone from the file and stay here",
                len(report.gone),
            ),
        ),
        (lost, ngettext("{n} piece is not taken", "{n} pieces are not taken", lost)),
    )
    yield from (line for count, line in told if count)
    if not any(count for count, _line in told):
        yield _("There is nothing in it.")


def _section(title: str, lines: Iterable[str], count: int) -> Iterator[BidiText]:
    """Yield a title and the first of its lines, and how many more there are."""
    if not count:
        return
    yield BidiText(title, classes="caption")
    for _number, line in zip(range(_MOST), lines, strict=False):
        yield BidiText(line, classes="item")
    if count > _MOST:
        yield BidiText(ngettext("{n} more", "{n} more", count - _MOST), classes="item")


def _dropped(dropped: Dropped) -> str:
    began = dropped.text.strip().split("\n")[0][:_LONGEST]
    return _placed(": ".join(filter(None, [said(dropped.reason), began])), dropped.line)


def _placed(said: str, line: int | None) -> str:
    if line is None:
        return said
    return _("line {line}: {said}").format(line=digits(str(line)), said=said)
