"""Figures as people write them."""

from __future__ import annotations

_LARGEST_WHOLE = 1e15


def figure(value: float) -> str:
    """Write a figure: whole numbers with commas, others with six digits.

    >>> figure(1000000.0), figure(0.70710678), figure(-3.2e-9)
    ('1,000,000', '0.707107', '-3.2e-09')
    """
    if value == int(value) and abs(value) < _LARGEST_WHOLE:
        return f"{int(value):,}"
    return f"{value:.6g}"
