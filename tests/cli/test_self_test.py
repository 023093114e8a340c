"""What the self-test looks for. The whole of it is run in every installation of the wheel."""

from __future__ import annotations

import pytest

from kb.service import diagnose
from kb.service.diagnose import examine_installation


def test_five_of_the_known_questions_are_persian() -> None:
    assert sum("\u0600" <= query[0] <= "\u06ff" for query in diagnose.SEARCHES) == 5


@pytest.mark.long
def test_a_search_that_finds_another_entry_first_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**diagnose.SEARCHES, "پس‌انتشار در شبکهٔ بازگشتی": "introduction"}
    monkeypatch.setattr(diagnose, "SEARCHES", known)
    monkeypatch.setattr(diagnose, "_evidence", lambda base, progress: diagnose._searches(base))
    search, _ = examine_installation(lambda done, total: None)
    assert not search.well
    assert "9 of 10" in search.found
    assert "پس‌انتشار در شبکهٔ بازگشتی: rnn-backprop-complexity" in search.found
