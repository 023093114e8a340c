"""From an outcome to a rating of 1 to 4, and from typed text to a prediction.

Faults and predictions are not rated by feeling: the error, a hint, the time and the confidence
decide. The reasons are beside the cases, and in the table of `tests/study/test_rating.py`.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from kb.errors import Message, UsageError
from kb.model.study import AGAIN, EASY, GOOD, HARD, SURE, UNSURE, Outcome

CLOSE, ROUGH = 0.1, 1.0
"""Relative errors: nearly right, and right within a factor of two."""

EXACT = 0.01
"""The minimum tolerance: nobody predicts a third digit."""

QUICK = 60_000
"""Milliseconds for an easy answer."""


class Rated(NamedTuple):
    """A rating and its reason."""

    rating: int
    why: Message


def rate(outcome: Outcome, confidence: int, took: int) -> Rated:
    """Return the rating of an answer that the reader does not rate, and the reason.

    A rating says how well something was known, not how lucky a guess was: an unsure choice
    between two answers gets at most hard, and easy needs confidence, no hint and a quick answer.
    """
    if outcome.right is False:
        return Rated(AGAIN, Message("not right"))
    error = outcome.error or 0.0
    if outcome.right is None and error > ROUGH:
        return Rated(AGAIN, Message("off by more than a factor of two"))
    if outcome.right is None and error > CLOSE:
        return Rated(HARD, Message("right within a factor of two"))
    if outcome.right and error > CLOSE:
        return Rated(HARD, Message("found, but for another reason"))
    if outcome.hint:
        return Rated(HARD, Message("right with a hint"))
    if confidence == UNSURE:
        return Rated(HARD, Message("right, but unsure"))
    if error > max(outcome.tolerance, EXACT):
        return Rated(GOOD, Message("nearly right"))
    if confidence == SURE and took <= QUICK and not outcome.sound:
        return Rated(EASY, Message("right, sure and quick"))
    return Rated(GOOD, Message("right"))


# A prediction as it is typed, in the digits and signs of either language.


class Prediction(NamedTuple):
    """A number, or a range of numbers."""

    low: float
    high: float


_PLAIN = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩٬٫−–—×·⋅٪", "01234567890123456789,.---***%")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SCALES = {
    "thousand": 3, "k": 3, "هزار": 3, "million": 6, "میلیون": 6, "billion": 9, "میلیارد": 9,
    "trillion": 12, "تریلیون": 12,
}  # fmt: skip
_VALUE = re.compile(
    r"(?P<sign>[-+]?)(?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:e(?P<tens>[-+]?\d+))?"
    r"(?:\*(?P<base>\d+))?(?:\^(?P<power>[-+]?\d+))?(?P<percent>%?)"
    rf"(?:\s*(?P<scale>{'|'.join(_SCALES)}))?(?:/(?P<below>\d+))?",
)
_BETWEEN = re.compile(r"\s*(?:\.\.+|\bto\b|تا|(?<=[\d%])\s*-\s*(?=[\d.])|\s-\s)\s*")
_MOST_DIGITS = 300


def prediction(typed: str) -> Prediction:
    """Return the typed number or range. Raises `UsageError` for anything else.

    >>> [prediction(each).low for each in ("1e6", "1,000,000", "۱٬۰۰۰٬۰۰۰", "10^6", "1 million")]
    [1000000.0, 1000000.0, 1000000.0, 1000000.0, 1000000.0]
    >>> prediction("۲ تا ۳٫۵"), prediction("5-7").high, prediction("2×10⁻³").low
    (Prediction(low=2.0, high=3.5), 7.0, 0.002)
    """
    plain = re.sub(
        "(?<=[0-9])[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda found: "^" + found[0].translate(_RAISED), typed
    )
    plain = " ".join(plain.translate(_PLAIN).casefold().replace("**", "^").split())
    plain = re.sub(r"\s*([*^/])\s*", r"\1", plain)
    parts = _BETWEEN.split(plain, maxsplit=1)
    values = [_value(part) for part in parts]
    if any(each is None for each in values) or len(plain) > _MOST_DIGITS:
        raise UsageError(
            "type a number or a range, such as 1,000,000, 1e6, 10^6 or 3 to 5, not '{typed}'",
            "Words such as 'about' cannot be judged. Type a range.",
            typed=typed[:60],
        )
    known = sorted(each for each in values if each is not None)
    return Prediction(known[0], known[-1])


def _value(text: str) -> float | None:
    found = _VALUE.fullmatch(text.strip())
    if found is None:
        return None
    try:
        value = float(found["digits"].replace(",", "")) * 10.0 ** int(found["tens"] or 0)
        power = int(found["power"] or 1)
        value = value * float(found["base"]) ** power if found["base"] else value**power
        value *= 10.0 ** _SCALES.get(found["scale"] or "", 0) * (0.01 if found["percent"] else 1)
        value /= float(found["below"] or 1)
    except (OverflowError, ZeroDivisionError, ValueError):
        return None
    return (-value if found["sign"] == "-" else value) if math.isfinite(value) else None


def error_of(predicted: Prediction, measured: float) -> float:
    """Return the error of a prediction relative to the measured value.

    For a range it is that of the farther end, so a wide range is worth little.

    >>> error_of(Prediction(90, 90), 100), error_of(Prediction(50, 150), 100)
    (0.1, 0.5)
    """
    off = max(abs(predicted.low - measured), abs(predicted.high - measured))
    return off / abs(measured) if measured else off
