"""Proposals of a course: what each would change, and the reviewer's decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult

from kb.errors import Conflict
from kb.i18n import N_, _, digits, share
from kb.i18n.names import author_named
from tui.commands import Situation
from tui.messages import EntriesChanged
from tui.screens.change_log import field_rows
from tui.screens.commanding import CommandingModal
from tui.screens.consent import Answer, ConsentScreen
from tui.screens.questions import LineScreen
from tui.session import Session
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingPane

if TYPE_CHECKING:
    from kb.model import Program
    from kb.service.review import Proposal


_KEPT = N_("The reason is kept. Enter continues, Esc goes back.")


class ProposalsScreen(CommandingModal[None]):
    """Goes through the proposals that wait, and accepts or rejects each."""

    CSS_PATH = "changed.tcss"
    PLACES = ("dialog", "proposal")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._waiting: Sequence[Proposal] = ()
        self._decided = 0
        self._busy = True

    def compose(self) -> ComposeResult:
        """Show the first proposal when it is loaded."""
        yield ScrollingPane(id="changes")

    @work(exit_on_error=False)
    async def on_mount(self) -> None:
        """Load the proposals."""
        await self._show(await self._session.run(self._session.library.reviews.proposals))

    @property
    def situation(self) -> Situation:
        """The available commands: there is something to decide, and no program runs for it."""
        return super().situation._replace(asked=bool(self._waiting) and not self._busy)

    async def _show(self, waiting: Sequence[Proposal]) -> None:
        self._waiting, self._busy = waiting, False
        self.refresh_bindings()
        pane = self.query_one(ScrollingPane)
        async with pane.batch():
            await pane.remove_children()
            await pane.mount_all(self._rows())
        pane.scroll_home(animate=False)
        pane.focus()

    def _rows(self) -> Iterator[BidiText]:
        if not self._waiting:
            yield BidiText(_("No proposal waits."), classes="title")
            yield BidiText(_("Esc closes."), classes="hint")
            return
        found = self._waiting[0]
        place = share(self._decided + 1, self._decided + len(self._waiting))
        title = _("Proposal for {id}").format(id=found.entry)
        yield BidiText(f"{title} ({place})", classes="title")
        when = digits(found.at[:16].replace("T", " "))
        facts = found.course, author_named(found.author, found.says), when
        yield BidiText(" · ".join(facts), classes="item")
        for change in found.changes:
            yield from field_rows(change)
        hint = _("y runs its evidence and accepts it, n rejects it, Esc closes.")
        yield BidiText(hint, classes="hint")

    @work(exit_on_error=False)
    async def action_agree(self) -> None:
        """Accept the proposal, after its evidence has run."""
        reviews, id = self._session.library.reviews, self._waiting[0].id
        programs = await self._session.run(lambda: reviews.programs(id))
        answer = await self._consent([each for each in programs if each.asks])
        doubt = await self._decide(accept=True, answer=answer)
        if doubt is not None:
            question = _("{doubt}. Accept it anyway, because:").format(doubt=doubt)
            asked = LineScreen(question, _(_KEPT), needed=True)
            reason = await self.app.push_screen_wait(asked)
            if reason is not None:
                await self._decide(accept=True, answer=answer, reason=reason)

    async def _consent(self, programs: Sequence[Program]) -> Answer:
        if not programs:
            return Answer()
        hint = _("Without consent its evidence does not run.")
        answer: Answer = await self.app.push_screen_wait(ConsentScreen(programs, hint))
        if answer.always:
            allow = self._session.library.programs.allow
            await self._session.run(lambda: allow(answer.yes))
        return answer

    @work(exit_on_error=False)
    async def action_refuse(self) -> None:
        """Reject the proposal, with a reason if the reader gives one."""
        question = LineScreen(_("Reject this proposal, because:"), _(_KEPT))
        reason = await self.app.push_screen_wait(question)
        if reason is not None:
            await self._decide(accept=False, answer=Answer(), reason=reason)

    async def _decide(self, *, accept: bool, answer: Answer, reason: str = "") -> str | None:
        """Decide in a thread, and show the next proposal; return what the evidence refutes."""
        found, session = self._waiting[0], self._session
        reviews = session.library.reviews
        decide = partial(reviews.decide, found.id, accept=accept, reason=reason, yes=answer.yes)
        said = _("Accepted: {id}") if accept else _("Rejected: {id}")

        def make() -> tuple[EntriesChanged, Sequence[Proposal]] | Conflict:
            try:
                decide()
            except Conflict as objection:
                return objection
            told = session.changed(EntriesChanged(said.format(id=found.entry), [found.entry]))
            return told, reviews.proposals()

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
        return None
