"""Proposals of a course in the app: read as a difference, accepted or rejected with a reason."""

from __future__ import annotations

import pytest

from kb.errors import Conflict, UsageError
from kb.model.changes import FieldChange
from kb.model.entry import Program
from kb.service.review import Decided, Proposal
from tui.bidi import label
from tui.screens.change_log import ProposalsScreen
from tui.screens.consent import ConsentScreen
from tui.screens.questions import LineScreen

CODE = "print('left: 1')"
HOSTILE = "[red]\x1b[31mWhy\u202e?"


class Reviews:
    """The proposals of two readers, and what was decided about them."""

    def __init__(self) -> None:
        changes = (FieldChange("chain", "level", None, "H"),)
        asked = (FieldChange("flash", "question.en", "What is throughput?", HOSTILE),)
        self.waiting = [
            Proposal("1a", "chain", "nets", "rey", "rey", "2026-11-28T10:00:00", changes),
            Proposal("2b", "flash", "nets", "?", "bob", "2026-11-28T11:00:00", asked),
        ]
        self.decided: list[tuple[str, bool, str, frozenset[str]]] = []
        self.asks: tuple[Program, ...] = ()
        self.objection: Exception | None = None

    def proposals(self):
        return list(self.waiting)

    def programs(self, id):
        return self.asks

    def decide(self, id, *, accept, reason, yes):
        if self.objection is not None and not reason:
            raise self.objection
        self.decided.append((id, accept, reason, yes))
        found = next(each for each in self.waiting if each.id == id)
        self.waiting.remove(found)
        return Decided(found, accept, ())


@pytest.fixture
def reviews(library, monkeypatch):
    made = Reviews()
    monkeypatch.setattr(library, "reviews", made)
    return made


async def test_each_proposal_is_shown_as_a_difference_and_accepted_or_rejected(opened, reviews):
    async with opened(size=(100, 40)) as reader:
        await reader.press(":proposals")
        text = reader.text()
        assert "Proposal for chain (1 of 2)" in text and "nets · rey · 2026-11-28 10:00" in text
        assert "Level: nothing → hard" in text
        await reader.press("y")
        assert reviews.decided == [("1a", True, "", frozenset())]
        text = reader.text()
        assert "Proposal for flash (2 of 2)" in text and "?, says bob" in text
        assert "\x1b" not in text and "\u202e" not in text
        await reader.press("n")
        assert isinstance(reader.app.screen, LineScreen)
        await reader.press(*"No.", "enter")
        assert reviews.decided[1:] == [("2b", False, "No.", frozenset())]
        assert "No proposal waits." in reader.text()
        await reader.press("y", "n", "escape")
        assert len(reviews.decided) == 2 and not isinstance(reader.app.screen, ProposalsScreen)


async def test_what_the_evidence_refutes_is_accepted_for_a_reason_alone(opened, reviews):
    reviews.objection = Conflict("{id} is refuted, so it was not accepted", id="chain-1")
    async with opened(size=(100, 40)) as reader:
        await reader.press(":proposals", "y")
        assert "chain-1 is refuted" in reader.text() and not reviews.decided
        await reader.press("enter")  # no reason
        assert isinstance(reader.app.screen, LineScreen)
        await reader.press("escape")
        assert not reviews.decided and "(1 of 2)" in reader.text()
        await reader.press("y", *"It is so.", "enter")
        assert reviews.decided == [("1a", True, "It is so.", frozenset())]


async def test_code_of_a_proposal_runs_after_consent_alone(opened, reviews):
    program = Program("deep", CODE, "5" * 64, "elsewhere", entries=("chain",), asks=True)
    reviews.asks = (program,)
    async with opened(size=(100, 40)) as reader:
        await reader.press(":proposals", "y")
        assert isinstance(reader.app.screen, ConsentScreen) and CODE in reader.text()
        await reader.press("y")
        assert reviews.decided == [("1a", True, "", frozenset({program.digest}))]


async def test_who_may_not_decide_is_told_so(opened, reviews, language):
    reviews.objection = UsageError("only reviewers and owners decide about proposals")
    said = {
        "en": "Only reviewers and owners decide",
        "fa": "دربارهٔ پیشنهادها فقط داوران",
    }
    async with opened(size=(100, 40)) as reader:
        await reader.press(":proposals", "y")
        assert label(said[language]) in reader.notices()
        reviews.objection = None
        await reader.press("y")
        assert reviews.decided == [("1a", True, "", frozenset())]
