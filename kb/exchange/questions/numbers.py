"""The number that a question begins with."""

from __future__ import annotations

import re

_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")
_NUMBERED = re.compile(
    r"^(?P<open>[*_]{0,3}\s*\(?)(?:#\s*)?(?P<number>\d{1,4}(?:\.\d{1,3}){0,4})"
    r"(?:\s*\\?[.):．、][.)\-–—]?(?P<close>[*_]{0,3})\s*(?![.\d])|(?:\s+[-–—/]+|\s*[-–—])\s+"
    r"|(?<=\.\d)\s+|(?<=\.\d\d)\s+)(?P<rest>\S.*)$",
    re.DOTALL,
)


def ascii_digits(text: str) -> str:
    """Return text with its digits as 0 to 9.

    >>> ascii_digits("۱۲")
    '12'
    """
    return text.translate(_DIGITS)


def split_number(text: str) -> tuple[str | None, str]:
    """Return the number at the beginning of a question, in ASCII, and the rest.

    >>> split_number("1.2 Why?"), split_number("۳) چرا؟"), split_number("3 ways?")
    (('1.2', 'Why?'), ('3', 'چرا؟'), (None, '3 ways?'))
    >>> split_number("**1)** Why?"), split_number("**2. Why?**")
    (('1', 'Why?'), ('2', '**Why?**'))
    """
    found = _NUMBERED.match(text)
    if not found:
        return None, text
    opened = found["open"].replace("(", "").strip()
    rest = found["rest"]
    if opened and not (found["close"] or ""):
        rest = opened + rest
    return ascii_digits(found["number"]), rest
