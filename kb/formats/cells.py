r"""Cells of tables that a spreadsheet would compute, marked so that it shows them as text.

A cell that begins with ``= + - @`` is a formula to a spreadsheet, which may start programs and
send what stands beside it elsewhere (OWASP, "CSV Injection"). So are the full-width forms, and
what a spreadsheet passes over before them: blanks, quotes, tabs. Such a cell gets an
apostrophe before it. What already begins with apostrophes and goes on like that gets one
more, so that taking one off always gives back what was there.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from kb import limits

MARK = "'"
_LONGEST = limits.WHOLE + 1
"""Characters of a cell that `csv` takes: no text that is parted into cells at once has more."""
_PASSED_OVER = r"\s\x00-\x20'\"\u200b-\u200f\u2060\ufeff“”‘’«»"
_COMPUTED = re.compile(rf"[{_PASSED_OVER}]*?[=+\-@＝＋－＠\t\r]")


def reader(lines: Iterable[str], **dialect: Any) -> Any:
    """Return a `csv.reader` for cells of any length: who gives it lines bounds them.

    The limit of `csv` holds for the whole process, so it is only ever raised and never put back:
    another reader may be at work.
    """
    if csv.field_size_limit() < _LONGEST:
        csv.field_size_limit(_LONGEST)
    return csv.reader(lines, **dialect)


def guarded(cell: str) -> str:
    """Return a cell as it is written: with the mark where a spreadsheet would compute it.

    >>> guarded("=1+1"), guarded("'=1+1"), guarded("- a list"), guarded("'tis")
    ("'=1+1", "''=1+1", "'- a list", "'tis")
    """
    return MARK + cell if _COMPUTED.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return the cell of which `guarded` made this.

    >>> unguarded("'=1+1"), unguarded("''=1+1"), unguarded("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if cell.startswith(MARK) and _COMPUTED.match(cell, 1) else cell


def listed(words: Sequence[str]) -> str:
    """Return words in one cell, parted by blanks as cells are by commas.

    >>> listed(["a", "b c"]), words_of('a "b c"')
    ('a "b c"', ('a', 'b c'))
    """
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=" ", lineterminator="\r\n").writerow(words)
    return text.getvalue().removesuffix("\r\n")


def words_of(cell: str) -> tuple[str, ...]:
    """Return the words that `listed` put into a cell. Raises `csv.Error`."""
    lines = io.StringIO(cell, newline="\n")
    return tuple(word for row in reader(lines, delimiter=" ", strict=True) for word in row)
