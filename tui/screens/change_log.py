"""The history of an entry, conflicts between an entry and its file, and proposals of a course."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from textual import work
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from kb.errors import Conflict
from kb.i18n import N_, _, digits, share
from kb.i18n.changes import is_said, lines_of, texts_of
from kb.i18n.names import author_named, field_name
from tui.bidi import StyledSpan
from tui.commands import Situation
from tui.messages import EntriesChanged
from tui.phrases import action_named
from tui.screens.commanding import PageScreen
from tui.screens.consent import consent
from tui.screens.questions import LineScreen
from tui.session import Session
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingPane

if TYPE_CHECKING:
    from kb.model.changes import Change, FieldChange, Side
    from kb.service.review import Proposal
    from kb.service.write import Contested


class DecidingScreen(PageScreen[None]):
    """Goes through what waits for a decision, the first of which is shown."""

    def __init__(self, session: Session, find: Callable[[], Sequence[Any]]) -> None:
        super().__init__()
        self._session = session
        self._find = find
        self._waiting: Sequence[Any] = ()
        self._decided = 0
        self._busy = True

    @work(exit_on_error=False)
    async def on_mount(self) -> None:
        """Load what waits."""
        await self._show(await self._session.run(self._find))

    @property
    def situation(self) -> Situation:
        """The available commands: there is something to decide, and nothing runs for it."""
        return super().situation._replace(asked=bool(self._waiting) and not self._busy)

    def rows(self) -> Iterable[Widget]:
        """Return the lines about the first, or that nothing waits."""
        raise NotImplementedError

    def titled(self, title: str, left: int) -> BidiText:
        """Return the title with the place of the first among all."""
        place = share(self._decided + 1, self._decided + left)
        return BidiText(f"{title} ({place})", classes="title")

    async def _show(self, waiting: Sequence[Any]) -> None:
        self._waiting, self._busy = waiting, False
        self.refresh_bindings()
        pane = self.query_one(ScrollingPane)
        async with pane.batch():
            await pane.remove_children()
            await pane.mount_all(self.rows())
        pane.scroll_home(animate=False)
        pane.focus()

    async def decide(self, change: Callable[[], EntriesChanged]) -> str:
        """Make a change in a thread, and show the next; return what it conflicts with, if so."""
        session = self._session

        def make() -> tuple[EntriesChanged, Sequence[Any]] | Conflict:
            try:
                return session.changed(change()), self._find()
            except Conflict as objection:
                return objection

        self._busy = True
        self.refresh_bindings()
        try:
            done = await session.run(make, "change")
        finally:
            self._busy = False
            self.refresh_bindings()
        if isinstance(done, Conflict):
            return _(done.message)
        self._decided += 1
        session.screen.post_message(done[0])
        await self._show(done[1])
        return ""


class ContestedScreen(DecidingScreen):
    """Goes through all conflicts, and resolves each for one side."""

    PLACES = ("dialog", "sides")

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.library.files.contested)

    def action_agree(self) -> None:
        """Keep the reader's version."""
        self._settle("mine", _("Your version is kept: {id}"))

    def action_refuse(self) -> None:
        """Take the other version."""
        self._settle("theirs", _("The other version is kept: {id}"))

    @work(exit_on_error=False)
    async def _settle(self, side: Side, said: str) -> None:
        entry, files = self._waiting[0].entry, self._session.library.files

        def change() -> EntriesChanged:
            done = files.resolve([entry], side)
            return EntriesChanged(said.format(id=entry), done.ids)

        if why := await self.decide(change):
            self._session.say(why, failed=True)

    def rows(self) -> Iterable[Widget]:
        """Yield the fields of one entry: the reader's beside the file's."""
        fields: Sequence[Contested] = self._waiting
        if not fields:
            yield BidiText(_("There are no conflicts."), classes="title")
            return
        title = _("Changed here and elsewhere: {id}").format(id=fields[0].entry)
        yield self.titled(title, len({each.entry for each in fields}))
        for field in (each for each in fields if each.entry == fields[0].entry):
            yield BidiText(field_name(field.field), classes="caption")
            mine, theirs = texts_of(field.field, field.mine, field.theirs)
            pairs = (_("Yours"), mine), (_("The other"), theirs)
            yield Horizontal(*(_side(name, text) for name, text in pairs), classes="sides")


def _side(name: str, text: str) -> Vertical:
    said = BidiText(text or _("nothing"), direction="auto", formulas=True)
    return Vertical(BidiText(name, classes="title"), said, classes="side")


