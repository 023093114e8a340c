r"""Table cells that a spreadsheet would compute, escaped so that it shows them as text.

A cell that begins with ``= + - @`` is a formula, which may start programs and send data elsewhere
(OWASP, "CSV Injection"). So are full-width forms, and formulas after characters that a
spreadsheet ignores: spaces, quotes, tabs. Such a cell gets an apostrophe before it. A cell that
already begins with apostrophes and then such a sign gets one more, so that removing one always
restores it.
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
"""The longest cell that `csv` accepts; no longer text is split into cells."""
_PASSED_OVER = r"\s\x00-\x20'\"\u200b-\u200f\u2060\ufeff“”‘’«»"
_COMPUTED = re.compile(rf"[{_PASSED_OVER}]*?[=+\-@＝＋－＠\t\r]")


def reader(lines: Iterable[str], **dialect: Any) -> Any:
    """Return a `csv.reader` for cells of any length; the caller limits the lines.

    The limit of `csv` is global, so it is only raised and never restored: another reader may be
    running.
    """
    if csv.field_size_limit() < _LONGEST:
        csv.field_size_limit(_LONGEST)
    return csv.reader(lines, **dialect)


def guarded(cell: str) -> str:
    """Return a cell as written: escaped if a spreadsheet would compute it.

    >>> guarded("=1+1"), guarded("'=1+1"), guarded("- a list"), guarded("'tis")
    ("'=1+1", "''=1+1", "'- a list", "'tis")
    """
    return MARK + cell if _COMPUTED.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return the cell from which `guarded` made this.

    >>> unguarded("'=1+1"), unguarded("''=1+1"), unguarded("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if cell.startswith(MARK) and _COMPUTED.match(cell, 1) else cell


def listed(words: Sequence[str]) -> str:
    """Return words in one cell, separated by spaces as cells are by commas.

    >>> listed(["a", "b c"]), words_of('a "b c"')
    ('a "b c"', ('a', 'b c'))
    """
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=" ", lineterminator="\r\n").writerow(words)
    return text.getvalue().removesuffix("\r\n")


def words_of(cell: str) -> tuple[str, ...]:
    """Return the words of a cell written by `listed`. Raises `csv.Error`."""
    lines = io.StringIO(cell, newline="\n")
    return tuple(word for row in reader(lines, delimiter=" ", strict=True) for word in row)
