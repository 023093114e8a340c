"""Proposals of a course: what each would change, and the reviewer's decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual import work

from kb.i18n import N_, _, digits
from kb.i18n.names import author_named
from tui.messages import EntriesChanged
from tui.screens.change_log import DecidingScreen, field_rows
from tui.screens.consent import Answer, ConsentScreen
from tui.screens.questions import LineScreen
from tui.session import Session
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.model import Program
    from kb.service.review import Proposal


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
            yield BidiText(_("Esc closes."), classes="hint")
            return
        found: Proposal = self._waiting[0]
        yield self.titled(_("Proposal for {id}").format(id=found.entry), len(self._waiting))
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
        if doubt:
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

    async def _decide(self, *, accept: bool, answer: Answer, reason: str = "") -> str:
        """Decide, and show the next proposal; return what the evidence refutes."""
        found: Proposal = self._waiting[0]
        reviews = self._session.library.reviews
        said = _("Accepted: {id}") if accept else _("Rejected: {id}")

        def change() -> EntriesChanged:
            reviews.decide(found.id, accept=accept, reason=reason, yes=answer.yes)
            return EntriesChanged(said.format(id=found.entry), [found.entry])

        return await self.decide(change)
