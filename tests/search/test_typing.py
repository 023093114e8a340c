"""As one types: what is there at once, then the ranked answer, and nothing once it is stale."""

from __future__ import annotations

import pkgutil

import pytest

from kb import Library
from kb.records import Filters


def test_first_come_the_entries_that_hold_the_words_then_the_ranked_ones(bundled: Library) -> None:
    first, ranked = bundled.search_typed("matrix multipl")
    assert first.hits and {hit.score for hit in first.hits} == {0.0}
    assert {hit.id for hit in first.hits} <= {
        hit.id for hit in bundled.search("matrix multipl", limit=None).hits
    }
    expected = bundled.search("matrix multipl")
    assert [hit.id for hit in ranked.hits] == [hit.id for hit in expected.hits]


def test_it_is_the_same_in_persian(bundled: Library) -> None:
    first, ranked = bundled.search_typed("گرادی")
    assert first.hits and ranked.hits
    assert all("گرادی" in (hit.excerpt.text if hit.excerpt else "") for hit in first.hits[:3])


def test_the_first_tier_is_left_out_where_it_finds_nothing(bundled: Library) -> None:
    (ranked,) = bundled.search_typed("zzzz")
    assert ranked.total == 0


def test_nothing_comes_once_it_is_cancelled(bundled: Library) -> None:
    assert list(bundled.search_typed("matrix", cancelled=lambda: True)) == []
    asked = iter([False] * 3)
    tiers = bundled.search_typed("matrix", cancelled=lambda: next(asked, True))
    assert len(list(tiers)) < 2


def test_filters_narrow_both_tiers(bundled: Library) -> None:
    for tier in bundled.search_typed("gradient", filters=Filters(level="H")):
        assert tier.hits and {hit.level for hit in tier.hits} == {"H"}


@pytest.mark.parametrize("stage", ["suggestion", "excerpt.excerpt"])
def test_a_suggestion_and_a_page_are_given_up_once_nobody_wants_them(
    bundled: Library, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    wanted = [True]
    for later in (False, True):
        done = _leaving(f"kb.service.find.{stage}", wanted, bundled, later)
        with monkeypatch.context() as patch:
            patch.setattr(f"kb.service.find.{stage}", done)
            found = bundled.find.search("gradient vanishng", cancelled=lambda: not wanted[0])
        assert bool(found.hits and found.suggestion) is not later


def _leaving(stage: str, wanted: list[bool], library: Library, later: bool) -> object:
    """Return a stage of a search in the middle of which the reader leaves."""
    real = pkgutil.resolve_name(stage.replace(".excerpt.", ":excerpt."))

    def left(*given: object) -> object:
        wanted[0] = not later
        asked = library._base.store.connection()
        asked.value("SELECT count(*) FROM document a, document b, document c")
        return real(*given)

    return left
