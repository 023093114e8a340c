"""From an outcome to a rating, as a table of cases, and predictions as people type them."""

from __future__ import annotations

import pytest

from kb.errors import UsageError
from kb.model.study import Outcome
from kb.study.rating import error_of, prediction, rate

LONG = 61_000

CASES = [
    # A prediction: error, tolerance, hint, confidence, milliseconds, rating, and why.
    (Outcome(error=0.0), 3, 5_000, 4, "right, sure and quick"),
    (Outcome(error=0.0), 3, LONG, 3, "right: whoever counts for long knows how, not what"),
    (Outcome(error=0.0), 2, 5_000, 3, "right, but not sure"),
    (Outcome(error=0.0), 1, 5_000, 2, "right by luck"),
    (Outcome(error=0.0), 0, 5_000, 3, "right, and nobody asked how sure"),
    (Outcome(error=0.0, hint=True), 3, 5_000, 2, "right with a hint"),
    (Outcome(error=0.01), 3, 5_000, 4, "exact to a hundredth: nobody predicts a third digit"),
    (Outcome(error=0.02), 3, 5_000, 3, "nearly right"),
    (Outcome(error=0.02, tolerance=0.05), 3, 5_000, 4, "exact by the tolerance of the figure"),
    (Outcome(error=0.1), 3, 5_000, 3, "off by a tenth"),
    (Outcome(error=0.11), 3, 5_000, 2, "within a factor of two"),
    (Outcome(error=1.0), 1, LONG, 2, "just within a factor of two"),
    (Outcome(error=1.01), 3, 5_000, 1, "off by more"),
    (Outcome(error=900.0, hint=True), 1, LONG, 1, "far off"),
    # A fault: found or not, how well the correction meets ours, or a sound passage.
    (Outcome(right=True, error=0.0), 3, 5_000, 4, "found and explained"),
    (Outcome(right=True, error=0.1), 2, 5_000, 3, "found and partly explained"),
    (Outcome(right=True, error=1.0), 3, 5_000, 2, "called wrong for another reason"),
    (Outcome(right=True, error=0.0), 1, 5_000, 2, "found by luck"),
    (Outcome(right=True, sound=True), 3, 5_000, 3, "sound: one of two answers is never easy"),
    (Outcome(right=True, sound=True), 1, 5_000, 2, "sound by luck"),
    (Outcome(right=False), 3, 5_000, 1, "not found, or found where nothing is"),
    (Outcome(right=False, sound=True), 1, 5_000, 1, "a sound passage called wrong"),
]


@pytest.mark.parametrize(("outcome", "confidence", "took", "rating", "why"), CASES)
def test_an_outcome_is_rated_by_what_was_known(
    outcome: Outcome, confidence: int, took: int, rating: int, why: str
) -> None:
    assert rate(outcome, confidence, took).rating == rating, why


@pytest.mark.parametrize(
    ("typed", "low", "high"),
    [
        ("1e6", 1e6, 1e6),
        ("1,000,000", 1e6, 1e6),
        ("۱٬۰۰۰٬۰۰۰", 1e6, 1e6),
        ("10^6", 1e6, 1e6),
        ("10**6", 1e6, 1e6),
        ("10⁶", 1e6, 1e6),
        ("1 million", 1e6, 1e6),
        ("۱ میلیون", 1e6, 1e6),
        ("2×10⁻³", 0.002, 0.002),
        ("۲٫۵", 2.5, 2.5),
        ("50%", 0.5, 0.5),
        ("۵۰٪", 0.5, 0.5),
        ("1/4", 0.25, 0.25),
        ("−3", -3, -3),
        ("3 to 5", 3, 5),
        ("5-3", 3, 5),
        ("3..5", 3, 5),
        ("۳ تا ۵", 3, 5),
        ("-3 to -1", -3, -1),
        ("1e-3 - 1e-2", 1e-3, 1e-2),
    ],
)
def test_numbers_and_ranges_are_read_as_people_type_them(
    typed: str, low: float, high: float
) -> None:
    assert prediction(typed) == pytest.approx((low, high))


@pytest.mark.parametrize(
    "typed",
    ["about a million", "حدود یک میلیون", "~1000", "", " ", "many", "1e999", "nan", "inf", "1,00",
     "1_000", "5 000", "1/0", "10^999999999", "3 to", "to 5", "1" * 400, "[?]", "\x1b[31m5"],
)  # fmt: skip
def test_what_is_no_number_is_asked_again(typed: str) -> None:
    with pytest.raises(UsageError, match="type a number or a range"):
        prediction(typed)


def test_a_wide_range_says_as_little_as_it_is_worth() -> None:
    errors = [error_of(prediction(each), 100.0) for each in ("100", "95-105", "50-150", "1-1e9")]
    assert errors == pytest.approx([0.0, 0.05, 0.5, 1e7])
    assert error_of(prediction("0"), 0.0) == 0.0
    assert error_of(prediction("0.5"), 0.0) == 0.5