_STYLES = {"+": "$text-success", "-": "$text-error"}
_MOST = 200


class ChangedScreen(PageScreen[None]):
    """Shows the changes of an entry until closed."""

    PLACES = ("shown",)

    def __init__(self, entry: str, title: str, changes: Sequence[Change], *, own: bool) -> None:
        super().__init__(_history(entry, title, changes, own))

    action_quit = PageScreen.action_back


def _history(entry: str, title: str, changes: Sequence[Change], own: bool) -> Iterator[BidiText]:
    """Yield the changes one below the other."""
    yield BidiText(_("History of “{title}”", title=title), classes="title")
    if not changes:
        yield BidiText(_("It has not changed since it was stored."), classes="item")
    for change in changes[-_MOST:]:
        yield BidiText(heading(change), classes="caption")
        for field in change.fields:
            if field.entry == entry and is_said(field.field):
                yield from field_rows(field, own=own)


def heading(change: Change) -> str:
    """Return the line above a change: when, by whom, what, and its state."""
    action = action_named(change.action, 1)
    again = {"undo": _("Undone: {action}"), "redo": _("Redone: {action}")}.get(change.what)
    said = again.format(action=action) if again else action
    when = digits(change.at[:16].replace("T", " "))
    state = "" if change.state == "done" else _("undone")
    return " · ".join(filter(None, [when, change.who, said, state]))


def field_rows(field: FieldChange, *, own: bool = False) -> Iterator[BidiText]:
    """Yield a field before and after: short values in a line, texts by lines."""
    first, *lines = lines_of(field, own=own)
    yield BidiText(first, classes="item")
    for line in lines:
        style = _STYLES.get(line[:1])
        marks = [StyledSpan(0, len(line), style)] if style else []
        yield BidiText(line, marks, direction="auto", classes="line")


_KEPT = N_("The reason is kept. Enter continues, Esc goes back.")


class ProposalsScreen(DecidingScreen):
    """Goes through the proposals that wait, and accepts or rejects each."""

    PLACES = ("dialog", "proposal")

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.library.reviews.proposals)

    def rows(self) -> Iterator[BidiText]:
        """Yield a proposal: who made it, and what it would change."""
        if not self._waiting:
            yield BidiText(_("No proposal waits."), classes="title")
            return
        found: Proposal = self._waiting[0]
        yield self.titled(_("Proposal for {id}").format(id=found.entry), len(self._waiting))
        when = digits(found.at[:16].replace("T", " "))
        facts = found.course, author_named(found.author, found.says), when
        yield BidiText(" · ".join(facts), classes="item")
        for change in found.changes:
            yield from field_rows(change)
        yield BidiText(_("Its evidence runs before it is accepted."), classes="hint")

    @work(exit_on_error=False)
    async def action_agree(self) -> None:
        """Accept the proposal, after its evidence has run."""
        reviews, id = self._session.library.reviews, self._waiting[0].id
        programs = await self._session.run(lambda: reviews.programs(id))
        hint = _("Without consent its evidence does not run.")
        yes = await consent(self._session, [each for each in programs if each.asks], hint)
        doubt = await self._decide(accept=True, yes=yes)
        if doubt:
            question = _("{doubt}. Accept it anyway, because:").format(doubt=doubt)
            reason = await self._reason(question, needed=True)
            if reason is not None:
                await self._decide(accept=True, yes=yes, reason=reason)

    @work(exit_on_error=False)
    async def action_refuse(self) -> None:
        """Reject the proposal, with a reason if the reader gives one."""
        reason = await self._reason(_("Reject this proposal, because:"))
        if reason is not None:
            await self._decide(accept=False, reason=reason)

    async def _reason(self, question: str, *, needed: bool = False) -> str | None:
        asked = LineScreen(self._session, lambda _line: None, question, _(_KEPT), needed=needed)
        return await self.app.push_screen_wait(asked)

    async def _decide(
        self, *, accept: bool, yes: frozenset[str] = frozenset(), reason: str = ""
    ) -> str:
        """Decide, and show the next proposal; return what the evidence refutes."""
        found: Proposal = self._waiting[0]
        reviews = self._session.library.reviews
        said = _("Accepted: {id}") if accept else _("Rejected: {id}")

        def change() -> EntriesChanged:
            reviews.decide(found.id, accept=accept, reason=reason, yes=yes)
            return EntriesChanged(said.format(id=found.entry), [found.entry])

        return await self.decide(change)
